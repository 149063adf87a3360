#include <gtest/gtest.h>

#include <filesystem>

#include "certificate/forge.hpp"
#include "planner_ccd/certificate/certificate.hpp"
#include "support/scenarios.hpp"

/// One proof in several files: together they prove every unit once, and nothing else passes.
namespace planner_ccd {
namespace {

class CertificateParts : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("planner_ccd_parts_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    JointPath path;
    for (int i = 0; i <= 6; ++i) {
      path.waypoints.emplace_back(Eigen::VectorXd::Constant(s_.robot->dof(), 0.05 * i));
    }
    motion_ = make_trajectory(*s_.robot, path);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string part(int first, int last, double margin = 0.0) {
    CheckerOptions checker_options = s_.options;
    checker_options.margin = margin;
    const PathChecker checker(s_.robot, s_.scene, s_.matrix, checker_options);
    CertificateOptions options;
    options.first_segment = first;
    options.last_segment = last;
    const std::string file = (folder_ / (std::to_string(count_++) + ".pccd")).string();
    const CertificateResult made = certify(checker, motion_, file, options);
    EXPECT_TRUE(made.proved) << made.obstacle;
    return file;
  }
  static std::string answer(const std::vector<std::string>& files) {
    const pccd::Outcome outcome = pccd::verify(files);
    return outcome.answer == pccd::Answer::Verified ? "verified" : outcome.reason;
  }
  static bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

  testing::Scenario s_ = testing::own_scenario("puma", "puma", "");
  std::filesystem::path folder_;
  Trajectory motion_;
  int count_ = 0;
};

TEST_F(CertificateParts, TogetherProveAll) {
  const std::string a = part(0, 2), b = part(2, 3), c = part(3, 6), none = part(3, 3);
  EXPECT_EQ(answer({a, b, c}), "verified");
  EXPECT_EQ(answer({c, a, b}), "verified");
  EXPECT_EQ(answer({a, none, b, c}), "verified");
  EXPECT_EQ(answer({part(0, 6)}), "verified");
  EXPECT_EQ(answer({part(0, -1)}), "verified");
}

TEST_F(CertificateParts, WithGapsAreRefused) {
  const std::string a = part(0, 2), b = part(2, 3), c = part(3, 6);
  for (const std::vector<std::string>& some :
       std::vector<std::vector<std::string>>{{a}, {b}, {c}, {a, b}, {a, c}, {b, c}}) {
    EXPECT_TRUE(has(answer(some), "is not proved")) << answer(some);
  }
  EXPECT_TRUE(has(answer({}), "no file"));
}

TEST_F(CertificateParts, ThatOverlapAreRefused) {
  const std::string a = part(0, 4), b = part(3, 6), all = part(0, 6);
  for (const std::vector<std::string>& some :
       std::vector<std::vector<std::string>>{{a, b}, {b, a}, {all, all}, {all, part(2, 3)}, {all, b}}) {
    EXPECT_TRUE(has(answer(some), "is proved twice")) << answer(some);
  }
}

TEST_F(CertificateParts, OfOtherInputsAreRefused) {
  const std::string a = part(0, 3), b = part(3, 6), other_margin = part(3, 6, 0.001);
  EXPECT_EQ(answer({a, b}), "verified");
  EXPECT_TRUE(has(answer({a, other_margin}), "states something else")) << answer({a, other_margin});

  motion_.segments[1].value[0].c[1] *= 0.5;  // of a segment that neither b nor other proves
  const std::string other = part(3, 6);
  EXPECT_TRUE(has(answer({a, other}), "states something else"));
  EXPECT_TRUE(has(answer({other, a}), "states something else"));
}

TEST_F(CertificateParts, AreEachLookedAt) {
  const std::string a = part(0, 3), b = part(3, 6);
  std::ifstream in(b, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  bytes.resize(bytes.size() - 1);
  testing::write_bytes(b, bytes);
  EXPECT_EQ(pccd::verify({a, b}).answer, pccd::Answer::Unreadable);
  EXPECT_EQ(pccd::verify({b, a}).answer, pccd::Answer::Unreadable);
  EXPECT_EQ(pccd::verify({a, folder_.string()}).answer, pccd::Answer::Unreadable);
  EXPECT_EQ(pccd::verify({a, a + ".none"}).answer, pccd::Answer::Unreadable);
}

}  // namespace
}  // namespace planner_ccd
