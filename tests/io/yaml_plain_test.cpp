// The fast walk over plain YAML against yaml-cpp's: text that it accepts must give the same events.
#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <vector>

#include "planner_ccd/io/detail/yaml_events.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd::test {
namespace {

constexpr unsigned kSeed = 23;

class Record final : public YamlEvents {
 public:
  std::string text;

  void scalar(int line, std::string_view value, std::size_t anchor) override {
    add("scalar " + std::string(value), line, anchor);
  }
  void null(int line, std::size_t anchor) override { add("null", line, anchor); }
  void alias(int line, std::size_t anchor) override { add("alias", line, anchor); }
  void begin_sequence(int line, std::size_t anchor) override { add("[", line, anchor); }
  void begin_map(int line, std::size_t anchor) override { add("{", line, anchor); }
  void end() override { text += "end\n"; }

 private:
  void add(const std::string& what, int line, std::size_t anchor) {
    text += what + " @" + std::to_string(line) + " &" + std::to_string(anchor) + "\n";
  }
};

std::string by_yaml_cpp(const std::string& text) {
  Record record;
  try {
    walk_yaml(text, "t.yaml", record);
  } catch (const InputError&) {
    return "refused";
  }
  return record.text;
}

class Writer {
 public:
  explicit Writer(std::mt19937& random) : random_(random) {}

  int draw(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string document() {
    std::string out = draw(4) == 0 ? "# a scene\n\n" : "";
    map(out, 0, 0);
    return out;
  }
  /// A few characters changed, removed or inserted.
  std::string mutated(std::string text) {
    static const std::string kAny = " \n-:#,[]{}.&*!|>'\"%@~?\tna0\\/<=\r";
    for (int i = draw(3); i >= 0 && !text.empty(); --i) {
      const auto at = static_cast<std::size_t>(draw(static_cast<int>(text.size())));
      const char c = kAny[static_cast<std::size_t>(draw(static_cast<int>(kAny.size())))];
      switch (draw(3)) {
        case 0: text[at] = c; break;
        case 1: text.erase(at, 1); break;
        default: text.insert(at, 1, c); break;
      }
    }
    return text;
  }

 private:
  std::mt19937& random_;
  int names_ = 0;

  std::string word() {
    static const std::vector<std::string> kWords = {"box", "-1.5", ".5", "+3e-7", "a_b",  "x/y",
                                                    "0",   "true", "-a", "a.b-c", "null", "..."};
    return kWords[static_cast<std::size_t>(draw(draw(8) == 0 ? static_cast<int>(kWords.size()) : 10))];
  }
  std::string key() { return "key" + std::to_string(names_++); }
  std::string gap() { return std::string(static_cast<std::size_t>(draw(2)), ' '); }
  std::string value(int depth) {
    const int what = depth > 3 ? 0 : draw(4);
    if (what < 2) return word();
    std::string out = what == 2 ? "[" : "{";
    for (int i = draw(4); i > 0; --i) {
      out += gap() + (what == 2 ? "" : key() + ": ") + value(depth + 1) + gap();
      if (i > 1) out += "," + gap();
    }
    return out + (what == 2 ? "]" : "}");
  }
  std::string tail() { return draw(8) == 0 ? "   # note: [x]\n" : draw(10) == 0 ? " \n\n" : "\n"; }
  void map(std::string& out, int column, int depth, bool begun = false) {
    for (int i = 1 + draw(3); i > 0; --i) {
      out += (begun ? "" : std::string(static_cast<std::size_t>(column), ' ')) + key() + ":";
      begun = false;
      entry(out, column, depth);
    }
  }
  void entry(std::string& out, int column, int depth) {
    switch (depth > 3 ? 0 : draw(4)) {
      case 0:
      case 1: out += " " + value(0) + tail(); break;
      case 2:
        out += tail();
        map(out, column + 1 + draw(3), depth + 1);
        break;
      default: {
        out += tail();
        const int dash = column + draw(3);
        for (int i = 1 + draw(3); i > 0; --i) {
          out += std::string(static_cast<std::size_t>(dash), ' ') + "- ";
          if (draw(2) == 0) {
            out += value(0) + tail();
          } else {
            map(out, dash + 2, depth + 1, true);
          }
        }
      }
    }
  }
};

TEST(PlainYaml, IsWhatYamlCppMakesOfIt) {
  std::printf("seed %u\n", kSeed);
  std::mt19937 random(kSeed);
  Writer write(random);
  int taken = 0, left = 0, taken_mutated = 0;
  for (int i = 0; i < 6000; ++i) {
    const bool whole = i % 3 == 0;
    const std::string text = whole ? write.document() : write.mutated(write.document());
    Record record;
    if (!walk_plain_yaml(text, record)) {
      ASSERT_EQ(record.text, "") << "events of a text that is left to yaml-cpp:\n" << text;
      ++left;
      continue;
    }
    ASSERT_EQ(record.text, by_yaml_cpp(text)) << text;
    (whole ? taken : taken_mutated) += 1;
  }
  std::printf("  %d documents and %d changed ones taken, %d left to yaml-cpp\n", taken, taken_mutated, left);
  EXPECT_GT(taken, 300);
  EXPECT_GT(taken_mutated, 300);
  EXPECT_GT(left, 1000);
}

TEST(PlainYaml, TakesWhatScenesAreWrittenLike) {
  for (const char* text : {"objects:\n- {name: a, box: {size: [1, 2, 0.05]}}\n",
                           "objects:\n  - name: a\n    box:\n      size: [1, 2, 0.05]   # metres\n    pose:\n"
                           "      xyz: [0, 0, 1]\n  - name: b\n    sphere: {radius: 1}\nallow: [[a, b]]\n"}) {
    Record record;
    EXPECT_TRUE(walk_plain_yaml(text, record)) << text;
    EXPECT_EQ(record.text, by_yaml_cpp(text));
  }
}

}  // namespace
}  // namespace planner_ccd::test
