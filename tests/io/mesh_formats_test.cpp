#include <cstring>

#include "io/io_support.hpp"
#include "planner_ccd/io/mesh_file.hpp"

namespace planner_ccd::test {
namespace {

template <class T>
void append(std::string& bytes, T value, bool big_endian = false) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if (big_endian) std::reverse(raw, raw + sizeof(T));
  bytes.append(raw, sizeof(T));
}

std::string ply_header(const std::string& format, int vertices = 4, int faces = 2) {
  return "ply\r\nformat " + format + " 1.0\ncomment by hand\nelement vertex " + std::to_string(vertices) +
         "\nproperty float x\nproperty uchar red\nproperty double y\nproperty float z\nproperty list uchar float "
         "weights\n"
         "element face " +
         std::to_string(faces) + "\nproperty list uchar int vertex_indices\nproperty float quality\nend_header\n";
}

std::string binary_ply(bool big) {
  std::string bytes = ply_header(big ? "binary_big_endian" : "binary_little_endian");
  for (const auto& [x, y] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
    append(bytes, static_cast<float>(x), big);
    append(bytes, std::uint8_t{200});
    append(bytes, static_cast<double>(y) + 0.1, big);
    append(bytes, 3.0f, big);
    append(bytes, std::uint8_t{1});
    append(bytes, 0.5f, big);
  }
  for (const std::vector<int>& face : {std::vector<int>{0, 1, 2}, {0, 1, 2, 3}}) {
    append(bytes, static_cast<std::uint8_t>(face.size()));
    for (const int corner : face) append(bytes, corner, big);
    append(bytes, 1.0f, big);
  }
  return bytes;
}

TEST(Ply, TextAndBothByteOrdersGiveTheSameMesh) {
  const auto text = parse_mesh(ply_header("ascii") +
                                   "0 200 0.1 3 1 .5\n1 200 0.1 3 0\n1 200 1.1 3 2 1 1\n0 200 1.1 3 0\n"
                                   "3 0 1 2 1\n4 0 1 2 3 1\n",
                               MeshFormat::Ply, "a.ply");
  EXPECT_EQ(text.triangles.size(), 3u);
  EXPECT_EQ(text.vertices[2], Eigen::Vector3d(1, 1.1, 3));
  for (const bool big : {false, true}) {
    const auto mesh = parse_mesh(binary_ply(big), MeshFormat::Ply, "a.ply");
    EXPECT_EQ(mesh.vertices, text.vertices);
    EXPECT_EQ(mesh.triangles, text.triangles);
  }
}

TEST(Ply, CountsBeyondTheFileAreErrorsAndNotAllocations) {
  const std::string body = binary_ply(false).substr(ply_header("binary_little_endian").size());
  expect_input_error(
      [&] { parse_mesh(ply_header("binary_little_endian", 2'000'000'000) + body, MeshFormat::Ply, "a.ply"); },
      {"a.ply", "promises 2000000000 of 'vertex'", "cut short"});
  expect_input_error(
      [&] { parse_mesh(ply_header("binary_little_endian", 4, 2'000'000'000) + body, MeshFormat::Ply, "a.ply"); },
      {"a.ply", "of 'face'"});
  const std::string whole = binary_ply(false);
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    EXPECT_THROW(parse_mesh(whole.substr(0, cut), MeshFormat::Ply, "a.ply"), InputError) << cut;
  }
}

TEST(Ply, FaultsAreNamed) {
  const std::string vertices = "0 200 0.1 3 0\n1 200 0.1 3 0\n1 200 1.1 3 0\n0 200 1.1 3 0\n";
  expect_input_error(
      [&] { parse_mesh(ply_header("ascii") + vertices + "3 0 1 4 1\n3 0 1 2 1\n", MeshFormat::Ply, "a.ply"); },
      {"a.ply", "a corner 4"});
  expect_input_error(
      [&] { parse_mesh(ply_header("ascii") + vertices + "3 0 1 -1 1\n3 0 1 2 1\n", MeshFormat::Ply, "a.ply"); },
      {"a corner -1"});
  expect_input_error(
      [&] { parse_mesh(ply_header("ascii") + vertices + "3 0 1 nan 1\n3 0 1 2 1\n", MeshFormat::Ply, "a.ply"); },
      {"\"nan\""});
  expect_input_error([&] { parse_mesh(ply_header("packed") + vertices, MeshFormat::Ply, "a.ply"); },
                     {"a.ply:2", "unknown PLY format"});
  expect_input_error([&] { parse_mesh("plymouth\n", MeshFormat::Ply, "a.ply"); }, {"a.ply:1", "'ply'"});
  expect_input_error(
      [&] {
        parse_mesh("ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nend_header\n", MeshFormat::Ply, "a.ply");
      },
      {"no x, y and z"});
}

TEST(Off, PolygonsCommentsAndCountsOnTheFirstLineAreRead) {
  const std::string body = "# the corners\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n\n4 0 1 2 3 255 0 0\n3 0 1 2\n";
  EXPECT_EQ(parse_mesh("OFF\n4 2 0\n" + body, MeshFormat::Off, "a.off").triangles.size(), 3u);
  EXPECT_EQ(parse_mesh("OFF 4 2 0\n" + body, MeshFormat::Off, "a.off").triangles.size(), 3u);
  expect_input_error([&] { parse_mesh("OFF\n4000000000 2 0\n" + body, MeshFormat::Off, "a.off"); },
                     {"a.off:2", "count"});
  expect_input_error([&] { parse_mesh("OFF\n4 3 0\n" + body, MeshFormat::Off, "a.off"); }, {"the file ends"});
  std::string bad_corner = body;
  bad_corner.replace(bad_corner.find("4 0 1 2 3"), 9, "4 0 1 2 9");
  expect_input_error([&] { parse_mesh("OFF\n4 2 0\n" + bad_corner, MeshFormat::Off, "a.off"); },
                     {"a.off:9", "\"9\" is not the number of a vertex"});
  expect_input_error([&] { parse_mesh("OFF BINARY\n", MeshFormat::Off, "a.off"); }, {"a.off:1"});
}

std::string dae(const std::string& asset, const std::string& nodes, const std::string& primitives) {
  return "<COLLADA><asset>" + asset + R"(</asset><library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 1 1 0 0 1 0.5</float_array>
    <technique_common><accessor source="#pa" count="4" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>)" +
         primitives +
         R"(</mesh></geometry></library_geometries><library_nodes><node id="shared"><translate>0 0 7</translate>
    <instance_geometry url="#g"/></node></library_nodes><library_visual_scenes><visual_scene id="s">)" +
         nodes + "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";
}

const std::string kDaeTriangle = "<triangles><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles>";
const std::string kDaeNode = "<node><instance_geometry url='#g'/></node>";

TriangleMesh parse_dae(const std::string& text) { return parse_mesh(text, MeshFormat::Dae, "a.dae"); }

TEST(Dae, TheUnitIsAppliedOnceAndTheUpAxisNotAsRvizShowsIt) {
  for (const char* axis : {"X_UP", "Y_UP", "Z_UP"}) {
    const auto mesh = parse_dae(
        dae("<unit name='inch' meter='0.0254'/><up_axis>" + std::string(axis) + "</up_axis>", kDaeNode, kDaeTriangle));
    EXPECT_EQ(mesh.vertices[2], Eigen::Vector3d(0.0254, 0.0254, 0)) << axis;
    EXPECT_EQ(mesh.vertices[3], Eigen::Vector3d(0, 0.0254, 0.0127)) << axis;
  }
}

TEST(Dae, EveryNodeCountsWithItsTransforms) {
  const auto mesh =
      parse_dae(dae("",
                    "<node><translate>1 0 0</translate><rotate>0 0 1 90</rotate><instance_geometry url='#g'/>"
                    "<node><scale>2 2 2</scale><instance_geometry url='#g'/></node></node>"
                    "<node><matrix>1 0 0 5 0 1 0 6 0 0 1 7 0 0 0 1</matrix><instance_node url='#shared'/></node>",
                    kDaeTriangle));
  ASSERT_EQ(mesh.triangles.size(), 3u);
  const auto corner = [&](int triangle, int k) { return mesh.vertices[mesh.triangles[triangle][k]]; };
  EXPECT_LT((corner(0, 1) - Eigen::Vector3d(1, 1, 0)).norm(), 1e-15);
  EXPECT_LT((corner(1, 1) - Eigen::Vector3d(1, 2, 0)).norm(), 1e-15);
  EXPECT_EQ(corner(2, 1), Eigen::Vector3d(6, 6, 14));
}

TEST(Dae, AMirroringNodeTurnsTheTriangles) {
  const auto mesh = parse_dae(dae("", "<node><scale>1 1 -1</scale><instance_geometry url='#g'/></node>", kDaeTriangle));
  EXPECT_EQ(mesh.triangles[0], Eigen::Vector3i(0, 2, 1));
}

TEST(Dae, AllKindsOfPrimitivesAreRead) {
  const std::string input =
      "<input semantic='VERTEX' source='#v' offset='1'/><input semantic='NORMAL' source='#p' offset='0'/>";
  const auto mesh = parse_dae(dae("", kDaeNode,
                                  "<polylist>" + input +
                                      "<vcount>4 3</vcount><p>9 0 9 1 9 2 9 3 9 0 9 1 9 2</p></polylist>"
                                      "<polygons>" +
                                      input +
                                      "<p>9 0 9 1 9 2</p><ph><p>9 0 9 1 9 2</p><h>9 0</h></ph></polygons>"
                                      "<tristrips>" +
                                      input +
                                      "<p>9 0 9 1 9 2 9 3</p></tristrips>"
                                      "<trifans>" +
                                      input +
                                      "<p>9 0 9 1 9 2 9 3</p></trifans>"
                                      "<lines>" +
                                      input + "<p>9 0 9 1</p></lines>"));
  EXPECT_EQ(mesh.triangles.size(), 3u + 2u + 2u + 2u + 1u);
  EXPECT_EQ(mesh.triangles[6], Eigen::Vector3i(1, 3, 2)) << "every second triangle of a strip is turned";
}

TEST(Dae, AMeshThatBonesMoveIsRefused) {
  std::string text = dae("", "<node><instance_controller url='#c'/></node>", kDaeTriangle);
  text.insert(text.find("<library_nodes>"),
              "<library_controllers><controller id='c'><skin source='#g'/></controller></library_controllers>");
  expect_input_error([&] { parse_dae(text); }, {"a.dae", "bones or morphs"});
}

TEST(Dae, NodesThatReferToEachOtherInACircleAreAnError) {
  std::string text = dae("", "<node><instance_node url='#loop'/></node>", kDaeTriangle);
  text.insert(text.find("<node id=\"shared\">"),
              "<node id='loop'><node><instance_node url='#loop'/><instance_node url='#loop'/></node></node>");
  expect_input_error([&] { parse_dae(text); }, {"a.dae:", "circle"});
}

TEST(Dae, InstancesThatMultiplyWithoutEndAreAnErrorAndNotAnAllocation) {
  std::string text = dae("", "<node><instance_node url='#n40'/></node>", kDaeTriangle), nodes;
  for (int i = 40; i > 0; --i) {
    const std::string below = "<instance_node url='#n" + std::to_string(i - 1) + "'/>";
    nodes += "<node id='n" + std::to_string(i) + "'>" + below + below + "</node>";
  }
  text.insert(text.find("<node id=\"shared\">"), nodes + "<node id='n0'><instance_geometry url='#g'/></node>");
  expect_input_error([&] { parse_dae(text); }, {"too many"});
}

TEST(Dae, FaultsNameTheLineAndTheElement) {
  const auto with = [&](const std::string& primitives) { return dae("", kDaeNode, "\n" + primitives); };
  const std::string input = "<input semantic='VERTEX' source='#v' offset='0'/>";
  expect_input_error([&] { parse_dae(with("<triangles>" + input + "<p>0 1 4</p></triangles>")); },
                     {"a.dae:5: <p>", "\"4\" is not the number of a vertex"});
  expect_input_error([&] { parse_dae(with("<triangles>" + input + "<p>0 1</p></triangles>")); },
                     {"<p>", "whole triangles"});
  expect_input_error([&] { parse_dae(with("<polylist>" + input + "<vcount>9</vcount><p>0 1 2</p></polylist>")); },
                     {"<vcount>", "more corners"});
  expect_input_error(
      [&] { parse_dae(with("<triangles><input semantic='VERTEX' source='#x'/><p>0 1 2</p></triangles>")); },
      {"\"#x\"", "not in the file"});
  expect_input_error([&] { parse_dae(with("<triangles><p>0 1 2</p></triangles>")); }, {"VERTEX"});
  expect_input_error([&] { parse_dae(with("")); }, {"no triangles"});
  expect_input_error([&] { parse_dae(dae("<unit meter='0'/>", kDaeNode, kDaeTriangle)); }, {"<unit", "positive"});
  expect_input_error([&] { parse_dae(dae("<unit meter='1e300'/>", kDaeNode, kDaeTriangle)); }, {"1e7 m"});
  expect_input_error([&] { parse_dae(dae("", "<node><instance_geometry url='other.dae#g'/></node>", kDaeTriangle)); },
                     {"another file"});
  expect_input_error([&] { parse_dae(dae("", "<node><matrix>1 2 3</matrix></node>", kDaeTriangle)); },
                     {"<matrix>", "16 numbers"});
  std::string nan = with(kDaeTriangle);
  nan.replace(nan.find("1 1 0 0"), 1, "nan");
  expect_input_error([&] { parse_dae(nan); }, {"<float_array>", "finite"});
}

std::string glb(const std::string& json, const std::string& binary) {
  std::string padded = json, bytes = "glTF";
  while (padded.size() % 4) padded += ' ';
  append(bytes, std::uint32_t{2});
  append(bytes, static_cast<std::uint32_t>(28 + padded.size() + binary.size()));
  append(bytes, static_cast<std::uint32_t>(padded.size()));
  bytes += "JSON" + padded;
  append(bytes, static_cast<std::uint32_t>(binary.size()));
  return bytes + std::string("BIN\0", 4) + binary;
}

std::string glb_numbers() {
  std::string binary;
  for (const float x : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 1.f, 1.f, 0.f, 0.f, 1.f, 0.f}) append(binary, x);
  for (const std::uint16_t i : {0, 1, 2, 0, 2, 3}) append(binary, i);
  return binary;
}

std::string gltf(const std::string& nodes, const std::string& primitives, const std::string& more = "",
                 const std::string& count = "4") {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)" + nodes +
         R"(],"meshes":[{"primitives":[)" + primitives +
         R"(]}],"accessors":[{"bufferView":0,"componentType":5126,"count":)" + count +
         R"(,"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":48},
  {"buffer":0,"byteOffset":48,"byteLength":12}],"buffers":[{"byteLength":60}])" +
         more + "}";
}

