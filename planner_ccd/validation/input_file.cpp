#include "planner_ccd/validation/input_file.hpp"

#include "planner_ccd/math/sha256.hpp"

namespace planner_ccd {

InputFile input_file(std::string role, std::string path, std::string_view bytes) {
  return {std::move(role), std::move(path), bytes.size(), Sha256::of(bytes.data(), bytes.size())};
}

std::string InputFile::sha256_hex() const { return to_hex(sha256); }

}  // namespace planner_ccd
