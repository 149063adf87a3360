#include "planner_ccd/io/cloud_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "io/io_support.hpp"
#include "planner_ccd/io/detail/cloud_readers.hpp"
#include "planner_ccd/io/scene_file.hpp"

/// Clouds in files: the points in the file are checked, exact where single precision can represent them.
namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using test::expect_input_error;

template <typename T>
std::string raw(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

using Balls = Loaded<CloudPtr>;

const std::vector<Vector3d> kPoints = {{0.5, -1.25, 3}, {1e-3, 2, -4.5}, {100, 0, 0.0625}};

/// The points as in the file, or rounded to single precision: the requested ball lies in the checked one.
void expect_points(const Balls& loaded) {
  const PointCloud& cloud = *loaded.value;
  ASSERT_EQ(cloud.size(), static_cast<int>(kPoints.size()));
  EXPECT_EQ(cloud.radius(), 0.01);
  EXPECT_LT(cloud.ball_radius() - 0.01, 1e-5) << "single precision of some 50 m";
  for (std::size_t i = 0; i < kPoints.size(); ++i) {
    const int kept = cloud.find(static_cast<int>(i));
    ASSERT_GE(kept, 0) << i;
    const Vector3d at = cloud.point(kept);
    const double off = std::min((at - kPoints[i]).norm(), (at - kPoints[i].cast<float>().cast<double>()).norm());
    EXPECT_LE(off, cloud.ball_radius() - 0.01) << i;
  }
  ASSERT_EQ(loaded.assumptions.size(), 1u);
  EXPECT_EQ(loaded.assumptions[0].kind, AssumptionKind::CloudRadius);
  EXPECT_NE(loaded.assumptions[0].text.find("0.01 m"), std::string::npos);
}

Balls parse(const std::string& bytes, CloudFormat format) { return parse_cloud(bytes, format, 0.01, "c"); }

TEST(CloudFile, XyzAndCsv) {
  expect_points(parse("0.5 -1.25 3\n1e-3\t2 -4.5 255 0 0\n\n# end\n100 0 6.25e-2", CloudFormat::Xyz));
  expect_points(
      parse("\xEF\xBB\xBF"
            "0.5, -1.25, 3\r\n1e-3,2,-4.5\r\n100,0,0.0625\r\n",
            CloudFormat::Xyz));
  expect_points(parse("intensity;Z;Y;X\n1;3;-1.25;0.5\n1;-4.5;2;0.001\n1;0.0625;0;100\n", CloudFormat::Xyz));
  expect_points(parse("//X Y Z\n0.5 -1.25 3\n1e-3 2 -4.5\n100 0 6.25e-2\n", CloudFormat::Xyz));
  expect_input_error([] { parse("a,b,c\n1,2,3\n", CloudFormat::Xyz); }, {"c:1", "x, y and z"});
  expect_input_error([] { parse("1 2 3\n1 2\n", CloudFormat::Xyz); }, {"c:2", "three numbers"});
  expect_input_error([] { parse("1 2 3\n1 2 z\n", CloudFormat::Xyz); }, {"c:2", "\"z\" is not a number"});
  expect_input_error([] { parse("", CloudFormat::Xyz); }, {"empty"});
  expect_input_error([] { parse("# nothing\n", CloudFormat::Xyz); }, {"no points"});
}

TEST(CloudFile, WhatIsNotFiniteIsLeftOutAndSaid) {
  const Balls loaded = parse("nan nan nan\n1 2 3\n1 2 -inf\n", CloudFormat::Xyz);
  ASSERT_EQ(loaded.value->size(), 1);
  EXPECT_EQ(loaded.value->number(0), 1);
  ASSERT_EQ(loaded.warnings.size(), 1u);
  EXPECT_NE(loaded.warnings[0].text.find("2 of 3 points"), std::string::npos);
  expect_input_error([] { parse("nan nan nan\n", CloudFormat::Xyz); }, {"1 that are not finite"});
}

std::string pcd(const std::string& data, const std::string& body, const std::string& count = "3",
                const std::string& viewpoint = "0 0 0 1 0 0 0") {
  return "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS rgb x y z normal\nSIZE 4 4 4 4 8\n"
         "TYPE U F F F F\nCOUNT 1 1 1 1 2\nWIDTH " +
         count + "\nHEIGHT 1\nVIEWPOINT " + viewpoint + "\nPOINTS " + count + "\nDATA " + data + "\n" + body;
}

std::string binary_points() {
  std::string body;
  for (const Vector3d& p : kPoints) {
    body += raw(0xFF00FFu) + raw(static_cast<float>(p.x())) + raw(static_cast<float>(p.y())) +
            raw(static_cast<float>(p.z())) + raw(0.0) + raw(1.0);
  }
  return body;
}

/// Stored field after field.
std::string columns() {
  std::string body;
  for (int i = 0; i < 3; ++i) body += raw(0xFF00FFu);
  for (int k = 0; k < 3; ++k) {
    for (const Vector3d& p : kPoints) body += raw(static_cast<float>(p[k]));
  }
  for (int i = 0; i < 6; ++i) body += raw(1.0);
  return body;
}

/// Packs by LZF: literals, and greedy copies of earlier bytes.
std::string packed(const std::string& bytes) {
  std::string out, literals;
  const auto flush = [&] {
    for (std::size_t i = 0; i < literals.size(); i += 32) {
      const std::string part = literals.substr(i, 32);
      out += static_cast<char>(part.size() - 1);
      out += part;
    }
    literals.clear();
  };
  for (std::size_t i = 0; i < bytes.size();) {
    std::size_t best = 0, back = 0;
    for (std::size_t b = 1; b <= std::min<std::size_t>(i, 8191); ++b) {
      std::size_t length = 0;
      while (length < 264 && i + length < bytes.size() && bytes[i + length] == bytes[i + length - b]) ++length;
      if (length > best) best = length, back = b;
    }
    if (best < 3) {
      literals += bytes[i++];
      continue;
    }
    flush();
    const std::size_t length = best - 2, distance = back - 1;
    if (length < 7) {
      out += static_cast<char>(length << 5 | distance >> 8);
    } else {
      out += static_cast<char>(7u << 5 | distance >> 8);
      out += static_cast<char>(length - 7);
    }
    out += static_cast<char>(distance & 255);
    i += best;
  }
  flush();
  return out;
}

std::string compressed(const std::string& body) {
  const std::string p = packed(body);
  return raw(static_cast<std::uint32_t>(p.size())) + raw(static_cast<std::uint32_t>(body.size())) + p;
}

TEST(CloudFile, MillimetresAreDoubted) {
  EXPECT_TRUE(parse_cloud("0 0 0\n150 0 0\n", CloudFormat::Xyz, 0.01, "room").warnings.empty());
  const auto doubted = parse_cloud("0 0 0\n500 0 0\n", CloudFormat::Xyz, 0.01, "shelf").warnings;
  ASSERT_EQ(doubted.size(), 1u);
  EXPECT_EQ(doubted[0].text, "shelf: its points span 500 m; if they are in millimetres, write them in metres");
}

TEST(CloudFile, PcdInAllEncodings) {
  const Balls ascii =
      parse(pcd("ascii", "1 0.5 -1.25 3 0 0\n2 1e-3 2 -4.5 0 nan\n3 100 0 0.0625 0 0\n"), CloudFormat::Pcd);
  const Balls binary = parse(pcd("binary", binary_points()), CloudFormat::Pcd);
  const Balls small = parse(pcd("binary_compressed", compressed(columns())), CloudFormat::Pcd);
  expect_points(ascii);
  expect_points(binary);
  expect_points(small);
  EXPECT_TRUE(*binary.value == *small.value);
  EXPECT_TRUE(binary.warnings.empty());
  const Balls moved = parse(pcd("binary", binary_points(), "3", "0 0 1 1 0 0 0"), CloudFormat::Pcd);
  ASSERT_EQ(moved.warnings.size(), 1u);
  EXPECT_NE(moved.warnings[0].text.find("VIEWPOINT"), std::string::npos);
  expect_points(moved);
}

TEST(CloudFile, LzfUnpacksWhatWasPacked) {
  std::mt19937 rng(7);
  std::printf("seed 7\n");
  for (int i = 0; i < 300; ++i) {
    std::string bytes;
    const std::size_t length = rng() % 3000;
    while (bytes.size() < length) {
      if (rng() % 2 == 0 && !bytes.empty()) {
        const std::size_t from = rng() % bytes.size(), count = 1 + rng() % 400;
        for (std::size_t k = 0; k < count; ++k) bytes += bytes[from + k];  // source and target may overlap
      } else {
        bytes += static_cast<char>(rng());
      }
    }
    const std::string p = packed(bytes);
    ASSERT_EQ(unpack_lzf(p, bytes.size(), "l"), bytes);
    EXPECT_THROW(unpack_lzf(p, bytes.size() + 1, "l"), InputError);
    if (!bytes.empty()) {
      EXPECT_THROW(unpack_lzf(p, bytes.size() - 1, "l"), InputError);
      EXPECT_THROW(unpack_lzf(p.substr(0, p.size() - 1), bytes.size(), "l"), InputError);
    }
  }
  EXPECT_THROW(unpack_lzf(std::string("\x20\x00", 2), 3, "l"), InputError) << "back to before the beginning";
  EXPECT_THROW(unpack_lzf("abc", std::size_t{1} << 40, "l"), InputError) << "before it asks for memory";
}

TEST(CloudFile, DamagedPcdIsBadInput) {
  const std::string good = pcd("binary", binary_points());
  expect_input_error([&] { parse(good.substr(0, good.size() - 1), CloudFormat::Pcd); }, {"cut short"});
  expect_input_error([&] { parse(good.substr(0, good.find("DATA")), CloudFormat::Pcd); }, {"no DATA"});
  expect_input_error([] { parse(pcd("binary", binary_points(), "1000000000"), CloudFormat::Pcd); }, {"cut short"});
  expect_input_error([] { parse(pcd("zip", binary_points()), CloudFormat::Pcd); }, {"\"zip\""});
  expect_input_error([] { parse(pcd("ascii", "1 2 3\n"), CloudFormat::Pcd); }, {"c:12", "6 numbers"});
  expect_input_error([] { parse(pcd("ascii", "1 2 3 4 5 6\n"), CloudFormat::Pcd); }, {"promises 3 points"});
  expect_input_error([] { parse(pcd("binary_compressed", compressed(columns()).substr(0, 40)), CloudFormat::Pcd); },
                     {"cut short"});
  expect_input_error([] { parse(pcd("binary_compressed", compressed(columns() + "x")), CloudFormat::Pcd); },
                     {"packed"});
  const std::string head = "VERSION 0.7\nFIELDS x y z\n";
  for (const auto& [lines, part] : std::vector<std::pair<std::string, std::string>>{
           {"SIZE 4 4\n", "one entry"},
           {"SIZE 4 4 3\n", "SIZE"},
           {"SIZE 0 0 0\n", "SIZE"},
           {"COUNT 1 1 -1\n", "range"},
           {"TYPE U U U\nWIDTH 1\nDATA binary\n", "TYPE F"},
           {"DATA binary\n", "neither POINTS nor WIDTH"},
           {"WIDTH 2\nHEIGHT 2\nPOINTS 3\nDATA binary\n", "WIDTH times HEIGHT"},
           {"SHAPE 1\n", "SHAPE"}}) {
    expect_input_error([bad = head + lines] { parse(bad, CloudFormat::Pcd); }, {part});
  }
  expect_input_error([] { parse("FIELDS x y\nWIDTH 0\nDATA binary\n", CloudFormat::Pcd); }, {"x, y and z"});
}

TEST(CloudFile, PlyVerticesWithOrWithoutFaces) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
  const std::string vertices = "0.5 -1.25 3\n1e-3 2 -4.5\n100 0 0.0625\n";
  expect_points(parse(head + "end_header\n" + vertices, CloudFormat::Ply));
  expect_points(
      parse(head + "element face 1\nproperty list uchar int vertex_indices\nend_header\n" + vertices + "3 0 1 2\n",
            CloudFormat::Ply));
  std::string binary =
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty double x\nproperty uchar c\n"
      "property double y\nproperty double z\nend_header\n";
  for (const Vector3d& p : kPoints) binary += raw(p.x()) + "c" + raw(p.y()) + raw(p.z());
  expect_points(parse(binary, CloudFormat::Ply));
  const Balls gap = parse(head + "end_header\n1 2 3\nnan nan nan\n4 5 6\n", CloudFormat::Ply);
  EXPECT_EQ(gap.value->size(), 2);
  EXPECT_EQ(gap.warnings.size(), 1u);
  expect_input_error([&] { parse(head + "end_header\n" + vertices.substr(0, 20), CloudFormat::Ply); }, {"c:"});
}

