#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "bench/support/table.hpp"
#include "bench/support/timing.hpp"

namespace planner_ccd::bench {

/// Too many pairs for a branch predictor to learn: with 2,000 the peers seem twice as fast.
inline constexpr int kPairs = 32768;

class Draw {
 public:
  explicit Draw(unsigned seed) : rng_(seed) {}

  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(rng_); }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(rng_); }
  Eigen::Vector3d point() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
  Eigen::Vector3d direction() {
    for (;;) {
      const Eigen::Vector3d v = point();
      if (v.squaredNorm() > 0.01 && v.squaredNorm() < 1.0) return v.normalized();
    }
  }
  Eigen::Matrix3d rotation() {
    return Eigen::Quaterniond(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1))
        .normalized()
        .toRotationMatrix();
  }

 private:
  std::mt19937_64 rng_;
};

/// Rows {case, query, method, median_ns, speedup, bytes} of one case.
template <typename Pair>
class CaseRows {
 public:
  CaseRows(std::string name, const std::vector<Pair>& pairs, const Arguments& arguments, Table& table)
      : name_(std::move(name)), pairs_(pairs), repetitions_(arguments.count(31, 3)), table_(table) {}

  /// The peer for comparison with the following rows. `call` takes a pair and returns a number.
  template <typename Call>
  void peer(const char* query, const char* method, std::size_t bytes, Call&& call) {
    peer_ns_ = time(call);
    add(query, method, bytes, peer_ns_);
  }

  template <typename Call>
  void ours(const char* query, const char* method, std::size_t bytes, Call&& call) {
    add(query, method, bytes, time(call));
  }

 private:
  const std::string name_;
  const std::vector<Pair>& pairs_;
  const int repetitions_;
  Table& table_;
  double peer_ns_ = NAN;

  template <typename Call>
  double time(Call&& call) const {
    const auto pass = [&] {
      double sum = 0.0;
      for (const Pair& p : pairs_) sum += call(p);
      keep(sum);
    };
    return time_items(static_cast<int>(pairs_.size()), repetitions_, pass).median;
  }

  void add(const char* query, const char* method, std::size_t bytes, double ns) {
    table_.add({{"case", name_},
                {"query", query},
                {"method", method},
                {"median_ns", ns},
                {"speedup", peer_ns_ / ns},
                {"bytes", bytes}});
  }
};

void triangle_rows(const Arguments& arguments, Table& table);
void ssv_rows(const Arguments& arguments, Table& table);
void gjk_rows(const Arguments& arguments, Table& table);

}  // namespace planner_ccd::bench
