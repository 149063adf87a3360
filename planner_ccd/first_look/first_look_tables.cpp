#include "planner_ccd/first_look/first_look.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/first_look/body_volumes.hpp"
#include "planner_ccd/first_look/grain_field.hpp"
#include "planner_ccd/first_look/single.hpp"
#include "planner_ccd/math/tolerances.hpp"

// Builds the data that the lanes read of robot and scene.
namespace planner_ccd {
namespace {

using look::kInstants;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kFewObstacles = 64;
constexpr int kVolumesOfMesh = 16;  ///< With few obstacles; with more: 1.

void put(const Eigen::Vector3d& v, float* out) {
  for (int i = 0; i < 3; ++i) out[i] = static_cast<float>(v[i]);
}
void put(const Eigen::Vector3f& v, float* out) { std::copy(v.data(), v.data() + 3, out); }

look::Ball ball_of(const CoverBall& b) {
  look::Ball ball{{}, b.radius};
  put(b.center, ball.center);
  return ball;
}

/// Entries within 1e-9, far less than u, of 1 or 0 are rounded to it: sines of quarter turns come out as 6e-17.
void set_turn(const Eigen::Matrix3d& R, look::Body& out) {
  bool quarters = true;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double entry = R(k, i), whole = std::round(entry);
      const bool is_whole = std::abs(entry - whole) < 1e-9;
      quarters = quarters && is_whole;
      out.rotation[3 * i + k] = static_cast<float>(is_whole ? whole : entry);
      if (is_whole && whole != 0.0) {
        out.source[i] = k;
        out.sign[i] = static_cast<float>(whole);
      }
    }
  }
  out.quarters = quarters;
}

}  // namespace

void FirstLook::add_robot() {
  const MoveChain& chain = problem_->moves;
  for (const planner_ccd::Move& m : chain.moves) {
    look::Move move{m.kind == MoveKind::Rotation, m.main_axis, {}};
    put(m.axis, move.axis);
    tables_.moves.push_back(move);
  }
  double offsets = 0.0;
  tables_.bodies.push_back({});
  offset_.push_back(0.0);
  for (std::size_t b = 1; b < chain.bodies.size(); ++b) {
    const BodyMoves& m = chain.bodies[b];
    applies_ = applies_ && !m.has_offset;
    const planner_ccd::Body& body = chain.robot->bodies()[b];
    const Eigen::Isometry3d& X = chain.robot->joints()[body.joint].X_ParentBodyJoint;
    look::Body out{};
    out.parent = body.parent;
    out.first_move = m.first;
    out.move_count = m.count;
    set_turn(X.linear(), out);
    put(Eigen::Vector3d(X.translation()), out.translation);
    tables_.bodies.push_back(out);
    offset_.push_back(X.translation().norm());
    offsets += offset_.back();
  }
  fixed_reach_ = offsets;
}

void FirstLook::add_mover(const Collider& collider, const BodyCover& cover) {
  look::Mover m{};
  m.body = collider.body;
  m.around = ball_of(cover.around);
  double reach = cover.around.center.cast<double>().norm();
  for (const CoverBall& b : cover.balls) reach = std::max(reach, b.center.cast<double>().norm());
  m.reach = float_up(reach * kRoundUp);
  m.first_ball = static_cast<int>(tables_.balls.size());
  m.ball_count = static_cast<int>(cover.balls.size());
  for (const CoverBall& b : cover.balls) {
    tables_.balls.push_back(ball_of(b));
    tables_.offset.push_back(float_up((b.center - cover.around.center).cast<double>().norm() * kRoundUp));
  }
  mover_links_.push_back(collider.link);
  m.first_core = static_cast<int>(tables_.cores.size());
  m.core_count = static_cast<int>(cover.cores.size());
  for (const CoverBall& b : cover.cores) tables_.cores.push_back(ball_of(b));
  std::vector<CoverBall> points, cores = cover.cores;
  for (const Eigen::Vector3f& p : cover.points) points.push_back({p, 0.0f});
  if (cores.empty()) cores = points;
  m.first_witnesses = static_cast<int>(tables_.witnesses.size() / (4 * kInstants));
  for (const std::vector<CoverBall>& row : {points, cores}) {  // missing entries are filled with copies
    for (int k = 0; k < 4; ++k) {
      for (int i = 0; i < kInstants; ++i) {
        const CoverBall& w = row[static_cast<std::size_t>(i) % row.size()];
        tables_.witnesses.push_back(k < 3 ? w.center[k] : w.radius);
      }
    }
  }
  m.filled = cover.filled;
  tables_.movers.push_back(m);
}

