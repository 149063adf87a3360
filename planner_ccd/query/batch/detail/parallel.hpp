#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstddef>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {

/// body(i, scratch) for every i below `count`, on several threads (0: one per processor), each with a scratch of its own
/// from make_scratch(). What a body throws is thrown here.
template <class MakeScratch, class Body>
void for_each_index(std::size_t count, int threads, const MakeScratch& make_scratch, const Body& body) {
  if (threads < 0) throw InputError("the number of threads must not be negative");
  const int processors = tbb::info::default_concurrency();
  tbb::task_arena arena(threads == 0 ? processors : std::min(threads, processors));
  tbb::enumerable_thread_specific<decltype(make_scratch())> scratch(make_scratch);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count), [&](const tbb::blocked_range<std::size_t>& range) {
      auto& own = scratch.local();
      for (std::size_t i = range.begin(); i != range.end(); ++i) body(i, own);
    });
  });
}

}  // namespace planner_ccd
