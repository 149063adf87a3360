#include "support/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace planner_ccd::truth {
namespace {

bool matches(const std::string& p, const std::string& q, const std::string& a, const std::string& b) {
  const auto one = [](const std::string& pattern, const std::string& name) {
    return pattern == "*" || pattern == name;
  };
  return (one(p, a) && one(q, b)) || (one(p, b) && one(q, a));
}

}  // namespace

Oracle::Oracle(const RobotSpec& robot, const Scene& scene, const CollisionMatrix& matrix, double margin,
               double self_margin)
    : mechanism_(robot) {
  std::vector<std::pair<std::string, std::string>> touching;
  for (std::size_t l = 0; l < robot.links.size(); ++l) {
    const LinkSpec& link = robot.links[l];
    if (!link.collision.empty()) {
      bodies_.emplace_back(link.name, static_cast<int>(l), link.collision, Eigen::Isometry3d::Identity());
    }
  }
  for (const SceneObject& o : scene.objects) bodies_.emplace_back(o.name, -1, o.geometry, o.pose);
  for (const AttachedObject& a : scene.attached) {
    bodies_.emplace_back(a.object.name, mechanism_.find_link(a.link), a.object.geometry, a.object.pose);
    touching.emplace_back(a.object.name, a.link);
    for (const std::string& link : a.touch_links) touching.emplace_back(a.object.name, link);
  }
  add_pairs(robot, scene, matrix, margin, self_margin, touching);
}

void Oracle::add_pairs(const RobotSpec& robot, const Scene& scene, const CollisionMatrix& matrix, double margin,
                       double self_margin, const std::vector<std::pair<std::string, std::string>>& touching) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::string &a = bodies_[i].name, &b = bodies_[j].name;
      if (mechanism_.together(bodies_[i].link, bodies_[j].link) || matrix.find(a, b) != nullptr) continue;
      bool skip = false;
      for (const AllowedPair& p : scene.allow) skip = skip || matches(p.a, p.b, a, b);
      for (const auto& [p, q] : touching) skip = skip || matches(p, q, a, b);
      if (skip) continue;
      const int la = bodies_[i].link, lb = bodies_[j].link;
      const bool own =
          la >= 0 && lb >= 0 &&
          robot.links[static_cast<std::size_t>(la)].robot == robot.links[static_cast<std::size_t>(lb)].robot;
      Real wanted = own ? self_margin : margin;
      for (const bool stars :
           {true, false}) {  // exact names take precedence over stars, later entries over earlier ones
        for (const PairMargin& m : scene.margins) {
          if ((m.a == "*" || m.b == "*") == stars && !(stars && own) && matches(m.a, m.b, a, b)) {
            wanted = m.margin;
          }
        }
      }
      for (const Padding& p : scene.padding) {
        if (!own && (p.name == a || p.name == b)) wanted += p.padding;
      }
      pairs_.push_back({static_cast<int>(i), static_cast<int>(j), wanted});
    }
  }
}

int Oracle::find_pair(const std::string& a, const std::string& b) const {
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const std::string &x = bodies_[pairs_[p].a].name, &y = bodies_[pairs_[p].b].name;
    if ((x == a && y == b) || (x == b && y == a)) return static_cast<int>(p);
  }
  return -1;
}

Mat4 Oracle::relative(const Pair& pair, const Edge& edge, Real t) const {
  return mechanism_.relative(bodies_[pair.a].link, bodies_[pair.b].link, edge, t);
}

Real Oracle::distance(const Edge& edge, int pair, Real t, Real exact_below) const {
  const Pair& p = pairs_[pair];
  Hint hint;
  return truth::distance(bodies_[p.a], bodies_[p.b], relative(p, edge, t), exact_below, hint);
}

Real Oracle::clearance(const Edge& edge, Real t) const {
  Real least = std::numeric_limits<Real>::infinity();
  for (const Pair& p : pairs_) {
    Hint hint;
    least = std::min(least, truth::distance(bodies_[p.a], bodies_[p.b], relative(p, edge, t), 1, hint) - p.margin);
  }
  return least;
}

bool Oracle::nested_at(const Edge& edge, int pair, Real t) const {
  const Pair& p = pairs_[pair];
  return nested(bodies_[p.a], bodies_[p.b], relative(p, edge, t));
}

Real Oracle::speed_bound(const Edge& edge, const Pair& pair) const {
  const Body &a = bodies_[pair.a], &b = bodies_[pair.b];
  return mechanism_.speed_bound(a.link, a.reach, b.link, b.reach, edge);
}

Scan Oracle::scan(const Edge& edge, int pair, Real t0, Real t1, const ScanOptions& options) const {
  const Pair& p = pairs_[pair];
  const Real speed = speed_bound(edge, p) * (1 + 1e-15L);
  const Real exact_below = p.margin + 5 * options.near;
  Scan scan;
  scan.least = std::numeric_limits<Real>::infinity();
  Hint hint;
  for (Real t = t0;;) {
    ++scan.samples;
    const Real d = truth::distance(bodies_[p.a], bodies_[p.b], relative(p, edge, t), exact_below, hint);
    if (d < scan.least) {
      scan.least = d;
      scan.least_at = t;
    }
    // Rounding of the checker's own input (q1 - q0 and so on in double) is the only slack: 1e-12 m for positive margins.
    if (p.margin > 0 ? d < p.margin - 1e-12L : d <= 0) {
      scan.hit = t;
      return scan;
    }
    if (t >= t1 || speed == 0) return scan;
    const Real sure = (d > exact_below ? std::max(exact_below, Real(0.6) * d) : d) - p.margin;
    const Real safe = std::max<Real>(0, sure) / speed;
    const bool fine = sure < options.near && scan.samples < options.max_samples;
    const Real shortest = fine ? options.fine_step : options.step;
    if (safe < shortest) scan.dense = false;
    t = std::min(t1, t + std::max(safe, shortest));
  }
}

}  // namespace planner_ccd::truth
