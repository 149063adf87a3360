// FCL and OMPL before the edges of the suite, for adapters.py. The world is prepared once:
//
//   suite_peers PACKAGE=FOLDER,... URDF SRDF SCENE METHOD [STEP]     ("-": no file)
//
// Each line of standard input is a motion of degree 1 or 2 in t: rows of control points (start and end, or start, control
// point and end of a Bezier curve), numbers as C's %a, rows parted by ';'. Its answer is "free" or "hit", the time
// before which it is claimed free, or "-", and processor seconds. The line "memory" is answered with the bytes that the
// process grew to beyond robot, scene and what is ours.
#include <fcl/narrowphase/continuous_collision.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>

#include "bench/peers/fcl_world.hpp"
#include "planner_ccd/planner_ccd.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/robot/kinematics.hpp"
#ifdef PLANNER_CCD_HAVE_OMPL
#include <ompl/base/DiscreteMotionValidator.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/util/Console.h>
#endif

namespace {

using namespace planner_ccd;
using namespace planner_ccd::bench;

struct Answer {
  bool hit = false;
  double t = -1.0;  ///< Claimed free before; < 0: no claim.
};

/// A motion as a segment, its control points and the straight length of its control polygon [rad].
struct Motion {
  Eigen::MatrixXd points;  ///< A column per control point.
  double length = 0.0;
};

Motion parse(const std::string& line, int dof) {
  std::vector<double> numbers;
  int columns = 1;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word == ";") {
      ++columns;
    } else {
      numbers.push_back(std::strtod(word.c_str(), nullptr));
    }
  }
  if (numbers.size() != static_cast<std::size_t>(columns * dof) || columns < 2)
    throw InputError("a line that is no motion");
  Motion out{Eigen::Map<const Eigen::MatrixXd>(numbers.data(), dof, columns)};
  for (int k = 1; k < columns; ++k) out.length += (out.points.col(k) - out.points.col(k - 1)).norm();
  return out;
}

class Method {
 public:
  explicit Method(const PathChecker& checker) : checker_(checker), motion_(checker.robot()) {}
  virtual ~Method() = default;
  Answer ask(const Motion& given) {
    motion_.set_segment(bezier_trajectory(checker_.robot(), given.points, 0.0, 1.0).segments[0]);
    return check(given);
  }

 protected:
  const PathChecker& checker_;
  EdgeMotion motion_;
  virtual Answer check(const Motion& given) = 0;
};

/// States no farther apart than the step, until one is in contact: from the start, or halves first, as planners do.
class Sampled : public Method {
 public:
  Sampled(const PathChecker& checker, double step, bool in_order)
      : Method(checker), world_(checker.robot(), parts_of(checker).world), step_(step), in_order_(in_order) {}

 private:
  FclWorld world_;
  double step_;
  bool in_order_;

  Answer check(const Motion& given) override {
    if (!in_order_) return {discrete_bisection(world_, motion_, given.length, step_).hit};
    const DiscreteResult found = discrete_in_order(world_, motion_, given.length, step_);
    return {found.hit, found.hit ? found.t : 1.0};
  }
};

/// fcl::continuousCollide by conservative advancement, for each pair from its two poses at the start to those at the end: what
/// happens to a link between them is FCL's guess.
class Continuous : public Method {
 public:
  explicit Continuous(const PathChecker& checker) : Method(checker), world_(parts_of(checker).world) {
    for (const Collider& c : world_.colliders()) models_.push_back(fcl_model(*c.tree));
    for (Kinematics& k : ends_) k.resize(MoveChain(checker.robot()));
  }

 private:
  const CollisionWorld& world_;
  std::vector<std::shared_ptr<FclModel>> models_;
  std::array<Kinematics, 2> ends_;

  fcl::Transform3d pose(int collider, std::size_t end) const {
    fcl::Transform3d X = fcl::Transform3d::Identity();
    const int body = world_.colliders()[static_cast<std::size_t>(collider)].body;
    if (body == 0) return X;
    X.linear() = ends_[end].bodies[static_cast<std::size_t>(body)].R_WB;
    X.translation() = ends_[end].bodies[static_cast<std::size_t>(body)].p_WB;
    return X;
  }
  Answer check(const Motion&) override {
    motion_.kinematics(0.0, ends_[0]);
    motion_.kinematics(1.0, ends_[1]);
    Answer first{false, 1.0};
    for (int p = 0; p < static_cast<int>(world_.problem().pairs.size()); ++p) {
      const int a = world_.collider_a(p), b = world_.collider_b(p);
      fcl::ContinuousCollisionRequestd request;
      request.num_max_iterations = 1000;
      request.ccd_motion_type = fcl::CCDM_LINEAR;
      request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
      fcl::ContinuousCollisionResultd result;
      fcl::continuousCollide<double>(models_[static_cast<std::size_t>(a)].get(), pose(a, 0), pose(a, 1),
                                     models_[static_cast<std::size_t>(b)].get(), pose(b, 0), pose(b, 1), request,
                                     result);
      if (!result.is_collide) continue;
      first.hit = true;
      first.t = std::min(first.t, std::max(0.0, result.time_of_contact));
    }
    return first;
  }
};

