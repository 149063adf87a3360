#include "planner_ccd/io/height_field_file.hpp"

#include <cmath>
#include <cstring>

#include "io/io_support.hpp"
#include "planner_ccd/io/scene_file.hpp"

/// Height fields in files and scenes: what is made of them, what is said of it, and what is refused.
namespace planner_ccd {
namespace {

using test::expect_input_error;

/// A NumPy array of rows of `columns` numbers.
template <typename T>
std::string npy(const std::vector<T>& values, std::size_t columns) {
  const std::string header = std::string("{'descr': '") + (sizeof(T) == 4 ? "<f4" : "<f8") +
                             "', 'fortran_order': False, 'shape': (" + std::to_string(values.size() / columns) + ", " +
                             std::to_string(columns) + "), }\n";
  std::string bytes = "\x93NUMPY";
  bytes += '\1';
  bytes += '\0';
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return bytes;
}

TEST(HeightFieldFile, SaysWhatItStandsFor) {
  const std::vector<float> heights{0.0f, 0.25f, 0.5f, 0.0f, NAN, 0.5f, 0.0f, 0.25f, 0.5f, 0.0f, 0.25f, 0.75f};
  const Loaded<CellsPtr> loaded = parse_height_field(npy(heights, 3), {.pixel = 0.5}, "f");
  const CellMap& map = *loaded.value;
  EXPECT_EQ(map.size(), 6);
  EXPECT_EQ(map.unknown_count(), 4);
  EXPECT_EQ(map.half_edges(map.find(7)), Eigen::Vector3d(0.25, 0.25, 0.5 * (0.75 + 1.5)));
  EXPECT_EQ(map.center(map.find(7)), Eigen::Vector3d(0.75, 1.25, 0.5 * (0.75 - 1.5)));
  ASSERT_EQ(loaded.assumptions.size(), 1u);
  EXPECT_EQ(loaded.assumptions[0].kind, AssumptionKind::HeightField);
  EXPECT_NE(loaded.assumptions[0].text.find("from -1.5 m"), std::string::npos) << loaded.assumptions[0].text;
  EXPECT_NE(loaded.assumptions[0].text.find("up to 2.25 m"), std::string::npos) << loaded.assumptions[0].text;
  ASSERT_EQ(loaded.warnings.size(), 1u);
  EXPECT_NE(loaded.warnings[0].text.find("1 of 12 heights are missing; what borders on one is an obstacle: 4 columns"),
            std::string::npos);
  const Loaded<CellsPtr> careless = parse_height_field(npy(heights, 3), {.pixel = 0.5, .unknown_is_free = true}, "f");
  EXPECT_EQ(careless.value->size(), 2);
  ASSERT_EQ(careless.assumptions.size(), 2u);
  EXPECT_EQ(careless.assumptions[1].kind, AssumptionKind::UnknownIsFree);
  EXPECT_NE(careless.warnings.at(0).text.find("is free: 4 columns"), std::string::npos);
  std::vector<double> all(heights.begin(), heights.end());
  all[4] = 0.0;
  const Loaded<CellsPtr> whole = parse_height_field(npy(all, 3), {.pixel = 0.5, .floor = -0.5, .top = 0.75}, "f");
  EXPECT_TRUE(whole.warnings.empty());
  EXPECT_EQ(whole.assumptions.at(0).text.find("missing"), std::string::npos);
}

TEST(HeightFieldFile, InScenes) {
  const test::TempFolder folder;
  folder.write("depth.npy", npy(std::vector<double>{0.0, 0.1, NAN, 0.0, 0.1, 0.1}, 3));
  folder.write("row.npy", npy(std::vector<double>{0.0, 0.1, 0.2}, 3));
  const auto read = [&](const std::string& field) {
    return parse_scene("objects:\n  - {name: bin, height_field: {file: " + field + "}}\n", "s.yaml", folder.path());
  };
  const auto map_of = [](const Loaded<Scene>& scene) {
    return std::get<CellsPtr>(scene.value.objects[0].geometry.at(0).shape);
  };
  const Loaded<Scene> scene = read("depth.npy, pixel: 0.005, floor: -0.25, top: 0.5");
  EXPECT_EQ(map_of(scene)->size(), 2);
  EXPECT_EQ(map_of(scene)->unknown_count(), 1);
  EXPECT_EQ(map_of(scene)->field()->floor, -0.25);
  EXPECT_EQ(map_of(scene)->field()->top, 0.5);
  ASSERT_EQ(scene.assumptions.size(), 1u);
  EXPECT_EQ(scene.warnings.size(), 1u) << "one height is missing";
  const Loaded<Scene> careless = read("depth.npy, pixel: 0.005, unknown: free");
  EXPECT_EQ(map_of(careless)->size(), 1);
  EXPECT_EQ(careless.assumptions.size(), 2u);
  EXPECT_EQ(careless.warnings.size(), 2u);
  for (const auto& [field, part] : std::vector<std::pair<std::string, std::string>>{
           {"depth.npy", "pixel"},
           {"depth.npy, pixel: 0", "'pixel'"},
           {"depth.npy, pixel: 0.005, unknown: maybe", "'occupied' or 'free'"},
           {"depth.npy, pixel: 0.005, floor: 0", "a pixel below"},
           {"depth.npy, pixel: 0.005, top: 0", "highest"},
           {"depth.npy, pixel: 0.005, radius: 1", "radius"},
           {"row.npy, pixel: 0.005", "2 x 2"},
           {"depth.xyz, pixel: 0.005", "depth.xyz"}}) {
    expect_input_error([&, text = field] { read(text); }, {"s.yaml:2", part});
  }
  folder.write("depth.xyz", "0 0 0\n");
  expect_input_error([&] { read("depth.xyz, pixel: 0.005"); }, {"s.yaml:2", "numpy.save"});
}

}  // namespace
}  // namespace planner_ccd
