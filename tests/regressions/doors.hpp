#pragma once

#include "cli/command.hpp"
#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/query/path_checker.hpp"

/// One question asked at every door: in C++ with each method, on the command line, and in Python.
namespace planner_ccd::test {

/// Runs Python code with the module of this build; nothing is asked where the module is not built.
inline void expect_python(const std::string& code) {
#ifdef PLANNER_CCD_PYTHON
  const TempFolder folder;
  const std::string script = folder.write("ask.py", code);
  const std::string line = "PYTHONPATH='" PLANNER_CCD_PYTHON_PATH "' PYTHONDONTWRITEBYTECODE=1 '" PLANNER_CCD_PYTHON
                           "' '" +
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

/// A robot and a scene in files of a folder of their own, and a motion of the robot's joints.
class Doors {
 public:
  Doors(const std::string& urdf, const std::string& scene) {
    folder_.write("robot.urdf", urdf);
    folder_.write("scene.yaml", scene);
  }
  /// Further files, before the question.
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  std::string path(const std::string& name) const { return folder_.path(name); }

  std::shared_ptr<const RobotModel> robot() const {
    return std::make_shared<const RobotModel>(load_urdf(folder_.path("robot.urdf")).value);
  }
  Scene scene() const { return load_scene(folder_.path("scene.yaml")).value; }

  /// The straight motion has this verdict, whoever is asked.
  void expect(Verdict verdict, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1) const {
    in_cpp(verdict, q0, q1);
    on_the_command_line(verdict, q0, q1);
    in_python(verdict, q0, q1);
  }

 private:
  static std::string numbers(const Eigen::VectorXd& q) {
    std::stringstream text;
    text.precision(17);
    for (int i = 0; i < q.size(); ++i) text << (i > 0 ? "," : "") << q[i];
    return text.str();
  }

  void in_cpp(Verdict verdict, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1) const {
    const PathChecker checker(robot(), scene(), {});
    Workspace workspace(checker);
    for (const std::string& method : search_method_names()) {
      EdgeOptions options;
      options.method = search_method_named(method);
      EXPECT_EQ(checker.any_contact(q0, q1, workspace, options).verdict, verdict) << method;
      EXPECT_EQ(checker.first_contact(q0, q1, workspace, options).verdict, verdict) << method;
    }
    EXPECT_EQ(checker.is_free(q0, q1, workspace), verdict == Verdict::Free);
  }

  void on_the_command_line(Verdict verdict, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1) const {
#ifdef PLANNER_CCD_COMMAND
    std::string names;
    const auto model = robot();
    for (const Coordinate& c : model->coordinates()) names += (names.empty() ? "" : ",") + c.name;
    const std::string path = folder_.write("path.csv", names + "\n" + numbers(q0) + "\n" + numbers(q1) + "\n");
    const CommandResult result = run_command(
        {"check", "--robot", folder_.path("robot.urdf"), "--scene", folder_.path("scene.yaml"), "--path", path});
    const int expected = verdict == Verdict::Free ? 0 : verdict == Verdict::Contact ? 1 : 3;
    EXPECT_EQ(result.exit_code, expected) << result.out << result.err;
#endif
  }

  void in_python(Verdict verdict, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1) const {
    expect_python(
        "import planner_ccd\n"
        "robot = planner_ccd.Robot('" +
        folder_.path("robot.urdf") + "')\nchecker = planner_ccd.PathChecker(robot, planner_ccd.Scene.load('" +
        folder_.path("scene.yaml") + "', robot))\nresult = checker.first_contact([" + numbers(q0) + "], [" +
        numbers(q1) + "])\nassert result.verdict.name.lower() == '" + to_string(verdict) + "', result\n");
  }

  TempFolder folder_;
};

}  // namespace planner_ccd::test