const std::string kGlbPrimitive = R"({"attributes":{"POSITION":0},"indices":1})";

TriangleMesh parse_glb(const std::string& json) {
  return parse_mesh(glb(json, glb_numbers()), MeshFormat::Glb, "a.glb");
}

// Where their corners are is not what the file's positions say, which were taken for it.
TEST(Glb, ShapesThatBonesOrMorphsMoveAreRefused) {
  expect_input_error([&] { parse_glb(gltf(R"({"mesh":0,"skin":0})", kGlbPrimitive)); }, {"a.glb", "bones"});
  const std::string morphs = kGlbPrimitive.substr(0, kGlbPrimitive.size() - 1) + R"(,"targets":[{"POSITION":0}]})";
  const auto with_weights = [&](const std::string& weights) {
    return gltf(R"({"mesh":0,"weights":)" + weights + "}", morphs);
  };
  EXPECT_EQ(parse_glb(with_weights("[0]")).triangles.size(), 2u);
  EXPECT_EQ(parse_glb(gltf(R"({"mesh":0})", morphs)).triangles.size(), 2u);
  expect_input_error([&] { parse_glb(with_weights("[0, 0.5]")); }, {"a.glb", "morph targets"});
  expect_input_error([&] { parse_glb(gltf(R"({"mesh":0})", morphs + R"(],"weights":[1.0)")); }, {"morph targets"});
}

