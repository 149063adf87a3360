#include <algorithm>
#include <array>

#include "io/foreign_files.hpp"
#include "planner_ccd/io/detail/foreign_mesh.hpp"
#include "planner_ccd/io/files_read.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/text.hpp"
#include "support/shared_data.hpp"

namespace planner_ccd::test {
namespace {

using Eigen::Affine3d;
using Eigen::Vector3d;
using Triangle = std::array<Vector3d, 3>;

std::vector<Triangle> triangles_of(const TriangleMesh& mesh) {
  std::vector<Triangle> out;
  for (const Eigen::Vector3i& t : mesh.triangles)
    out.push_back({mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]});
  return out;
}

bool same(const Triangle& a, const Triangle& b, double tolerance) {
  for (int turn = 0; turn < 3; ++turn) {
    double most = 0.0;
    for (int k = 0; k < 3; ++k) most = std::max(most, (a[k] - b[(k + turn) % 3]).norm());
    if (most < tolerance) return true;
  }
  return false;
}

// Each of `expected` is one of `actual`, turned the same way, and the other way round.
void expect_same_triangles(std::vector<Triangle> actual, const std::vector<Triangle>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (const Triangle& e : expected) {
    const auto found =
        std::find_if(actual.begin(), actual.end(), [&](const Triangle& a) { return same(a, e, tolerance); });
    ASSERT_NE(found, actual.end()) << e[0].transpose() << ", " << e[1].transpose() << ", " << e[2].transpose();
    actual.erase(found);
  }
}

// A mesh three times: moved, mirrored and scaled, and nested.
struct Instances {
  Affine3d X_a = Affine3d(Eigen::Translation3d(1, 2, 3) * Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()));
  Affine3d X_b = Affine3d(Eigen::Translation3d(-2, 0.5, 0) * Eigen::AngleAxisd(-1.1, Vector3d::UnitY()) *
                          Eigen::Scaling(0.5, -2.0, 1.5));
  Affine3d X_bc = Affine3d(Eigen::Translation3d(0, 0, 1) * Eigen::AngleAxisd(2.0, Vector3d::UnitX()));

  std::unique_ptr<aiScene> scene(const TriangleMesh& mesh) const {
    std::vector<std::unique_ptr<aiNode>> below_b, below_root;
    below_b.push_back(node_of("c", X_bc, {}, true));
    below_root.push_back(node_of("a", X_a, {}, true));
    below_root.push_back(node_of("b", X_b, std::move(below_b), true));
    return scene_of(mesh_of(mesh), node_of("root", Affine3d::Identity(), std::move(below_root), false));
  }
  std::vector<Triangle> triangles(const TriangleMesh& mesh, double unit) const {
    std::vector<Triangle> out;
    for (const Affine3d& X : {X_a, X_b, Affine3d(X_b * X_bc)}) {
      for (Triangle t : triangles_of(mesh)) {
        for (Vector3d& p : t) p = unit * (X * p);
        if (X.linear().determinant() < 0.0) std::swap(t[1], t[2]);
        out.push_back(t);
      }
    }
    return out;
  }
};

TriangleMesh soup_of(const std::vector<Triangle>& triangles) {
  TriangleMesh mesh;
  for (const Triangle& t : triangles) {
    const int first = static_cast<int>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), t.begin(), t.end());
    mesh.triangles.emplace_back(first, first + 1, first + 2);
  }
  return mesh;
}

TEST(ForeignMeshes, AreThoseOfOurOwnReaderInEveryPlaceOfANode) {
  const MeshPtr own = load_mesh(testing::source_dir() + "/models/meshes/puma/shoulder.stl");
  ASSERT_GT(own->triangles.size(), 100u);
  const Instances instances;
  const auto scene = instances.scene(*own);
  // Assimp writes no places of nodes to 3DS and 3MF.
  const auto flat = scene_with_a_child(soup_of(instances.triangles(*own, 1.0)));
  const TempFolder folder;
  for (const Format& format : kForeign) {
    SCOPED_TRACE(format.id);
    const bool has_nodes = format.id != k3ds.id && format.id != k3mf.id;
    const MeshPtr read = load_mesh(export_as(has_nodes ? *scene : *flat, format, folder));
    expect_same_triangles(triangles_of(*read), instances.triangles(*own, format.unit), 1e-5 * format.unit);
    EXPECT_EQ(read->vertices.size(), 3 * own->vertices.size()) << "equal corners are one";
  }
}

