#include "planner_ccd/cli/check_files.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "planner_ccd/cli/check_trajectory_options.hpp"
#include "planner_ccd/io/log.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/spelling.hpp"
#include "planner_ccd/report/views.hpp"

namespace planner_ccd::cli {
namespace {

namespace fs = std::filesystem;

bool may_be_motion(const fs::path& file) {
  const std::string ending = to_lower(file.extension().string());
  constexpr const char* kEndings[] = {".csv", ".yaml", ".yml", ".json", ".mcap", ".db3", ".bag"};
  return std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings);
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && may_be_motion(entry.path())) files.push_back(entry.path().string());
  }
  if (files.empty()) throw InputError("--path " + folder + ": no file of this folder has the name of a motion's file");
  std::sort(files.begin(), files.end());
  return files;
}

/// The page of the i-th motion, beside the page that lists them.
std::string page_of(const std::string& index, std::size_t i) {
  const fs::path path(index);
  return (path.parent_path() / (path.stem().string() + "_" + std::to_string(i + 1) + ".html")).string();
}

void refuse_for_several(const Arguments& arguments) {
  for (const char* option : {"certificate", "clearance-csv", "executed", "delay"}) {
    if (!arguments.has(option)) continue;
    throw InputError("--" + std::string(option) + " is for one motion, and --path names several");
  }
}

}  // namespace

std::vector<std::string> motion_files(const Arguments& arguments) {
  const std::vector<std::string> given = arguments.all("path");
  std::error_code error;
  const auto is_folder = [&](const std::string& path) { return fs::is_directory(path, error) && !is_log(path); };
  const bool folders = std::any_of(given.begin(), given.end(), is_folder);
  if (!arguments.one_of_many("path") && !folders) return {};
  if (arguments.has("trajectory") || (folders && given.size() > 1 && !arguments.one_of_many("path"))) {
    throw InputError(
        "--path names several motions, each to be checked by itself; another --path or --trajectory cannot "
        "run with all of them");
  }
  std::vector<std::string> files;
  for (const std::string& path : given) {
    if (!is_folder(path)) {
      files.push_back(path);
      continue;
    }
    const std::vector<std::string> more = files_in(path);
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

int check_files(const Arguments& arguments, const std::vector<std::string>& files,
                const std::function<Report(const Arguments&, const std::string& page)>& check) {
  refuse_for_several(arguments);
  const auto index = arguments.text("html");
  std::vector<CheckedFile> checked;
  for (std::size_t i = 0; i < files.size(); ++i) {
    Arguments one = arguments;
    one.set("path", {files[i]});
    CheckedFile& file = checked.emplace_back();
    file.file = files[i];
    try {
      file.report = check(one, index ? page_of(*index, i) : "");
    } catch (const InputError& error) {
      file.refused = error.what();
    }
  }
  // The same refusal of all of them is about what they share.
  const bool all_alike = std::all_of(checked.begin(), checked.end(), [&](const CheckedFile& file) {
    return !file.report && file.refused == checked.front().refused;
  });
  if (all_alike) throw InputError(checked.front().refused);
  if (const auto file = arguments.text("junit")) write_text("junit", *file, reports_junit(checked));
  if (index) {
    std::vector<std::string> pages;
    for (std::size_t i = 0; i < files.size(); ++i) pages.push_back(fs::path(page_of(*index, i)).filename().string());
    write_text("html", *index, reports_html(checked, pages));
  }
  std::cout << (arguments.has("json") ? reports_json(checked) : reports_text(checked, arguments.has("assumptions")))
            << std::flush;
  return exit_code(checked);
}

}  // namespace planner_ccd::cli
