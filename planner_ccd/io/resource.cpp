#include "planner_ccd/io/resource.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "planner_ccd/io/detail/note_file_read.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

namespace fs = std::filesystem;

// Tries locations in order; keeps those that failed for the message.
class Search {
 public:
  bool try_file(const fs::path& path) {
    const fs::path candidate = path.lexically_normal();
    std::error_code error;
    // ".." behind a link to a folder leads out of the folder it points to, as for every program that opens the file.
    const fs::path real = fs::canonical(path, error);
    if (!error && !fs::is_directory(real, error)) {
      found_ = fs::equivalent(real, candidate, error) ? candidate.string() : real.string();
      return true;
    }
    if (fs::exists(candidate, error) && !fs::is_directory(candidate, error)) {
      found_ = candidate.string();
      return true;
    }
    if (std::find(tried_.begin(), tried_.end(), candidate.string()) == tried_.end())
      tried_.push_back(candidate.string());
    return false;
  }

  const std::string& found() const { return found_; }

  [[noreturn]] void fail(const std::string& uri, const std::string& remedy) const {
    std::string message = uri + ": not found. Tried:";
    for (const std::string& place : tried_) message += "\n  " + place;
    throw InputError(message + "\n" + remedy);
  }

 private:
  std::string found_;
  std::vector<std::string> tried_;
};

std::vector<std::string> environment_list(const char* variable) {
  std::vector<std::string> entries;
  const char* value = std::getenv(variable);
  if (!value) return entries;
  std::string text = value;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    if (end > begin) entries.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return entries;
}

/// The folder of the file that names a mesh, then the further folders it counts as being in, each with its parents.
std::vector<fs::path> folders_and_parents(const std::string& base, const ResourceOptions& options) {
  std::vector<std::string> begin{base};
  begin.insert(begin.end(), options.also_beside.begin(), options.also_beside.end());
  std::vector<fs::path> folders;
  for (const std::string& from : begin) {
    std::error_code error;
    fs::path folder = fs::weakly_canonical(from.empty() ? "." : from, error);
    if (error) folder = fs::absolute(from, error);
    for (; !folder.empty(); folder = folder.parent_path()) {
      folders.push_back(folder);
      if (folder == folder.parent_path()) break;
    }
  }
  return folders;
}

std::string percent_decoded(const std::string& text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool coded = text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    decoded += coded ? static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])) : text[i];
    if (coded) i += 2;
  }
  return decoded;
}

// A folder of packages may also be the package itself.
bool try_package_folder(Search& search, const fs::path& folder, const std::string& name, const std::string& rest) {
  if (search.try_file(folder / name / rest)) return true;
  fs::path given = folder;
  if (!given.has_filename()) given = given.parent_path();
  return given.filename() == name && search.try_file(given / rest);
}

// Every location, in order of preference: calls `use` for each file found until it returns that this is enough.
template <class Use>
void find_in_packages(Search& search, const std::string& name, const std::string& rest, const std::string& base,
                      const ResourceOptions& options, const Use& use) {
  for (const std::string& folder : options.package_paths) {
    if (try_package_folder(search, folder, name, rest) && use()) return;
  }
  for (const fs::path& folder : folders_and_parents(base, options)) {
    if (try_package_folder(search, folder, name, rest) && use()) return;
  }
  for (const std::string& folder : environment_list("ROS_PACKAGE_PATH")) {
    if (try_package_folder(search, folder, name, rest) && use()) return;
  }
  for (const std::string& folder : environment_list("AMENT_PREFIX_PATH")) {
    if (search.try_file(fs::path(folder) / "share" / name / rest) && use()) return;
  }
}

bool same_content(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  if (fs::file_size(a, error) != fs::file_size(b, error)) return false;
  return peek_file(a, kMaxDataFileBytes) == peek_file(b, kMaxDataFileBytes);
}

ResolvedResource resolve_package(const std::string& uri, const std::string& tail, const std::string& base,
                                 const ResourceOptions& options) {
  const std::size_t slash = tail.find('/');
  const std::string name = tail.substr(0, slash);
  const std::string rest = slash == std::string::npos ? "" : tail.substr(slash + 1);
  if (name.empty() || rest.empty()) throw InputError(uri + ": must read package://NAME/path/of/the/file");
  Search search;
  const std::string remedy = "Name the package's folder: --package " + name + "=DIR";
  if (const auto given = options.packages.find(name); given != options.packages.end()) {
    if (search.try_file(fs::path(given->second) / rest)) return {search.found()};
    search.fail(uri, "The package was said to be there; another one of its name is not taken.");
  }
  ResolvedResource resource;
  find_in_packages(search, name, rest, base, options, [&] {
    if (resource.path.empty()) resource.path = search.found();
    if (same_content(resource.path, search.found())) return false;
    resource.doubt = " is another file in " + search.found() + "; taken is " + resource.path + ". " + remedy;
    return true;
  });
  if (!resource.path.empty()) return resource;
  for (const fs::path& folder : folders_and_parents(base, options)) {
    if (!search.try_file(folder / rest)) continue;
    return {search.found(), " was found, leaving out the package's name, as " + search.found()};
  }
  search.fail(uri, remedy + ", or --package-path with the folder above it.");
}

}  // namespace

ResourceOptions beside_target(ResourceOptions options, const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return options;
  const fs::path target = fs::weakly_canonical(path, error);
  if (!error) options.also_beside.push_back(target.parent_path().string());
  return options;
}

ResolvedResource resolve_resource(const std::string& uri, const std::string& base, const ResourceOptions& options) {
  if (uri.empty() || uri.find('\0') != std::string::npos) throw InputError("the file name is empty or not text");
  for (const std::string scheme : {"package://", "model://"}) {
    if (uri.starts_with(scheme)) return resolve_package(uri, uri.substr(scheme.size()), base, options);
  }
  std::vector<std::string> spellings;
  if (uri.starts_with("file:")) {
    std::string path = uri.substr(5);
    if (path.starts_with("//localhost/")) path = path.substr(11);
    if (path.starts_with("//")) path = path.substr(2);
    spellings = {path, percent_decoded(path)};
  } else if (uri.find("://") != std::string::npos) {
    throw InputError(uri + ": only package://, model://, file:// and plain paths are read; fetch the file first");
  } else {
    spellings = {uri};
  }
  std::string slashes = spellings.front();
  std::replace(slashes.begin(), slashes.end(), '\\', '/');
  spellings.push_back(slashes);
  Search search;
  for (const std::string& path : spellings) {
    if (search.try_file(fs::path(base.empty() ? "." : base) / path)) return {search.found()};
    for (const std::string& other : options.also_beside) {
      if (search.try_file(fs::path(other) / path)) return {search.found()};
    }
  }
  search.fail(uri, "A plain path is taken relative to the folder of the file that names it.");
}

}  // namespace planner_ccd
