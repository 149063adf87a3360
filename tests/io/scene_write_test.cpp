#include "planner_ccd/io/scene_write.hpp"
#include "planner_ccd/io/files_read.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "io/io_support.hpp"
#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/io/height_field_file.hpp"
#include "planner_ccd/io/octomap_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/text.hpp"

namespace planner_ccd::test {
namespace {

using Eigen::Vector3d;

bool same_bits(const Pose& a, const Pose& b) { return std::memcmp(a.data(), b.data(), 16 * sizeof(double)) == 0; }

bool equal(const Sphere& a, const Sphere& b) { return a.radius == b.radius; }
bool equal(const Box& a, const Box& b) { return a.size == b.size; }
bool equal(const Cylinder& a, const Cylinder& b) { return a.radius == b.radius && a.length == b.length; }
bool equal(const Capsule& a, const Capsule& b) { return a.radius == b.radius && a.length == b.length; }
bool equal(const ConvexHull& a, const ConvexHull& b) { return a.points == b.points; }
bool equal(const MeshPtr& a, const MeshPtr& b) { return a->vertices == b->vertices && a->triangles == b->triangles; }
bool equal(const CloudPtr& a, const CloudPtr& b) { return a->stored().points == b->stored().points && *a == *b; }
bool equal(const CellsPtr& a, const CellsPtr& b) { return *a == *b; }

void expect_equal(const SceneObject& a, const SceneObject& b) {
  EXPECT_EQ(a.pose_error, b.pose_error);
  SCOPED_TRACE(a.name);
  EXPECT_EQ(a.name, b.name);
  EXPECT_TRUE(same_bits(a.pose, b.pose));
  ASSERT_EQ(a.geometry.size(), b.geometry.size());
  for (std::size_t i = 0; i < a.geometry.size(); ++i) {
    EXPECT_TRUE(same_bits(a.geometry[i].pose, b.geometry[i].pose));
    ASSERT_EQ(a.geometry[i].shape.index(), b.geometry[i].shape.index());
    std::visit(
        [&](const auto& shape) {
          EXPECT_TRUE(equal(shape, std::get<std::decay_t<decltype(shape)>>(b.geometry[i].shape)));
        },
        a.geometry[i].shape);
  }
}

void expect_equal(const Scene& a, const Scene& b) {
  ASSERT_EQ(a.objects.size(), b.objects.size());
  for (std::size_t i = 0; i < a.objects.size(); ++i) expect_equal(a.objects[i], b.objects[i]);
  ASSERT_EQ(a.attached.size(), b.attached.size());
  for (std::size_t i = 0; i < a.attached.size(); ++i) {
    expect_equal(a.attached[i].object, b.attached[i].object);
    EXPECT_EQ(a.attached[i].link, b.attached[i].link);
    EXPECT_EQ(a.attached[i].touch_links, b.attached[i].touch_links);
  }
  const auto pairs = [](const auto& list) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& p : list) out.emplace_back(p.a, p.b);
    return out;
  };
  EXPECT_EQ(pairs(a.allow), pairs(b.allow));
  EXPECT_EQ(pairs(a.margins), pairs(b.margins));
  for (std::size_t i = 0; i < a.margins.size(); ++i) EXPECT_EQ(a.margins[i].margin, b.margins[i].margin);
  ASSERT_EQ(a.padding.size(), b.padding.size());
  for (std::size_t i = 0; i < a.padding.size(); ++i) {
    EXPECT_EQ(a.padding[i].name, b.padding[i].name);
    EXPECT_EQ(a.padding[i].padding, b.padding[i].padding);
  }
}

class Draw {
 public:
  explicit Draw(unsigned seed) : rng_(seed) {}
  double length() { return std::exp(std::uniform_real_distribution<double>(-5.0, 2.0)(rng_)); }
  Vector3d point() { return Vector3d(normal_(rng_), normal_(rng_), normal_(rng_)); }
  Pose pose() {
    Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
    out.translation() = point();
    out.linear() =
        Eigen::Quaterniond(normal_(rng_), normal_(rng_), normal_(rng_), normal_(rng_)).normalized().toRotationMatrix();
    return out;
  }
  MeshPtr mesh() {
    auto mesh = std::make_shared<TriangleMesh>();
    for (int i = 0; i < 9; ++i) mesh->vertices.push_back(point());
    mesh->triangles = {{0, 1, 2}, {3, 3, 5}, {6, 7, 8}};  // one without area
    return mesh;
  }

 private:
  std::mt19937 rng_;
  std::normal_distribution<double> normal_;
};

Geometry of(Shape shape, const Pose& pose = Pose::Identity()) { return {std::move(shape), pose, {}}; }

