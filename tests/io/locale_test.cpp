#include <clocale>
#include <locale>

#include "io/io_support.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/io/urdf.hpp"

namespace planner_ccd::test {
namespace {

// A decimal comma and dots between thousands, as in German.
struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// Sets both C's and C++'s locale to one with a decimal comma, if the machine has one, while it lives.
class CommaLocale {
 public:
  CommaLocale() : before_(std::locale::global(std::locale(std::locale::classic(), new Comma))) {
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8"}) try_c_locale(name);
    if (c_locale_.empty()) {
      // If none is installed, its sources may be.
      const std::string made = folder_.path("de_DE.UTF-8");
      if (std::system(("localedef -i de_DE -f UTF-8 " + made + " > /dev/null 2>&1").c_str()) == 0) {
        setenv("LOCPATH", folder_.path().c_str(), 1);
        try_c_locale("de_DE.UTF-8");
      }
    }
    if (c_locale_.empty()) std::puts("no locale with a decimal comma is installed: only C++'s is changed");
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;
  ~CommaLocale() {
    std::locale::global(before_);
    std::setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
  }

 private:
  void try_c_locale(const char* name) {
    if (c_locale_.empty() && std::setlocale(LC_ALL, name) && *std::localeconv()->decimal_point == ',') c_locale_ = name;
  }

  TempFolder folder_;
  std::locale before_;
  std::string c_locale_;
};

struct Everything {
  Eigen::Vector3d origin, vertex, dae_vertex, obstacle;
  double lower, waypoint;
  std::string written;
};

Everything load_everything() {
  const TempFolder folder;
  folder.write("a.obj", "v 0.5 0.25 1234.5\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  folder.write("a.dae",
               "<COLLADA><asset><unit meter='0.5'/></asset><library_geometries><geometry id='g'><mesh><source "
               "id='p'><float_array>"
               "0.5 0.25 1234.5 1 0 0 0 1 0</float_array></source><vertices id='v'><input semantic='POSITION' "
               "source='#p'/></vertices>"
               "<triangles><input semantic='VERTEX' source='#v'/><p>0 1 "
               "2</p></triangles></mesh></geometry></library_geometries></COLLADA>");
  const auto robot = load_urdf(
      folder.write("r.urdf",
                   "<robot name='r'><link name='a'><collision><geometry><mesh filename='a.obj'/></geometry></collision>"
                   "<collision><geometry><mesh filename='a.dae'/></geometry></collision></link>"
                   "<link name='b'/><joint name='j' type='revolute'><origin xyz='0.1 1234.5 -1e-3'/><parent "
                   "link='a'/><child link='b'/>"
                   "<limit lower='-1.5' upper='2.5'/></joint></robot>"));
  const auto scene = load_scene(folder.write("s.yaml", "objects: [{name: o, box: {size: [0.5, 1234.5, 1]}}]"));
  const RobotModel model(robot.value);
  const auto path = load_path(folder.write("p.csv", "time,j\n0.5,1.25\n1.5,-1.25\n"), model);
  Everything all;
  all.origin = robot.value.joints[0].origin.translation();
  all.lower = *robot.value.joints[0].lower;
  all.vertex = std::get<MeshPtr>(robot.value.links[0].collision[0].shape)->vertices[0];
  all.dae_vertex = std::get<MeshPtr>(robot.value.links[0].collision[1].shape)->vertices[0];
  all.obstacle = std::get<Box>(scene.value.objects[0].geometry[0].shape).size;
  all.waypoint = path.value.waypoints[1][0];
  all.written = format_path(path.value, model);
  return all;
}

TEST(Locale, ADecimalCommaChangesNothing) {
  const Everything plain = load_everything();
  EXPECT_EQ(plain.vertex, Eigen::Vector3d(0.5, 0.25, 1234.5));
  EXPECT_EQ(plain.dae_vertex, Eigen::Vector3d(0.25, 0.125, 617.25));
  EXPECT_EQ(plain.written, "time,j\n0.5,1.25\n1.5,-1.25\n");
  const CommaLocale locale;
  const Everything comma = load_everything();
  EXPECT_EQ(comma.origin, plain.origin);
  EXPECT_EQ(comma.lower, plain.lower);
  EXPECT_EQ(comma.vertex, plain.vertex);
  EXPECT_EQ(comma.dae_vertex, plain.dae_vertex);
  EXPECT_EQ(comma.obstacle, plain.obstacle);
  EXPECT_EQ(comma.waypoint, plain.waypoint);
  EXPECT_EQ(comma.written, plain.written);
}

TEST(Numbers, OnlyPlainFiniteDecimalsAreNumbers) {
  for (const char* good : {"0", "-0", "+1.5", "1e3", "1E-3", ".5", "5.", " 7\t", "1e-999", "-1e-999", "4.9e-324",
                           "0.0000000000000000000000000001"}) {
    EXPECT_TRUE(parse_number(good)) << good;
  }
  EXPECT_EQ(parse_number("1e-999"), 0.0);
  for (const char* bad : {"", " ", "1,5", "1.5.5", "1e", "e1", "0x10", "nan", "inf", "-inf", "1e999", "-1e999", "1 2",
                          "+-1", "++1", "--1", "1f", "1_000"}) {
    EXPECT_FALSE(parse_number(bad)) << bad;
  }
  EXPECT_FALSE(parse_integer("1.0"));
  EXPECT_FALSE(parse_integer("99999999999999999999"));
  EXPECT_EQ(parse_integer("-12"), -12);
}

}  // namespace
}  // namespace planner_ccd::test
