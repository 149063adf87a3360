#include <array>
#include <cstring>
#include <limits>

#include "io/io_support.hpp"
#include "planner_ccd/io/mesh_file.hpp"

namespace planner_ccd::test {
namespace {

using Corners = std::array<float, 9>;

std::string binary_stl(const std::string& header, const std::vector<Corners>& triangles, std::uint32_t count) {
  std::string bytes = header;
  bytes.resize(80, ' ');
  bytes.append(reinterpret_cast<const char*>(&count), 4);
  for (const Corners& corners : triangles) {
    bytes.append(12, '\0');
    bytes.append(reinterpret_cast<const char*>(corners.data()), sizeof(corners));
    bytes.append(2, '\0');
  }
  return bytes;
}

const Corners kOne = {0, 0, 0, 1, 0, 0, 0, 1, 0};
const Corners kTwo = {1, 0, 0, 1, 1, 0, 0, 1, 0};

const std::string kAscii =
    "solid part one\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1.5e0 0 0\n"
    "   vertex 0 +1 0\n  endloop\n endfacet\nendsolid part one\n";

TEST(Stl, ABinaryFileThatBeginsWithSolidIsReadAsBinary) {
  const auto mesh =
      parse_mesh(binary_stl("solid facet normal made by some CAD", {kOne, kTwo}, 2), MeshFormat::Stl, "a.stl");
  EXPECT_EQ(mesh.triangles.size(), 2u);
  EXPECT_EQ(mesh.vertices.size(), 4u) << "equal corners are joined";
  EXPECT_EQ(mesh.vertices[1], Eigen::Vector3d(1, 0, 0));
}

TEST(Stl, AsciiIsReadWithAnyBlanksCaseAndLineEnds) {
  for (const bool windows : {false, true}) {
    std::string text = kAscii +
                       "SOLID vertex\nFACET NORMAL 0 0 0\nOUTER LOOP\nVERTEX 0 0 1 VERTEX 1 0 1\tVERTEX 0 1 "
                       "1\nENDLOOP\nENDFACET\nENDSOLID";
    if (windows) {
      for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
    }
    const auto mesh = parse_mesh(text, MeshFormat::Stl, "a.stl");
    EXPECT_EQ(mesh.triangles.size(), 2u);
    EXPECT_EQ(mesh.vertices[1], Eigen::Vector3d(1.5, 0, 0));
  }
}

TEST(Stl, TrianglesWithoutAreaAreKept) {
  const Corners point = {1, 1, 1, 1, 1, 1, 1, 1, 1}, segment = {0, 0, 0, 1, 0, 0, 2, 0, 0};
  const auto mesh = parse_mesh(binary_stl("", {point, segment, kOne}, 3), MeshFormat::Stl, "a.stl");
  EXPECT_EQ(mesh.triangles.size(), 3u);
}

TEST(Stl, ACountBeyondTheFileIsAnErrorAndNotAnAllocation) {
  for (const std::uint32_t count : {2u, 4'000'000'000u, 4'294'967'295u}) {
    expect_input_error([&] { parse_mesh(binary_stl("", {kOne}, count), MeshFormat::Stl, "a.stl"); },
                       {"a.stl", std::to_string(count), "134 bytes", "export the mesh again"});
  }
}

TEST(Stl, BytesAfterTheLastTriangleAreHarmless) {
  EXPECT_EQ(parse_mesh(binary_stl("", {kOne}, 1) + "trailer", MeshFormat::Stl, "a.stl").triangles.size(), 1u);
}

TEST(Stl, EmptyMeshesAndStubsAreErrors) {
  expect_input_error([] { parse_mesh("", MeshFormat::Stl, "a.stl"); }, {"a.stl", "empty"});
  expect_input_error([] { parse_mesh(binary_stl("", {}, 0), MeshFormat::Stl, "a.stl"); }, {"a.stl", "no triangles"});
  expect_input_error([] { parse_mesh("solid x\nendsolid x\n", MeshFormat::Stl, "a.stl"); }, {"a.stl", "no triangles"});
  expect_input_error([] { parse_mesh("not a mesh", MeshFormat::Stl, "a.stl"); }, {"a.stl", "too short"});
}

TEST(Stl, VerticesThatAreNotFiniteOrHugeAreErrors) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e30f}) {
    Corners corners = kOne;
    corners[4] = bad;
    expect_input_error([&] { parse_mesh(binary_stl("", {corners}, 1), MeshFormat::Stl, "a.stl"); },
                       {"a.stl", "vertex", "unit"});
  }
  std::string text = kAscii;
  text.replace(text.find("1.5e0"), 5, "nan");
  expect_input_error([&] { parse_mesh(text, MeshFormat::Stl, "a.stl"); }, {"a.stl:5", "finite"});
}