/// One of everything, with numbers of all sizes.
Scene furnished(unsigned seed, const MeshPtr& shared) {
  Draw draw(seed);
  Scene scene;
  const auto add = [&](const std::string& name, std::vector<Geometry> geometry) {
    const PoseError error{name == "box" ? draw.length() : 0.0, name < "m" ? draw.length() : 0.0};
    scene.objects.push_back({name, std::move(geometry), draw.pose(), error});
  };
  add("ball: \"a\" \\ #1", {of(Sphere{draw.length()})});
  add("box", {of(Box{Vector3d(draw.length(), draw.length(), draw.length())})});
  add("null", {of(Cylinder{draw.length(), draw.length()})});
  add("1e3", {of(Capsule{draw.length(), 0.0})});
  add("Kegel \xC3\xA4", {of(ConvexHull{{draw.point(), draw.point(), draw.point(), draw.point()}})});
  add("mesh", {of(shared)});
  add("again", {of(shared)});
  add("other mesh", {of(draw.mesh())});
  add("of three", {of(shared, draw.pose()), of(Sphere{draw.length()}, draw.pose()), of(Box{Vector3d(1, 2, 3)})});
  add("held", {of(Sphere{0.1})});
  scene.objects.push_back({"in place", {of(Sphere{0.5})}});
  scene.attach("held", "hand", draw.pose(), {"finger", "palm"});
  scene.allow = {{"*", "box"}, {"box", "mesh"}, {"*", "*"}};
  scene.margins = {{"hand", "*", draw.length()}, {"box", "hand", 0.0}};
  scene.padding = {{"held", draw.length()}, {"hand", 1e-9}};
  return scene;
}

TEST(SceneWrite, WhatIsReadBackIsTheSameToTheBit) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const TempFolder folder;
    const Scene scene = furnished(seed, Draw(1000 + seed).mesh());
    save_scene(folder.path("cell.yaml"), scene);
    std::vector<InputFile> files;
    const FilesRead noted(files, "scene");
    const Loaded<Scene> loaded = load_scene(folder.path("cell.yaml"));
    expect_equal(scene, loaded.value);
    EXPECT_EQ(files.size(), 3u) << "the scene and two meshes";
    EXPECT_TRUE(std::filesystem::exists(folder.path("cell_files/mesh_2.ply")));
    EXPECT_FALSE(std::filesystem::exists(folder.path("cell_files/mesh_3.ply"))) << "one mesh is one file";
    if (HasFailure()) return;
  }
}

TEST(SceneWrite, FilesOfAScenesThatWasSavedBeforeStayAsTheyAre) {
  const TempFolder folder;
  Scene scene;
  scene.objects.push_back({"a", {of(Draw(1).mesh())}});
  save_scene(folder.path("cell.yaml"), scene);
  const std::string before = read_file(folder.path("cell_files/mesh_1.ply"), kMaxDataFileBytes);
  std::filesystem::copy_file(folder.path("cell.yaml"), folder.path("copy.yaml"));
  Scene changed;
  changed.objects.push_back({"a", {of(Draw(2).mesh())}});
  save_scene(folder.path("cell.yaml"), changed);
  EXPECT_EQ(read_file(folder.path("cell_files/mesh_1.ply"), kMaxDataFileBytes), before);
  expect_equal(load_scene(folder.path("cell.yaml")).value, changed);
  expect_equal(load_scene(folder.path("copy.yaml")).value, scene);
  save_scene(folder.path("cell.yaml"), scene);
  EXPECT_FALSE(std::filesystem::exists(folder.path("cell_files/mesh_3.ply")));
}

TEST(SceneWrite, OfSeveralMarginsOfAPairTheLastIsWritten) {
  const TempFolder folder;
  Scene scene;
  scene.margins = {{"a", "b", 0.1}, {"c", "c", 0.5}, {"b", "a", 0.2}, {"a", "*", 0.3}};
  scene.allow = {{"a", "a"}, {"*", "*"}};
  save_scene(folder.path("s.yaml"), scene);
  const Scene read = load_scene(folder.path("s.yaml")).value;
  ASSERT_EQ(read.margins.size(), 2u);
  EXPECT_EQ(read.margins[0].margin, 0.2);
  EXPECT_EQ(read.margins[1].margin, 0.3);
  EXPECT_EQ(read.allow.size(), 1u);
}

