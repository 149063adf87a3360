#include <nlohmann/json.hpp>

#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/validation/assumptions.hpp"
#include "regressions/doors.hpp"

/// DAE files were read as RViz shows them, without a warning: those whose up_axis is not Z_UP lay on their side for
/// users who expected them upright (links of a real iCub are up to 15 cm off), and a path past them was Free. Now every
/// entry point names them, and --dae-up-axis honour turns them.
namespace planner_ccd::test {
namespace {

/// A pole of 1 m along the third axis of the file, 10 cm thick, as two crossed triangles.
std::string pole(const std::string& asset, char up) {
  const auto point = [&](double right, double along, double in) {
    std::stringstream text;  // where Z_UP has (right, -in, along)
    if (up == 'Z') text << right << " " << -in << " " << along;
    if (up == 'Y') text << right << " " << along << " " << in;
    if (up == 'X') text << along << " " << -right << " " << in;
    return text.str() + " ";
  };
  return "<COLLADA version='1.4.1'><asset>" + asset +
         "</asset><library_geometries><geometry id='g'><mesh><source id='p'><float_array id='a' count='12'>" +
         point(-0.05, 0, 0) + point(0.05, 0, 0) + point(0, 1, 0.05) + point(0.02, 1, -0.05) +
         "</float_array><technique_common><accessor source='#a' count='4' stride='3'><param name='X'/><param name='Y'/>"
         "<param name='Z'/></accessor></technique_common></source><vertices id='v'><input semantic='POSITION' "
         "source='#p'/></vertices><triangles count='2'><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2 0 1 "
         "3</p>"
         "</triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='s'><node>"
         "<instance_geometry url='#g'/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene "
         "url='#s'/></scene></COLLADA>";
}

const std::string kUnit = "<unit name='m' meter='1'/>";
std::string up_axis(char c) { return std::string("<up_axis>") + c + "_UP</up_axis>"; }

Eigen::Vector3d top(const TriangleMesh& mesh) { return mesh.vertices[2]; }

TEST(AxesOfDaeFiles, HonourTurnsTheFilesVerticalToZ) {
  const TempFolder folder;
  const MeshPtr upright = load_mesh(folder.write("z.dae", pole(kUnit + up_axis('Z'), 'Z')));
  EXPECT_EQ(top(*upright), Eigen::Vector3d(0, -0.05, 1));
  for (const char up : {'X', 'Y', 'Z'}) {
    const std::string file = folder.write(std::string(1, up) + ".dae", pole(kUnit + up_axis(up), up));
    const MeshPtr honoured = load_mesh(file, Eigen::Vector3d::Ones(), DaeUpAxis::Honour);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(honoured->vertices[i], upright->vertices[i]) << up << i;
    EXPECT_EQ(top(*load_mesh(file)) == top(*upright), up == 'Z') << "as RViz shows it";
  }
  const std::string silent = folder.write("n.dae", pole(kUnit, 'Y'));  // the standard's default is Y_UP
  EXPECT_EQ(top(*load_mesh(silent, Eigen::Vector3d::Ones(), DaeUpAxis::Honour)), top(*upright));
  const std::string wrong = folder.write("w.dae", pole(kUnit + "<up_axis>Z</up_axis>", 'Z'));
  expect_input_error([&] { load_mesh(wrong); }, {"w.dae", "Z_UP"});
}

TEST(AxesOfDaeFiles, ACacheTellsTheTwoApartAndWhatWasAssumed) {
  const TempFolder folder;
  const std::string file = folder.write("y.dae", pole(up_axis('Y'), 'Y'));
  MeshCache cache;
  const Eigen::Vector3d same = Eigen::Vector3d::Ones();
  EXPECT_NE(top(*cache.load(file, same)), top(*cache.load(file, same, DaeUpAxis::Honour)));
  const std::vector<Assumption> ignored = cache.assumptions(file);
  ASSERT_EQ(ignored.size(), 2u);
  EXPECT_EQ(ignored[0].kind, AssumptionKind::MeshAxes);
  EXPECT_EQ(ignored[0].by, "ignored");
  EXPECT_EQ(ignored[1].kind, AssumptionKind::MeshUnit);
  EXPECT_EQ(cache.assumptions(file, DaeUpAxis::Honour)[0].by, "honoured");
  const std::string plain = folder.write("z.dae", pole(kUnit + up_axis('Z'), 'Z'));
  cache.load(plain);
  EXPECT_TRUE(cache.assumptions(plain).empty());
}

/// A ball that slides along x at a height of 0.5 m past a pole at x = 1, which stands upright or lies along y.
const std::string kBall =
    "<robot name='ball'><link name='base'><collision><geometry><mesh filename='z.dae'/></geometry></collision></link>"
    "<link name='slide'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
    "<joint name='j' type='prismatic'><parent link='base'/><child link='slide'/><origin xyz='0 0.05 0.5'/>"
    "<axis xyz='1 0 0'/><limit lower='0' upper='2' velocity='1'/></joint></robot>";

TEST(AxesOfDaeFiles, EveryDoorNamesThemAndOffersTheChoice) {
  Doors doors(kBall, "objects: [{name: pole, mesh: y.dae, pose: {xyz: [1, 0, 0]}}]\n");
  doors.write("z.dae", pole(kUnit + up_axis('Z'), 'Z'));
  doors.write("y.dae", pole(kUnit + up_axis('Y'), 'Y'));
  const Loaded<Scene> ignored = load_scene(doors.path("scene.yaml"));
  EXPECT_TRUE(any_contains(ignored.warnings, "y.dae"));
  ASSERT_EQ(ignored.assumptions.size(), 1u);
  SceneFileOptions options;
  options.resources.dae_up_axis = DaeUpAxis::Honour;
  const Loaded<Scene> honoured = load_scene(doors.path("scene.yaml"), options);
  const Eigen::VectorXd from = Eigen::VectorXd::Constant(1, 0.5), to = Eigen::VectorXd::Constant(1, 1.5);
  for (const auto* scene : {&ignored, &honoured}) {
    const PathChecker checker(doors.robot(), scene->value, {});
    Workspace workspace(checker);
    EXPECT_EQ(checker.is_free(from, to, workspace), scene == &ignored);
  }
  doors.expect(Verdict::Free, from, to);
  expect_python("import planner_ccd\nrobot = planner_ccd.Robot('" + doors.path("robot.urdf") +
                "', dae_up_axis='honour')\nscene = planner_ccd.Scene.load('" + doors.path("scene.yaml") +
                "', robot, dae_up_axis='honour')\nassert any('y.dae' in w for w in scene.warnings)\n"
                "checker = planner_ccd.PathChecker(robot, scene)\nassert not checker.is_free([0.5], [1.5])\n"
                "assert any(a.kind == 'mesh_axes' and a.by == 'honoured' for a in checker.assumptions)\n"
                "scene = planner_ccd.Scene()\nscene.add_mesh_file('pole', '" +
                doors.path("y.dae") + "')\nassert 'y.dae' in scene.warnings[0]\n");
#ifdef PLANNER_CCD_COMMAND
  doors.write("path.csv", "j\n0.5\n1.5\n");
  const auto check = [&](const std::string& policy) {
    return run_command({"check", "--robot", doors.path("robot.urdf"), "--scene", doors.path("scene.yaml"), "--path",
                        doors.path("path.csv"), "--json", "--dae-up-axis", policy});
  };
  EXPECT_EQ(check("ignore").exit_code, 0);
  EXPECT_NE(check("ignore").err.find("y.dae"), std::string::npos);
  EXPECT_EQ(check("honour").exit_code, 1);
  EXPECT_NE(check("honour").out.find("mesh_axes"), std::string::npos);
  doors.write("robot.urdf", kBall.substr(0, kBall.find("z.dae")) + "y.dae" + kBall.substr(kBall.find("z.dae") + 5));
  const CommandResult inspected = run_command({"inspect", doors.path("robot.urdf")});
  EXPECT_NE(inspected.out.find("Y_UP"), std::string::npos) << inspected.out;
#endif
}

}  // namespace
}  // namespace planner_ccd::test