// The transforms of a root that belongs to the file count; those by which Assimp turns Z up to Y up do not.
TEST(ForeignMeshes, KeepTheirOwnAxes) {
  const Affine3d X(Eigen::Translation3d(0.5, 1, 2) * Eigen::AngleAxisd(0.3, Vector3d::UnitZ()));
  const auto scene = scene_of(mesh_of(cube()), node_of("root", X, {}, true));
  std::vector<Triangle> expected = triangles_of(cube());
  for (Triangle& t : expected) {
    for (Vector3d& p : t) p = X * p;
  }
  const TempFolder folder;
  for (const Format& format : {kGltf, kX3d}) {
    SCOPED_TRACE(format.id);
    expect_same_triangles(triangles_of(*load_mesh(export_as(*scene, format, folder))), expected, 1e-6);
  }
  const std::string dxf = folder.write(
      "a.dxf",
      "0\nSECTION\n2\nENTITIES\n0\n3DFACE\n8\n0\n10\n1\n20\n2\n30\n3\n11\n4\n21\n5\n31\n7\n12\n-1\n22\n0\n32\n1\n"
      "13\n-1\n23\n0\n33\n1\n0\nENDSEC\n0\nEOF\n");
  EXPECT_TRUE(same(triangles_of(*load_mesh(dxf))[0], {Vector3d(1, 2, 3), Vector3d(4, 5, 7), Vector3d(-1, 0, 1)}, 1e-6));
}

std::string model_3mf(const std::string& attributes, const std::string& build, const std::string& more = "") {
  std::string text = "<?xml version=\"1.0\"?>\n<model " + attributes +
                     " xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\"><resources><object "
                     "id=\"1\"><mesh><vertices>";
  for (const Vector3d& p : cube().vertices) {
    text += "<vertex x=\"" + std::to_string(p.x()) + "\" y=\"" + std::to_string(p.y()) + "\" z=\"" +
            std::to_string(p.z()) + "\"/>";
  }
  text += "</vertices><triangles>";
  for (const Eigen::Vector3i& t : cube().triangles) {
    text += "<triangle v1=\"" + std::to_string(t[0]) + "\" v2=\"" + std::to_string(t[1]) + "\" v3=\"" +
            std::to_string(t[2]) + "\"/>";
  }
  return text + "</triangles>" + more +
         "</mesh></object><object id=\"2\"><components><component objectid=\"1\" transform=\"1 0 0 0 1 0 0 0 1 5 0 "
         "0\"/>"
         "</components></object></resources><build>" +
         build + "</build></model>";
}

std::vector<std::pair<std::string, std::string>> package_3mf(const std::string& model) {
  return {{"[Content_Types].xml",
           "<?xml version=\"1.0\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>"},
          {"_rels/.rels",
           "<?xml version=\"1.0\"?><Relationships "
           "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship "
           "Target=\"/3D/3dmodel.model\" Id=\"r\" "
           "Type=\"http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/></Relationships>"},
          {"3D/3dmodel.model", model}};
}

// An object of parts, in two places; what is not built is not there.
TEST(ForeignMeshes, ObjectsOf3mfStandWhereTheyAreBuilt) {
  const TempFolder folder;
  const std::string item =
      "<item objectid=\"2\" transform=\"0 1 0 -1 0 0 0 0 1 10 20 30\"/>";  // (x, y, z) to (10 - y, 20 + x, 30 + z)
  for (const auto& [attribute, unit] :
       std::map<std::string, double>{{"unit=\"inch\"", 0.0254}, {"unit=\"meter\"", 1.0}, {"", 1e-3}}) {
    std::vector<Triangle> expected;
    for (Triangle t : triangles_of(cube())) {
      for (Vector3d& p : t) p = unit * Vector3d(10 - p.y(), 20 + p.x() + 5, 30 + p.z());
      expected.push_back(t);
    }
    const MeshPtr read = load_mesh(folder.write("a.3mf", zip_of(package_3mf(model_3mf(attribute, item)))));
    expect_same_triangles(triangles_of(*read), expected, 1e-5 * unit);
  }
  auto several = package_3mf(model_3mf("", item));
  several.emplace_back("3D/part.model", model_3mf("", ""));
  expect_input_error([&] { load_mesh(folder.write("b.3mf", zip_of(several))); },
                     {"b.3mf", "holds 2 files that end in .model"});
  const std::string lattice = model_3mf("", item, "<b:beamlattice xmlns:b=\"b\"/>");
  expect_input_error([&] { load_mesh(folder.write("c.3mf", zip_of(package_3mf(lattice)))); }, {"c.3mf", "beamlattice"});
  expect_input_error([&] { load_mesh(folder.write("d.3mf", zip_of(package_3mf(model_3mf("unit=\"mile\"", item))))); },
                     {"unknown unit"});
  expect_input_error([&] { load_mesh(folder.write("e.3mf", zip_of(package_3mf(model_3mf("", ""))))); }, {"e.3mf"});
}