TEST(Stl, FaultsInAsciiNameTheLine) {
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string text = kAscii;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  expect_input_error([&] { parse_mesh(broken("   vertex 0 0 0\n", ""), MeshFormat::Stl, "a.stl"); },
                     {"a.stl:6", "fewer than three"});
  expect_input_error([&] { parse_mesh(broken("  endloop\n", "vertex 1 1 1\n"), MeshFormat::Stl, "a.stl"); },
                     {"a.stl:7", "more than three"});
  expect_input_error([&] { parse_mesh(broken("0 +1 0", "0 1"), MeshFormat::Stl, "a.stl"); },
                     {"a.stl:6", "three finite numbers"});
  expect_input_error([&] { parse_mesh(broken("outer", "other"), MeshFormat::Stl, "a.stl"); }, {"a.stl:3", "\"other\""});
  expect_input_error([&] { parse_mesh(kAscii.substr(0, kAscii.find("endloop")), MeshFormat::Stl, "a.stl"); },
                     {"cut short"});
}

TEST(Obj, CornersIndicesGroupsAndContinuedLinesAreRead) {
  const auto mesh = parse_mesh(
      "# made by hand\nmtllib none.mtl\no first\nv 0 0 0\nv 1 0 0 # comment\nv 1 1 0 0.5 0.5 0.5\nv 0 2 0 2\nvt 0 "
      "0\nvn 0 0 1\n"
      "g a b\nusemtl x\ns off\nf 1/1/1 2//1 3/1 4\nf -4 -3 \\\n -2\n",
      MeshFormat::Obj, "a.obj");
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.vertices[3], Eigen::Vector3d(0, 1, 0)) << "a fourth number is a weight";
  ASSERT_EQ(mesh.triangles.size(), 3u);
  EXPECT_EQ(mesh.triangles[2], Eigen::Vector3i(0, 1, 2));
}

TEST(Obj, DoublesKeepAllTheirBits) {
  const auto mesh = parse_mesh("v 0.1 0.2 0.30000000000000004\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", MeshFormat::Obj, "a.obj");
  EXPECT_EQ(mesh.vertices[0], Eigen::Vector3d(0.1, 0.2, 0.1 + 0.2));
}

TEST(Obj, LinesAreKeptAsTrianglesWithoutArea) {
  const auto mesh = parse_mesh("v 0 0 0\nv 1 0 0\nv 2 0 1\nl 1 2 3\n", MeshFormat::Obj, "a.obj");
  ASSERT_EQ(mesh.triangles.size(), 2u);
  EXPECT_EQ(mesh.triangles[1], Eigen::Vector3i(1, 2, 2));
}