std::string npy(const std::string& header, const std::string& body, char version = 1) {
  std::string out = "\x93NUMPY";
  out += version;
  out += '\0';
  out += version == 1 ? raw(static_cast<std::uint16_t>(header.size())) : raw(static_cast<std::uint32_t>(header.size()));
  return out + header + body;
}

TEST(CloudFile, NumPyArrays) {
  std::string rows, columns_of_doubles;
  for (const Vector3d& p : kPoints) {
    for (int k = 0; k < 3; ++k) rows += raw(static_cast<float>(p[k]));
  }
  for (int k = 0; k < 3; ++k) {
    for (const Vector3d& p : kPoints) columns_of_doubles += raw(p[k]);
  }
  const std::string f4 = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3), }\n";
  expect_points(parse(npy(f4, rows), CloudFormat::Npy));
  expect_points(parse(npy(f4, rows, 2), CloudFormat::Npy));
  expect_points(
      parse(npy("{'descr': '<f8', 'fortran_order': True, 'shape': (3, 3), }\n", columns_of_doubles), CloudFormat::Npy));
  expect_input_error([&] { parse(npy(f4, rows.substr(1)), CloudFormat::Npy); }, {"cut short"});
  expect_input_error([&] { parse(npy(f4, rows).substr(0, 30), CloudFormat::Npy); }, {"cut short"});
  for (const auto& [header, part] : std::vector<std::pair<std::string, std::string>>{
           {"{'descr': '>f4', 'fortran_order': False, 'shape': (3, 3), }", "float32 or float64"},
           {"{'descr': '<f4', 'fortran_order': Maybe, 'shape': (3, 3), }", "fortran_order"},
           {"{'descr': '<f4', 'fortran_order': False, 'shape': (9,), }", "two dimensions"},
           {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", "cut short"},
           {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 9), }", "three numbers"},
           {"{'descr': '<f4', 'shape': (3, 3), }", "fortran_order"}}) {
    expect_input_error([bad = npy(header, rows)] { parse(bad, CloudFormat::Npy); }, {part});
  }
  expect_input_error([] { parse("no array at all", CloudFormat::Npy); }, {"not a NumPy array"});
}

