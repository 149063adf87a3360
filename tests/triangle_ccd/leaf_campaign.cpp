#include "triangle_ccd/leaf_campaign.hpp"

#include <cstdio>

#include "planner_ccd/papers/by_name.hpp"

namespace planner_ccd::test {
namespace {

template <class Motion>
void tally(const LeafResult& r, const Motion& motion, const Truth& truth, const LeafOptions& options, Tally& out,
           bool& wrong) {
  const bool contact = r.verdict == Verdict::Contact;
  const double distance = contact ? plain_distance(motion, r.t_hi) : 0.0;
  const Judgement j = judge(r, truth, distance, plain_speed(motion), options);
  ++out.queries;
  out.hits += truth.hit;
  out.by_rationals += truth.by_rationals;
  out.contacts += contact;
  out.missed += j.missed;
  out.false_alarms += j.false_alarm;
  out.beyond += j.beyond;
  out.late += j.late;
  out.undecided += j.undecided;
  out.worst_iterations = std::max(out.worst_iterations, static_cast<double>(r.iterations));
  wrong = j.missed || j.beyond || j.late;
}

}  // namespace

std::vector<std::shared_ptr<const LeafKernel>> kernels() {
  std::vector<std::shared_ptr<const LeafKernel>> out;
  for (const std::string& name : leaf_kernel_names()) out.push_back(leaf_kernel_named(name));
  return out;
}

void tally_query(const LeafKernel& kernel, const FourPoints& p, bool edges, const Truth& truth,
                 const LeafOptions& options, Tally& out) {
  bool wrong = false;
  LeafResult r;
  if (edges) {
    r = kernel.decide(edge_edge(p), options);
    tally(r, edge_edge(p), truth, options, out, wrong);
  } else {
    r = kernel.decide(vertex_face(p), options);
    tally(r, vertex_face(p), truth, options, out, wrong);
  }
  if (!wrong) return;
  std::printf("WRONG %s %s: verdict %d t_lo %.17g t_hi %.17g truth %d [%.17g, %.17g]\n",
              std::string(kernel.name()).c_str(), edges ? "ee" : "vf", static_cast<int>(r.verdict), r.t_lo, r.t_hi,
              truth.hit, truth.toi_lo, truth.toi_hi);
  for (const MovingPoint& x : p) {
    std::printf("  %a %a %a  %a %a %a\n", x.start.x(), x.start.y(), x.start.z(), x.end.x(), x.end.y(), x.end.z());
  }
}

}  // namespace planner_ccd::test
