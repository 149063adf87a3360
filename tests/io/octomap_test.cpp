#include <octomap/ColorOcTree.h>
#include <octomap/octomap.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "io/io_support.hpp"
#include "planner_ccd/io/octomap_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "support/shared_data.hpp"

/// Compares our reader with octomap itself, on files that octomap writes.
namespace planner_ccd {
namespace {

using test::expect_input_error;

/// Rays from inside a room: walls, furniture, free space between, and many unseen cells.
template <typename Tree>
std::unique_ptr<Tree> scanned_room(double resolution, unsigned seed, int rays) {
  auto tree = std::make_unique<Tree>(resolution);
  std::mt19937 rng(seed);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform(0.5f, 2.0f);
  for (int i = 0; i < rays; ++i) {
    const octomap::point3d origin(0.1f, -0.2f, 0.3f);
    const octomap::point3d direction = octomap::point3d(normal(rng), normal(rng), normal(rng)).normalized();
    tree->insertRay(origin, origin + direction * uniform(rng), -1.0, true);
  }
  tree->updateInnerOccupancy();
  return tree;
}

enum class Cell { Free, Occupied, Unknown };

/// Octomap's state of the finest cell with this key.
template <typename Tree>
Cell octomaps_word(const Tree& tree, const octomap::OcTreeKey& key) {
  const auto* node = tree.search(key);
  if (node == nullptr) return Cell::Unknown;
  return tree.isNodeOccupied(node) ? Cell::Occupied : Cell::Free;
}

OctomapOptions unknown_is_free() {
  OctomapOptions options;
  options.unknown_is_free = true;
  return options;
}

OctomapOptions within(const OctomapRegion& region) {
  OctomapOptions options;
  options.region = region;
  return options;
}

int unknown_count(const Octomap& map) {
  return static_cast<int>(
      std::count_if(map.cells.begin(), map.cells.end(), [](const OctreeCell& c) { return c.unknown; }));
}

/// Our state of it, by the finest cells.
Cell our_word(const Octomap& map, const octomap::OcTreeKey& key) {
  Cell word = Cell::Free;
  for (const OctreeCell& c : map.cells) {
    bool within = true;
    for (unsigned k = 0; k < 3; ++k) within = within && (key[k] >> c.level) == (c.key[k] >> c.level);
    if (within) word = c.unknown ? Cell::Unknown : Cell::Occupied;
  }
  return word;
}

template <typename Tree>
std::string bytes_of(Tree& tree, bool binary) {
  std::ostringstream out;
  if (binary) {
    tree.writeBinaryConst(out);
  } else {
    tree.write(out);
  }
  return out.str();
}

template <typename Tree>
void expect_octomaps_cells(Tree& tree, bool binary, unsigned seed) {
  const OctomapRegion region{{-1.0, -1.0, -0.5}, {1.0, 0.75, 1.5}};
  const Octomap map = parse_octomap(bytes_of(tree, binary), within(region), "map");
  const Octomap seen = parse_octomap(bytes_of(tree, binary), unknown_is_free(), "map");
  EXPECT_EQ(map.resolution, tree.getResolution());
  std::mt19937 rng(seed);
  std::map<Cell, int> words;
  const double r = tree.getResolution();
  for (int i = 0; i < 3000; ++i) {
    const OctreeCell* near = i % 2 == 0 ? nullptr : &map.cells[rng() % map.cells.size()];  // in it or beside it
    if (near != nullptr && near->unknown && i % 4 == 1) near = &seen.cells[rng() % seen.cells.size()];
    octomap::OcTreeKey key;
    double middle[3];
    for (unsigned k = 0; k < 3; ++k) {
      const int reach = static_cast<int>(2.5 / r);
      key[k] =
          static_cast<octomap::key_type>(32768 + static_cast<int>(rng() % static_cast<unsigned>(2 * reach)) - reach);
      if (near != nullptr) key[k] = static_cast<octomap::key_type>(near->key[k] + (i % 3 == 0 ? 0 : rng() % 3 - 1));
      middle[k] = (key[k] - 32768 + 0.5) * r;
    }
    const Eigen::Vector3d at(middle[0], middle[1], middle[2]);
    const bool in_region =
        (at.array() > region.min.array() - 0.5 * r).all() && (at.array() < region.max.array() + 0.5 * r).all();
    Cell truth = octomaps_word(tree, key);
    if (truth == Cell::Unknown && !in_region) truth = Cell::Free;
    const Cell ours = our_word(map, key);
    ASSERT_EQ(static_cast<int>(ours), static_cast<int>(truth)) << at.transpose();
    ++words[ours];
    if (ours == Cell::Occupied) {
      const octomap::point3d center = tree.keyToCoord(key);
      EXPECT_NEAR(center.x(), at.x(), 1e-5);
    }
  }
  for (const Cell word : {Cell::Free, Cell::Occupied, Cell::Unknown}) EXPECT_GT(words[word], 100);
  EXPECT_EQ(unknown_count(seen), 0);
  EXPECT_EQ(static_cast<int>(seen.cells.size()), static_cast<int>(map.cells.size()) - unknown_count(map));
}

TEST(Octomap, CellsAreThoseOfOctomap) {
  const auto fine = scanned_room<octomap::OcTree>(0.05, 1, 4000);
  {
    SCOPED_TRACE("ot, not pruned");
    expect_octomaps_cells(*fine, false, 11);
  }
  fine->prune();
  {
    SCOPED_TRACE("ot, pruned");
    expect_octomaps_cells(*fine, false, 12);
  }
  fine->toMaxLikelihood();
  fine->prune();
  {
    SCOPED_TRACE("bt");
    expect_octomaps_cells(*fine, true, 13);
  }
  const auto odd = scanned_room<octomap::ColorOcTree>(0.0712345, 2, 3000);
  {
    SCOPED_TRACE("colours");
    expect_octomaps_cells(*odd, false, 14);
  }
}

TEST(Octomap, LargeLeavesStaySingleCells) {
  octomap::OcTree tree(0.1);
  for (int x = 0; x < 16; ++x) {
    for (int y = 0; y < 16; ++y) {
      for (int z = 0; z < 16; ++z) {
        octomap::OcTreeKey key(static_cast<octomap::key_type>(32768 + x), static_cast<octomap::key_type>(32768 + y),
                               static_cast<octomap::key_type>(32768 + z));
        tree.setNodeValue(key, 2.0f, true);
      }
    }
  }
  tree.updateInnerOccupancy();
  tree.prune();
  const Octomap map = parse_octomap(bytes_of(tree, true), unknown_is_free(), "map");
  ASSERT_EQ(map.cells.size(), 1u);
  EXPECT_EQ(map.cells[0].level, 4);
  EXPECT_FALSE(map.cells[0].unknown);
}

// Written by models/generator/scan.py.
TEST(Octomap, ReadsTheMapOfOurShelfAsWeDo) {
  const std::string file = testing::source_dir() + "/models/scans/shelf.bt";
  octomap::OcTree tree(file);
  ASSERT_GT(tree.size(), 1000u);
  std::ifstream bytes(file, std::ios::binary);
  std::stringstream text;
  text << bytes.rdbuf();
  EXPECT_NE(text.str().find("size " + std::to_string(tree.size()) + "\n"), std::string::npos);
  const OctomapRegion region{{0.6, -0.58, 0.46}, {1.0, 0.4, 1.0}};
  const Octomap map = parse_octomap(text.str(), within(region), file);
  std::mt19937 rng(5);
  std::map<Cell, int> seen;
  for (int draw = 0; draw < 1000; ++draw) {
    Eigen::Vector3d p;
    for (int k = 0; k < 3; ++k) p[k] = std::uniform_real_distribution<double>(region.min[k], region.max[k])(rng);
    const octomap::OcTreeKey key = tree.coordToKey(p.x(), p.y(), p.z());
    const Cell word = octomaps_word(tree, key);
    EXPECT_EQ(our_word(map, key), word) << p.transpose();
    ++seen[word];
  }
  for (const Cell word : {Cell::Free, Cell::Occupied, Cell::Unknown}) EXPECT_GT(seen[word], 15);
}

TEST(Octomap, AsLikelyFreeAsOccupiedIsOccupied) {
  const std::string head = "# Octomap OcTree file\nid OcTree\nsize 1\nres 0.1\ndata\n";
  EXPECT_EQ(parse_octomap(head + std::string(5, '\0'), unknown_is_free(), "map").cells.size(), 1u);
  octomap::OcTree tree(0.1);
  tree.setNodeValue(octomap::OcTreeKey(32768, 32768, 32768), 0.0f);
  EXPECT_TRUE(tree.isNodeOccupied(tree.search(octomap::OcTreeKey(32768, 32768, 32768)))) << "octomap's own word";
}

TEST(Octomap, TheRegionIsFilledOutwards) {
  octomap::OcTree tree(0.1);
  tree.updateNode(octomap::point3d(0.05f, 0.05f, 0.05f), true);
  const OctomapRegion region{{-0.55, 0.0, 0.0}, {0.3, 0.31, 0.2}};  // 9 x 4 x 2 cells of 0.1 m
  const Octomap map = parse_octomap(bytes_of(tree, true), within(region), "map");
  double volume = 0.0;
  for (const OctreeCell& c : map.cells) volume += std::pow(0.1 * (1 << c.level), 3);
  EXPECT_NEAR(volume, 9 * 4 * 2 * 1e-3, 1e-9);
  EXPECT_EQ(static_cast<int>(map.cells.size()) - unknown_count(map), 1);
}

TEST(Octomap, WhatIsNotSeenAndNoObstacleIsSaid) {
  const test::TempFolder folder;
  octomap::OcTree tree(0.1);
  tree.updateNode(octomap::point3d(0.05f, 0.05f, 0.05f), true);
  const std::string file = folder.write("map.bt", bytes_of(tree, true));
  for (const bool all : {true, false}) {
    const auto said = load_octomap(file, all ? unknown_is_free() : within({{0, 0, 0}, {1, 1, 1}})).assumptions;
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].kind, AssumptionKind::UnknownIsFree);
    EXPECT_EQ(said[0].text.find("outside of the map's region") == 0, !all) << said[0].text;
  }
}