void FirstLook::add_obstacle(const Collider& collider, int most_volumes, std::ptrdiff_t bodies_of_grains) {
  const int index = static_cast<int>(tables_.obstacles.size());
  if (collider.link >= 0) resting_links_.push_back(collider.link);
  const bool grains = static_cast<bool>(collider.tree->soup().grains);
  const BodyVolumes volumes = grains ? box_of_grains(*collider.tree) : volumes_of(*collider.tree, most_volumes);
  look::Obstacle obstacle{{}, {}, volumes.filled};
  for (int i = 0; i < 3; ++i) {
    obstacle.lower[i] = float_down(collider.tree->bounds().min()[i]);
    obstacle.upper[i] = float_up(collider.tree->bounds().max()[i]);
  }
  tables_.obstacles.push_back(obstacle);
  if (!volumes.filled) tables_.hollow.push_back(index);
  for (const RoundVolume& v : volumes.volumes) {
    tables_.volumes.push_back(look_volume(v, index));
    if (grains) {
      tables_.volumes.back().field = static_cast<int>(tables_.fields.size());
      tables_.fields.push_back(field_of_grains(*collider.tree, bodies_of_grains));
    }
    const Eigen::Vector3d center = v.center.cast<double>();
    // The frame's axes are orthonormal to 8 u in float, which changes coordinates in the world by less than 64 u of the
    // sizes.
    constexpr double kStretch = 1.0 + 64.0 * kFloatRoundoff;
    const Eigen::Vector3d half = v.axes.cast<double>().cwiseAbs() * v.half.cast<double>() * kStretch +
                                 Eigen::Vector3d::Constant(v.radius * kStretch);
    for (int i = 0; i < 3; ++i) {
      tables_.lower[i].push_back(float_down(center[i] - half[i]));
      tables_.upper[i].push_back(float_up(center[i] + half[i]));
    }
  }
}

void FirstLook::add_colliders(const CollisionWorld& world, const LinkCovers& covers, std::ptrdiff_t resting) {
  const RobotModel& robot = *problem_->moves.robot;
  const int most_volumes = resting > kFewObstacles ? 1 : kVolumesOfMesh;
  const auto grains = std::count_if(world.colliders().begin(), world.colliders().end(),
                                    [](const Collider& c) { return c.body == 0 && c.tree->soup().grains; });
  for (const Collider& c : world.colliders()) {
    if (c.body == 0) {
      add_obstacle(c, most_volumes, grains);
      continue;
    }
    const std::size_t link = c.is_link ? static_cast<std::size_t>(robot.find_link(c.name)) : covers.size();
    if (link < covers.size() && covers[link] != nullptr) {
      add_mover(c, *covers[link]);
    } else {
      add_mover(c, cover_body(*c.tree));
    }
  }
  for (int i = 0; i < 3; ++i) {
    while (tables_.lower[i].size() % kInstants != 0) {
      tables_.lower[i].push_back(kInfinity);
      tables_.upper[i].push_back(-kInfinity);
    }
  }
}

void FirstLook::add_pairs(const CollisionWorld& world) {
  const std::vector<Collider>& colliders = world.colliders();
  std::vector<int>& index = index_of_collider_;
  index.resize(colliders.size());
  int movers = 0, obstacles = 0;
  for (std::size_t i = 0; i < colliders.size(); ++i) index[i] = colliders[i].body != 0 ? movers++ : obstacles++;
  tables_.pair_of.assign(static_cast<std::size_t>(movers) * obstacles, -1);
  for (std::size_t p = 0; p < problem_->pairs.size(); ++p) {
    const SearchPair& pair = problem_->pairs[p];
    const int a = index[world.collider_a(static_cast<int>(p))], b = index[world.collider_b(static_cast<int>(p))];
    const float margin = float_up(pair.margin);
    tables_.margin_of_pair.push_back(margin);
    look::Mover& mover = tables_.movers[a];
    const PairChain& chain = problem_->chains[pair.chain];
    if (chain.body_b != 0) {
      const int first = static_cast<int>(tables_.steps.size()), count = static_cast<int>(chain.steps.size());
      for (const PairChain::Step& step : chain.steps) {
        tables_.steps.push_back({step.move, problem_->moves.body_of_move[step.move], step.offset_to_a});
      }
      tables_.self.push_back({static_cast<int>(p), a, b, first, count, mover.reach, false});
      self_links_.emplace_back(pair.link_a, pair.link_b);
      const int known = moving_ == nullptr ? -1 : moving_->find(static_cast<int>(p));
      cells_of_self_.push_back(known);
      continue;
    }
    mover.meets_world = true;
    mover.margin = std::max(mover.margin, margin);
    tables_.pair_of[static_cast<std::size_t>(a) * obstacles + b] = static_cast<int>(p);
  }
}

}  // namespace planner_ccd
