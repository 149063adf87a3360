#include "support/scenarios.hpp"

#include <cmath>
#include <numbers>

#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "support/shared_data.hpp"

namespace planner_ccd::testing {
namespace {

const std::string kSource = testing::source_dir();

using Triangles = std::vector<Eigen::Vector3i>;

Geometry mesh(std::vector<Eigen::Vector3d> vertices, Triangles triangles) {
  auto m = std::make_shared<TriangleMesh>();
  m->vertices = std::move(vertices);
  m->triangles = std::move(triangles);
  return {MeshPtr(std::move(m)), Eigen::Isometry3d::Identity(), "mesh"};
}

std::vector<Geometry> things(Draw& draw, Material material, double size) {
  std::vector<Geometry> out;
  const int count = draw.integer(1, 2);
  for (int i = 0; i < count; ++i) {
    Geometry g;
    switch (material) {
      case Material::Meshes: g = draw.integer(0, 1) == 0 ? blob_mesh(draw, size) : soup_mesh(draw, 5, size); break;
      case Material::Primitives: g = primitive(draw, size); break;
      case Material::Thin:
        switch (draw.integer(0, 2)) {
          case 0: g = plate_mesh(2.0 * size, 2.0 * size, 0.001); break;
          case 1: g = sheet_mesh(2.0 * size, 2.0 * size); break;
          default: g = needle_mesh(3.0 * size, 0.0001); break;
        }
        break;
      case Material::Anything: return things(draw, static_cast<Material>(draw.integer(1, 3)), size);
    }
    g.pose = draw.pose(0.5 * size);
    out.push_back(std::move(g));
  }
  return out;
}

}  // namespace

Scenario own_scenario(const std::string& name, const std::string& robot, const std::string& scene_file) {
  Scenario s;
  s.name = name;
  s.set_robot(load_urdf(kSource + "/urdf/" + robot + ".urdf").value);
  s.matrix = build_collision_matrix(*s.robot, load_srdf(kSource + "/urdf/" + robot + ".srdf", *s.robot).value);
  if (!scene_file.empty()) s.scene = load_scene(kSource + "/models/scenes/" + scene_file + ".yaml").value;
  return s;
}

Scenario several_robots() {
  Scenario s;
  s.name = "three robots";
  const auto base = [](double x, double y, double yaw) {
    Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
    X.linear() = Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ()).toRotationMatrix();
    X.translation() = Eigen::Vector3d(x, y, 0.0);
    return X;
  };
  const RobotSpec arm = load_urdf(kSource + "/urdf/arm7.urdf").value;
  const RobotSpec puma = load_urdf(kSource + "/urdf/puma.urdf").value;
  s.set_robot(combine({{arm, "left_", base(0.0, 0.5, 0.0)},
                       {arm, "right_", base(0.0, -0.5, 0.3)},
                       {puma, "far_", base(1.0, 0.0, 3.0)}}));
  s.matrix = build_collision_matrix(*s.robot);
  // The pairs excluded by the Puma's own SRDF, under the new names.
  const RobotModel alone(puma);
  for (const SrdfPair& p : load_srdf(kSource + "/urdf/puma.srdf", alone).value.disabled) {
    s.matrix.exclude("far_" + p.a, "far_" + p.b, ExclusionReason::Disabled, p.reason);
  }
  s.scene.objects.push_back(
      {"table", {{Box{{0.5, 0.5, 0.3}}, Eigen::Isometry3d::Identity(), "box"}}, base(0.45, 0.0, 0.2)});
  return s;
}

Geometry blob_mesh(Draw& draw, double size) {
  const double g = std::numbers::phi;
  std::vector<Eigen::Vector3d> v;
  for (const double a : {-1.0, 1.0}) {
    for (const double b : {-g, g}) {
      v.insert(v.end(), {{0, a, b}, {a, b, 0}, {b, 0, a}});
    }
  }
  Triangles faces;
  for (int i = 0; i < 12; ++i) {
    for (int j = i + 1; j < 12; ++j) {
      for (int k = j + 1; k < 12; ++k) {
        const auto near = [&](int p, int q) { return (v[p] - v[q]).norm() < 2.1; };
        if (!near(i, j) || !near(j, k) || !near(i, k)) continue;
        const bool outwards = (v[j] - v[i]).cross(v[k] - v[i]).dot(v[i]) > 0.0;
        faces.push_back(outwards ? Eigen::Vector3i(i, j, k) : Eigen::Vector3i(i, k, j));
      }
    }
  }
  Triangles finer;
  std::vector<std::vector<int>> middle(v.size(), std::vector<int>(v.size(), -1));
  const auto halfway = [&](int a, int b) {
    int& m = middle[std::min(a, b)][std::max(a, b)];
    if (m < 0) {
      m = static_cast<int>(v.size());
      v.push_back(0.5 * (v[a] + v[b]));
    }
    return m;
  };
  for (const Eigen::Vector3i& f : faces) {
    const int a = halfway(f[0], f[1]), b = halfway(f[1], f[2]), c = halfway(f[2], f[0]);
    finer.insert(finer.end(), {{f[0], a, c}, {f[1], b, a}, {f[2], c, b}, {a, b, c}});
  }
  const Eigen::Vector3d stretch(draw.uniform(0.3, 1.0), draw.uniform(0.3, 1.0), draw.uniform(0.3, 1.0));
  for (Eigen::Vector3d& p : v) p = (size * draw.uniform(0.6, 1.0) * p.normalized()).cwiseProduct(stretch);
  return mesh(std::move(v), std::move(finer));
}