TEST(Octomap, DamagedMapsAreBadInput) {
  const auto tree = scanned_room<octomap::OcTree>(0.1, 3, 300);
  OctomapOptions options = unknown_is_free();
  const auto fails = [&](const std::string& bytes, const std::vector<std::string>& parts) {
    expect_input_error([&] { parse_octomap(bytes, options, "map"); }, parts);
  };
  for (const bool binary : {false, true}) {
    const std::string good = bytes_of(*tree, binary);
    EXPECT_NO_THROW(parse_octomap(good, options, "map"));
    fails(good.substr(0, good.size() - 1), {"map:", "cut short"});
    fails(good + "x", {"1 bytes more"});
    const std::size_t data = good.find("data");
    fails(good.substr(0, data), {"no 'data'"});
    for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 400) fails(good.substr(0, at), {"map"});
  }
  fails("solid\n", {"not a map of octomap"});
  const std::string head = "# Octomap OcTree binary file\nid OcTree\n";
  fails(head + "size 1\nres 0.1\ndata\n" + std::string(2, '\0'), {"one node"});
  fails(head + "size 9\nres 0\ndata\n", {"resolution"});
  fails(head + "res 0.1\ndata\n", {"size"});
  fails("# Octomap OcTree file\nid OcTreeStamped\nsize 1\nres 0.1\ndata\n", {"OcTreeStamped"});
  std::string deep = head + "size 100\nres 0.1\ndata\n";
  for (int i = 0; i < 40; ++i) deep += std::string("\x03\x00", 2);
  fails(deep, {"deeper than 16 levels"});
  std::string odds = "# Octomap OcTree file\nid OcTree\nsize 1\nres 0.1\ndata\n";
  fails(odds + std::string("\x00\x00\xC0\x7F\x00", 5), {"not a number"});
  // A small file may have a large region.
  options = within(OctomapRegion{{-30, -30, -30}, {30, 30, 30.05}});
  fails("# Octomap OcTree binary file\nid OcTree\nsize 0\nres 0.001\ndata\n", {"smaller region"});
  options = within(OctomapRegion{{-4000, 0, 0}, {1, 1, 1}});
  fails(head + "size 0\nres 0.1\ndata\n", {"larger than a map"});
  options = within(OctomapRegion{{0, 0, 0}, {1, 1, 0}});
  fails(head + "size 0\nres 0.1\ndata\n", {"region is empty"});
  options.region.reset();
  fails(head + "size 0\nres 0.1\ndata\n", {"give a region"});
}

