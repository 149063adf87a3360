#include <chrono>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/io/prepared_file.hpp"

namespace planner_ccd::cli {
namespace {

/// Default evaluations per pair of `prepare`: some seconds for a Panda or a UR5.
constexpr std::int64_t kEvaluations = 1'000'000;

std::string table(const PreparedRobot& robot) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(1);
  for (const PreparedPair& pair : robot.pairs()) {
    out << "  " << pair.a << " and " << pair.b << ": ";
    if (pair.joints == 0) {
      out << "too many joints between them, or one without limits\n";
      continue;
    }
    out << 100.0 * pair.free_share << " % of the values of " << pair.joints << (pair.joints == 1 ? " joint" : " joints")
        << " proved free, " << static_cast<double>(pair.memory) / 1024.0 << " KiB\n";
  }
  return out.str();
}

}  // namespace

int run_prepare(const Arguments& arguments) {
  const CheckerOptions asked = checker_options(arguments);
  const std::int64_t evaluations = arguments.has("cell-evaluations") ? asked.cell_evaluations : kEvaluations;
  const std::string folder = proof_folder(arguments);
  const LoadedRobot robot = load_robots("ROBOT.urdf", arguments);
  print_warnings(arguments, robot);
  const auto start = std::chrono::steady_clock::now();
  const PreparedRobot prepared(robot.model, robot.matrix, {asked.margin, evaluations, asked.self_margin});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::string file = keep_prepared(prepared, folder);
  std::cout << robot.model->name() << ": " << prepared.pairs().size() << " pairs of links, margin " << asked.margin
            << " m, within a robot " << asked.self_margin << " m\n"
            << table(prepared) << std::fixed << std::setprecision(1) << seconds << " s, "
            << static_cast<double>(prepared.cell_memory()) / 1024.0 << " KiB of proofs in " << file << "\n";
  return kFree;
}

}  // namespace planner_ccd::cli