Geometry plate_mesh(double width, double height, double thickness) {
  const Eigen::Vector3d half(0.5 * width, 0.5 * height, 0.5 * thickness);
  std::vector<Eigen::Vector3d> v;
  for (int i = 0; i < 8; ++i)
    v.push_back(half.cwiseProduct(Eigen::Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  return mesh(std::move(v), {{0, 2, 1},
                             {1, 2, 3},
                             {4, 5, 6},
                             {5, 7, 6},
                             {0, 1, 4},
                             {1, 5, 4},
                             {2, 6, 3},
                             {3, 6, 7},
                             {0, 4, 2},
                             {2, 4, 6},
                             {1, 3, 5},
                             {3, 7, 5}});
}

Geometry sheet_mesh(double width, double height) {
  const double x = 0.5 * width, y = 0.5 * height;
  return mesh({{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}}, {{0, 1, 2}, {0, 2, 3}});
}

Geometry needle_mesh(double length, double thickness) {
  const double h = 0.5 * thickness;
  return mesh({{-h, -h, 0}, {h, -h, 0}, {0, h, 0}, {0, 0, length}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
}

Geometry soup_mesh(Draw& draw, int triangles, double size) {
  std::vector<Eigen::Vector3d> v;
  Triangles t;
  for (int i = 0; i < triangles; ++i) {
    const Eigen::Vector3d center = draw.vector(0.7 * size);
    for (int k = 0; k < 3; ++k) v.push_back(center + draw.vector(0.5 * size));
    t.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
  }
  return mesh(std::move(v), std::move(t));
}

Geometry primitive(Draw& draw, double size) {
  const auto dimension = [&] { return size * draw.uniform(0.2, 1.0); };
  const Eigen::Isometry3d here = Eigen::Isometry3d::Identity();
  switch (draw.integer(0, 4)) {
    case 0: return {Sphere{dimension()}, here, "sphere"};
    case 4: {
      ConvexHull hull;
      for (int i = draw.integer(4, 12); i > 0; --i) hull.points.push_back(dimension() * draw.direction());
      return {std::move(hull), here, "hull"};
    }
    case 1: return {Box{{dimension(), dimension(), dimension()}}, here, "box"};
    case 2: return {Capsule{0.5 * dimension(), dimension()}, here, "capsule"};
    default: return {Cylinder{0.7 * dimension(), dimension()}, here, "cylinder"};
  }
}

Scenario random_scenario(Draw& draw, const RandomScenario& what) {
  Scenario s;
  s.name = "random";
  s.options.margin = what.margin;
  s.options.self_margin = 0.5 * what.margin;
  s.options.cell_evaluations = what.cell_evaluations;
  const int broad_phase = draw.integer(0, 19);
  s.options.broad_phase = box_index_named(broad_phase == 0   ? "sweep_and_prune"
                                          : broad_phase == 1 ? "box_tree"
                                                             : "tree");
  RobotSpec spec = draw.robot(what.links);
  for (JointSpec& joint : spec.joints) {
    joint.origin.translation() *= 0.8;
    const bool plain =
        joint.type == JointType::Revolute || joint.type == JointType::Continuous || joint.type == JointType::Prismatic;
    if (!what.all_joint_types && !plain) {
      joint.type = draw.integer(0, 3) == 0 ? JointType::Prismatic : JointType::Revolute;
      joint.lower = -1.0, joint.upper = 1.0;
    }
  }
  for (std::size_t i = 1; i < spec.links.size(); ++i) {
    if (draw.integer(0, 4) > 0) spec.links[i].collision = things(draw, what.material, what.size);
  }
  s.set_robot(std::move(spec));
  s.matrix = build_collision_matrix(*s.robot);
  for (int i = 0; i < what.objects; ++i) {
    const std::string name = "object" + std::to_string(i);
    std::vector<Geometry> geometry = things(draw, what.material, 1.25 * what.size);
    s.scene.objects.push_back({name, std::move(geometry), draw.pose(0.9)});
    if (what.attached && i < 2) {
      const int link = draw.integer(0, static_cast<int>(s.robot->links().size()) - 1);
      s.scene.attach(name, s.robot->links()[link].name, draw.pose(0.15),
                     {s.robot->links()[draw.integer(0, link)].name});
    }
  }
  if (what.margin > 0.0 && what.objects > 2) s.scene.margins.push_back({"object2", "*", 2.0 * what.margin});
  if (what.margin > 0.0) s.scene.padding.push_back({s.spec.links.back().name, 0.5 * what.margin});
  return s;
}

Scenario rigid_bodies(const std::string& moving, const std::string& fixed) {
  Scenario s;
  s.name = moving + " past " + fixed;
  const auto load = [](const std::string& name) {
    Geometry g;
    g.shape = load_mesh(kSource + "/models/meshes/rigid/" + name + ".glb");
    g.source = name;
    return g;
  };
  RobotSpec spec;
  spec.name = "rigid";
  spec.links = {{"world", {}, {}}, {"body", {load(moving)}, {}}};
  JointSpec joint;
  joint.name = "free";
  joint.type = JointType::Floating;
  joint.parent = "world";
  joint.child = "body";
  spec.joints = {joint};
  s.set_robot(std::move(spec));
  s.scene.objects.push_back({"obstacle", {load(fixed)}, Eigen::Isometry3d::Identity()});
  return s;
}

Scenario two_rigid_bodies(std::vector<Geometry> first, std::vector<Geometry> second) {
  Scenario s;
  s.name = "two rigid bodies";
  RobotSpec spec;
  spec.name = "two";
  spec.links = {{"world", {}, {}}, {"first", std::move(first), {}}, {"second", std::move(second), {}}};
  for (const char* link : {"first", "second"}) {
    JointSpec joint;
    joint.name = std::string("free_") + link;
    joint.type = JointType::Floating;
    joint.parent = "world";
    joint.child = link;
    spec.joints.push_back(joint);
  }
  s.set_robot(std::move(spec));
  return s;
}

Eigen::VectorXd EdgeDraw::configuration(Draw& draw) const {
  Eigen::VectorXd q(robot_->dof());
  for (int i = 0; i < q.size(); ++i) {
    const Coordinate& c = robot_->coordinates()[i];
    const JointType type = robot_->joints()[c.joint].type;
    const bool angle = type == JointType::Revolute || type == JointType::Continuous || c.continuous;
    const double wide = angle ? std::numbers::pi : 0.15;
    q[i] = draw.uniform(std::isfinite(c.lower) ? c.lower : -wide, std::isfinite(c.upper) ? c.upper : wide);
  }
  for (const Joint& joint : robot_->joints()) {
    if (joint.type == JointType::Floating) {
      q.segment<4>(joint.q_index + 3) = Eigen::Quaterniond(draw.pose(1.0).linear()).coeffs();
    }
  }
  return q;
}

Eigen::VectorXd EdgeDraw::beyond(Draw& draw, const Eigen::VectorXd& q0) const {
  const double length = length_ * std::exp(draw.uniform(-1.5, 1.5)) / std::sqrt(static_cast<double>(q0.size()));
  if (draw.integer(0, 1) == 0) {  // towards another configuration: does not leave the scene
    return q0 + std::min(1.0, 0.5 * length) * (configuration(draw) - q0);
  }
  Eigen::VectorXd q1 = q0;
  const bool one_joint = draw.integer(0, 7) == 0;
  const int only = draw.integer(0, static_cast<int>(q0.size()) - 1);
  for (int i = 0; i < q0.size(); ++i) {
    const Coordinate& c = robot_->coordinates()[i];
    if (one_joint && i != only) continue;
    q1[i] = std::clamp(q0[i] + draw.uniform(-length, length) * (one_joint ? 3.0 : 1.7), c.lower, c.upper);
  }
  return q1;
}

void EdgeDraw::learn(Verdict verdict) {
  length_ = std::clamp(length_ * (verdict == Verdict::Free ? 1.15 : 0.88), 1e-3, 20.0);
}

}  // namespace planner_ccd::testing
