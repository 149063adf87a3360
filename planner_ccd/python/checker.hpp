#pragma once

#include <mutex>
#include <optional>
#include <variant>

#include "planner_ccd/python/options.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/query/prepared_robot.hpp"

namespace planner_ccd::python {

/// `planner_ccd.PreparedRobot`: with the rules its robot had when it was prepared.
struct Prepared {
  Robot source;
  std::shared_ptr<const PreparedRobot> robot;
  std::vector<InputWarning> warnings;
};

inline void describe(Writer& a, const Prepared& v) {
  a(v.source, v.robot->margin(), v.robot->self_margin(), v.robot->proofs(), v.warnings);
}
inline void describe(Reader& a, Prepared& v) {
  PrepareOptions options{.cell_evaluations = 0};
  std::string proofs;
  a(v.source, options.margin, options.self_margin, proofs, v.warnings);
  const PreparedRobot bare(v.source.model, v.source.matrix, options);
  v.robot = std::make_shared<const PreparedRobot>(bare.with_proofs(proofs, "pickle"));
}

/// Everything that a checker is built from.
struct Setup {
  using AnyRobot = std::variant<Robot, Prepared>;

  std::shared_ptr<const AnyRobot> robot;  ///< Shared by the checkers for all its scenes.
  PyScene scene;
  double margin = 0.0, self_margin = 0.0;
  std::int64_t cell_evaluations = 0;
  std::string broad_phase;
  MotionErrors errors;  ///< An old way to give them: new programs give EdgeOptions.
};

inline void describe(Writer& a, const Setup& v) {
  a(*v.robot, v.scene, v.margin, v.self_margin, v.cell_evaluations, v.broad_phase, v.errors);
}
inline void describe(Reader& a, Setup& v) {
  Setup::AnyRobot robot;
  a(robot, v.scene, v.margin, v.self_margin, v.cell_evaluations, v.broad_phase, v.errors);
  v.robot = std::make_shared<const Setup::AnyRobot>(std::move(robot));
}

const RobotModel& model_of(const Setup::AnyRobot& robot);

CheckerOptions options_of(const Setup& setup);

/// A PathChecker for any number of Python threads: each call borrows a workspace.
class Checker {
 public:
  explicit Checker(Setup setup);
  /// The same in another scene, rebuilding only what has changed (PathChecker::with_scene).
  Checker with_scene(PyScene scene) const;

  const PathChecker& get() const { return checker_; }
  const Setup& setup() const { return setup_; }
  const Robot& robot() const;
  CheckerOptions options() const { return options_of(setup_); }
  /// For this checker's robot; with its own errors, if it was given some. Throws InputError.
  EdgeOptions options(const PyEdgeOptions& given) const;
  TrajectoryOptions options(const PyTrajectoryOptions& given) const;
  std::vector<Assumption> assumed() const;

  /// Calls `use` with a workspace, without the GIL.
  template <class Use>
  auto borrow(const Use& use) {
    const py::gil_scoped_release release;
    std::unique_ptr<Workspace> workspace;
    {
      const std::lock_guard lock(pool_->mutex);
      if (!pool_->idle.empty()) {
        workspace = std::move(pool_->idle.back());
        pool_->idle.pop_back();
      }
    }
    if (!workspace) workspace = std::make_unique<Workspace>(checker_);
    auto result = use(*workspace);
    const std::lock_guard lock(pool_->mutex);
    pool_->idle.push_back(std::move(workspace));
    return result;
  }

  JointVector configuration(const py::object& argument, const std::string& what) const;
  /// An n x dof array: the caller's own, where that is one of doubles.
  py::array_t<double> rows(const py::object& argument, const std::string& what) const;
  std::vector<JointVector> configurations(const py::object& argument, const std::string& what) const;
  /// Throws InputError for a configuration of another size.
  void require_size(Eigen::Index size, const std::string& what) const;

 private:
  struct Pool {
    std::mutex mutex;
    std::vector<std::unique_ptr<Workspace>> idle;
  };
  Setup setup_;
  PathChecker checker_;
  std::shared_ptr<Pool> pool_ = std::make_shared<Pool>();  ///< Shared by all checkers made by with_scene().

  Checker(Setup setup, PathChecker checker, std::shared_ptr<Pool> pool)
      : setup_(std::move(setup)), checker_(std::move(checker)), pool_(std::move(pool)) {}
};

template <>
struct Content<Checker> {
  using Type = Setup;
  static const Setup& of(const Checker& checker) { return checker.setup(); }
  static std::unique_ptr<Checker> make(Setup setup) { return std::make_unique<Checker>(std::move(setup)); }
};

void bind_certify(py::class_<Checker>& checker);
void bind_states(py::class_<Checker>& checker);
void bind_check_edges(py::class_<Checker>& checker);
void bind_check_trajectory(py::class_<Checker>& checker);
void bind_suggest_pairs(py::module_& module, py::class_<Checker>& checker);

}  // namespace planner_ccd::python