TEST(Octomap, InScenes) {
  const test::TempFolder folder;
  const auto tree = scanned_room<octomap::OcTree>(0.1, 4, 500);
  folder.write("room.bt", bytes_of(*tree, true));
  const auto read = [&](const std::string& map) {
    return parse_scene("objects:\n  - {name: room, octomap: {file: room.bt" + map + "}}\n", "s.yaml", folder.path());
  };
  const auto map_of = [](const Loaded<Scene>& scene) {
    return std::get<CellsPtr>(scene.value.objects[0].geometry.at(0).shape);
  };
  const auto unknown = [&](const Loaded<Scene>& scene) { return map_of(scene)->unknown_count(); };
  const Loaded<Scene> room = read(", region: {min: [-1, -1, 0], max: [1, 1, 2]}");
  EXPECT_GT(unknown(room), 0);
  EXPECT_GT(map_of(room)->size(), unknown(room));
  ASSERT_EQ(room.assumptions.size(), 1u);
  EXPECT_EQ(room.assumptions[0].by, "region");
  EXPECT_TRUE(room.warnings.empty());
  EXPECT_EQ(unknown(read(", unknown: occupied, region: {min: [-1, -1, 0], max: [1, 1, 2]}")), unknown(room));
  const Loaded<Scene> careless = read(", unknown: free");
  EXPECT_EQ(unknown(careless), 0);
  ASSERT_EQ(careless.assumptions.size(), 1u);
  EXPECT_EQ(careless.assumptions[0].kind, AssumptionKind::UnknownIsFree);
  EXPECT_EQ(careless.warnings.size(), 1u);
  for (const auto& [map, part] : std::vector<std::pair<std::string, std::string>>{
           {"", "region"},
           {", unknown: maybe", "'occupied' or 'free'"},
           {", unknown: free, region: {min: [0, 0, 0], max: [1, 1, 1]}", "region"},
           {", region: {min: [0, 0, 0]}", "max"},
           {", region: {min: [0, 0, 0], max: [0, 1, 1]}", "empty"}}) {
    expect_input_error([&, text = map] { read(text); }, {"s.yaml:2", part});
  }
}

}  // namespace
}  // namespace planner_ccd