TEST(Obj, FaultsNameTheLine) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expect_input_error([&] { parse_mesh(vertices + "f 1 2\n", MeshFormat::Obj, "a.obj"); }, {"a.obj:4", "three corners"});
  expect_input_error([&] { parse_mesh(vertices + "f 1 2 4\n", MeshFormat::Obj, "a.obj"); },
                     {"a.obj:4", "vertex 4 does not exist"});
  expect_input_error([&] { parse_mesh(vertices + "f 0 1 2\n", MeshFormat::Obj, "a.obj"); }, {"a.obj:4", "vertex 0"});
  expect_input_error([&] { parse_mesh(vertices + "f -4 1 2\n", MeshFormat::Obj, "a.obj"); }, {"a.obj:4", "vertex -4"});
  expect_input_error([&] { parse_mesh(vertices + "f 1 2 99999999999999999999\n", MeshFormat::Obj, "a.obj"); },
                     {"a.obj:4", "not a vertex number"});
  expect_input_error([&] { parse_mesh("v 0 inf 0\n", MeshFormat::Obj, "a.obj"); }, {"a.obj:1", "finite"});
  expect_input_error([&] { parse_mesh("v 0 0,5 0\n", MeshFormat::Obj, "a.obj"); }, {"a.obj:1", "0,5"});
  expect_input_error([&] { parse_mesh("v 0 0 0 0\n", MeshFormat::Obj, "a.obj"); }, {"a.obj:1", "infinity"});
  expect_input_error([&] { parse_mesh(vertices, MeshFormat::Obj, "a.obj"); }, {"no triangles"});
  expect_input_error([&] { parse_mesh(vertices + std::string(1, '\0'), MeshFormat::Obj, "a.obj"); }, {"binary"});
}

double area(const TriangleMesh& mesh) {
  double sum = 0.0;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Eigen::Vector3d a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    sum += 0.5 * (b - a).cross(c - a).norm();
  }
  return sum;
}

TEST(Polygons, ConcaveOnesAreNotFilledBeyondTheirOutline) {
  // Four outlines of the same arrow, each starting at another corner: a fan from a wrong one would cover the notch.
  const std::string vertices = "v 0 0 3\nv 2 1 3\nv 0 2 3\nv 0.5 1 3\n";
  for (const char* face : {"f 1 2 3 4", "f 2 3 4 1", "f 3 4 1 2", "f 4 1 2 3", "f 4 3 2 1"}) {
    const auto mesh = parse_mesh(vertices + face + "\n", MeshFormat::Obj, "a.obj");
    EXPECT_EQ(mesh.triangles.size(), 2u);
    EXPECT_NEAR(area(mesh), 1.5, 1e-14) << face;
  }
  // A comb of three teeth in a slanted plane.
  std::string comb;
  int corners = 0;
  const auto add = [&](double x, double y) {
    comb += "v " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(x + y) + "\n";
    ++corners;
  };
  add(0, 0), add(6, 0), add(6, 3), add(5, 1), add(4, 3), add(3, 1), add(2, 3), add(1, 1), add(0, 3);
  comb += "f";
  for (int i = 1; i <= corners; ++i) comb += " " + std::to_string(i);
  const auto mesh = parse_mesh(comb + "\n", MeshFormat::Obj, "a.obj");
  EXPECT_EQ(mesh.triangles.size(), 7u);
  // Shoelace: the flat comb has 6 x 3 minus three notches of 2 x 2 / 2; the slant stretches areas by sqrt(3).
  EXPECT_NEAR(area(mesh), (18.0 - 6.0) * std::sqrt(3.0), 1e-5);
}

TEST(Polygons, DegenerateOutlinesStillGiveEveryTriangle) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 1 1 0\n";
  for (const char* face : {"f 1 2 3 4", "f 1 1 1 1", "f 1 2 1 2", "f 1 3 2 4 5", "f 1 5 2 5 3"}) {
    const auto mesh = parse_mesh(vertices + face + "\n", MeshFormat::Obj, "a.obj");
    EXPECT_EQ(mesh.triangles.size(), std::count(face, face + std::strlen(face), ' ') - 2) << face;
  }
}

}  // namespace
}  // namespace planner_ccd::test
