#include "planner_ccd/math/sha256.hpp"

#include <gtest/gtest.h>

namespace planner_ccd {
namespace {

std::string hash(const std::string& text) { return to_hex(Sha256::of(text.data(), text.size())); }

TEST(Sha256, GivesTheExamplesOfItsStandard) {
  EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheMessageIsCut) {
  const std::string text(300, 'x');
  for (std::size_t size : {0u, 1u, 55u, 56u, 63u, 64u, 65u, 128u, 300u}) {
    for (std::size_t step : {1u, 7u, 64u, 100u}) {
      Sha256 parts;
      for (std::size_t at = 0; at < size; at += step) parts.add(text.data() + at, std::min(step, size - at));
      EXPECT_EQ(to_hex(parts.finish()), hash(text.substr(0, size))) << size << " in steps of " << step;
    }
  }
}

}  // namespace
}  // namespace planner_ccd
