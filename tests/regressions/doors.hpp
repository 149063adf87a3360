#pragma once

#include <algorithm>

#include "cli/command.hpp"
#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/query/path_checker.hpp"

/// One question asked through every entry point: C++ with each method, command line, and Python.
namespace planner_ccd::test {

/// Runs Python code with this build's module; does nothing if the module was not built.
inline void expect_python(const std::string& code) {
#ifdef PLANNER_CCD_PYTHON
  const TempFolder folder;
  const std::string script = folder.write("ask.py", code);
  const std::string line = "PYTHONPATH='" PLANNER_CCD_PYTHON_PATH "' PYTHONDONTWRITEBYTECODE=1 '" PLANNER_CCD_PYTHON
                           "' -W error:planner_ccd:DeprecationWarning '" +
                           script + "' > '" + folder.path("out") + "' 2>&1";
  const int status = std::system(line.c_str());
  std::ifstream out(folder.path("out"));
  std::stringstream text;
  text << out.rdbuf();
  EXPECT_EQ(status, 0) << text.str() << code;
#else
  (void)code;
#endif
}

/// A robot and a scene in files of a separate folder, and a motion of the robot's joints.
class Doors {
 public:
  Doors(const std::string& urdf, const std::string& scene) {
    folder_.write("robot.urdf", urdf);
    folder_.write("scene.yaml", scene);
  }
  /// Writes further files, before the question.
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  std::string path(const std::string& name) const { return folder_.path(name); }

  std::shared_ptr<const RobotModel> robot() const {
    return std::make_shared<const RobotModel>(load_urdf(folder_.path("robot.urdf")).value);
  }
  Scene scene() const { return load_scene(folder_.path("scene.yaml")).value; }

  /// Expects this verdict for the straight motion through every entry point.
  void expect(Verdict verdict, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1) const {
    expect_one_of({verdict}, q0, q1);
  }
  void expect_not_free(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1) const {
    expect_one_of({Verdict::Contact, Verdict::Undecided}, q0, q1);
  }

 private:
  using Verdicts = std::vector<Verdict>;

  void expect_one_of(const Verdicts& right, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1) const {
    in_cpp(right, q0, q1);
    on_the_command_line(right, q0, q1);
    in_python(right, q0, q1);
  }

  static bool among(const Verdicts& right, Verdict verdict) {
    return std::find(right.begin(), right.end(), verdict) != right.end();
  }

  static std::string numbers(const Eigen::VectorXd& q) {
    std::stringstream text;
    text.precision(17);
    for (int i = 0; i < q.size(); ++i) text << (i > 0 ? "," : "") << q[i];
    return text.str();
  }

  void in_cpp(const Verdicts& right, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1) const {
    const PathChecker checker(robot(), scene(), {});
    Workspace workspace(checker);
    for (const std::string& method : search_method_names()) {
      EdgeOptions options;
      options.method = search_method_named(method);
      const Verdict any = checker.any_contact(q0, q1, workspace, options).verdict;
      const Verdict first = checker.first_contact(q0, q1, workspace, options).verdict;
      EXPECT_TRUE(among(right, any)) << method << " " << to_string(any);
      EXPECT_TRUE(among(right, first)) << method << " " << to_string(first);
    }
    EXPECT_EQ(checker.is_free(q0, q1, workspace), right[0] == Verdict::Free);
  }

  void on_the_command_line([[maybe_unused]] const Verdicts& right, [[maybe_unused]] const Eigen::VectorXd& q0,
                           [[maybe_unused]] const Eigen::VectorXd& q1) const {
#ifdef PLANNER_CCD_COMMAND
    std::string names;
    const auto model = robot();
    for (const Coordinate& c : model->coordinates()) names += (names.empty() ? "" : ",") + c.name;
    const std::string path = folder_.write("path.csv", names + "\n" + numbers(q0) + "\n" + numbers(q1) + "\n");
    const CommandResult result = run_command(
        {"check", "--robot", folder_.path("robot.urdf"), "--scene", folder_.path("scene.yaml"), "--path", path});
    const bool answered = result.exit_code == 0 || result.exit_code == 1 || result.exit_code == 3;
    const Verdict verdict = result.exit_code == 0   ? Verdict::Free
                            : result.exit_code == 1 ? Verdict::Contact
                                                    : Verdict::Undecided;
    EXPECT_TRUE(answered && among(right, verdict)) << result.out << result.err;
#endif
  }

  void in_python(const Verdicts& right, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1) const {
    std::string names;
    for (const Verdict verdict : right) names += "'" + std::string(to_string(verdict)) + "', ";
    expect_python(
        "import planner_ccd\n"
        "robot = planner_ccd.Robot('" +
        folder_.path("robot.urdf") + "')\nchecker = planner_ccd.PathChecker(robot, planner_ccd.Scene.load('" +
        folder_.path("scene.yaml") + "', robot))\nresult = checker.first_contact([" + numbers(q0) + "], [" +
        numbers(q1) + "])\nassert result.verdict.name.lower() in [" + names + "], result\n");
  }

  TempFolder folder_;
};

}  // namespace planner_ccd::test
