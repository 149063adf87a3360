#include <random>

#include "planner_ccd/hierarchy/inside.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "regressions/doors.hpp"

/// The winding number of all triangles of a mesh decided what is inside. It cancels where a mesh has every face in both
/// orientations and where one of two overlapping parts is inside out, so that a ball deep inside a double-sided box was
/// Free at a clearance of 0.25, and the box was reported as closed.
namespace planner_ccd::test {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

/// The diagonal that divides a face into two triangles.
enum class Diagonal { One, Other };

/// The faces of a box facing outwards, or inwards.
TriangleMesh box(const Vector3d& lo, const Vector3d& hi, bool inwards = false, Diagonal diagonal = Diagonal::One) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.emplace_back(i & 1 ? hi.x() : lo.x(), i & 2 ? hi.y() : lo.y(), i & 4 ? hi.z() : lo.z());
  }
  const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& f : faces) {
    const int k = diagonal == Diagonal::One ? 0 : 1;
    for (Vector3i t : {Vector3i(f[k], f[k + 1], f[k + 2]), Vector3i(f[k], f[k + 2], f[(k + 3) % 4])}) {
      if (inwards) std::swap(t[1], t[2]);
      mesh.triangles.push_back(t);
    }
  }
  return mesh;
}

TriangleMesh cube(double half, bool inwards = false, Diagonal diagonal = Diagonal::One) {
  return box(Vector3d::Constant(-half), Vector3d::Constant(half), inwards, diagonal);
}

TriangleMesh operator+(TriangleMesh a, const TriangleMesh& b) {
  const Vector3i offset = Vector3i::Constant(static_cast<int>(a.vertices.size()));
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Vector3i& t : b.triangles) a.triangles.push_back(t + offset);
  return a;
}

std::string obj(const TriangleMesh& mesh) {
  std::stringstream text;
  text.precision(17);
  for (const Vector3d& v : mesh.vertices) text << "v " << v.x() << " " << v.y() << " " << v.z() << "\n";
  for (const Vector3i& t : mesh.triangles) text << "f " << t[0] + 1 << " " << t[1] + 1 << " " << t[2] + 1 << "\n";
  return text.str();
}

SsvTree tree_of(const TriangleMesh& mesh) {
  Geometry g;
  g.shape = std::make_shared<const TriangleMesh>(mesh);
  return SsvTree::build({g}, "mesh");
}

bool is_in(const TriangleMesh& mesh, const Vector3d& p) { return inside(tree_of(mesh), p) == Containment::Inside; }

/// A ball of 0.1 m that slides from x - 0.05 to x + 0.05 near the origin of a scene with one mesh in it.
void expect_ball(Verdict verdict, const TriangleMesh& mesh, double x = 0.0) {
  const Doors doors(
      R"(<robot name="ball"><link name="rail"/><link name="ball"><collision><geometry><sphere radius="0.1"/></geometry>
      </collision></link><joint name="slide" type="prismatic"><parent link="rail"/><child link="ball"/><axis xyz="1 0 0"/>
      <limit lower="-5" upper="5" effort="1" velocity="1"/></joint></robot>)",
      "objects: [{name: thing, mesh: thing.obj}]\n");
  doors.write("thing.obj", obj(mesh));
  doors.expect(verdict, Eigen::VectorXd::Constant(1, x - 0.05), Eigen::VectorXd::Constant(1, x + 0.05));
}

TEST(ShellsOfAMesh, ADoubleSidedBoxHasAnInside) {
  expect_ball(Verdict::Contact, cube(0.5) + cube(0.5, true));
  const TriangleMesh divided_otherwise = cube(0.5) + cube(0.5, true, Diagonal::Other);
  expect_ball(Verdict::Contact, divided_otherwise);
  EXPECT_TRUE(tree_of(divided_otherwise).has_inside());
  EXPECT_TRUE(is_in(cube(0.5) + cube(0.5), Vector3d::Zero())) << "twice the same";
  EXPECT_TRUE(is_in(cube(0.5) + cube(0.5, false, Diagonal::Other), Vector3d::Zero())) << "twice, divided otherwise";
  EXPECT_FALSE(is_in(divided_otherwise, Vector3d(0.1, 0.2, 0.6)));
}

