#include <filesystem>

#include "planner_ccd/io/log/log_file.hpp"
#include "planner_ccd/io/text.hpp"

#if PLANNER_CCD_HAVE_SQLITE3
#include <sqlite3.h>
#endif

namespace planner_ccd {

#if PLANNER_CCD_HAVE_SQLITE3
namespace {

using Database = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;
using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

/// The URI of a path: "file:/a%3fb?immutable=1" for "/a?b".
std::string uri_of(const std::string& path, bool immutable) {
  static const char* const kDigits = "0123456789abcdef";
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '.';
    uri += plain ? std::string(1, c) : std::string{'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return uri + (immutable ? "?immutable=1" : "");
}

/// The rows of two plain tables, read as sqlite.org/security.html recommends for untrusted files.
class Rosbag2Db final : public LogFile {
 public:
  Rosbag2Db(const std::string& path, std::size_t size) : LogFile(path), size_(size), database_(open(path)) {
    sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_limit(database_.get(), SQLITE_LIMIT_LENGTH, static_cast<int>(std::min<std::size_t>(size_, 1'000'000'000)));
    sqlite3_exec(database_.get(), "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;", nullptr, nullptr, nullptr);
  }

  const char* format() const override { return "rosbag2 (sqlite3)"; }

  void read(const std::function<bool(const LogChannel&)>& wanted, const Sink& sink) override {
    require_table("topics");
    require_table("messages");
    std::vector<bool> is_wanted;
    const Statement topics = prepare("SELECT id, name, type, serialization_format FROM topics");
    while (next(topics)) {
      LogChannel channel{text(topics, 1), plain_type(text(topics, 2)), LogEncoding::Other};
      if (text(topics, 3) == "cdr") channel.encoding = LogEncoding::Cdr;
      const auto number = static_cast<std::uint64_t>(sqlite3_column_int64(topics.get(), 0));
      if (add_channel(number, std::move(channel)) == is_wanted.size()) is_wanted.push_back(wanted(channels_.back()));
    }
    const Statement messages = prepare("SELECT topic_id, timestamp, data FROM messages");
    while (next(messages)) {
      const std::size_t channel = find_channel(static_cast<std::uint64_t>(sqlite3_column_int64(messages.get(), 0)));
      if (!is_wanted[channel]) continue;
      const auto* const data = static_cast<const char*>(sqlite3_column_blob(messages.get(), 2));
      const std::string_view message(data, static_cast<std::size_t>(sqlite3_column_bytes(messages.get(), 2)));
      if ((read_ += message.size()) > size_) fail_damaged("its rows hold more than the file");
      sink(channel, sqlite3_column_int64(messages.get(), 1), message);
    }
  }

 private:
  std::size_t size_;
  Database database_;
  std::size_t rows_ = 0, read_ = 0;

  [[noreturn]] void fail_damaged(const std::string& why) const {
    throw InputError(name_ + ": is a damaged database (" + why + ")");
  }

  Database open(const std::string& path) const {
    sqlite3* database = nullptr;
    // Rows that an interrupted recorder left in its write-ahead log count. Without such a log no file may be created
    // beside this one.
    std::error_code error;
    const auto left_over = std::filesystem::file_size(path + "-wal", error);
    const bool immutable = error || left_over == 0;
    const int result =
        sqlite3_open_v2(uri_of(path, immutable).c_str(), &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    Database owner(database, &sqlite3_close);
    if (result != SQLITE_OK) throw InputError(name_ + ": cannot be opened (" + sqlite3_errstr(result) + ")");
    return owner;
  }

  Statement prepare(const std::string& query) const {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database_.get(), query.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
      throw InputError(name_ + ": is no log of ROS 2 (" + sqlite3_errmsg(database_.get()) + ")");
    }
    return {statement, &sqlite3_finalize};
  }

  /// Rejects virtual tables and views, whose rows are computed.
  void require_table(const std::string& table) {
    const Statement found = prepare("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '" + table +
                                    "' AND sql LIKE 'CREATE TABLE%'");
    if (!next(found) || sqlite3_column_int(found.get(), 0) != 1) {
      throw InputError(name_ + ": is a database, but no log of ROS 2: it has no plain table " + in_quotes(table));
    }
  }

  bool next(const Statement& statement) {
    const int result = sqlite3_step(statement.get());
    if (result == SQLITE_DONE) return false;
    if (result != SQLITE_ROW) fail_damaged(sqlite3_errmsg(database_.get()));
    if (++rows_ > size_) fail_damaged("it has more rows than bytes");
    return true;
  }

  static std::string text(const Statement& statement, int column) {
    const auto* const data = reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), column));
    return data == nullptr ? std::string()
                           : std::string(data, static_cast<std::size_t>(sqlite3_column_bytes(statement.get(), column)));
  }
};

}  // namespace

std::unique_ptr<LogFile> open_rosbag2_db(const std::string& path, std::size_t size) {
  return std::make_unique<Rosbag2Db>(path, size);
}
#else
std::unique_ptr<LogFile> open_rosbag2_db(const std::string& path, std::size_t) {
  throw InputError(path + ": is a database, which this build cannot read; build it again with libsqlite3-dev");
}
#endif

}  // namespace planner_ccd
