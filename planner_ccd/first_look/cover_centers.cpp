#include "planner_ccd/first_look/cover_centers.hpp"

#include <limits>
#include <numbers>

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

constexpr std::size_t kSample = 300;  ///< Pieces used to choose; all of them determine the radii.
constexpr int kFacets = 300;          ///< Triangles used to find inner balls, and
constexpr std::size_t kInner = 100;   ///< how many of them one is sought at.
constexpr int kHalvings = 8;          ///< Of the excess.
constexpr int kRounds = 6;            ///< Of assigning pieces to balls.
constexpr int kSteps = 24;            ///< Towards the centre of the smallest ball about some pieces.

/// A part of the surface.
struct Facet {
  Vector3d at, normal;
  double area;
};

Facet facet_of(const Vector3d* t, double share) {
  const Vector3d n = (t[1] - t[0]).cross(t[2] - t[0]);
  return {(t[0] + t[1] + t[2]) / 3.0, n.normalized(), 0.5 * share * n.norm()};
}

/// Of the pieces that are triangles; if they are volumes, of some of the body's triangles.
std::vector<Facet> facets_of(const SsvTree& tree, const std::vector<CoverPiece>& pieces) {
  std::vector<Facet> facets;
  const auto add = [&](const Vector3d* t, double share) {
    const Facet f = facet_of(t, share);
    if (f.area > 0.0) facets.push_back(f);
  };
  if (are_primitives(tree)) {
    const std::size_t step = 1 + pieces.size() / kFacets;
    for (std::size_t i = 0; i < pieces.size(); i += step) {
      if (pieces[i].count == 3 && pieces[i].radius == 0.0) add(pieces[i].point, static_cast<double>(step));
    }
    return facets;
  }
  const PrimitiveSoup& soup = tree.soup();
  const std::size_t step = 1 + soup.primitives.size() / kFacets;
  for (std::size_t i = 0; i < soup.primitives.size(); i += step) {
    if (!soup.source(soup.primitives[i]).has_triangles) continue;
    add(tree.triangle(static_cast<int>(i)).data(), static_cast<double>(step));
  }
  return facets;
}

/// How often the surface goes around the point: solid angles as seen from afar.
double winding(const std::vector<Facet>& facets, const Vector3d& p) {
  double sum = 0.0;
  for (const Facet& f : facets) {
    const Vector3d d = f.at - p;
    const double r2 = d.squaredNorm();
    if (r2 > 0.0) sum += f.area * f.normal.dot(d) / (r2 * std::sqrt(r2));
  }
  return sum / (4.0 * std::numbers::pi);
}

/// Near the centre of the smallest ball about the pieces: steps towards the farthest one (Badoiu and Clarkson).
Vector3d middle_of(const std::vector<const CoverPiece*>& pieces) {
  Vector3d c = Vector3d::Zero();
  for (const CoverPiece* p : pieces) c += p->middle() / static_cast<double>(pieces.size());
  for (int i = 1; i <= kSteps; ++i) {
    Vector3d farthest = c;
    double most = -1.0;
    for (const CoverPiece* p : pieces) {
      for (int k = 0; k < p->count; ++k) {
        const double d = (p->point[k] - c).squaredNorm();
        if (d > most) most = d, farthest = p->point[k];
      }
    }
    c += (farthest - c) / (i + 1.0);
  }
  return c;
}

double reach_of(const std::vector<const CoverPiece*>& pieces, const Vector3d& c) {
  double most = 0.0;
  for (const CoverPiece* p : pieces) most = std::max(most, p->reach(c));
  return most;
}

}  // namespace

CoverCenters::CoverCenters(const SsvTree& tree, const std::vector<CoverPiece>& pieces) {
  const std::size_t step = 1 + pieces.size() / kSample;
  for (std::size_t i = 0; i < pieces.size(); i += step) sample_.push_back(&pieces[i]);
  add_inner_balls(tree, pieces);
  for (const CoverPiece* p : sample_) candidates_.push_back({p->middle(), p->cylinder ? 0.0 : p->radius});
  reach_.reserve(sample_.size() * candidates_.size());
  for (const CoverPiece* p : sample_) {
    for (const WantedBall& c : candidates_) reach_.push_back(static_cast<float>(p->reach(c.center) - c.radius));
  }
}