TEST(SceneWrite, CloudsKeepTheirPointsNumbersAndBalls) {
  const TempFolder folder;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Eigen::Vector3f> exact;
  std::vector<Vector3d> fine;
  Draw draw(7);
  for (int i = 0; i < 500; ++i) {
    const Vector3d p = draw.point();
    exact.push_back(i % 9 == 4 ? Eigen::Vector3f::Constant(std::numeric_limits<float>::quiet_NaN())
                               : p.cast<float>().eval());
    fine.push_back(i % 9 == 4 ? Vector3d::Constant(nan) : (p + Vector3d(1e4, 0, 0)).eval());
  }
  Scene scene;
  const auto first = std::make_shared<const PointCloud>(PointView(exact), 0.01, "first");
  const auto second = std::make_shared<const PointCloud>(PointView(fine), 0.01, "second");
  scene.objects.push_back({"exact", {of(first)}});
  scene.objects.push_back({"fine", {of(second)}});
  save_scene(folder.path("s.yaml"), scene);
  const Scene read = load_scene(folder.path("s.yaml")).value;
  expect_equal(scene.objects[0], read.objects[0]);
  // Single precision cannot hold these: what is read contains what was checked.
  const auto& grown = *std::get<CloudPtr>(read.objects[1].geometry[0].shape);
  ASSERT_GT(second->ball_radius(), second->radius());
  ASSERT_EQ(grown.size(), second->size());
  EXPECT_EQ(grown.left_out(), second->left_out());
  for (int i = 0; i < grown.size(); ++i) {
    const int there = second->find(grown.number(i));
    ASSERT_GE(there, 0);
    EXPECT_LE((grown.point(i) - second->point(there)).norm() + second->ball_radius(), grown.ball_radius());
  }
  EXPECT_LT(grown.ball_radius(), 0.01 + 3e-3);
}

TEST(SceneWrite, MapsKeepTheirCells) {
  std::mt19937 rng(5);
  int with_unknown = 0, pruned = 0;
  for (int draw = 0; draw < 100; ++draw) {
    std::vector<OctreeCell> cells;
    std::uniform_int_distribution<int> place(-8, 7), kind(0, draw % 3 == 0 ? 0 : 2), level(0, 2);
    for (int i = 0; i < 12; ++i) {
      OctreeCell cell;
      cell.level = static_cast<std::uint8_t>(level(rng));
      for (auto& k : cell.key)
        k = static_cast<std::uint16_t>(((CellMap::kMiddle + place(rng)) >> cell.level) << cell.level);
      cell.unknown = kind(rng) == 1;
      const bool apart = std::none_of(cells.begin(), cells.end(), [&](const OctreeCell& other) {
        const int shift = std::max(cell.level, other.level);
        return cell.key[0] >> shift == other.key[0] >> shift && cell.key[1] >> shift == other.key[1] >> shift &&
               cell.key[2] >> shift == other.key[2] >> shift;
      });
      if (!apart) continue;
      cells.push_back(cell);
      pruned += cell.level > 0 ? 1 : 0;
    }
    const CellMap map(cells, 0.05, "map");
    with_unknown += map.unknown_count() > 0 ? 1 : 0;
    const OctomapText text = format_octomap(map);
    const Octomap read = parse_octomap(text.bytes, text.options, "map.bt");
    EXPECT_TRUE(CellMap(read.cells, read.resolution, "read") == map) << "draw " << draw;
  }
  EXPECT_GT(with_unknown, 30);
  EXPECT_GT(pruned, 100);
}

TEST(SceneWrite, AMapIsPartOfASceneWithItsUnknownCells) {
  const TempFolder folder;
  std::vector<OctreeCell> cells(3);
  for (std::size_t i = 0; i < 3; ++i) {
    cells[i].key = {static_cast<std::uint16_t>(CellMap::kMiddle + 4 * i), CellMap::kMiddle, CellMap::kMiddle};
    cells[i].unknown = i == 1;
  }
  Scene scene;
  scene.objects.push_back({"room", {of(std::make_shared<const CellMap>(cells, 0.1, "room"))}});
  save_scene(folder.path("s.yaml"), scene);
  expect_equal(load_scene(folder.path("s.yaml")).value, scene);
}

/// Columns are the greatest of four heights each: other heights are written than were read, but the same columns come back.
TEST(SceneWrite, HeightFieldsKeepTheirColumns) {
  const TempFolder folder;
  std::mt19937_64 rng(19);
  const auto integer = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(rng); };
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int missing = 0, others = 0;
  for (int round = 0; round < 60; ++round) {
    const int rows = integer(2, 9), along = integer(2, 9);
    std::vector<double> heights(static_cast<std::size_t>(rows * along));
    for (double& h : heights) h = integer(0, 9) == 0 ? NAN : uniform(rng);
    const bool free = integer(0, 1) == 0;
    const auto known = [&](const HeightField& field) {
      return std::any_of(field.columns.begin(), field.columns.end(),
                         [](const auto& c) { return std::isfinite(c.height); });
    };
    if (std::none_of(heights.begin(), heights.end(), [](double h) { return std::isfinite(h); })) continue;
    const HeightField field =
        make_height_field(heights, static_cast<std::size_t>(along), {.pixel = 0.1, .unknown_is_free = free}, "field");
    if (field.columns.empty() || !known(field)) continue;
    Scene scene;
    scene.objects.push_back({"field", {of(std::make_shared<const CellMap>(field, "field"))}});
    save_scene(folder.path("s.yaml"), scene);
    expect_equal(load_scene(folder.path("s.yaml")).value, scene);
    const HeightFieldText text = format_height_field(field);
    const CellsPtr again = parse_height_field(text.bytes, text.options, "again.npy").value;
    EXPECT_TRUE(*again == CellMap(field, "field"));
    missing += std::any_of(heights.begin(), heights.end(), [](double h) { return std::isnan(h); });
    others += rows != along;
  }
  EXPECT_GT(missing, 10);
  EXPECT_GT(others, 20);
}

