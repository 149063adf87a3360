#include "planner_ccd/papers/c2a_hca/taylor_chain.hpp"

#include <cmath>

namespace planner_ccd {

std::vector<TimeDomain> taylor_pieces(const EdgeMotion& motion, const TaylorChainOptions& options) {
  double turn = 0.0;
  for (std::size_t k = 0; k < motion.chain().moves.size(); ++k) {
    if (motion.chain().moves[k].kind == MoveKind::Rotation) turn += motion.rate_bound(static_cast<int>(k));
  }
  int count = 1;
  while (count < options.max_pieces && !(turn <= count * options.radians_per_piece)) count *= 2;
  std::vector<TimeDomain> pieces;
  for (int i = 0; i < count; ++i) {  // i / count is exact
    pieces.emplace_back(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
  }
  return pieces;
}

TaylorModel move_model(const EdgeMotion& motion, int k, const TimeDomain& piece, int order) {
  const Polynomial& p = motion.move(k);
  if (p.degree == 0) return TaylorModel(p.c[0]);
  if (p.degree == 1) return TaylorModel::linear(piece, p.c[0], p.c[1], order);
  const TaylorModel t = TaylorModel::time(piece, order);
  TaylorModel value(p.c[p.degree]);
  for (int i = p.degree - 1; i >= 0; --i) value = value * t + p.c[i];
  return value;
}

void world_poses(const EdgeMotion& motion, const TimeDomain& piece, int order, std::vector<TaylorTransform>& out) {
  const MoveChain& chain = motion.chain();
  const RobotModel& robot = *chain.robot;
  out.resize(chain.bodies.size());
  out[0] = TaylorTransform::identity();
  for (std::size_t b = 1; b < chain.bodies.size(); ++b) {
    const Body& body = robot.bodies()[b];
    const BodyMoves& m = chain.bodies[b];
    TaylorTransform X = out[body.parent] * robot.joints()[body.joint].X_ParentBodyJoint;
    if (m.has_offset) X = X * m.before;
    for (int k = m.first; k < m.first + m.count; ++k) {
      const TaylorModel value = move_model(motion, k, piece, order);
      if (chain.moves[k].kind == MoveKind::Rotation) {
        X.turn(chain.moves[k].axis, value);
      } else {
        X.slide(chain.moves[k].axis, value);
      }
    }
    if (m.has_offset) X = X * m.after;
    out[b] = X;
  }
}

}  // namespace planner_ccd