TEST(Glb, EveryNodeCountsWithItsTransforms) {
  const auto mesh = parse_glb(gltf(
      R"({"mesh":0,"translation":[1,2,3],"children":[1]},{"mesh":0,"rotation":[0,0,0.70710678118654757,0.70710678118654757],"scale":[2,2,-2]})",
      kGlbPrimitive));
  ASSERT_EQ(mesh.triangles.size(), 4u);
  EXPECT_EQ(mesh.vertices[2], Eigen::Vector3d(2, 3, 3));
  EXPECT_EQ(mesh.triangles[0], Eigen::Vector3i(0, 1, 2));
  EXPECT_LT((mesh.vertices[4 + 1] - Eigen::Vector3d(1, 4, 3)).norm(), 1e-15);
  EXPECT_EQ(mesh.triangles[2], Eigen::Vector3i(4, 6, 5)) << "the second node mirrors";
  const auto matrix = parse_glb(gltf(R"({"mesh":0,"matrix":[1,0,0,0, 0,1,0,0, 0,0,1,0, 5,6,7,1]})", kGlbPrimitive));
  EXPECT_EQ(matrix.vertices[2], Eigen::Vector3d(6, 7, 7));
}

TEST(Glb, StripsFansAndLinesAreRead) {
  const auto with_mode = [](int mode) {
    return R"({"attributes":{"POSITION":0},"mode":)" + std::to_string(mode) + "}";
  };
  EXPECT_EQ(parse_glb(gltf(R"({"mesh":0})", with_mode(5))).triangles[1], Eigen::Vector3i(1, 3, 2));
  EXPECT_EQ(parse_glb(gltf(R"({"mesh":0})", with_mode(6))).triangles[1], Eigen::Vector3i(0, 2, 3));
  EXPECT_EQ(parse_glb(gltf(R"({"mesh":0})", with_mode(1))).triangles.size(), 2u);
  EXPECT_EQ(parse_glb(gltf(R"({"mesh":0})", with_mode(2))).triangles.size(), 4u);
  EXPECT_EQ(parse_glb(gltf(R"({"mesh":0})", with_mode(3))).triangles.size(), 3u);
}

