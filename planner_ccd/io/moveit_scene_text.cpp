#include <cmath>

#include "planner_ccd/io/detail/moveit_scene.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;

class SceneTextReader {
 public:
  SceneTextReader(const std::string& text, std::string name, const SceneFileOptions& options)
      : text_(without_mark(text)), name_(std::move(name)), options_(options) {}

  Loaded<Scene> read() {
    rest_of_line();  // the scene's name
    bool has_poses = false;
    for (std::string_view mark = word(); mark != "."; mark = word()) {
      if (mark != "*") fail("expected '*' and the name of an object, or '.', not " + in_quotes(mark));
      const std::string id(rest_of_line());
      // The first object tells the version: since 2020 the object's own position, three numbers, precedes its number of
      // shapes.
      if (scene_.objects.empty()) has_poses = split_blanks(next_line()).size() > 1;
      read_object(id, has_poses);
    }
    if (scene_.objects.empty()) fail("there are no objects");
    validate(scene_);
    return {std::move(scene_), {}};
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(name_ + ":" + std::to_string(line_) + ": " + message);
  }

  std::string_view next_line() const { return trim(text_.substr(at_, text_.find('\n', at_) - at_)); }

  std::string_view rest_of_line() {
    const std::string_view line = next_line();
    at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
    ++line_;
    return line;
  }

  std::string_view word() {
    constexpr std::string_view kBlanks = " \t\r\n";
    for (; at_ < text_.size() && kBlanks.find(text_[at_]) != std::string_view::npos; ++at_) line_ += text_[at_] == '\n';
    if (at_ >= text_.size()) fail("the file ends too early; a last line '.' ends a scene");
    const std::size_t end = std::min(text_.find_first_of(kBlanks, at_), text_.size()), begin = at_;
    at_ = end;
    return text_.substr(begin, end - begin);
  }

  double number(const char* what) {
    const std::string_view text = word();
    const std::optional<double> value = parse_number(text);
    if (!value) fail(std::string(what) + " must be a number, not " + in_quotes(text));
    return *value;
  }

  /// Every counted item takes at least one byte.
  int count(const char* what) {
    const std::string_view text = word();
    const std::optional<long long> value = parse_integer(text);
    if (!value || *value < 0 || static_cast<std::size_t>(*value) > text_.size()) {
      fail(std::string(what) + " cannot be " + in_quotes(text));
    }
    return static_cast<int>(*value);
  }

  Vector3d vector3(const char* what) {
    Vector3d v;
    for (double& x : v) x = number(what);
    return v;
  }

  Pose pose() {
    const Vector3d position = vector3("a position");
    Vector4d rotation;
    for (double& x : rotation) x = number("a quaternion");
    try {
      return moveit_pose(position, rotation);
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

  void read_object(const std::string& id, bool has_poses) {
    SceneObject object;
    object.name = id;
    if (id.empty()) fail("an object without a name");
    if (options_.robot != nullptr && options_.robot->find_link(id) >= 0) {
      fail("the robot has a link of the name " + in_quotes(id) + "; rename the object");
    }
    if (scene_.objects.find(id) != nullptr) fail("there is already an object " + in_quotes(id));
    if (has_poses) object.pose = pose();
    const int shapes = count("the number of shapes");
    if (shapes == 0) fail("object " + in_quotes(id) + " has no shape");
    for (int i = 0; i < shapes; ++i) {
      const std::string kind(word());
      Geometry geometry{read_shape(kind), Pose::Identity(), kind};
      geometry.pose = pose();
      for (int k = 0; k < 4; ++k) number("a colour");
      object.geometry.push_back(std::move(geometry));
    }
    const int frames = has_poses ? count("the number of subframes") : 0;
    for (int i = 0; i < frames; ++i) {
      word();
      rest_of_line();
      pose();
    }
    scene_.objects.push_back(std::move(object));
  }

  Shape read_shape(const std::string& kind) {
    if (kind == "mesh") return read_mesh();
    std::vector<double> numbers;
    const std::size_t most = kind == "sphere" ? 1 : kind == "cylinder" ? 2 : 3;
    if (kind == "sphere" || kind == "cylinder" || kind == "box") {
      while (numbers.size() < most) numbers.push_back(number("a dimension"));
    }
    if (kind == "cylinder") std::swap(numbers[0], numbers[1]);  // here the radius comes first
    try {
      return moveit_primitive(kind, numbers);
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

  MeshPtr read_mesh() {
    const auto mesh = std::make_shared<TriangleMesh>();
    const int vertices = count("the number of vertices"), triangles = count("the number of triangles");
    for (int i = 0; i < vertices; ++i) mesh->vertices.push_back(vector3("a vertex"));
    for (int i = 0; i < triangles; ++i) {
      Eigen::Vector3i corners;
      for (int& corner : corners) {
        corner = count("a corner");
        if (corner >= vertices)
          fail("a triangle of vertex " + std::to_string(corner) + ", of which there are " + std::to_string(vertices));
      }
      mesh->triangles.push_back(corners);
    }
    return mesh;
  }

  std::string_view text_;
  std::string name_;
  const SceneFileOptions& options_;
  Scene scene_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

Loaded<Scene> parse_scene_text(const std::string& text, const std::string& name, const SceneFileOptions& options) {
  if (trim(text).empty()) throw InputError(name + ": the scene is empty");
  return SceneTextReader(text, name, options).read();
}

Shape moveit_primitive(const std::string& kind, const std::vector<double>& numbers) {
  const std::size_t wanted = kind == "box" ? 3 : kind == "cylinder" ? 2 : kind == "sphere" ? 1 : 0;
  if (wanted == 0) {
    throw InputError("shapes of kind " + in_quotes(kind) +
                     " are not read: only box, sphere, cylinder and mesh; a convex hull or a mesh can "
                     "stand for it");
  }
  if (numbers.size() != wanted) {
    throw InputError("a " + kind + " has " + std::to_string(wanted) + (wanted == 1 ? " dimension" : " dimensions") +
                     ", not " + std::to_string(numbers.size()));
  }
  for (const double x : numbers) {
    if (!(x > 0.0) || x > kMaxCoordinate)
      throw InputError("the dimensions of a " + kind + " must be positive numbers of metres");
  }
  if (kind == "box") return Box{Vector3d(numbers[0], numbers[1], numbers[2])};
  if (kind == "sphere") return Sphere{numbers[0]};
  return Cylinder{numbers[1], numbers[0]};
}

Pose moveit_pose(const Vector3d& position, const Vector4d& xyzw) {
  if (position.cwiseAbs().maxCoeff() > kMaxCoordinate) throw InputError("a pose lies beyond 1e7 m");
  Pose X = Pose::Identity();
  X.translation() = position;
  if (xyzw.isZero(0.0)) return X;
  if (!(std::abs(xyzw.norm() - 1.0) < 1e-3)) throw InputError("a quaternion must have length 1");
  X.linear() = Eigen::Quaterniond(xyzw).normalized().toRotationMatrix();
  return X;
}

}  // namespace planner_ccd