TEST(ShellsOfAMesh, APartThatIsInsideOutDoesNotTakeAnotherOnesInsideAway) {
  const TriangleMesh overlapping =
      box({-1.0, -0.5, -0.5}, {0.5, 0.5, 0.5}) + box({-0.5, -0.6, -0.6}, {1.0, 0.6, 0.6}, true);
  expect_ball(Verdict::Contact, overlapping);
  EXPECT_TRUE(is_in(overlapping, Vector3d(-0.75, 0.1, 0.2)));
  EXPECT_TRUE(is_in(overlapping, Vector3d(0.75, 0.1, 0.2)));
  EXPECT_FALSE(is_in(overlapping, Vector3d(0.75, 0.1, 0.65)));
  // The mirror image of a box, beside it, shares a face with it: the same face in the same orientation.
  const TriangleMesh mirrored =
      box({0.0, -0.5, -0.5}, {1.0, 0.5, 0.5}) + box({-1.0, -0.5, -0.5}, {0.0, 0.5, 0.5}, true);
  EXPECT_TRUE(is_in(mirrored, Vector3d(0.5, 0.1, 0.2)));
  EXPECT_TRUE(is_in(mirrored, Vector3d(-0.5, 0.1, 0.2)));
}

TEST(ShellsOfAMesh, AHollowStaysAHollow) {
  expect_ball(Verdict::Free, cube(0.5) + cube(0.3, true));
  EXPECT_TRUE(is_in(cube(0.5) + cube(0.3, true), Vector3d(0.1, 0.2, 0.4)));
  EXPECT_FALSE(is_in(cube(0.5, true) + cube(0.3), Vector3d::Zero())) << "all of it inside out";
  const TriangleMesh with_core = cube(0.5) + cube(0.3, true) + cube(0.2);
  EXPECT_TRUE(is_in(with_core, Vector3d::Zero()));
  EXPECT_FALSE(is_in(with_core, Vector3d(0.0, 0.0, 0.25)));
  const TriangleMesh overlapped = cube(0.5) + cube(0.3, true) + box({-2.0, -2.0, -2.0}, {2.0, 2.0, -0.4});
  EXPECT_FALSE(is_in(overlapped, Vector3d::Zero())) << "another part overlaps the wall and leaves the hollow alone";
}

/// Where orientations of a mesh contradict each other, a hollow cannot be distinguished from a part that is inside out:
/// contact.
TEST(ShellsOfAMesh, AHollowIsBelievedOnlyOfAMeshThatIsConsistent) {
  expect_ball(Verdict::Contact, cube(0.5) + cube(0.3));  // a part within a part
  const TriangleMesh mirrored_part = box({2.0, -0.5, -0.5}, {3.0, 0.5, 0.5}, true);
  EXPECT_TRUE(is_in(cube(0.5) + cube(0.3, true) + mirrored_part, Vector3d::Zero()));
  const TriangleMesh touches = box({-0.1, -0.1, -1.0}, {0.1, 0.1, 0.0}, false);
  EXPECT_TRUE(is_in(cube(0.5) + cube(0.3, true) + touches, Vector3d(0.0, 0.0, 0.2)));
  EXPECT_TRUE(is_in(cube(0.5) + cube(0.5, true) + cube(0.3) + cube(0.3, true), Vector3d::Zero()));
}

