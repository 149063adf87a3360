#include "planner_ccd/io/log/decompress.hpp"

#include <algorithm>
#include <memory>

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

#if PLANNER_CCD_HAVE_LZ4
#include <lz4frame.h>
#endif
#if PLANNER_CCD_HAVE_ZSTD
#include <zstd.h>
#endif
#if PLANNER_CCD_HAVE_BZIP2
#include <bzlib.h>
#endif

namespace planner_ccd {
namespace {

/// The result of one library call: bytes consumed and produced, and whether to continue.
struct Step {
  std::size_t taken = 0, given = 0;
  bool failed = false;
};

template <class Decoder>
std::string run(Decoder&& decode, std::string_view bytes, std::uint64_t size, const std::string& where) {
  std::string out;
  std::size_t filled = 0;
  for (;;) {
    if (filled == out.size() && filled < size) {
      out.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size, std::max<std::size_t>(filled * 2, 1 << 16))));
    }
    // Without space for output, the remaining input must produce none.
    char beyond = 0;
    const bool full = filled == out.size();
    const Step step = decode(full ? &beyond : out.data() + filled, full ? 1 : out.size() - filled, bytes);
    if (step.failed) throw InputError(where + ": the compressed data is damaged");
    bytes.remove_prefix(step.taken);
    if (full && step.given > 0) throw InputError(where + ": the compressed data is longer than its record says");
    filled += step.given;
    if (step.taken == 0 && step.given == 0) break;
    if (full && bytes.empty()) break;
  }
  if (filled != size || !bytes.empty()) {
    throw InputError(where + ": the compressed data is not as long as its record says; the file is damaged");
  }
  return out;
}

#if PLANNER_CCD_HAVE_LZ4
std::string run_lz4(std::string_view bytes, std::uint64_t size, const std::string& where) {
  LZ4F_dctx* context = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION))) throw std::bad_alloc();
  const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> owner(context,
                                                                                   &LZ4F_freeDecompressionContext);
  const auto decode = [&](char* to, std::size_t room, std::string_view from) {
    std::size_t given = room, taken = from.size();
    const bool failed = LZ4F_isError(LZ4F_decompress(context, to, &given, from.data(), &taken, nullptr));
    return Step{taken, given, failed};
  };
  return run(decode, bytes, size, where);
}
#endif

#if PLANNER_CCD_HAVE_ZSTD
std::string run_zstd(std::string_view bytes, std::uint64_t size, const std::string& where) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(), &ZSTD_freeDStream);
  if (!stream) throw std::bad_alloc();
  const auto decode = [&](char* to, std::size_t room, std::string_view from) {
    ZSTD_inBuffer in{from.data(), from.size(), 0};
    ZSTD_outBuffer out{to, room, 0};
    const bool failed = ZSTD_isError(ZSTD_decompressStream(stream.get(), &out, &in));
    return Step{in.pos, out.pos, failed};
  };
  return run(decode, bytes, size, where);
}
#endif

#if PLANNER_CCD_HAVE_BZIP2
std::string run_bzip2(std::string_view bytes, std::uint64_t size, const std::string& where) {
  bz_stream stream{};
  if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) throw std::bad_alloc();
  const std::unique_ptr<bz_stream, decltype(&BZ2_bzDecompressEnd)> owner(&stream, &BZ2_bzDecompressEnd);
  bool ended = false;
  const auto decode = [&](char* to, std::size_t room, std::string_view from) {
    if (ended) return Step{};
    stream.next_in = const_cast<char*>(from.data());
    stream.avail_in = static_cast<unsigned>(from.size());
    stream.next_out = to;
    stream.avail_out = static_cast<unsigned>(room);
    const int result = BZ2_bzDecompress(&stream);
    ended = result == BZ_STREAM_END;
    return Step{from.size() - stream.avail_in, room - stream.avail_out, result != BZ_OK && !ended};
  };
  return run(decode, bytes, size, where);
}
#endif

}  // namespace

std::string decompress(const std::string& method, std::string_view bytes, std::uint64_t size,
                       const std::string& where) {
  if (size > kMaxChunkBytes || bytes.size() > kMaxChunkBytes) {
    throw InputError(where + ": a chunk of " + std::to_string(size) + " bytes is larger than the " +
                     std::to_string(kMaxChunkBytes >> 20) + " MiB that are read of one");
  }
  const char* package = nullptr;
  if (method == "lz4") {
#if PLANNER_CCD_HAVE_LZ4
    return run_lz4(bytes, size, where);
#else
    package = "liblz4-dev";
#endif
  }
  if (method == "zstd") {
#if PLANNER_CCD_HAVE_ZSTD
    return run_zstd(bytes, size, where);
#else
    package = "libzstd-dev";
#endif
  }
  if (method == "bz2") {
#if PLANNER_CCD_HAVE_BZIP2
    return run_bzip2(bytes, size, where);
#else
    package = "libbz2-dev";
#endif
  }
  if (package != nullptr) {
    throw InputError(where + ": is compressed by " + method + ", which this build cannot read; build it again with " +
                     package);
  }
  throw InputError(where + ": is compressed by " + in_quotes(method) +
                   ", which is not known; known are lz4, zstd and bz2");
}

}  // namespace planner_ccd