/// Balls that touch the surface from inside at a facet, as large as they can be with no other facet in them; the largest first.
void CoverCenters::add_inner_balls(const SsvTree& tree, const std::vector<CoverPiece>& pieces) {
  const std::vector<Facet> facets = facets_of(tree, pieces);
  const std::size_t step = 1 + facets.size() / kInner;
  for (std::size_t i = 0; i < facets.size(); i += step) {
    for (const double side : {-1.0, 1.0}) {  // normals mostly point outwards
      const Vector3d p = facets[i].at, inwards = side * facets[i].normal;
      double r = tree.bounding_radius();
      for (const Facet& f : facets) {
        const Vector3d d = f.at - p;
        const double along = inwards.dot(d), square = d.squaredNorm();
        if (along > 0.0 && 1e6 * along * along > square) r = std::min(r, square / (2.0 * along));
      }
      const Vector3d c = p + r * inwards;
      if (!(r < tree.bounding_radius()) || !(std::abs(winding(facets, c)) > 0.5)) continue;
      candidates_.push_back({c, r});
      break;
    }
  }
  std::sort(candidates_.begin(), candidates_.end(),
            [](const WantedBall& a, const WantedBall& b) { return a.radius > b.radius; });
  inner_ = candidates_.size();
}

std::vector<WantedBall> CoverCenters::inner(int count) const {
  std::vector<WantedBall> chosen;
  for (std::size_t i = 0; i < inner_ && static_cast<int>(chosen.size()) < count; ++i) {
    const auto within = [&](const WantedBall& ball) {
      return (ball.center - candidates_[i].center).norm() < ball.radius;
    };
    if (std::none_of(chosen.begin(), chosen.end(), within)) chosen.push_back(candidates_[i]);
  }
  return chosen;
}

/// The ball that covers most of what is left, one after another.
std::vector<int> CoverCenters::cover_with(float excess, int count) const {
  const std::size_t balls = candidates_.size();
  std::vector<int> gains(balls, 0), chosen;
  std::vector<char> left(sample_.size(), 1);
  for (std::size_t p = 0; p < sample_.size(); ++p) {
    for (std::size_t c = 0; c < balls; ++c) gains[c] += reach_[p * balls + c] <= excess;
  }
  for (std::size_t covered = 0; covered < sample_.size();) {
    const auto best = std::max_element(gains.begin(), gains.end());
    if (*best == 0 || static_cast<int>(chosen.size()) == count) return {};
    chosen.push_back(static_cast<int>(best - gains.begin()));
    for (std::size_t p = 0; p < sample_.size(); ++p) {
      const float* reach = &reach_[p * balls];
      if (left[p] == 0 || !(reach[chosen.back()] <= excess)) continue;
      left[p] = 0;
      ++covered;
      for (std::size_t c = 0; c < balls; ++c) gains[c] -= reach[c] <= excess;
    }
  }
  return chosen;
}

std::vector<WantedBall> CoverCenters::choose(int count) const {
  float low = 0.0f, high = *std::max_element(reach_.begin(), reach_.end());
  std::vector<int> chosen = cover_with(high, count);
  for (int i = 0; i < kHalvings; ++i) {
    const float middle = 0.5f * (low + high);
    std::vector<int> found = cover_with(middle, count);
    if (found.empty()) {
      low = middle;
    } else {
      high = middle;
      chosen = std::move(found);
    }
  }
  std::vector<WantedBall> balls;
  for (const int c : chosen) balls.push_back({candidates_[static_cast<std::size_t>(c)].center, 0.0});
  return settle(std::move(balls));
}

/// Each takes the pieces that are nearest to it and moves to their middle, as long as that makes the balls smaller.
std::vector<WantedBall> CoverCenters::settle(std::vector<WantedBall> balls) const {
  std::vector<WantedBall> best;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round <= kRounds; ++round) {
    std::vector<std::vector<const CoverPiece*>> groups(balls.size());
    for (const CoverPiece* p : sample_) {
      const auto nearer = [&](const WantedBall& a, const WantedBall& b) {
        return p->reach(a.center) < p->reach(b.center);
      };
      groups[static_cast<std::size_t>(std::min_element(balls.begin(), balls.end(), nearer) - balls.begin())].push_back(
          p);
    }
    std::vector<WantedBall> used, next;
    double size = 0.0;
    for (std::size_t k = 0; k < balls.size(); ++k) {
      if (groups[k].empty()) continue;
      used.push_back({balls[k].center, reach_of(groups[k], balls[k].center)});
      next.push_back({middle_of(groups[k]), 0.0});
      size += std::pow(used.back().radius, 3);
    }
    if (size < least) least = size, best = std::move(used);
    balls = std::move(next);
  }
  return best;
}

WantedBall CoverCenters::around() const {
  const Vector3d c = middle_of(sample_);
  return {c, reach_of(sample_, c)};
}

}  // namespace planner_ccd
