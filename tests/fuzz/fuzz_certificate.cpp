#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "planner_ccd/certificate/verifier/verify.hpp"

/// A certificate of anyone's: answered, within bounds of time and memory. Behind a SHA-256 that is wrong nothing is read, and so it is
/// made right first, as a forger would. The seeds (corpus/certificate) are what the writer made of small random robots.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kHead = 44;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  std::istringstream first(bytes);
  pccd::Reader reader(first);
  try {
    pccd::read_statement(reader);
  } catch (const pccd::Refuted&) {
    pccd::Sha256 hash;
    hash.add(bytes.data() + kHead, bytes.size() - reader.left() - kHead);
    const pccd::Digest digest = hash.finish();
    bytes.replace(12, digest.size(), reinterpret_cast<const char*>(digest.data()), digest.size());
  } catch (const pccd::Unreadable&) {
    return 0;
  }
  std::istringstream in(bytes);
  const pccd::Outcome outcome = pccd::verify(in);
  if ((outcome.answer == pccd::Answer::Verified) != outcome.reason.empty()) std::abort();
  std::istringstream again(bytes);
  pccd::Reader statement(again);
  try {
    pccd::show(pccd::read_statement(statement));
  } catch (const pccd::Refuted&) {  // pairs missing
  }
  return 0;
}