TEST(Glb, FaultsAreNamedAndNeverReadBeyondTheFile) {
  const std::string node = R"({"mesh":0})";
  expect_input_error([&] { parse_glb(gltf(node, kGlbPrimitive, "", "5")); },
                     {"a.glb", "beyond the file's binary chunk"});
  expect_input_error([&] { parse_glb(gltf(node, kGlbPrimitive, "", "4294967295")); },
                     {"beyond the file's binary chunk"});
  expect_input_error([&] { parse_glb(gltf(node, kGlbPrimitive, "", "-1")); }, {"'count'"});
  expect_input_error([&] { parse_glb(gltf(node, kGlbPrimitive, "", "3")); }, {"an index refers to no vertex"});
  expect_input_error([&] { parse_glb(gltf(R"({"mesh":7})", kGlbPrimitive)); }, {"entry 7 of 'meshes'"});
  expect_input_error([&] { parse_glb(gltf(R"({"children":[1]},{"children":[0]})", kGlbPrimitive)); }, {"circle"});
  expect_input_error([&] { parse_glb(gltf(node, R"({"attributes":{}})")); }, {"POSITION"});
  expect_input_error(
      [&] { parse_glb(gltf(node, kGlbPrimitive, R"(,"extensionsRequired":["KHR_draco_mesh_compression"])")); },
      {"KHR_draco", "without compression"});
  expect_input_error([&] { parse_glb("{broken"); }, {"JSON"});
  expect_input_error([&] { parse_mesh("glTF", MeshFormat::Glb, "a.glb"); }, {"not a GLB"});
  const std::string whole = glb(gltf(node, kGlbPrimitive), glb_numbers());
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    EXPECT_THROW(parse_mesh(whole.substr(0, cut), MeshFormat::Glb, "a.glb"), InputError) << cut;
  }
}

TEST(MeshFormats, AreKnownByTheEndingInAnyCase) {
  EXPECT_EQ(mesh_format_of("a/b.STL"), MeshFormat::Stl);
  EXPECT_EQ(mesh_format_of("b.Obj"), MeshFormat::Obj);
  EXPECT_EQ(mesh_format_of("b.ply"), MeshFormat::Ply);
  EXPECT_EQ(mesh_format_of("b.off"), MeshFormat::Off);
  EXPECT_EQ(mesh_format_of("b.dae"), MeshFormat::Dae);
  EXPECT_EQ(mesh_format_of("b.glb"), MeshFormat::Glb);
  EXPECT_FALSE(mesh_format_of("stl"));
}

}  // namespace
}  // namespace planner_ccd::test
