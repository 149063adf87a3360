#include "planner_ccd/io/prepared_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "planner_ccd/io/detail/note_file_read.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

#if __has_include(<sys/stat.h>) && __has_include(<unistd.h>)
#include <sys/stat.h>
#include <unistd.h>
#define PLANNER_CCD_HAS_OWNERS
#endif

namespace planner_ccd {
namespace {

namespace fs = std::filesystem;

/// Without proofs: enough to compute its key.
PreparedRobot bare(std::shared_ptr<const RobotModel> robot, const CollisionMatrix& matrix, PrepareOptions options) {
  options.cell_evaluations = 0;
  return PreparedRobot(std::move(robot), matrix, options);
}

std::string path_in(const std::string& folder, const PreparedRobot& robot) {
  return (fs::path(folder) / (robot.key() + ".cells")).string();
}

/// Why the file is not trusted; empty if it is.
std::string distrust(const std::string& path) {
#ifdef PLANNER_CCD_HAS_OWNERS
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return "cannot be looked at";
  if (info.st_uid != geteuid() && info.st_uid != 0) return "belongs to another user";
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "may be written by others; take that right from them";
#else
  (void)path;
#endif
  return {};
}

struct CachedRobot {
  std::optional<PreparedRobot> robot;
  std::string warning;
};

CachedRobot find_for(const PreparedRobot& robot, const std::string& folder) {
  const std::string path = path_in(folder, robot);
  std::error_code error;
  if (folder.empty() || !fs::is_regular_file(path, error)) return {};
  if (const std::string why = distrust(path); !why.empty()) return {{}, path + ": " + why + "; it is not used"};
  try {
    return {robot.with_proofs(peek_file(path, kMaxDataFileBytes), path), {}};
  } catch (const InputError& damaged) {
    return {{}, damaged.what()};
  }
}

}  // namespace

std::string default_proof_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value != nullptr ? value : "");
  };
  if (const fs::path own = variable("PLANNER_CCD_CACHE"); !own.empty()) return own.string();
  // Relative paths are ignored (XDG Base Directory Specification).
  if (const fs::path cache = variable("XDG_CACHE_HOME"); cache.is_absolute()) return (cache / "planner_ccd").string();
  const fs::path home = variable("HOME");
  return home.is_absolute() ? (home / ".cache" / "planner_ccd").string() : std::string();
}

Loaded<std::optional<PreparedRobot>> find_prepared(std::shared_ptr<const RobotModel> robot,
                                                   const CollisionMatrix& matrix, const PrepareOptions& options,
                                                   const std::string& folder) {
  std::error_code error;
  if (folder.empty() || !fs::is_directory(folder, error)) return {};
  CachedRobot found = find_for(bare(std::move(robot), matrix, options), folder);
  Loaded<std::optional<PreparedRobot>> out{std::move(found.robot), {}};
  if (!found.warning.empty()) out.warnings.push_back({WarningKind::StoredProofs, found.warning});
  return out;
}

std::string keep_prepared(const PreparedRobot& robot, const std::string& folder) {
  if (folder.empty()) throw InputError("no folder to keep proofs in: neither $PLANNER_CCD_CACHE nor $HOME is set");
  std::error_code error;
  fs::create_directories(folder, error);
  const std::string path = path_in(folder, robot);
  const auto fail = [&](const std::string& file) {
    throw InputError(file + ": cannot be written; check the folder and its permissions");
  };
  const std::string draft = path + "." + std::to_string(std::random_device{}()) + ".part";
  {
    std::ofstream out(draft, std::ios::binary);
    fs::permissions(draft, fs::perms::owner_read | fs::perms::owner_write, error);
    const std::string bytes = robot.proofs();
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) {
      fs::remove(draft, error);
      fail(path);
    }
  }
  fs::rename(draft, path, error);
  if (error) {
    std::error_code ignored;
    fs::remove(draft, ignored);
    fail(path);
  }
  return path;
}

Loaded<PreparedRobot> load_prepared(std::shared_ptr<const RobotModel> robot, const CollisionMatrix& matrix,
                                    const PrepareOptions& options, const std::string& folder) {
  const PreparedRobot without = bare(std::move(robot), matrix, options);
  CachedRobot found = find_for(without, folder);
  if (found.robot && found.robot->cell_evaluations() >= options.cell_evaluations) {
    return {std::move(*found.robot), {}};
  }
  Loaded<PreparedRobot> out{without.proved(options.cell_evaluations), {}};
  if (!found.warning.empty()) out.warnings.push_back({WarningKind::StoredProofs, found.warning});
  try {
    keep_prepared(out.value, folder);
  } catch (const InputError& error) {
    out.warnings.push_back({WarningKind::StoredProofs, error.what()});
  }
  return out;
}

}  // namespace planner_ccd