TEST(ForeignMeshes, BinaryFbxIsRead) {
  const TempFolder folder;
  for (const double centimetres : {1.0, 100.0}) {
    std::vector<Triangle> expected = triangles_of(cube());
    for (Triangle& t : expected) {
      for (Vector3d& p : t) p = 0.01 * centimetres * (2.0 * p + Vector3d(1, 2, 3));
    }
    const MeshPtr read = load_mesh(folder.write("a.fbx", BinaryFbx::write(cube(), centimetres)));
    expect_same_triangles(triangles_of(*read), expected, 1e-7 * centimetres);
  }
}

std::string amf(const std::string& attributes) {
  std::string text = "<?xml version=\"1.0\"?>\n<amf " + attributes + "><object id=\"1\"><mesh><vertices>";
  for (const Vector3d& p : cube().vertices) {
    text += "<vertex><coordinates>";
    for (int k = 0; k < 3; ++k)
      text += std::string("<") + "xyz"[k] + ">" + std::to_string(p[k]) + "</" + "xyz"[k] + ">";
    text += "</coordinates></vertex>";
  }
  text += "</vertices><volume>";
  for (const Eigen::Vector3i& t : cube().triangles) {
    text += "<triangle>";
    for (int k = 0; k < 3; ++k)
      text += "<v" + std::to_string(k + 1) + ">" + std::to_string(t[k]) + "</v" + std::to_string(k + 1) + ">";
    text += "</triangle>";
  }
  return text + "</volume></mesh></object></amf>\n";
}

double height(const TriangleMesh& mesh) {
  double top = -1e9;
  for (const Vector3d& p : mesh.vertices) top = std::max(top, p.z());
  return top;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(ForeignMeshes, UnitsAreApplied) {
  const TempFolder folder;
  const std::map<std::string, double> units = {{"unit=\"inch\"", 0.0254},     {"unit=\"meter\"", 1.0},
                                               {"unit=\"millimeter\"", 1e-3}, {"unit=\"micron\"", 1e-6},
                                               {"unit=\"feet\"", 0.3048},     {"", 1e-3}};
  for (const auto& [attribute, unit] : units) {
    EXPECT_NEAR(height(*load_mesh(folder.write("a.amf", amf(attribute)))), unit, 1e-15) << attribute;
  }
  expect_input_error([&] { load_mesh(folder.write("b.amf", amf("unit=\"parsec\""))); }, {"b.amf", "unknown unit"});

  const auto scene = scene_of(mesh_of(cube()), node_of("root", Affine3d::Identity(), {}, true));
  const std::string fbx = bytes_of(export_as(*scene, kText, folder));
  const std::string scale = "\"UnitScaleFactor\", \"double\", \"Number\", \"\",";
  const std::size_t at = fbx.find(scale), end = fbx.find('\n', at);
  ASSERT_NE(at, std::string::npos);
  for (const double centimetres : {1.0, 100.0, 2.54}) {
    const std::string other = fbx.substr(0, at) + scale + std::to_string(centimetres) + fbx.substr(end);
    EXPECT_NEAR(height(*load_mesh(folder.write("c.fbx", other))), 0.01 * centimetres, 1e-7);
  }

  const std::string x3d = bytes_of(export_as(*scene, kX3d, folder));
  const std::string inches = "<head><unit category=\"length\" name=\"inch\" conversionFactor=\"0.0254\"/>";
  EXPECT_NEAR(height(*load_mesh(folder.write("inch.x3d", replaced(x3d, "<head>", inches)))), 0.0254, 1e-9);
}

TEST(ForeignMeshes, WhatIsAssumedIsSaid) {
  const TempFolder folder;
  const auto scene = scene_of(mesh_of(cube()), node_of("root", Affine3d::Identity(), {}, true));
  const auto kinds = [&](const std::string& path) {
    MeshCache cache;
    cache.load(path);
    std::vector<AssumptionKind> out;
    for (const Assumption& a : cache.assumptions(path)) out.push_back(a.kind);
    return out;
  };
  using Kind = AssumptionKind;
  const std::map<std::string, std::vector<Kind>> expected = {
      {"fbxa", {Kind::MeshReader, Kind::MeshUnit}},
      {"gltf2", {Kind::MeshReader}},
      {"3ds", {Kind::MeshReader, Kind::MeshUnit}},
      {"assbin", {Kind::MeshReader, Kind::MeshAxes, Kind::MeshUnit}}};
  int seen = 0;
  for (const Format& format : kForeign) {
    if (!expected.contains(format.id)) continue;
    ++seen;
    EXPECT_EQ(kinds(export_as(*scene, format, folder)), expected.at(format.id)) << format.id;
  }
  EXPECT_EQ(seen, 4);
  const auto loaded = load_scene(folder.write("s.yaml", "objects: [{name: crate, mesh: c.gltf}]\n"));
  ASSERT_EQ(loaded.assumptions.size(), 1u);
  EXPECT_EQ(to_string(loaded.assumptions[0].kind), std::string("mesh_reader"));
  EXPECT_NE(loaded.assumptions[0].text.find("single precision"), std::string::npos);
}

TEST(ForeignMeshes, FilesThatAFileRefersToAreNamed) {
  const TempFolder folder;
  const auto scene = scene_of(mesh_of(cube()), node_of("root", Affine3d::Identity(), {}, true));
  const std::string file = export_as(*scene, kGltf, folder);
  const std::string buffer = std::filesystem::path(file).replace_extension(".bin").string();
  ASSERT_TRUE(std::filesystem::exists(buffer));
  std::vector<InputFile> files;
  {
    const FilesRead noted(files, "scene");
    load_mesh(file);
  }
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].path, file);
  EXPECT_TRUE(std::filesystem::equivalent(files[1].path, buffer)) << files[1].path;
  for (const InputFile& f : files) {
    EXPECT_EQ(f.role, "mesh");
    EXPECT_EQ(f, input_file("mesh", f.path, read_file(f.path, kMaxDataFileBytes)));
  }
}

