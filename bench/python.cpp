// The cost of check_edges in Python over the checking itself, in one process: the same edges, in turns, as rows of one array.
#include <pybind11/embed.h>
#include <pybind11/numpy.h>

#include <ctime>

#include "bench/support/table.hpp"
#include "planner_ccd/planner_ccd.hpp"

namespace {

using namespace planner_ccd;
using namespace planner_ccd::bench;
namespace py = pybind11;

const std::string kRoot = PLANNER_CCD_SOURCE_DIR;

/// [s] Spent by all threads of the process.
double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Edges of a campaign: about the arm's free path, of a radian each.
const char* const kDraw = R"(
import numpy as np
import planner_ccd

robot = planner_ccd.Robot(root + "/urdf/arm7.urdf", root + "/urdf/arm7.srdf")
scene = planner_ccd.Scene.load(root + "/models/scenes/arm_clutter.yaml", robot)
checker = planner_ccd.PathChecker(robot, scene)
random = np.random.default_rng(1)
near = robot.load_path(root + "/models/paths/arm_free.csv")
starts = near[random.integers(len(near), size=count)] + random.uniform(-0.3, 0.3, (count, robot.dof))
step = random.normal(size=starts.shape)
ends = starts + step / np.linalg.norm(step, axis=1)[:, None]
)";

struct Cpp {
  PathChecker checker;
  Workspace workspace;
};

Cpp load() {
  const auto robot = std::make_shared<const RobotModel>(load_urdf(kRoot + "/urdf/arm7.urdf").value);
  const auto pairs = build_collision_matrix(*robot, load_srdf(kRoot + "/urdf/arm7.srdf", *robot).value);
  PathChecker checker(robot, load_scene(kRoot + "/models/scenes/arm_clutter.yaml").value, pairs);
  Workspace workspace(checker);
  return {std::move(checker), std::move(workspace)};
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(argc, argv);
  const int count = arguments.count(1'000'000, 20'000), turns = arguments.count(5, 3);
  Table table("python", arguments);
  const py::scoped_interpreter python;
  py::module_::import("sys").attr("path").attr("insert")(0, PLANNER_CCD_PYTHON_FOLDER);
  py::dict names;
  names["root"] = kRoot;
  names["count"] = count;
  py::exec(kDraw, names);
  const auto starts = names["starts"].cast<py::array_t<double>>(), ends = names["ends"].cast<py::array_t<double>>();
  Cpp cpp = load();
  const auto row = [&](const py::array_t<double>& rows, int i) {
    return Eigen::Map<const Eigen::VectorXd>(rows.data(i, 0), rows.shape(1));
  };
  for (int turn = 0; turn < turns; ++turn) {
    double before = processor_time();
    int free = 0;
    for (int i = 0; i < count; ++i) {
      const EdgeResult result = cpp.checker.any_contact(row(starts, i), row(ends, i), cpp.workspace);
      free += result.verdict == Verdict::Free ? 1 : 0;
    }
    const double checking = processor_time() - before;
    before = processor_time();
    const int told = py::eval("int(checker.check_edges(starts, ends, threads=1).free.sum())", names).cast<int>();
    const double python_s = processor_time() - before;
    table.add({{"turn", turn},
               {"edges", count},
               {"free", free},
               {"same", told == free},
               {"checking_us", 1e6 * checking / count},
               {"check_edges_us", 1e6 * python_s / count},
               {"overhead_percent", 100.0 * (python_s - checking) / checking}});
  }
  return table.finish();
}
