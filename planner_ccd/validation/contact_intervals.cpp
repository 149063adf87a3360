#include "planner_ccd/validation/contact_intervals.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/query/describe_contact.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/validation/depth.hpp"
#include "planner_ccd/validation/describe_finding.hpp"
#include "planner_ccd/validation/tracking_delay.hpp"

namespace planner_ccd {
namespace {

constexpr int kMostSteps = 4096;  ///< Samples of a pair in contact, per segment.
constexpr int kBisections = 24;   ///< Of one step, to find where a contact ends.
constexpr int kDepthSamples = 3;  ///< Per segment of a contact.
constexpr int kMostPoses = 4096;  ///< Kept of a segment; each takes some 100 bytes per body.

}  // namespace

ContactIntervals::ContactIntervals(const PathChecker& checker, const Trajectory& trajectory,
                                   const TrajectoryOptions& options)
    : checker_(checker),
      problem_(parts_of(checker).world.problem()),
      trajectory_(trajectory),
      options_(options),
      motion_(checker.robot()),
      edge_(problem_),
      search_(problem_),
      least_(problem_) {}

void ContactIntervals::set(int segment) {
  motion_.set_segment(trajectory_.segments[static_cast<std::size_t>(segment)]);
  motion_.set_errors(errors_of(checker_.robot(), trajectory_, segment, options_));
}

double ContactIntervals::clock(int segment, double u) const {
  const TrajectorySegment& s = trajectory_.segments[static_cast<std::size_t>(segment)];
  return s.t0 + u * s.duration();
}

/// Forgets the poses of the present segment when they take much memory.
void ContactIntervals::forget_poses() {
  if (edge_.kinematics_count() < kMostPoses) return;
  counters_.kinematics += edge_.kinematics_count();
  edge_.start(motion_);
}

ContactIntervals::Samples ContactIntervals::samples(int segment) const {
  const double T = trajectory_.segments[static_cast<std::size_t>(segment)].duration();
  return {std::clamp(T > 0.0 ? options_.contact_resolution / T : 1.0, 1.0 / kMostSteps, 0.25)};
}

/// Not proved apart by more than margin + tolerance at u: by the motion itself, and in a tube by the search from there on,
/// which knows how far errors displace each part. Half of that search's tolerance counts.
bool ContactIntervals::touching(int pair, double u, double step, PrimitivePair& witness) {
  forget_poses();
  const SearchPair& p = problem_.pairs[static_cast<std::size_t>(pair)];
  const PairChain& chain = problem_.chains[static_cast<std::size_t>(p.chain)];
  CollideOptions options;
  options.margin = p.margin + options_.edge.tolerance + edge_.pads().position;
  options.start = witness;
  ++counters_.primitive_evaluations;
  const CollideResult result = collide(*p.tree_a, pose(chain.body_a, u), *p.tree_b, pose(chain.body_b, u), options);
  if (result.witness.valid()) witness = result.witness;
  if (result.collide || edge_.tube(p, u) == nullptr) return result.collide;
  const Candidate from_here{pair, u, std::min(1.0, u + step)};
  const SearchLimits limits{2.0 * options_.edge.tolerance, options_.edge.max_evaluations};
  const SearchResult found = search_.first_contact(edge_, {&from_here, 1}, limits);
  counters_.node_evaluations += found.counters.node_evaluations;
  counters_.primitive_evaluations += found.counters.primitive_evaluations;
  return found.verdict != Verdict::Free && found.t_free <= u;
}

/// A time at which the pair, in contact at `from`, is apart again; empty if it stays in contact to the segment's end.
std::optional<double> ContactIntervals::leave(int segment, int pair, double from, Samples& samples) {
  OngoingContact& open = open_.at(pair);
  const auto left = [&](double in, double out) {
    open.finding.end = {clock(segment, in), clock(segment, out)};
    sample_depth(segment, pair, from, in);
    come_nearest(segment, pair, from, in, open);
    return out;
  };
  double in = from;
  while (in < 1.0) {
    if (samples.last() == 1.0) return left(in, 1.0);  // where it was apart
    while (samples.at(samples.next) <= in) ++samples.next;
    double out = samples.at(samples.next++);
    if (touching(pair, out, samples.step, open.witness)) {
      in = out;
      continue;
    }
    for (int i = 0; i < kBisections; ++i) {
      const double middle = 0.5 * (in + out);
      if (!(in < middle && middle < out)) break;
      (touching(pair, middle, samples.step, open.witness) ? in : out) = middle;
    }
    return left(in, out);
  }
  sample_depth(segment, pair, from, 1.0);
  come_nearest(segment, pair, from, 1.0, open);
  return std::nullopt;
}

/// To a hundredth of the margin.
void ContactIntervals::come_nearest(int segment, int pair, double from, double to, OngoingContact& open) {
  const double margin = problem_.pairs[static_cast<std::size_t>(pair)].margin;
  if (!(margin > 0.0 || edge_.motion().tube().any()) || open.finding.contact->inside) return;
  LeastDistance nearest = open.nearest;
  if (nearest.primitive_a < 0) nearest.primitive_a = open.witness.a, nearest.primitive_b = open.witness.b;
  if (nearest.primitive_a >= 0) {
    nearest = least_.measured(edge_, pair, {nearest.primitive_a, nearest.primitive_b}, from, nearest);
  }
  const double accuracy = std::max(options_.edge.tolerance, 0.01 * margin);
  const LeastDistanceResult found =
      least_.refine(edge_, {pair, from, to, accuracy, options_.edge.max_evaluations}, nearest);
  counters_ += found.counters;
  nearest = found.best;
  if (!(nearest.upper < open.nearest.upper)) return;
  open.nearest = nearest;
  open.at = clock(segment, nearest.t);
}

void ContactIntervals::close(OngoingContact& open, std::vector<Finding>& findings) {
  const double nearest = open.nearest.primitive_a < 0 ? 0.0 : open.nearest.upper;
  describe_finding(open.finding, nearest, open.at, options_.edge.tolerance);
  findings.push_back(std::move(open.finding));
}

void ContactIntervals::describe(int segment, Finding& f) {
  set(segment);
  const int pair = parts_of(checker_).world.find_pair(f.contact->a, f.contact->b);
  OngoingContact open{.finding = f, .witness = {}, .nearest = {}};
  if (pair >= 0 && edge_.start(motion_)) {
    open.nearest.upper = f.contact->distance;
    come_nearest(segment, pair, f.contact->t, 1.0, open);
  }
  const bool nearer = open.nearest.primitive_a >= 0;
  describe_finding(f, nearer ? open.nearest.upper : f.contact->distance, nearer ? open.at : f.begin.to,
                   options_.edge.tolerance);
}

void ContactIntervals::sample_depth(int segment, int pair, double from, double to) {
  const SearchPair& p = problem_.pairs[static_cast<std::size_t>(pair)];
  const PairChain& chain = problem_.chains[static_cast<std::size_t>(p.chain)];
  std::optional<DepthSample>& deepest = open_.at(pair).finding.depth;
  for (int i = 1; i <= kDepthSamples; ++i) {
    const double u = from + (to - from) * i / (kDepthSamples + 1);
    const auto depth = deepest_point(*p.tree_a, pose(chain.body_a, u), *p.tree_b, pose(chain.body_b, u));
    if (depth && (!deepest || depth->depth > deepest->depth)) {
      deepest = DepthSample{clock(segment, u), depth->depth, depth->point};
    }
  }
}

void ContactIntervals::enter(int segment, const SearchResult& found) {
  OngoingContact open;
  Finding& f = open.finding;
  f.kind = FindingKind::Contact;
  f.segment = segment;
  f.begin = {clock(segment, found.t_free), clock(segment, found.contact.t)};
  f.contact = describe_contact(parts_of(checker_).world, edge_, found.contact);
  if (f.begin.to == trajectory_.segments.front().t0 && segment == 0) f.kind = FindingKind::ContactAtStart;
  open.witness = {found.contact.primitive_a, found.contact.primitive_b};
  open_[found.contact.pair] = std::move(open);
}

/// True for bodies whose surfaces are apart at 0, with one of them inside the other.
bool ContactIntervals::starts_inside(int pair) {
  const SearchPair& p = problem_.pairs[static_cast<std::size_t>(pair)];
  const PairChain& chain = problem_.chains[static_cast<std::size_t>(p.chain)];
  return collide(*p.tree_a, pose(chain.body_a, 0.0), *p.tree_b, pose(chain.body_b, 0.0)).contained;
}

void ContactIntervals::undecided(int segment, int pair, double from, std::vector<Finding>& findings) {
  const CollisionWorld& world = parts_of(checker_).world;
  Finding f;
  f.kind = FindingKind::Undecided;
  f.segment = segment;
  f.begin = {clock(segment, from), clock(segment, from)};
  f.end = {clock(segment, 1.0), clock(segment, 1.0)};
  f.message = unsettled(LinkPair{world.colliders()[static_cast<std::size_t>(world.collider_a(pair))].name,
                                 world.colliders()[static_cast<std::size_t>(world.collider_b(pair))].name});
  findings.push_back(std::move(f));
  look_inside_.insert(pair);
}

/// Of the candidates within [from, to].
SearchResult ContactIntervals::search(int pair, double from, double to) {
  forget_poses();
  of_pair_.clear();
  for (const Candidate& c : candidates_) {
    if (c.pair == pair && c.t1 >= from && c.t0 <= to) {
      of_pair_.push_back({pair, std::max(c.t0, from), std::min(c.t1, to)});
    }
  }
  const SearchLimits limits{options_.edge.tolerance, options_.edge.max_evaluations};
  const SearchResult found = search_.first_contact(edge_, of_pair_, limits);
  QueryCounters spent = found.counters;
  spent.kinematics = 0;  // those of the whole segment are added by advance()
  counters_ += spent;
  return found;
}

/// The first contact from `from` on. Beginning with intervals of `width`, which double while they are free; in a tube a
/// contact in one that is longer than a step is looked at again in steps.
SearchResult ContactIntervals::next_contact(int pair, double from, double width, double step) {
  const bool tube = edge_.motion().tube().any();
  if (!tube) width = 1.0;
  while (true) {
    const double to = std::min(1.0, from + width);
    const SearchResult found = search(pair, from, to);
    if (found.verdict == Verdict::Free) {
      if (to == 1.0) return found;
      from = to;
      width *= 2.0;
    } else if (found.verdict == Verdict::Contact && tube && width > step) {
      from = std::max(from, found.t_free);
      width = step;
    } else {
      return found;
    }
  }
}

void ContactIntervals::advance_pair(int segment, int pair, std::vector<Finding>& findings) {
  const bool look = look_inside_.erase(pair) > 0 || segment == first_segment_;
  if (look && open_.count(pair) == 0 && starts_inside(pair)) {
    SearchResult inside;
    inside.contact.pair = pair;
    enter(segment, inside);
  }
  Samples samples = this->samples(segment);
  double from = 0.0, width = 1.0;
  while (true) {
    if (open_.count(pair) > 0) {
      const std::optional<double> apart = leave(segment, pair, from, samples);
      if (!apart) return;
      from = *apart;
      width = samples.step;
    }
    const SearchResult found = next_contact(pair, from, width, samples.step);
    if (const auto open = open_.find(pair); open != open_.end()) {
      if (found.verdict == Verdict::Contact && found.contact.t < samples.last()) {
        from = found.contact.t;
        continue;
      }
      close(open->second, findings);
      open_.erase(open);
    }
    if (found.verdict == Verdict::Free) return;
    if (found.verdict == Verdict::Undecided) return undecided(segment, pair, found.t_free, findings);
    enter(segment, found);
    from = found.contact.t;
  }
}

void ContactIntervals::advance(int segment, std::vector<Finding>& findings) {
  set(segment);
  const int pairs = static_cast<int>(problem_.pairs.size());
  if (!edge_.start(motion_)) {
    for (int p = 0; p < pairs; ++p) undecided(segment, p, 0.0, findings);
    return;
  }
  candidates_.clear();
  parts_of(checker_).collect(edge_, scratch_, candidates_);
  if (first_segment_ < 0) first_segment_ = segment;
  // A pair without a candidate is apart throughout; if it was not in contact before, neither body is inside the other.
  std::set<int> some = look_inside_;
  for (const Candidate& c : candidates_) some.insert(c.pair);
  for (const auto& [pair, open] : open_) some.insert(pair);
  for (const int p : some) advance_pair(segment, p, findings);
  counters_.kinematics += edge_.kinematics_count();
}

void ContactIntervals::finish(std::vector<Finding>& findings) {
  const double end = trajectory_.segments.back().t1;
  for (auto& [pair, open] : open_) {
    Finding& f = open.finding;
    if (f.kind == FindingKind::Contact) f.kind = FindingKind::ContactAtEnd;
    f.end = {end, end};
    close(open, findings);
  }
  open_.clear();
}

}  // namespace planner_ccd