TEST(CloudFile, InScenes) {
  const test::TempFolder folder;
  folder.write("scan.xyz", "0.5 0 0\nnan 0 0\n1 0 0\n");
  const std::string scene = folder.write(
      "scene.yaml", "objects:\n  - {name: shelf, cloud: {file: scan.xyz, radius: 0.004}, pose: {xyz: [0, 0, 1]}}\n");
  const Loaded<Scene> loaded = load_scene(scene);
  ASSERT_EQ(loaded.value.objects.size(), 1u);
  const SceneObject& object = loaded.value.objects[0];
  ASSERT_EQ(object.geometry.size(), 1u);
  const PointCloud& cloud = *std::get<CloudPtr>(object.geometry[0].shape);
  EXPECT_EQ(cloud.size(), 2);
  EXPECT_EQ(cloud.radius(), 0.004);
  EXPECT_EQ(cloud.find(1), -1);
  EXPECT_EQ(cloud.point(cloud.find(2)), Vector3d(1, 0, 0));
  ASSERT_EQ(loaded.assumptions.size(), 1u);
  EXPECT_EQ(loaded.assumptions[0].kind, AssumptionKind::CloudRadius);
  ASSERT_EQ(loaded.warnings.size(), 1u);
  EXPECT_NE(loaded.warnings[0].text.find("left out"), std::string::npos);
  const auto fails = [&](const std::string& object_text, const std::vector<std::string>& parts) {
    expect_input_error([&] { parse_scene("objects:\n  - {name: a, " + object_text + "}\n", "s.yaml", folder.path()); },
                       parts);
  };
  fails("cloud: {file: scan.xyz}", {"s.yaml:2", "radius"});
  fails("cloud: {file: scan.xyz, radius: 0}", {"s.yaml:2", "'radius'"});
  fails("cloud: {radius: 1}", {"s.yaml:2", "file"});
  fails("cloud: {file: none.pcd, radius: 1}", {"s.yaml:2", "none.pcd"});
  fails("cloud: {file: scene.yaml, radius: 1}", {"s.yaml:2", "unknown kind of cloud file"});
  fails("cloud: {file: scan.xyz, radius: 1}, scale: 2", {"'scale' is for meshes"});
}

}  // namespace
}  // namespace planner_ccd
