#include "planner_ccd/io/octomap_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

/// A cube like an OctreeCell, with a range that includes positions beyond the last cell.
struct Cube {
  std::array<int, 3> key;
  int level;

  Cube child(int i) const {
    Cube c{key, level - 1};
    for (std::size_t k = 0; k < 3; ++k) c.key[k] += (i >> k & 1) << (level - 1);
    return c;
  }
};

struct Header {
  bool binary = false;      ///< .bt: two bits per child; otherwise a number per node.
  bool has_colour = false;  ///< Three bytes after the number.
  std::size_t nodes = 0;
  double resolution = 0.0;
};

class MapReader {
 public:
  MapReader(std::string_view bytes, const OctomapOptions& options, const std::string& name)
      : bytes_(bytes), options_(options), name_(name) {}

  Octomap read() {
    const Header header = read_header();
    has_colour_ = header.has_colour;
    set_region(header.resolution);
    const Cube root{{0, 0, 0}, CellMap::kLevels};
    if (header.nodes == 0) {
      add_unknown(root);
    } else if (header.binary) {
      ++nodes_;
      if (header.nodes == 1) fail("a map of one node says nothing about any cell");
      read_children(root);
    } else {
      read_node(root);
    }
    if (nodes_ != header.nodes) {
      fail("the header promises " + std::to_string(header.nodes) + " nodes, there are " + std::to_string(nodes_));
    }
    if (at_ != bytes_.size()) fail(std::to_string(bytes_.size() - at_) + " bytes more than the map takes");
    return {std::move(cells_), header.resolution};
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw InputError(name_ + ": " + message); }

  std::string_view line() {
    if (at_ >= bytes_.size()) fail("the header has no 'data'; the file is cut short");
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    const std::string_view text = trim(bytes_.substr(at_, end - at_));
    at_ = std::min(end + 1, bytes_.size());
    return text;
  }

  Header read_header() {
    Header header;
    const std::string_view first = line();
    if (first != "# Octomap OcTree binary file" && first != "# Octomap OcTree file") {
      fail("not a map of octomap: its first line must be '# Octomap OcTree file' or '# Octomap OcTree binary file'");
    }
    header.binary = first == "# Octomap OcTree binary file";
    std::optional<long long> nodes;
    std::string id;
    for (std::string_view text = line(); text != "data"; text = line()) {
      if (text.empty() || text[0] == '#') continue;
      const std::vector<std::string_view> words = split_blanks(text);
      if (words.size() != 2) fail("a line of the header that is not understood: " + in_quotes(text));
      if (words[0] == "id") id = words[1];
      if (words[0] == "size") nodes = parse_integer(words[1]);
      if (words[0] == "res") header.resolution = parse_number(words[1]).value_or(0.0);
    }
    if (id != "OcTree" && (id != "ColorOcTree" || header.binary)) {
      fail("a map of kind " + in_quotes(id) + " is not read; save it as an OcTree");
    }
    header.has_colour = id == "ColorOcTree";
    if (!nodes || *nodes < 0) fail("the header has no size");
    if (!(header.resolution > 0.0)) fail("the header has no resolution");
    header.nodes = static_cast<std::size_t>(*nodes);
    return header;
  }

