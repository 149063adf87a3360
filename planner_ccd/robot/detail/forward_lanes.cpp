// Highway compiles this file once for every instruction set (foreach_target.h includes it repeatedly).
#include <cmath>

#include "planner_ccd/robot/detail/angles.hpp"
#include "planner_ccd/robot/kinematics_lanes.hpp"

// Vectors of unknown length cannot be struct members, and SSSE3 without SSE4 is not worth its code.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "planner_ccd/robot/detail/forward_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace planner_ccd::HWY_NAMESPACE {

#undef PLANNER_CCD_INLINE
#define PLANNER_CCD_INLINE HWY_INLINE
#include "planner_ccd/robot/detail/forward_pass_inl.hpp"

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, kKinematicsLanes>;
using Lanes = hn::Vec<Tag>;
constexpr int kWidth = static_cast<int>(hn::MaxLanes(Tag()));

struct Number {
  HWY_INLINE Lanes operator()(double x) const { return hn::Set(Tag(), x); }
};

/// kWidth of the instants, from lane `first` on.
struct Instants {
  const MoveLanes* moves;
  KinematicsLanes* out;
  int first;

  HWY_INLINE Lanes load(const double* n) const { return hn::LoadU(Tag(), n + first); }
  HWY_INLINE void store(Lanes x, double* n) const { hn::StoreU(x, Tag(), n + first); }
  HWY_INLINE Triple<Lanes> load3(const double* n) const {
    return {load(n), load(n + kKinematicsLanes), load(n + 2 * kKinematicsLanes)};
  }
  HWY_INLINE void store3(const Triple<Lanes>& t, double* n) const {
    store(t.x, n);
    store(t.y, n + kKinematicsLanes);
    store(t.z, n + 2 * kKinematicsLanes);
  }

  HWY_INLINE Lanes value(int k) const { return load(&moves->value[k * kKinematicsLanes]); }
  HWY_INLINE Lanes rate(int k) const { return load(&moves->rate[k * kKinematicsLanes]); }
  HWY_INLINE Lanes acceleration(int k) const { return load(&moves->acceleration[k * kKinematicsLanes]); }
  HWY_INLINE void turn(int k, Lanes& sine, Lanes& cosine) const {
    sine = load(&moves->sine[k * kKinematicsLanes]);
    cosine = load(&moves->cosine[k * kKinematicsLanes]);
  }
  HWY_INLINE BodyPass<Lanes> body(int b) const {
    constexpr int kVector = 3 * kKinematicsLanes;
    const double* n = out->body_numbers(b);
    return {{load3(n), load3(n + kVector), load3(n + 2 * kVector)},
            load3(n + 3 * kVector),
            load3(n + 4 * kVector),
            load3(n + 5 * kVector),
            load3(n + 6 * kVector),
            load3(n + 7 * kVector)};
  }
  HWY_INLINE void set_body(int b, const BodyPass<Lanes>& s) const {
    constexpr int kVector = 3 * kKinematicsLanes;
    double* n = out->body_numbers(b);
    for (int i = 0; i < 3; ++i) store3(s.R[i], n + i * kVector);
    store3(s.p, n + 3 * kVector);
    store3(s.w, n + 4 * kVector);
    store3(s.v, n + 5 * kVector);
    store3(s.w_dot, n + 6 * kVector);
    store3(s.v_dot, n + 7 * kVector);
  }
  HWY_INLINE void set_move(int k, const Triple<Lanes>& axis, const Triple<Lanes>& origin) const {
    store3(axis, out->move_numbers(k));
    store3(origin, out->move_numbers(k) + 3 * kKinematicsLanes);
  }
};

void forward_lanes(const MoveChain& chain, MoveLanes& moves, KinematicsLanes& out) {
  for (std::size_t i = 0; i < moves.value.size(); i += kWidth) {
    Lanes sine = hn::Zero(Tag()), cosine = sine;
    sine_cosine(hn::LoadU(Tag(), &moves.value[i]), Number{}, sine, cosine);
    hn::StoreU(sine, Tag(), &moves.sine[i]);
    hn::StoreU(cosine, Tag(), &moves.cosine[i]);
  }
  for (std::size_t i = 0; i < moves.value.size(); ++i) {
    if (!(std::abs(moves.value[i]) <= detail::kAnglesInLanes)) {
      detail::sine_cosine_of(moves.value[i], moves.sine[i], moves.cosine[i]);
    }
  }
  for (int first = 0; first < kKinematicsLanes; first += kWidth) {
    Instants storage{&moves, &out, first};
    forward_pass<Lanes>(chain, Number{}, storage);
  }
}

}  // namespace planner_ccd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace planner_ccd {
namespace {

HWY_EXPORT(forward_lanes);

}  // namespace

void forward_kinematics(const MoveChain& chain, MoveLanes& moves, KinematicsLanes& out) {
  HWY_DYNAMIC_DISPATCH(forward_lanes)(chain, moves, out);
}

}  // namespace planner_ccd
#endif
