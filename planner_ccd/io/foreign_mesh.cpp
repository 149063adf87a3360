#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "planner_ccd/io/detail/child_process.hpp"
#include "planner_ccd/io/detail/foreign_mesh.hpp"
#include "planner_ccd/io/detail/mesh_readers.hpp"
#include "planner_ccd/io/detail/note_file_read.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "planner_ccd_read_mesh";
constexpr const char* kConvert = "convert it to STL, OBJ, PLY, OFF, DAE or GLB";
// [byte] Of the largest mesh that may be put together, and its header.
constexpr std::size_t kMaxAnswer =
    kMaxInstancedElements * (sizeof(Eigen::Vector3d) + sizeof(Eigen::Vector3i)) + (std::size_t{1} << 12);

// Beside the library or module that holds this function, beside the program, or on PATH. Empty: nowhere.
std::string find_program() {
  std::vector<fs::path> folders;
  Dl_info info;
  if (dladdr(kConvert, &info) != 0 && info.dli_fname && std::strchr(info.dli_fname, '/')) {
    folders.push_back(fs::path(info.dli_fname).parent_path());
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(program.parent_path());
  if (const char* path = std::getenv("PATH")) {
    for (std::string_view rest = path; !rest.empty();) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      if (end > 0 && rest[0] == '/') folders.emplace_back(rest.substr(0, end));  // never where we happen to be
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  for (const fs::path& folder : folders) {
    const fs::path file = folder / kProgram;
    if (fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0) return fs::absolute(file).string();
  }
  return {};
}

// read_file's rules, without reading; nothing but a plain file may keep a reader waiting.
void require_file(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw InputError(path + ": no such file; check the path");
  if (!fs::is_regular_file(status)) throw InputError(path + ": this is not a file");
  if (fs::file_size(path, error) > kMaxDataFileBytes || error) {
    throw InputError(path + ": larger than the " + std::to_string(kMaxDataFileBytes >> 20) +
                     " MiB that are read of such a file");
  }
}

constexpr const char* kChanged = "was written to while it was read; try again";

// The other process reads the files itself. These are their bytes if nobody wrote to them since before it began.
std::optional<std::string> read_for_record(const std::string& path) {
  if (!files_are_noted()) return std::nullopt;
  return peek_file(path, kMaxDataFileBytes);
}

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw InputError(path + ": " + what + "; " + kConvert);
}

void note_other(const std::string& path, fs::file_time_type start) {
  std::error_code error;
  if (fs::last_write_time(path, error) >= start || error) fail(path, kChanged);
  note_file_read(path, peek_file(path, kMaxDataFileBytes));
}

}  // namespace

ForeignMesh read_foreign_mesh(const std::string& path, const ForeignMeshOptions& options) {
  require_file(path);
  const std::string program = options.program.empty() ? find_program() : options.program;
  if (program.empty()) {
    fail(path, std::string("unknown kind of mesh file. ") + kProgram +
                   ", which reads more kinds where planner_ccd was built with Assimp, is neither beside this program "
                   "nor on PATH");
  }
  const std::optional<std::string> before = read_for_record(path);
  const auto start = fs::file_time_type::clock::now();
  const ChildResult child =
      run_child({program, fs::absolute(path).string(), std::to_string(options.memory), std::to_string(options.seconds)},
                {.seconds = 2.0 * options.seconds, .max_output = kMaxAnswer});
  using End = ChildResult::End;
  if (child.end == End::NotStarted) fail(path, program + " cannot be started: " + std::strerror(child.code));
  if (child.end == End::TooSlow || (child.end == End::Signalled && child.code == SIGXCPU)) {
    fail(path, "Assimp takes more than the " + std::to_string(options.seconds) + " s that are allowed for a file");
  }
  if (child.end == End::TooMuch) {
    fail(path, "has more than " + std::to_string(kMaxInstancedElements) + " triangles or vertices");
  }
  if (child.end == End::Signalled) {
    fail(path, "Assimp crashed on it (signal " + std::to_string(child.code) + "); the file may be damaged");
  }
  if (child.end == End::Exited && child.code != 0) {
    fail(path, program + " failed (exit code " + std::to_string(child.code) + ")");
  }
  ForeignMesh mesh = read_foreign_answer(child.output, path);
  if (before) {
    if (peek_file(path, kMaxDataFileBytes) != *before) fail(path, kChanged);
    note_file_read(path, *before);
    for (const std::string& other : mesh.others) note_other(other, start);
  }
  return mesh;
}

}  // namespace planner_ccd