  /// In cells from the first one.
  void set_region(double resolution) {
    if (options_.unknown_is_free == options_.region.has_value()) {
      fail(options_.region ? "a region is for 'unknown: occupied': where it is an obstacle that nobody has looked"
                           : "give a region, within which unknown cells are obstacles, or say 'unknown: free'");
    }
    if (!options_.region) return;
    const Eigen::Vector3d &min = options_.region->min, &max = options_.region->max;
    if (!min.allFinite() || !max.allFinite() || !(max.array() > min.array()).all()) fail("the region is empty");
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<Eigen::Index>(k);
      const double low = min[axis] / resolution, high = max[axis] / resolution;
      const double least = std::abs(low - std::round(low)) < 1e-9 ? std::round(low) : std::floor(low);
      const double most = std::abs(high - std::round(high)) < 1e-9 ? std::round(high) : std::ceil(high);
      if (least < -CellMap::kMiddle || most > CellMap::kMiddle) {
        fail("the region is larger than a map of this resolution, which reaches " +
             format_number(CellMap::kMiddle * resolution) + " m each way");
      }
      from_[k] = static_cast<int>(least) + CellMap::kMiddle;
      to_[k] = static_cast<int>(most) + CellMap::kMiddle;
    }
  }

  unsigned next() {
    if (at_ >= bytes_.size()) fail("the file is cut short");
    return static_cast<unsigned char>(bytes_[at_++]);
  }

  void add(const Cube& cube, bool unknown) {
    if (cells_.size() >= CellMap::kMostCells) {
      fail("more than " + std::to_string(CellMap::kMostCells) + " cells; take a smaller region or a coarser map");
    }
    OctreeCell cell;
    for (std::size_t k = 0; k < 3; ++k) cell.key[k] = static_cast<std::uint16_t>(cube.key[k]);
    cell.level = static_cast<std::uint8_t>(cube.level);
    cell.unknown = unknown;
    cells_.push_back(cell);
  }

  /// Adds the part of a cube within the region, in cubes as large as possible.
  void add_unknown(const Cube& cube) {
    if (options_.unknown_is_free) return;
    bool within = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const int end = cube.key[k] + (1 << cube.level);
      if (end <= from_[k] || cube.key[k] >= to_[k]) return;
      within = within && cube.key[k] >= from_[k] && end <= to_[k];
    }
    if (within) return add(cube, true);
    for (int i = 0; i < 8; ++i) add_unknown(cube.child(i));
  }

  /// For .bt: two bits for each child, then those that have children themselves, in order.
  void read_children(const Cube& cube) {
    enum : unsigned { Unknown, Free, Occupied, Inner };
    if (cube.level == 0) fail("deeper than 16 levels");
    unsigned bits = next();
    bits |= next() << 8;
    for (int i = 0; i < 8; ++i) {
      const unsigned what = bits >> (2 * i) & 3;
      if (what != Unknown) ++nodes_;
      if (what == Unknown) add_unknown(cube.child(i));
      if (what == Occupied) add(cube.child(i), false);
    }
    for (int i = 0; i < 8; ++i) {
      if ((bits >> (2 * i) & 3) == Inner) read_children(cube.child(i));
    }
  }

  /// For .ot: log odds, perhaps a colour, one bit for each child, then the children.
  void read_node(const Cube& cube) {
    ++nodes_;
    char raw[4];
    for (char& c : raw) c = static_cast<char>(next());
    float odds;
    std::memcpy(&odds, raw, sizeof(odds));
    if (!std::isfinite(odds)) fail("a probability that is not a number");
    for (int i = 0; i < 3 && has_colour_; ++i) next();
    const unsigned children = next();
    if (children == 0) {
      if (odds >= 0.0F) add(cube, false);
      return;
    }
    if (cube.level == 0) fail("deeper than 16 levels");
    for (int i = 0; i < 8; ++i) {
      if ((children >> i & 1) != 0) {
        read_node(cube.child(i));
      } else {
        add_unknown(cube.child(i));
      }
    }
  }

  std::string_view bytes_;
  const OctomapOptions& options_;
  const std::string& name_;
  std::size_t at_ = 0, nodes_ = 0;
  bool has_colour_ = false;
  std::array<int, 3> from_{}, to_{};
  std::vector<OctreeCell> cells_;
};

}  // namespace

Octomap parse_octomap(std::string_view bytes, const OctomapOptions& options, const std::string& name) {
  if (bytes.empty()) throw InputError(name + ": the file is empty");
  return MapReader(bytes, options, name).read();
}

Loaded<CellsPtr> load_octomap(const std::string& path, const OctomapOptions& options) {
  Octomap map = parse_octomap(read_file(path, kMaxDataFileBytes), options, path);
  Loaded<CellsPtr> loaded{std::make_shared<const CellMap>(std::move(map.cells), map.resolution, path), {}};
  loaded.assumptions.push_back(unknown_is_free(path, !options.unknown_is_free));
  return loaded;
}

}  // namespace planner_ccd