TEST(SceneWrite, WhatCannotBeWrittenIsRefused) {
  const TempFolder folder;
  Scene scene;
  scene.objects.push_back({"ball", {of(Sphere{0.1})}});
  expect_input_error([&] { save_scene(folder.path("absent/s.yaml"), scene); }, {"absent/s.yaml", "cannot be written"});
  Scene with_mesh;
  with_mesh.objects.push_back({"a", {of(Draw(1).mesh())}});
  expect_input_error([&] { save_scene(folder.path("absent/s.yaml"), with_mesh); },
                     {"absent/s_files", "cannot be written"});
  EXPECT_FALSE(std::filesystem::exists(folder.path("absent"))) << "folders are not made";
  scene.objects.push_back({"\xFF", {of(Sphere{0.1})}});
  expect_input_error([&] { save_scene(folder.path("s.yaml"), scene); }, {"not text in UTF-8", "rename it"});
  Scene bad;
  bad.margins = {{"a", "b", -1.0}};
  expect_input_error([&] { save_scene(folder.path("s.yaml"), bad); }, {"margin"});
  EXPECT_FALSE(std::filesystem::exists(folder.path("s.yaml")));
  HeightField holes = make_height_field(std::vector<double>(9, 0.5), 3, {.pixel = 0.1}, "field");
  holes.columns.erase(holes.columns.begin());
  Scene with_field;
  with_field.objects.push_back({"field", {of(std::make_shared<const CellMap>(holes, "field"))}});
  expect_input_error([&] { save_scene(folder.path("s.yaml"), with_field); }, {"from which columns were taken"});
  std::vector<double> unknown(4, 0.5);
  unknown[0] = NAN;
  const HeightField nothing = make_height_field(unknown, 2, {.pixel = 0.1}, "field");
  expect_input_error([&] { (void)format_height_field(nothing); }, {"without a known height"});
  EXPECT_FALSE(std::filesystem::exists(folder.path("s.yaml")));
}

TEST(SceneFile, ShapesAndRotationsAreReadOrRefused) {
  const auto parse = [](const std::string& object) {
    return parse_scene("objects:\n  - {name: o, " + object + "}\n", "s.yaml", "/nonexistent").value.objects[0];
  };
  const SceneObject two = parse(
      "pose: {xyz: [0, 0, 1], rotation: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}, "
      "shapes: [{sphere: {radius: 1}}, {box: {size: [1, 2, 3]}, pose: {xyz: [4, 5, 6]}}]");
  ASSERT_EQ(two.geometry.size(), 2u);
  EXPECT_EQ(two.pose * Vector3d::UnitX(), Vector3d(0, 1, 1));
  EXPECT_EQ(two.geometry[1].pose.translation(), Vector3d(4, 5, 6));
  for (const auto& [object, part] : std::vector<std::pair<std::string, std::string>>{
           {"shapes: []", "has no shapes"},
           {"shapes: 7", "must be a list"},
           {"shapes: [{sphere: {radius: 1}}], box: {size: [1, 1, 1]}", "belongs into the entries"},
           {"shapes: [{sphere: {radius: 1}}], scale: 2", "belongs into the entries"},
           {"shapes: [{sphere: {radius: 1}, box: {size: [1, 1, 1]}}]", "exactly one of"},
           {"shapes: [{name: x, sphere: {radius: 1}}]", "unknown key"},
           {"sphere: {radius: 1}, pose: {rotation: [[1, 0, 0], [0, 1, 0]]}", "three rows"},
           {"sphere: {radius: 1}, pose: {rotation: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}",
            "not a finite rigid transform"},
           {"sphere: {radius: 1}, pose: {rotation: [[1, 0, 0], [0, 1, 0], [0, 0, 1.001]]}",
            "not a finite rigid transform"},
           {"sphere: {radius: 1}, pose: {rpy: [0, 0, 0], rotation: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}",
            "give one of"}}) {
    expect_input_error([&, text = object] { parse(text); }, {"s.yaml:2", part});
  }
}

}  // namespace
}  // namespace planner_ccd::test
