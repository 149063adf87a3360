#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace planner_ccd {

/// A file that robot, scene or motion were read from.
struct InputFile {
  std::string role;  ///< "robot", "srdf", "scene", "path", "limits", "timeline", "executed", "mesh" or "scan".
  std::string path;
  std::uint64_t size = 0;                 ///< [bytes]
  std::array<std::uint8_t, 32> sha256{};  ///< Of the bytes that were read.

  std::string sha256_hex() const;
  friend bool operator==(const InputFile&, const InputFile&) = default;
};
/// Of the bytes of such a file.
InputFile input_file(std::string role, std::string path, std::string_view bytes);

}  // namespace planner_ccd
#pragma GCC visibility pop
