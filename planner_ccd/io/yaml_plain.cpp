#include "planner_ccd/io/detail/yaml_events.hpp"

namespace planner_ccd {
namespace {

constexpr std::size_t kLongestWord = 512;  // yaml-cpp rejects keys longer than 1024
constexpr int kDeepest = 64;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '+' || c == '-' || c == '/';
}

/// For the first walk, which only checks whether the text is plain.
class Ignore final : public YamlEvents {
 public:
  void scalar(int, std::string_view, std::size_t) override {}
  void null(int, std::size_t) override {}
  void alias(int, std::size_t) override {}
  void begin_sequence(int, std::size_t) override {}
  void begin_map(int, std::size_t) override {}
  void end() override {}
};

/// Every function returns false as soon as something is not plain. at_ is the next character, end_ the end of its line
/// without comment and trailing space.
class PlainWalk {
 public:
  PlainWalk(std::string_view text, YamlEvents& events) : text_(text), events_(events) {}

  bool run() { return next_line() && !ended_ && column() == 0 && !at_dash() && map(0, 0) && ended_; }

 private:
  std::string_view text_;
  YamlEvents& events_;
  std::size_t next_ = 0;   ///< The line after this one.
  std::size_t begin_ = 0;  ///< This line.
  std::size_t at_ = 0, end_ = 0;
  int line_ = -1;
  bool ended_ = false;

  int column() const { return static_cast<int>(at_ - begin_); }
  bool at_end() const { return at_ == end_; }
  bool at_dash() const { return text_[at_] == '-' && (at_ + 1 == end_ || text_[at_ + 1] == ' '); }
  void skip_spaces() {
    while (at_ < end_ && text_[at_] == ' ') ++at_;
  }

  /// Advances to the next non-empty line. False for a character that is not allowed in plain text outside of comments.
  bool next_line() {
    while (next_ < text_.size()) {
      begin_ = at_ = next_;
      ++line_;
      std::size_t stop = text_.find('\n', begin_);
      if (stop == std::string_view::npos) stop = text_.size();
      next_ = stop + 1;
      end_ = begin_;
      for (std::size_t i = begin_; i < stop; ++i) {
        const char c = text_[i];
        if (c == '#' && (i == begin_ || text_[i - 1] == ' ')) {
          // yaml-cpp reads comments as UTF-8, too.
          for (; i < stop; ++i) {
            if (text_[i] < ' ' || text_[i] > '~') return false;
          }
          break;
        }
        if (c < ' ' || c > '~') return false;
        if (c != ' ') end_ = i + 1;
      }
      skip_spaces();
      if (!at_end()) return true;
    }
    ended_ = true;
    return true;
  }

  /// A word that is neither null nor made of dashes and dots alone.
  bool word(std::string_view& out) {
    const std::size_t from = at_;
    bool letter = false;
    for (; at_ < end_ && is_word(text_[at_]); ++at_) letter = letter || (text_[at_] != '-' && text_[at_] != '.');
    out = text_.substr(from, at_ - from);
    if (!letter || out.size() > kLongestWord) return false;
    return out != "null" && out != "Null" && out != "NULL";
  }

  bool scalar() {
    std::string_view text;
    if (!word(text)) return false;
    events_.scalar(line_, text, 0);
    return true;
  }

  /// A key and its colon.
  bool key() {
    if (!scalar() || at_end() || text_[at_] != ':') return false;
    ++at_;
    return at_end() || text_[at_] == ' ';
  }

  /// A word, or a map or sequence in brackets.
  bool value(int depth) {
    if (at_end() || depth > kDeepest) return false;
    const char open = text_[at_];
    if (open != '[' && open != '{') return scalar();
    const char close = open == '[' ? ']' : '}';
    ++at_;
    open == '[' ? events_.begin_sequence(line_, 0) : events_.begin_map(line_, 0);
    skip_spaces();
    if (!at_end() && text_[at_] == close) {
      ++at_;
      events_.end();
      return true;
    }
    while (true) {
      if (open == '{') {
        if (!key()) return false;
        skip_spaces();
      }
      if (!value(depth + 1)) return false;
      skip_spaces();
      if (at_end()) return false;
      const char c = text_[at_++];
      if (c == close) break;
      if (c != ',') return false;
      skip_spaces();
    }
    events_.end();
    return true;
  }

  /// One value fills the rest of the line.
  bool line_value(int depth) { return value(depth) && at_end() && next_line(); }

  bool map(int column_of_map, int depth) {
    if (depth > kDeepest) return false;
    events_.begin_map(line_, 0);
    while (!ended_ && column() == column_of_map && !at_dash()) {
      if (!key()) return false;
      skip_spaces();
      if (!at_end()) {
        if (!line_value(depth + 1)) return false;
        continue;
      }
      if (!next_line() || ended_ || column() < column_of_map) return false;
      if (column() == column_of_map && !at_dash()) return false;
      if (!(at_dash() ? sequence(column(), depth + 1) : map(column(), depth + 1))) return false;
    }
    events_.end();
    return ended_ || column() < column_of_map || (column() == column_of_map && at_dash());
  }

  bool sequence(int column_of_sequence, int depth) {
    if (depth > kDeepest) return false;
    events_.begin_sequence(line_, 0);
    while (!ended_ && column() == column_of_sequence && at_dash()) {
      ++at_;
      skip_spaces();
      if (at_end() || at_dash()) return false;
      if (!(is_key() ? map(column(), depth + 1) : line_value(depth + 1))) return false;
      if (!ended_ && column() > column_of_sequence) return false;
    }
    events_.end();
    return true;
  }

  /// True if a word and a colon come next.
  bool is_key() const {
    std::size_t i = at_;
    while (i < end_ && is_word(text_[i])) ++i;
    return i < end_ && text_[i] == ':';
  }
};

}  // namespace

bool walk_plain_yaml(std::string_view text, YamlEvents& events) {
  Ignore ignore;
  return PlainWalk(text, ignore).run() && PlainWalk(text, events).run();
}

}  // namespace planner_ccd
