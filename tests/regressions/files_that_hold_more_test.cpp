#include <bit>
#include <cstring>

#include "planner_ccd/io/cloud_file.hpp"
#include "planner_ccd/io/height_field_file.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "regressions/doors.hpp"

/// What a file held beyond the count of its header was not part of the obstacle: points of a binary PCD, a second array of an NPY,
/// corners of a DAE's polygons, a second GLB. And a DAE's mesh under a skin stood where the skin does not have it.
namespace planner_ccd::test {
namespace {

std::string floats(const std::vector<float>& values) {
  std::string bytes(4 * values.size(), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
std::string word(std::uint32_t value) {
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &value, 4);
  return bytes;
}

std::string pcd(const std::string& encoding, int points, const std::string& data) {
  return "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH " + std::to_string(points) +
         "\nHEIGHT 1\nPOINTS " + std::to_string(points) + "\nDATA " + encoding + "\n" + data;
}
/// Bytes as LZF has them that are not compressed, with both sizes in front.
std::string packed(const std::string& bytes) {
  return word(static_cast<std::uint32_t>(bytes.size()) + 1) + word(static_cast<std::uint32_t>(bytes.size())) +
         std::string(1, static_cast<char>(bytes.size() - 1)) + bytes;
}

int points_of(const std::string& bytes, CloudFormat format, const char* name) {
  return parse_cloud(bytes, format, 0.01, name).value->size();
}

TEST(FilesThatHoldMore, PointsOfAPcd) {
  const std::string one = floats({0, 0, 0}), two = one + floats({1, 0, 0});
  const auto read = [](const std::string& bytes) { return points_of(bytes, CloudFormat::Pcd, "a.pcd"); };
  EXPECT_EQ(read(pcd("binary", 2, two)), 2);
  EXPECT_EQ(read(pcd("binary", 1, one + "\n")), 1) << "less than a point";
  expect_input_error([&] { read(pcd("binary", 1, two)); }, {"a.pcd", "12 bytes follow"});
  EXPECT_EQ(read(pcd("binary_compressed", 2, packed(two))), 2);
  expect_input_error([&] { read(pcd("binary_compressed", 1, packed(two))); },
                     {"a.pcd", "not as large as the header says"});
  expect_input_error([&] { read(pcd("binary_compressed", 1, packed(one) + packed(one))); },
                     {"a.pcd", "21 bytes follow"});
  expect_input_error([&] { read(pcd("ascii", 1, "0 0 0\n1 0 0\n")); }, {"a.pcd", "promises 1 points"});
}

TEST(FilesThatHoldMore, PointsOfAPly) {
  const auto read = [](const std::string& format, const std::string& data) {
    return points_of("ply\nformat " + format +
                         " 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n" +
                         data,
                     CloudFormat::Ply, "a.ply");
  };
  EXPECT_EQ(read("ascii", "0 0 0\n"), 1);
  expect_input_error([&] { read("ascii", "0 0 0\n1 0 0\n"); }, {"a.ply", "less"});
  expect_input_error([&] { read("binary_little_endian", floats({0, 0, 0, 1, 0, 0})); }, {"a.ply", "less"});
}

/// numpy.save may be called twice for one file.
TEST(FilesThatHoldMore, ArraysOfAnNpy) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }";
  header.resize(117, ' ');
  header += '\n';
  const std::string one = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + floats({0, 0, 0});
  EXPECT_EQ(points_of(one, CloudFormat::Npy, "a.npy"), 1);
  expect_input_error([&] { points_of(one + one, CloudFormat::Npy, "a.npy"); },
                     {"a.npy", "140 bytes follow", "second array"});
  HeightFieldOptions options;
  options.pixel = 0.1;
  expect_input_error([&] { (void)parse_height_field(one + one, options, "a.npy"); }, {"a.npy", "second array"});
}

std::string dae(const std::string& primitives, const std::string& instance, const std::string& more = "") {
  return "<COLLADA><asset><unit meter='1'/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry "
         "id='g'><mesh><source "
         "id='s'><float_array id='a' count='15'>0 0 0 1 0 0 0 1 0 9 9 9 9 8 9</float_array></source><vertices "
         "id='v'><input "
         "semantic='POSITION' source='#s'/></vertices>" +
         primitives + "</mesh></geometry></library_geometries>" + more +
         "<library_visual_scenes><visual_scene id='w'><node>" + instance +
         "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url='#w'/></scene></COLLADA>";
}
const std::string kInput = "<input semantic='VERTEX' source='#v' offset='0'/>";

TEST(FilesThatHoldMore, CornersOfADae) {
  const auto read = [](const std::string& counts) {
    return parse_mesh(
               dae("<polylist count='1'>" + kInput + "<vcount>" + counts + "</vcount><p>0 1 2 1 3 4</p></polylist>",
                   "<instance_geometry url='#g'/>"),
               MeshFormat::Dae, "a.dae")
        .triangles.size();
  };
  EXPECT_EQ(read("3 3"), 2u);
  expect_input_error([&] { read("3"); }, {"a.dae", "counts fewer corners than <p> has"});
}

TEST(FilesThatHoldMore, ASecondGlb) {
  const std::string json = "{\"asset\":{\"version\":\"2.0\"}} ";
  const auto glb = [&](std::size_t length) {
    return "glTF" + word(2) + word(static_cast<std::uint32_t>(length)) + word(static_cast<std::uint32_t>(json.size())) +
           "JSON" + json;
  };
  const std::string one = glb(20 + json.size());
  const auto message = expect_input_error([&] { (void)parse_mesh(one, MeshFormat::Glb, "a.glb"); }, {"a.glb"});
  EXPECT_EQ(message.find("several files"), std::string::npos) << message;
  expect_input_error([&] { (void)parse_mesh(one + one, MeshFormat::Glb, "a.glb"); }, {"a.glb", "several files in one"});
}

/// Its bind_shape_matrix put the mesh 5 m further, into the way.
TEST(FilesThatHoldMore, ASkinMovesItsMesh) {
  const std::string triangle = "<triangles count='1'>" + kInput + "<p>0 1 2</p></triangles>";
  const std::string skin =
      "<library_controllers><controller id='c'><skin source='#g'><bind_shape_matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1"
      "</bind_shape_matrix></skin></controller></library_controllers>";
  const std::string text = dae(triangle, "<instance_controller url='#c'/>", skin);
  EXPECT_EQ(parse_mesh(dae(triangle, "<instance_geometry url='#g'/>", skin), MeshFormat::Dae, "a.dae").triangles.size(),
            1u);
  expect_input_error([&] { (void)parse_mesh(text, MeshFormat::Dae, "a.dae"); }, {"a.dae", "bones or morphs"});
  const TempFolder folder;
  const std::string file = folder.write("a.dae", text);
  const std::string scene = folder.write("s.yaml", "objects: [{name: wall, mesh: " + file + "}]\n");
  const std::string robot =
      folder.write("r.urdf",
                   "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='revolute'>"
                   "<parent link='a'/><child link='b'/><limit lower='0' upper='1' velocity='1' "
                   "effort='1'/></joint></robot>");
#ifdef PLANNER_CCD_COMMAND
  expect_bad_input({"check", "--robot", robot, "--scene", scene, "--path", folder.write("p.csv", "j\n0\n1\n")},
                   {"a.dae", "bones or morphs"});
#endif
  expect_python(
      "import planner_ccd\ntry:\n  planner_ccd.Scene.load('" + scene +
      "')\n  assert False\nexcept planner_ccd.InputError as error:\n  assert 'bones or morphs' in str(error)\n");
}

}  // namespace
}  // namespace planner_ccd::test
