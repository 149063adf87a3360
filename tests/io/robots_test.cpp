#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <urdf_parser/urdf_parser.h>

#include <assimp/Importer.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "io/io_support.hpp"
#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/robot/robot_model.hpp"

namespace planner_ccd::test {
namespace {

using nlohmann::json;

std::vector<json> recorded_robots() {
  const std::string data = robots_data();
  if (data.empty()) return {};
  std::ifstream file(data + "/robots/INDEX.json");
  const json index = json::parse(file);
  return {index.begin(), index.end()};
}

UrdfOptions options_for(const json& record) {
  UrdfOptions options;
  options.resources.package_paths = {robots_data() + "/robots/" + record["package_search_dir"].get<std::string>()};
  return options;
}

std::string file_of(const json& record) { return robots_data() + "/robots/" + record["urdf"].get<std::string>(); }

std::map<std::string, int> shape_counts(const RobotModel& model) {
  static const std::array<const char*, 6> kNames = {"sphere", "box", "cylinder", "capsule", "convex", "mesh"};
  std::map<std::string, int> counts;
  for (const Link& link : model.links()) {
    for (const Geometry& g : link.collision) ++counts[kNames[g.shape.index()]];
  }
  return counts;
}

// The record counts meshes as stored. hyq's trunk.dae places one stored frame of 6 triangles twice (the second time
// mirrored), and both copies can be hit.
std::size_t triangles_in_place(const json& record, const char* kind) {
  const auto stored = record[kind]["mesh_triangles"].get<std::size_t>();
  return stored + (record["robot"] == "hyq" ? 6 : 0);
}

TEST(SharedRobots, LoadWithExactlyTheRecordedContents) {
  const auto robots = recorded_robots();
  if (robots.empty()) GTEST_SKIP() << testing::kNoSharedData;
  for (const json& record : robots) {
    SCOPED_TRACE(file_of(record));
    const RobotModel model(load_urdf(file_of(record), options_for(record)).value);
    EXPECT_EQ(model.links().size(), record["links"].get<std::size_t>());
    EXPECT_EQ(model.dof(), record["dof"].get<int>());
    int mimics = 0, links_with_geometry = 0;
    for (const Joint& joint : model.joints()) mimics += joint.is_mimic;
    EXPECT_EQ(mimics, record["mimic_joints"].get<int>());
    std::size_t triangles = 0;
    for (const Link& link : model.links()) {
      links_with_geometry += !link.collision.empty();
      for (const Geometry& g : link.collision) {
        if (const auto* mesh = std::get_if<MeshPtr>(&g.shape)) triangles += (*mesh)->triangles.size();
      }
    }
    EXPECT_EQ(links_with_geometry, record["collision"]["links"].get<int>());
    EXPECT_EQ(triangles, triangles_in_place(record, "collision"));
    const auto recorded_shapes = record["collision"]["geometry"].get<std::map<std::string, int>>();
    EXPECT_EQ(shape_counts(model), recorded_shapes);
  }
}

TEST(SharedRobots, VisualsLoadForAViewerAndMissingOnesAreWarnings) {
  const auto robots = recorded_robots();
  if (robots.empty()) GTEST_SKIP() << testing::kNoSharedData;
  for (const json& record : robots) {
    SCOPED_TRACE(file_of(record));
    UrdfOptions options = options_for(record);
    options.load_visuals = true;
    const auto loaded = load_urdf(file_of(record), options);
    std::size_t triangles = 0;
    for (const LinkSpec& link : loaded.value.links) {
      for (const Geometry& g : link.visual) {
        if (const auto* mesh = std::get_if<MeshPtr>(&g.shape)) triangles += (*mesh)->triangles.size();
      }
    }
    EXPECT_EQ(any_contains(loaded.warnings, "visual left out"), record["visual"]["missing_files"].get<int>() > 0);
    if (record["visual"]["missing_files"].get<int>() == 0) {
      EXPECT_EQ(triangles, triangles_in_place(record, "visual"));
    }
  }
}

// urdfdom is the parser that ROS uses for joints.
TEST(SharedRobots, JointsAreThoseThatUrdfdomReads) {
  const auto robots = recorded_robots();
  if (robots.empty()) GTEST_SKIP() << testing::kNoSharedData;
  int compared = 0;
  for (const json& record : robots) {
    SCOPED_TRACE(file_of(record));
    const auto judge = urdf::parseURDFFile(file_of(record));
    ASSERT_TRUE(judge);
    const RobotSpec spec = load_urdf(file_of(record), options_for(record)).value;
    ASSERT_EQ(spec.joints.size(), judge->joints_.size());
    for (const JointSpec& joint : spec.joints) {
      SCOPED_TRACE(joint.name);
      const auto other = judge->getJoint(joint.name);
      ASSERT_TRUE(other);
      EXPECT_EQ(joint.parent, other->parent_link_name);
      EXPECT_EQ(joint.child, other->child_link_name);
      const auto& pose = other->parent_to_joint_origin_transform;
      Eigen::Quaterniond rotation(pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z);
      EXPECT_TRUE(joint.origin.linear().isApprox(rotation.toRotationMatrix(), 1e-9));
      EXPECT_EQ(joint.origin.translation(), Eigen::Vector3d(pose.position.x, pose.position.y, pose.position.z));
      if (joint.type != JointType::Fixed) {
        EXPECT_EQ(joint.axis, Eigen::Vector3d(other->axis.x, other->axis.y, other->axis.z));
      }
      if (joint.lower) {
        EXPECT_EQ(*joint.lower, other->limits->lower);
        EXPECT_EQ(*joint.upper, other->limits->upper);
      }
      if (joint.max_velocity) {
        EXPECT_EQ(*joint.max_velocity, other->limits->velocity);
      }
      if (joint.mimic) {
        EXPECT_EQ(joint.mimic->joint, other->mimic->joint_name);
        EXPECT_EQ(joint.mimic->multiplier, other->mimic->multiplier);
        EXPECT_EQ(joint.mimic->offset, other->mimic->offset);
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 500);
}

struct Extent {
  std::size_t triangles = 0;
  Eigen::Vector3d low = Eigen::Vector3d::Constant(1e300), high = Eigen::Vector3d::Constant(-1e300);
  double area = 0.0;

  void add(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
    ++triangles;
    low = low.cwiseMin(a).cwiseMin(b).cwiseMin(c);
    high = high.cwiseMax(a).cwiseMax(b).cwiseMax(c);
    area += 0.5 * (b - a).cross(c - a).norm();
  }
};

// Meshes as RViz draws them: every node except the root's own transform, times the unit.
void add_node(const aiScene& scene, const aiNode& node, const Eigen::Matrix4d& parent, bool is_root, Extent& extent) {
  Eigen::Matrix4d X = parent;
  if (!is_root) {
    Eigen::Matrix4d own;
    for (unsigned i = 0; i < 4; ++i) {
      for (unsigned k = 0; k < 4; ++k) own(i, k) = node.mTransformation[i][k];
    }
    X = parent * own;
  }
  const auto point = [&](const aiMesh& mesh, unsigned index) {
    const aiVector3D& v = mesh.mVertices[index];
    return Eigen::Vector3d((X * Eigen::Vector4d(v.x, v.y, v.z, 1.0)).head<3>());
  };
  for (unsigned m = 0; m < node.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[node.mMeshes[m]];
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices < 2) continue;
      const unsigned last = face.mNumIndices - 1;  // a line is a triangle without area
      extent.add(point(mesh, face.mIndices[0]), point(mesh, face.mIndices[1]), point(mesh, face.mIndices[last]));
    }
  }
  for (unsigned i = 0; i < node.mNumChildren; ++i) add_node(scene, *node.mChildren[i], X, false, extent);
}

Extent extent_of(const TriangleMesh& mesh) {
  Extent extent;
  for (const Eigen::Vector3i& t : mesh.triangles)
    extent.add(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
  return extent;
}

TEST(SharedMeshes, AreThoseThatAssimpReads) {
  const std::string data = robots_data();
  if (data.empty()) GTEST_SKIP() << testing::kNoSharedData;
  int compared = 0;
  std::set<MeshFormat> formats;
  for (const char* folder : {"/robots", "/scenes", "/rigid"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data + folder)) {
      const std::string path = entry.path().string();
      const auto format = mesh_format_of(path);
      if (!format || path.find("_parser_edge_cases") != std::string::npos) continue;
      SCOPED_TRACE(path);
      Assimp::Importer importer;
      const aiScene* scene = importer.ReadFile(path, aiProcess_Triangulate);
      ASSERT_TRUE(scene) << importer.GetErrorString();
      Extent judge;
      const bool in_inches =
          path.find("pickup.dae") != std::string::npos || path.find("hammer.dae") != std::string::npos;
      const double unit = in_inches ? 0.0254 : 1.0;
      Eigen::Matrix4d X = Eigen::Matrix4d::Identity();
      X.topLeftCorner<3, 3>() *= unit;
      add_node(*scene, *scene->mRootNode, X, true, judge);
      const Extent ours = extent_of(*load_mesh(path));
      EXPECT_EQ(ours.triangles, judge.triangles);
      const double size = (judge.high - judge.low).norm() + judge.high.norm();
      EXPECT_LT((ours.low - judge.low).norm(), 1e-6 * size);  // Assimp computes in single precision
      EXPECT_LT((ours.high - judge.high).norm(), 1e-6 * size);
      EXPECT_NEAR(ours.area, judge.area, 1e-4 * judge.area);
      formats.insert(*format);
      ++compared;
    }
  }
  EXPECT_GT(compared, 200);
  EXPECT_EQ(formats.size(), 5u);  // all but GLB
}

TEST(SharedSrdf, DisabledPairsOfPandaAndUr5AreExcluded) {
  const std::string data = robots_data();
  if (data.empty()) GTEST_SKIP() << testing::kNoSharedData;
  const std::map<std::string, std::size_t> disabled = {{"panda", 34}, {"ur5", 88}};
  for (const auto& [robot, count] : disabled) {
    SCOPED_TRACE(robot);
    const std::string folder = data + "/robots/" + robot + "/";
    UrdfOptions options;
    options.resources.package_paths = {folder};
    const RobotModel model(load_urdf(folder + robot + ".urdf", options).value);
    const auto srdf = load_srdf(folder + robot + ".srdf", model);
    std::size_t with_unknown_link = 0;
    std::ifstream file(folder + robot + ".srdf");
    for (std::string line; std::getline(file, line);)
      with_unknown_link += line.find("<disable_collisions ") != std::string::npos;
    ASSERT_EQ(with_unknown_link, count);
    EXPECT_LE(srdf.value.disabled.size(), count);
    EXPECT_GT(srdf.value.disabled.size(), count / 2);
    const CollisionMatrix matrix = build_collision_matrix(model, srdf.value);
    for (const SrdfPair& pair : srdf.value.disabled)
      EXPECT_TRUE(matrix.find(pair.a, pair.b)) << pair.a << " " << pair.b;
    for (const SrdfGroupState& state : srdf.value.states) {
      EXPECT_EQ(apply_group_state(srdf.value, state.group, state.name, model, model.neutral()).size(), model.dof());
    }
    EXPECT_FALSE(srdf.value.states.empty());
  }
}

TEST(SharedEdgeCases, TheInvalidOnesFailAndSayWhy) {
  const std::string data = robots_data();
  if (data.empty()) GTEST_SKIP() << testing::kNoSharedData;
  const std::string folder = data + "/robots/_parser_edge_cases/";
  const std::map<std::string, std::vector<std::string>> invalid = {
      {"invalid.urdf", {"invalid.urdf:1", "not well-formed XML"}},
      {"invalid_mesh.urdf", {"invalid_mesh.urdf:6", "<mesh>", "invalid_mesh.stl", "export the mesh again"}},
      {"missing_mesh.urdf", {"missing_mesh.urdf:6", "<mesh>", "this_file_does_not_exist.stl", "Tried"}},
      {"missing_package.urdf",
       {"missing_package.urdf:6", "package://missing_package/foo.stl", "--package missing_package="}},
      {"testWorld.urdf", {"testWorld.urdf:1", "<world name=\"testWorld\">", "must begin with <robot>"}}};
  for (const auto& [name, parts] : invalid) {
    const std::string file = folder + name;
    for (const bool use_visual : {false, true}) {
      SCOPED_TRACE(file);
      UrdfOptions options;
      options.use_visual = use_visual;
      expect_input_error([&] { load_urdf(file, options); }, parts);
    }
  }
  for (const char* valid : {"issue838.urdf", "joint_properties.urdf", "primitive_geometry.urdf"}) {
    SCOPED_TRACE(valid);
    EXPECT_NO_THROW(RobotModel{load_urdf(folder + valid).value});
  }
}

}  // namespace
}  // namespace planner_ccd::test