// A concave outline; Assimp's own triangulation leaves some out.
TEST(ForeignMeshes, PolygonsAreCutWhole) {
  const std::string x3d =
      "<?xml version=\"1.0\"?><X3D profile=\"Interchange\" version=\"3.3\"><Scene><Shape><IndexedFaceSet "
      "solid=\"false\" coordIndex=\"0 1 2 3 4 5 -1\">"
      "<Coordinate point=\"0 0 0 2 0 0 2 1 0 1 1 0 1 2 0 0 2 0\"/></IndexedFaceSet></Shape></Scene></X3D>";
  const TempFolder folder;
  double area = 0.0;
  const auto triangles = triangles_of(*load_mesh(folder.write("l.x3d", x3d)));
  for (const Triangle& t : triangles) area += 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).z();
  EXPECT_EQ(triangles.size(), 4u);
  EXPECT_NEAR(area, 3.0, 1e-6);
}

TEST(ForeignMeshes, WhatAssimpWouldLeaveOutIsRefused) {
  const TempFolder folder;
  auto scene = scene_of(mesh_of(cube()), node_of("root", Affine3d::Identity(), {}, true));
  const std::string x3d = bytes_of(export_as(*scene, kX3d, folder)), gltf = bytes_of(export_as(*scene, kGltf, folder));
  const auto refused = [&](const std::string& file, const std::string& bytes, const std::vector<std::string>& parts) {
    expect_input_error([&] { load_mesh(folder.write(file, bytes)); }, parts);
  };
  ASSERT_NO_THROW(load_mesh(folder.write("plain.x3d", x3d)));
  refused("lod.x3d", replaced(replaced(x3d, "<Shape", "<LOD><Shape"), "</Shape>", "</Shape></LOD>"),
          {"<Shape>", "left out"});
  refused("inline.x3d", replaced(x3d, "<Shape", "<Inline url=\"b.x3d\"/><Shape"), {"<Inline>", "left out"});
  refused("many.gltf", replaced(gltf, "KHR_materials_volume", "EXT_mesh_gpu_instancing"), {"EXT_mesh_gpu_instancing"});
  refused("packed.gltf", replaced(gltf, "KHR_materials_volume", "EXT_meshopt_compression"), {"compression"});

  // A skin places even what none of its bones moves; of that Assimp says nothing.
  refused("a.xml", "<?xml version=\"1.0\"?><COLLADA/>", {"a.xml", "holds COLLADA", ".dae"});
  refused("a.zae", "PK", {"a.zae", "holds COLLADA", ".dae"});

  aiMesh& mesh = *scene->mMeshes[0];
  mesh.mNumBones = 1;
  mesh.mBones = new aiBone* [1] { new aiBone };
  mesh.mBones[0]->mName.Set("root");
  mesh.mBones[0]->mNumWeights = 1;
  mesh.mBones[0]->mWeights = new aiVertexWeight[1]{{0, 1.0f}};
  expect_input_error([&] { load_mesh(export_as(*scene, kAssbin, folder)); }, {"bones", "before exporting"});
}

TEST(ForeignMeshes, OtherFilesAreNotEvenTried) {
  const TempFolder folder;
  for (const char* file : {"a.docx", "a", "a.", ".fbx"}) {
    expect_input_error([&] { load_mesh(folder.write(file, "text")); },
                       {file, "unknown kind of mesh file; convert it to STL"});
  }
  expect_input_error([&] { load_mesh(folder.path("missing.fbx")); }, {"missing.fbx", "no such file"});
  expect_input_error([&] { load_mesh(folder.path()); }, {"this is not a file"});
  expect_input_error([&] { load_mesh(folder.write("empty.fbx", "")); }, {"empty.fbx", "Assimp cannot read it"});
}

}  // namespace
}  // namespace planner_ccd::test
