#include "bench/scenarios/rigid_worlds.hpp"

#include <cmath>
#include <random>

#include "bench/scenarios/reference.hpp"
#include "planner_ccd/io/mesh_file.hpp"

namespace planner_ccd::bench {
namespace {

struct RigidFiles {
  const char* name;
  const char* moving;  ///< models/meshes/rigid/<moving>.glb
  const char* fixed;   ///< nullptr: several copies of the same body, all moving.
  int bodies;          ///< Number of moving bodies.
};

constexpr RigidFiles kRigid[] = {
    {"rigid_club", "club", "club", 1},
    {"rigid_gear", "gear", "gear", 1},
    {"rigid_hammer_cad", "hammer", "work_piece", 1},
    {"rigid_blob", "hare_70k", "hare_70k", 1},
    {"rigid_blob_dynamics", "duck_26k", nullptr, 6},
    {"rigid_torusknot", "torus_knot", "torus_knot", 1},
};

Geometry load(const char* name) {
  Geometry g;
  g.shape = load_mesh(std::string(PLANNER_CCD_SOURCE_DIR "/models/meshes/rigid/") + name + ".glb");
  g.source = name;
  return g;
}

/// [m] Bounds the distance of all vertices from the origin.
double reach(const Geometry& g) {
  double greatest = 0.0;
  for (const Eigen::Vector3d& v : std::get<MeshPtr>(g.shape)->vertices) greatest = std::max(greatest, v.norm());
  return greatest;
}

class MotionDraw {
 public:
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(rng_); }
  Eigen::Vector3d direction() {
    for (;;) {
      const Eigen::Vector3d v(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
      if (v.norm() > 0.1 && v.norm() < 1.0) return v.normalized();
    }
  }
  Eigen::Quaterniond turn(double angle) { return Eigen::Quaterniond(Eigen::AngleAxisd(angle, direction())); }

  /// One body past another at the origin: from 1.5 reaches away to the other side, passing within two reaches, with up
  /// to half a turn.
  Edge past(double size) {
    const Eigen::Vector3d from = 1.5 * size * direction();
    const Eigen::Vector3d to = size * uniform(0.0, 2.2) * direction() - 0.5 * from;
    const Eigen::Quaterniond r0 = turn(uniform(0.0, 3.1));
    Edge edge{Eigen::VectorXd(7), Eigen::VectorXd(7), false};
    edge.q0 << from, r0.coeffs();
    edge.q1 << to, (turn(uniform(0.0, 3.1)) * r0).coeffs();
    return edge;
  }

  /// A time step of many bodies in a heap: each starts in a box, moves by a tenth of its reach and turns by 0.3.
  Edge step(int bodies, double size) {
    Edge edge{Eigen::VectorXd(7 * bodies), Eigen::VectorXd(7 * bodies), false};
    for (int i = 0; i < bodies; ++i) {
      const double half = 1.1 * size;
      const Eigen::Vector3d p(uniform(-half, half), uniform(-half, half), uniform(-half, half));
      const Eigen::Quaterniond r = turn(uniform(0.0, 3.1));
      edge.q0.segment<7>(7 * i) << p, r.coeffs();
      edge.q1.segment<7>(7 * i) << Eigen::Vector3d(p + 0.1 * size * direction()), (turn(0.3) * r).coeffs();
    }
    return edge;
  }

 private:
  std::mt19937 rng_{2026};
};

std::unique_ptr<PathChecker> make_checker(const RigidFiles& files, const Geometry& body,
                                          const CheckerOptions& options) {
  RobotSpec spec;
  spec.name = files.name;
  spec.links.push_back({"world", {}, {}});
  for (int i = 0; i < files.bodies; ++i) {
    JointSpec joint;
    joint.name = "free" + std::to_string(i);
    joint.type = JointType::Floating;
    joint.parent = "world";
    joint.child = "body" + std::to_string(i);
    spec.links.push_back({joint.child, {body}, {}});
    spec.joints.push_back(joint);
  }
  Scene scene;
  if (files.fixed != nullptr) {
    scene.objects.push_back({"obstacle", {load(files.fixed)}, Eigen::Isometry3d::Identity()});
  }
  return std::make_unique<PathChecker>(std::make_shared<const RobotModel>(std::move(spec)), scene, CollisionMatrix{},
                                       options);
}

}  // namespace

std::vector<std::string> rigid_scenarios() {
  std::vector<std::string> names;
  for (const RigidFiles& f : kRigid) names.emplace_back(f.name);
  return names;
}

Scenario load_rigid_scenario(const std::string& name, const ScenarioOptions& options) {
  Scenario scenario;
  scenario.name = name;
  for (const RigidFiles& files : kRigid) {
    if (name != files.name) continue;
    const Geometry body = load(files.moving);
    const double size = reach(body);
    scenario.checker = make_checker(files, body, options.checker);
    const PathChecker& checker = *scenario.checker;
    Workspace workspace(checker);
    Reference reference(checker, options);
    EdgeSet set{"paper", {}, 0};
    MotionDraw draw;
    int free = 0, hits = 0;
    for (int tries = 0; (free < options.count || hits < options.count) && tries < 200 * options.count; ++tries) {
      Edge edge = files.fixed != nullptr ? draw.past(size) : draw.step(files.bodies, size);
      if (checker.in_contact(edge.q0, workspace)) continue;
      const bool looks_free = checker.is_free(edge.q0, edge.q1, workspace);
      if ((looks_free ? free : hits) >= options.count) continue;
      const Truth truth = reference.about(edge);
      set.left_out += truth == Truth::WithinTolerance;
      if (truth == Truth::WithinTolerance) continue;
      edge.hit = truth == Truth::Hit;
      ++(edge.hit ? hits : free);
      set.edges.push_back(std::move(edge));
    }
    scenario.sets.push_back(std::move(set));
  }
  return scenario;
}

}  // namespace planner_ccd::bench