#ifdef PLANNER_CCD_HAVE_OMPL
namespace ob = ompl::base;

/// OMPL's DiscreteMotionValidator over states that FCL checks; straight motions alone.
class Ompl : public Method {
 public:
  Ompl(const PathChecker& checker, double step) : Method(checker) {
    const auto dof = static_cast<unsigned>(checker.robot().dof());
    const auto space = std::make_shared<ob::RealVectorStateSpace>(dof);
    space->setBounds(-1000.0, 1000.0);
    info_ = std::make_shared<ob::SpaceInformation>(space);
    info_->setStateValidityChecker(std::make_shared<States>(info_, checker));
    info_->setMotionValidator(std::make_shared<ob::DiscreteMotionValidator>(info_));
    info_->setStateValidityCheckingResolution(step / space->getMaximumExtent());
    info_->setup();
    from_ = info_->allocState();
    to_ = info_->allocState();
  }
  ~Ompl() override {
    info_->freeState(from_);
    info_->freeState(to_);
  }

 private:
  class States : public ob::StateValidityChecker {
   public:
    States(const ob::SpaceInformationPtr& si, const PathChecker& checker)
        : StateValidityChecker(si), shared_(std::make_unique<Shared>(checker)) {}
    bool isValid(const ob::State* state) const override {
      const double* values = state->as<ob::RealVectorStateSpace::StateType>()->values;
      const Eigen::Map<const Eigen::VectorXd> q(values, static_cast<Eigen::Index>(si_->getStateDimension()));
      shared_->motion.set_linear(q, q, AnglePolicy::Literal);
      return !shared_->world.collides(shared_->motion, 0.0);
    }

   private:
    struct Shared {
      explicit Shared(const PathChecker& checker)
          : motion(checker.robot()), world(checker.robot(), parts_of(checker).world) {}
      EdgeMotion motion;
      FclWorld world;
    };
    std::unique_ptr<Shared> shared_;
  };

  ob::SpaceInformationPtr info_;
  ob::State *from_ = nullptr, *to_ = nullptr;

  Answer check(const Motion& given) override {
    if (given.points.cols() != 2) throw InputError("OMPL's validator takes straight motions alone");
    const auto write = [&](ob::State* state, int column) {
      for (Eigen::Index k = 0; k < given.points.rows(); ++k) {
        state->as<ob::RealVectorStateSpace::StateType>()->values[k] = given.points(k, column);
      }
    };
    write(from_, 0);
    write(to_, 1);
    // Planners ask about motions from states that they know to be valid; here nothing is known.
    return {!info_->isValid(from_) || !info_->checkMotion(from_, to_)};
  }
};
#endif

std::unique_ptr<Method> method_named(const PathChecker& checker, const std::string& name, double step) {
  if (name == "fcl") return std::make_unique<Sampled>(checker, step, false);
  if (name == "fcl_first") return std::make_unique<Sampled>(checker, step, true);
  if (name == "fcl_ccd") return std::make_unique<Continuous>(checker);
#ifdef PLANNER_CCD_HAVE_OMPL
  ompl::msg::setLogLevel(ompl::msg::LOG_WARN);
  if (name == "ompl") return std::make_unique<Ompl>(checker, step);
#endif
  throw InputError("there is no method " + name + " in this build");
}

/// An entry of /proc/self/status, in bytes.
long memory_of(const std::string& entry) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    long kilobytes = 0;
    if (word == entry && status >> kilobytes) return 1024 * kilobytes;
  }
  throw InputError("/proc/self/status says nothing of " + entry);
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void answer_lines(Method& method, int dof, long memory_before) {
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "memory") {
      std::cout << memory_of("VmHWM:") - memory_before << std::endl;
      continue;
    }
    const Motion motion = parse(line, dof);
    const double began = processor_seconds();
    const Answer answer = method.ask(motion);
    const double spent = processor_seconds() - began;
    std::cout << (answer.hit ? "hit " : "free ");
    if (answer.t < 0.0) {
      std::cout << "-";
    } else {
      std::cout << answer.t;
    }
    std::cout << " " << spent << "\n";
  }
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 5) throw InputError("PACKAGE=FOLDER,... URDF SRDF SCENE METHOD [STEP]");
  UrdfOptions urdf;
  std::istringstream packages(words[0]);
  for (std::string entry; std::getline(packages, entry, ',');) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) throw InputError("a package without a folder");
    urdf.resources.packages[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  const auto robot = std::make_shared<const RobotModel>(load_urdf(words[1], urdf).value);
  const auto pairs = words[2] == "-" ? build_collision_matrix(*robot, {})
                                     : build_collision_matrix(*robot, load_srdf(words[2], *robot).value);
  const PathChecker checker(robot, words[3] == "-" ? Scene() : load_scene(words[3]).value, pairs);
  std::ofstream("/proc/self/clear_refs") << 5;  // forgets how much it once was
  const long before = memory_of("VmRSS:");
  const auto method = method_named(checker, words[4], words.size() > 5 ? std::stod(words[5]) : 0.0);
  answer_lines(*method, robot->dof(), before);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "suite_peers: " << error.what() << "\n";
    return 2;
  }
}
