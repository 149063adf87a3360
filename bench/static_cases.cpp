#include "bench/static_cases.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "bench/static.hpp"
#include "planner_ccd/hierarchy/queries.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "tests/hierarchy/synthetic_meshes.hpp"

namespace planner_ccd::bench {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

MeshPtr shared(TriangleMesh mesh) { return std::make_shared<const TriangleMesh>(std::move(mesh)); }

/// Moves A along a line through B's centre.
class Approach {
 public:
  Approach(const SsvTree& a, const SsvTree& b, std::mt19937& random) : a_(a), b_(b) {
    std::normal_distribution<double> n;
    turn_ = Eigen::Quaterniond(n(random), n(random), n(random), n(random)).normalized();
    direction_ = Vector3d(n(random), n(random), n(random)).normalized();
    s_ = 2.0 * a.bounding_radius() + a.bounding_radius() + b.bounding_radius();
  }

  /// Moves inwards to the first place where the distance is `gap`, to 1 %: the distance changes at most as fast as s,
  /// so a step by the remaining distance cannot pass it. A negative gap is pushed in from contact. Call with decreasing
  /// gaps.
  Isometry3d to(double gap) {
    const double wanted = std::max(gap, 1e-6 * a_.bounding_radius());
    for (int i = 0; i < 60 && s_ > 0.0; ++i) {
      const double d =
          distance(a_, pose(s_), b_, Isometry3d::Identity(), {.relative_error = 0.003, .containment = false}).lower;
      if (d <= 1.01 * wanted) break;
      s_ -= d - wanted;
    }
    return pose(gap < 0.0 ? s_ + gap : s_);
  }

 private:
  Isometry3d pose(double s) const {
    Isometry3d X = Isometry3d::Identity();
    X.linear() = turn_.toRotationMatrix();
    X.translation() = b_.bounding_center() + s * direction_ - turn_ * a_.bounding_center();
    return X;
  }

  const SsvTree &a_, &b_;
  Eigen::Quaterniond turn_;
  Vector3d direction_;
  double s_;
};

std::string data_folder() {
  const char* given = std::getenv("PLANNER_CCD_DATA");
  return given ? given : PLANNER_CCD_SOURCE_DIR "/../shared/data";
}

}  // namespace

std::vector<StaticCase> posed_cases(const std::string& name, const MeshPtr& mesh_a, const MeshPtr& mesh_b, int poses) {
  const SsvTree a = tree_of(mesh_a), b = tree_of(mesh_b);
  const double size = 2.0 * a.bounding_radius();
  const std::pair<const char*, double> kinds[] = {
      {"far", 0.5 * size}, {"near", 1e-2 * size}, {"close", 1e-4 * size}, {"touching", -1e-3 * size}};
  std::vector<StaticCase> cases;
  for (const auto& [kind, gap] : kinds) cases.push_back({name + "/" + kind, mesh_a, mesh_b, {}});
  std::mt19937 random(12345);
  for (int i = 0; i < poses; ++i) {
    Approach approach(a, b, random);
    for (std::size_t k = 0; k < 4; ++k) cases[k].poses.push_back(approach.to(kinds[k].second));
  }
  return cases;
}

MeshPtr knot_of(int triangles) {
  const int around = std::max(4, static_cast<int>(std::sqrt(triangles / 2.0 / 12.0)));
  return shared(synthetic::torus_knot(triangles / 2 / around, around));
}

std::vector<StaticCase> static_cases(int poses, const std::function<bool(const std::string&)>& wanted) {
  std::vector<StaticCase> cases;
  const MeshPtr knot = knot_of(4000), ball = shared(synthetic::bumpy_sphere(100, 50));
  const auto add = [&](const std::string& name, const MeshPtr& a, const MeshPtr& b) {
    for (StaticCase& c : posed_cases(name, a, b, poses)) cases.push_back(std::move(c));
  };
  if (wanted("knot_4k-knot_4k")) add("knot_4k-knot_4k", knot, knot);
  if (wanted("ball_10k-ball_10k")) add("ball_10k-ball_10k", ball, ball);
  if (wanted("knot_64k-ball_10k")) add("knot_64k-ball_10k", knot_of(64000), ball);
  const std::string models = PLANNER_CCD_SOURCE_DIR "/models/meshes/";
  const std::string rigid = data_folder() + "/rigid/";
  const struct {
    const char* name;
    std::string a, b;
  } files[] = {{"club-gear", models + "rigid/club.glb", models + "rigid/gear.glb"},
               {"hammer-work_piece", models + "rigid/hammer.glb", models + "rigid/work_piece.glb"},
               {"puma-car", models + "puma/forearm.stl", models + "car/car.glb"},
               {"bunny_69k-bunny_4k", rigid + "bunny_69451.obj", rigid + "bunny_3851.ply"}};
  for (const auto& f : files) {
    if (!wanted(f.name) || !std::filesystem::exists(f.a) || !std::filesystem::exists(f.b)) continue;
    add(f.name, load_mesh(f.a), load_mesh(f.b));
  }
  return cases;
}

}  // namespace planner_ccd::bench
