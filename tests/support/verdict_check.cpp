#include "support/verdict_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <sstream>

namespace planner_ccd::testing {

Tally& Tally::operator+=(const Tally& o) {
  edges += o.edges, free += o.free, contact += o.contact, undecided += o.undecided, inside += o.inside;
  at_start += o.at_start, proved_too += o.proved_too, samples += o.samples, contradictions += o.contradictions;
  too_early += o.too_early, inconsistent += o.inconsistent;
  latest_witness = std::max(latest_witness, o.latest_witness);
  return *this;
}

void Tally::print(const std::string& name) const {
  std::printf(
      "  %-24s %6ld edges: %6ld free (%ld proved by samples too), %6ld contact (%ld at start, %ld inside), %ld "
      "undecided; %ld samples; %ld contradicted, %ld early, %ld inconsistent; witness <= margin + %.2e\n",
      name.c_str(), edges, free, proved_too, contact, at_start, inside, undecided, samples, contradictions, too_early,
      inconsistent, latest_witness);
}

std::string describe(const truth::Edge& edge) {
  std::ostringstream out;
  out << std::setprecision(17) << "q0 = {";
  for (const double x : edge.q0) out << x << ", ";
  out << "}, q1 = {";
  for (const double x : edge.q1) out << x << ", ";
  out << "}" << (edge.angles == AnglePolicy::Wrap ? ", wrapped" : "");
  return out.str();
}

Judge::Judge(const Scenario& s)
    : checker_(s.robot, s.scene, s.matrix, s.options),
      oracle_(s.spec, s.scene, s.matrix, s.options.margin, s.options.self_margin),
      workspace_(checker_) {}

void Judge::check_witness(const truth::Edge& edge, const EdgeResult& result, const EdgeOptions& options,
                          const std::string& where) {
  const Contact& c = *result.contact;
  const int pair = oracle_.find_pair(c.a, c.b);
  if (pair < 0) {
    ++tally_.inconsistent;
    ADD_FAILURE() << where << ": contact of a pair that is not to be checked: " << c.a << ", " << c.b;
    return;
  }
  if (c.inside) {
    ++tally_.inside;
    if (!oracle_.nested_at(edge, pair, c.t) && oracle_.distance(edge, pair, c.t) > oracle_.pairs()[pair].margin) {
      ++tally_.inconsistent;
      ADD_FAILURE() << where << ": " << c.a << " and " << c.b << " are not inside one another at " << c.t;
    }
    return;
  }
  const truth::Oracle::Pair& p = oracle_.pairs()[pair];
  const auto over = static_cast<double>(oracle_.distance(edge, pair, c.t) - p.margin);
  const auto slack = static_cast<double>(oracle_.bodies()[p.a].cylinder_error + oracle_.bodies()[p.b].cylinder_error);
  const double margin = static_cast<double>(p.margin);
  const bool below_truth = c.distance < margin + over - slack - 1e-9;
  // Inside a solid sphere, capsule or cylinder the distance is 0, wherever its surface is.
  if (below_truth && oracle_.nested_at(edge, pair, c.t)) {
    ++tally_.inside;
    return;
  }
  tally_.latest_witness = std::max(tally_.latest_witness, over - slack);
  if (over > options.tolerance + slack) {
    ++tally_.too_early;
    ADD_FAILURE() << where << ": witness of " << c.a << " and " << c.b << " at " << c.t << " is " << over
                  << " m above the margin, the tolerance is " << options.tolerance;
  }
  // The witness points of overlapping solids are deep inside: only their distance of 0 is meaningful.
  const bool grains = oracle_.bodies()[p.a].grains || oracle_.bodies()[p.b].grains;
  const bool deep = (c.distance == 0.0 || margin + over <= 0.0) && (c.triangle_a < 0 || c.triangle_b < 0 || grains);
  if (c.distance > margin + options.tolerance || (!deep && (c.point_a - c.point_b).norm() > c.distance + 1e-9) ||
      below_truth) {
    ++tally_.inconsistent;
    ADD_FAILURE() << where << ": reported distance " << c.distance << ", points " << (c.point_a - c.point_b).norm()
                  << " apart, true distance " << margin + over;
  }
}

void Judge::check_claims(const truth::Edge& edge, const EdgeResult& result, const EdgeOptions& options, bool first,
                         const std::string& label) {
  const std::string where = label + ", " + describe(edge);
  const bool free = result.verdict == Verdict::Free;
  const truth::Real until = free ? 1 : result.t_free;
  const bool fits = free                                 ? result.t_free == 1.0 && !result.contact
                    : result.verdict == Verdict::Contact ? result.contact && result.t_free <= result.contact->t
                                                         : !result.contact;
  // t_free of a first contact must equal the time of its witness.
  const bool open = first && result.contact && result.contact->t > result.t_free;
  if (!fits || open || !(result.t_free >= 0.0 && result.t_free <= 1.0)) {
    ++tally_.inconsistent;
    ADD_FAILURE() << where << ": verdict " << to_string(result.verdict) << " with t_free " << result.t_free
                  << (open ? ", long before its contact" : "");
  }
  if (result.contact) check_witness(edge, result, options, where);
  if (!free && !(first && until > 0)) return;
  bool dense = true;
  for (std::size_t p = 0; p < oracle_.pairs().size(); ++p) {
    const truth::Scan scan = oracle_.scan(edge, static_cast<int>(p), 0, until);
    tally_.samples += scan.samples;
    dense = dense && scan.dense;
    const bool nested = !scan.hit && oracle_.nested_at(edge, static_cast<int>(p), 0);
    // t_free itself is not claimed to be free.
    if (nested || (scan.hit && (free || *scan.hit < until - 1e-12L))) {
      ++tally_.contradictions;
      const truth::Oracle::Pair& pair = oracle_.pairs()[p];
      ADD_FAILURE() << where << ": proved free until " << static_cast<double>(until) << ", but "
                    << oracle_.bodies()[pair.a].name << " and " << oracle_.bodies()[pair.b].name
                    << (nested ? " are inside one another at 0" : " meet at ")
                    << (nested ? 0.0 : static_cast<double>(*scan.hit));
    }
  }
  tally_.proved_too += free && dense;
}

EdgeResult Judge::check(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, const EdgeOptions& options,
                        const std::string& label) {
  const truth::Edge edge{q0, q1, options.angles};
  const EdgeResult first = checker_.first_contact(q0, q1, workspace_, options);
  ++tally_.edges;
  tally_.free += first.verdict == Verdict::Free;
  tally_.contact += first.verdict == Verdict::Contact;
  tally_.undecided += first.verdict == Verdict::Undecided;
  tally_.at_start += first.verdict == Verdict::Contact && first.t_free == 0.0;
  check_claims(edge, first, options, true, label + " first_contact");

  const EdgeResult any = checker_.any_contact(q0, q1, workspace_, options);
  const bool is_free = checker_.is_free(q0, q1, workspace_, options);
  if (any.verdict != first.verdict || any.verdict == Verdict::Contact) {
    check_claims(edge, any, options, false, label + " any_contact");
  }
  if (is_free != (any.verdict == Verdict::Free)) {
    ++tally_.inconsistent;
    ADD_FAILURE() << label << ", " << describe(edge) << ": is_free and any_contact disagree";
  }
  return first;
}

}  // namespace planner_ccd::testing