TEST(ShellsOfAMesh, PartsThatShareEdgesOrFacesAreSolid) {
  const TriangleMesh left = box({-1.0, 0.0, 0.0}, {0.0, 1.0, 1.0}), right = box({0.0, 0.0, 0.0}, {1.0, 1.0, 1.0});
  const TriangleMesh above_left = box({-1.0, 0.0, 1.0}, {0.0, 1.0, 2.0});
  for (const TriangleMesh& mesh :
       {left + right, left + box({0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, false, Diagonal::Other)}) {
    EXPECT_TRUE(is_in(mesh, Vector3d(-0.5, 0.4, 0.3)));
    EXPECT_TRUE(is_in(mesh, Vector3d(0.5, 0.4, 0.3)));
    EXPECT_FALSE(is_in(mesh, Vector3d(0.5, 0.4, 1.3)));
  }
  TriangleMesh one_wall = left + right;  // the shared wall only once
  one_wall.triangles.erase(one_wall.triangles.begin() + 12, one_wall.triangles.begin() + 14);
  EXPECT_TRUE(tree_of(one_wall).has_inside());
  EXPECT_TRUE(is_in(one_wall, Vector3d(-0.5, 0.4, 0.3)));
  EXPECT_TRUE(is_in(one_wall, Vector3d(0.5, 0.4, 0.3)));
  // Two boxes with one edge in common, one inside out.
  const TriangleMesh edge = right + box({-1.0, 0.0, 1.0}, {0.0, 1.0, 2.0}, true);
  EXPECT_TRUE(is_in(edge, Vector3d(0.5, 0.4, 0.3)));
  EXPECT_TRUE(is_in(edge, Vector3d(-0.5, 0.4, 1.3)));
  EXPECT_FALSE(is_in(edge, Vector3d(-0.5, 0.4, 0.3)));
  EXPECT_TRUE(tree_of(edge + above_left).has_inside());
}

TEST(ShellsOfAMesh, WhatHasNoInsideIsSaidToHaveNone) {
  TriangleMesh bowl = cube(0.5);
  bowl.triangles.resize(10);
  EXPECT_FALSE(tree_of(bowl).has_inside());
  expect_ball(Verdict::Free, bowl);
  TriangleMesh both = cube(0.5, true);
  both.triangles.resize(10);
  EXPECT_FALSE(tree_of(bowl + both).has_inside()) << "a double-sided bowl";
  TriangleMesh sheet{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}, {0, 2, 1}, {0, 3, 2}}};
  EXPECT_FALSE(tree_of(sheet).has_inside()) << "a double-sided sheet";
  const SsvTree with_sheet = tree_of(cube(0.4) + sheet);
  EXPECT_FALSE(with_sheet.has_inside());
  EXPECT_EQ(with_sheet.open_parts(), 1);
  EXPECT_EQ(inside(with_sheet, Vector3d(0.1, 0.2, 0.1)), Containment::Inside) << "the cube still has one";
  TriangleMesh fin = cube(0.5);  // shares an edge of the cube
  fin.vertices.emplace_back(2.0, 2.0, 2.0);
  fin.triangles.emplace_back(6, 7, 8);
  EXPECT_EQ(tree_of(fin).open_parts(), 1);
  EXPECT_TRUE(is_in(fin, Vector3d(0.1, 0.2, 0.1)));
}

/// Random boxes, turned, doubled or scrambled: a point is inside if some box contains it.
TEST(ShellsOfAMesh, ManyOverlappingBoxesAreTheirUnionHoweverTheirFacesAreTurned) {
  std::mt19937 random(29);
  std::printf("seed 29\n");
  std::uniform_real_distribution<double> place(-1.0, 1.0);
  const auto draw = [&] { return Vector3d(place(random), place(random), place(random)); };
  int in = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<Eigen::AlignedBox3d> boxes;
    TriangleMesh mesh;
    const int count = 1 + round % 4;
    for (int i = 0; i < count; ++i) {
      Eigen::AlignedBox3d b;
      b.extend(draw()).extend(draw());
      if (b.sizes().minCoeff() < 0.05) continue;
      // Outermost boxes that face both ways make a mesh inconsistent, so that a nested one is no hollow.
      const int kind = static_cast<int>(random() % 4);
      TriangleMesh surface = box(b.min(), b.max(), kind == 1);
      if (kind == 2)
        surface = surface + box(b.min(), b.max(), true, random() % 2 == 0 ? Diagonal::One : Diagonal::Other);
      if (kind == 3) {
        for (Vector3i& t : surface.triangles) {
          if (random() % 2 == 0) std::swap(t[0], t[1]);
        }
      }
      const bool nested = std::any_of(boxes.begin(), boxes.end(),
                                      [&](const Eigen::AlignedBox3d& o) { return o.contains(b) || b.contains(o); });
      if (nested) continue;
      boxes.push_back(b);
      mesh = mesh + surface;
    }
    if (boxes.empty()) continue;
    const SsvTree tree = tree_of(mesh);
    EXPECT_TRUE(tree.has_inside());
    for (int i = 0; i < 40; ++i) {
      const Vector3d p = draw();
      const bool expected =
          std::any_of(boxes.begin(), boxes.end(), [&](const Eigen::AlignedBox3d& b) { return b.contains(p); });
      in += expected;
      ASSERT_EQ(inside(tree, p), expected ? Containment::Inside : Containment::Outside) << "round " << round;
    }
  }
  EXPECT_GT(in, 300);
}

}  // namespace
}  // namespace planner_ccd::test
