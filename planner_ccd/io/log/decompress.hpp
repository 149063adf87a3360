#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace planner_ccd {

/// [byte] The largest chunk of a log, decompressed.
inline constexpr std::uint64_t kMaxChunkBytes = std::uint64_t{1} << 28;

/// The `size` bytes that were compressed by "lz4" (frames), "zstd" or "bz2". Memory is asked for as they come, so that a size that
/// is not true costs nothing. Throws InputError, which begins with `where`, for other methods, those this build has not, damage,
/// and other sizes.
std::string decompress(const std::string& method, std::string_view bytes, std::uint64_t size, const std::string& where);

}  // namespace planner_ccd
