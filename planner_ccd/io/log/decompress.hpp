#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace planner_ccd {

/// [byte] The largest chunk of a log, decompressed.
inline constexpr std::uint64_t kMaxChunkBytes = std::uint64_t{1} << 28;

/// Unpacks bytes compressed by "lz4" (frames), "zstd" or "bz2" to `size` bytes. Memory is allocated as they are
/// produced, so a false size costs nothing. Throws InputError beginning with `where` for other methods, those missing
/// in this build, damaged data, and other sizes.
std::string decompress(const std::string& method, std::string_view bytes, std::uint64_t size, const std::string& where);

}  // namespace planner_ccd
