#include <algorithm>
#include <map>
#include <numbers>
#include <set>

#include "planner_ccd/io/detail/mesh_readers.hpp"
#include "planner_ccd/io/detail/polygon.hpp"
#include "planner_ccd/io/detail/xml.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

using tinyxml2::XMLElement;

struct VertexRange {
  int first = 0;
  int count = 0;
};

// COLLADA: the geometries that the visual scene shows, with the transforms of its nodes, times the document's unit.
// `up_axis` is ignored unless requested: RViz ignores it, and so does every URDF made for RViz.
class DaeReader {
 public:
  DaeReader(std::string_view bytes, const std::string& name) : file_(std::string(bytes), name), name_(name) {}

  DaeMesh read(DaeUpAxis honour) {
    if (std::string(file_.root().Name()) != "COLLADA") file_.fail(file_.root(), "a DAE file must begin with <COLLADA>");
    index_ids(file_.root());
    const std::string up = up_axis();
    Eigen::Affine3d X_file(Eigen::Scaling(unit()));
    if (honour == DaeUpAxis::Honour) X_file = X_file * to_z_up(up);
    if (const XMLElement* scene = visual_scene()) {
      add_children(*scene, X_file, 0);
    } else {
      add_all_geometries(X_file);
    }
    return {std::move(mesh_), up, unit_element() != nullptr};
  }

 private:
  void index_ids(const XMLElement& element) {
    if (const char* id = element.Attribute("id")) ids_.emplace(id, &element);
    for (const XMLElement* e = element.FirstChildElement(); e; e = e->NextSiblingElement()) index_ids(*e);
  }

  const XMLElement* of_asset(const char* kind) const {
    const XMLElement* asset = file_.root().FirstChildElement("asset");
    return asset ? asset->FirstChildElement(kind) : nullptr;
  }

  // A unit without its length in metres is meaningless.
  const XMLElement* unit_element() const {
    const XMLElement* element = of_asset("unit");
    return element && element->Attribute("meter") ? element : nullptr;
  }

  std::string up_axis() const {
    const XMLElement* element = of_asset("up_axis");
    if (!element) return {};
    const std::string axis(trim(element->GetText() ? element->GetText() : ""));
    if (axis != "X_UP" && axis != "Y_UP" && axis != "Z_UP") file_.fail(*element, "must be X_UP, Y_UP or Z_UP");
    return axis;
  }

  // The axes to the right, up and towards the viewer are X, Y, Z for Y_UP, -Y, X, Z for X_UP, and X, Z, -Y for Z_UP.
  static Eigen::Affine3d to_z_up(const std::string& up) {
    Eigen::Affine3d X = Eigen::Affine3d::Identity();
    if (up == "X_UP") X.linear() << 0, -1, 0, 0, 0, -1, 1, 0, 0;
    if (up == "Y_UP" || up.empty()) X.linear() << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    return X;
  }

  double unit() const {
    const XMLElement* element = unit_element();
    const double metres = element ? file_.optional_number(*element, "meter").value_or(1.0) : 1.0;
    if (!(metres > 0.0)) file_.fail(*element, "'meter' must be positive");
    return metres;
  }

  const XMLElement* visual_scene() const {
    const XMLElement* scene = file_.root().FirstChildElement("scene");
    const XMLElement* instance = scene ? scene->FirstChildElement("instance_visual_scene") : nullptr;
    if (instance) return &referred(*instance, "url");
    const XMLElement* library = file_.root().FirstChildElement("library_visual_scenes");
    return library ? library->FirstChildElement("visual_scene") : nullptr;
  }

  const XMLElement& referred(const XMLElement& element, const char* attribute) const {
    const std::string url = file_.required(element, attribute);
    if (url.front() != '#') file_.fail(element, "refers to another file, " + in_quotes(url) + "; export one file");
    const auto found = ids_.find(url.substr(1));
    if (found == ids_.end()) file_.fail(element, "refers to " + in_quotes(url) + ", which is not in the file");
    return *found->second;
  }

  void add_children(const XMLElement& parent, const Eigen::Affine3d& X_parent, int depth) {
    if (depth > kMaxNodeDepth || ++visits_ > kMaxNodeVisits) {
      file_.fail(parent, "the nodes refer to each other in a circle, or are too many");
    }
    for (const XMLElement* e = parent.FirstChildElement(); e; e = e->NextSiblingElement()) {
      const std::string kind = e->Name();
      if (kind == "node") {
        add_children(*e, X_parent * node_transform(*e), depth + 1);
      } else if (kind == "instance_node") {
        const XMLElement& node = referred(*e, "url");
        add_children(node, X_parent * node_transform(node), depth + 1);
      } else if (kind == "instance_geometry") {
        append_instance(mesh_, geometry(referred(*e, "url")), X_parent, name_);
      } else if (kind == "instance_controller") {
        file_.fail(*e, "a mesh is moved by bones or morphs; apply them before exporting");
      }
    }
  }

  void add_all_geometries(const Eigen::Affine3d& X_unit) {
    const XMLElement* library = file_.root().FirstChildElement("library_geometries");
    const XMLElement* e = library ? library->FirstChildElement("geometry") : nullptr;
    for (; e; e = e->NextSiblingElement("geometry")) append_instance(mesh_, geometry(*e), X_unit, name_);
  }

  Eigen::Affine3d node_transform(const XMLElement& node) const;
  const TriangleMesh& geometry(const XMLElement& element);
  void read_primitives(const XMLElement& mesh_element, TriangleMesh& mesh);
  void read_primitive(const XMLElement& primitive, TriangleMesh& mesh);
  VertexRange add_positions(const XMLElement& vertices, TriangleMesh& mesh);
  std::vector<double> numbers(const XMLElement& element) const;
  std::vector<double> numbers(const XMLElement& element, std::size_t count) const;

  XmlFile file_;
  const std::string& name_;
  std::map<std::string, const XMLElement*> ids_;
  std::map<const XMLElement*, TriangleMesh> geometries_;
  std::map<const XMLElement*, VertexRange> vertex_ranges_;  // of each <vertices> in the geometry being read
  TriangleMesh mesh_;
  int visits_ = 0;
};

std::string element_text(const XMLElement& element) {
  std::string text;
  for (const tinyxml2::XMLNode* n = element.FirstChild(); n; n = n->NextSibling()) {
    if (const tinyxml2::XMLText* t = n->ToText()) text.append(t->Value()).append(" ");
  }
  return text;
}

std::vector<double> DaeReader::numbers(const XMLElement& element) const {
  const std::string text = element_text(element);
  std::vector<double> values;
  for (const auto word : split_blanks(text)) values.push_back(file_.parse(element, "text", std::string(word)));
  return values;
}

std::vector<double> DaeReader::numbers(const XMLElement& element, std::size_t count) const {
  auto values = numbers(element);
  if (values.size() != count) {
    file_.fail(element, "needs " + std::to_string(count) + " numbers, not " + std::to_string(values.size()));
  }
  return values;
}

Eigen::Affine3d look_at(const std::vector<double>& v) {
  const Eigen::Vector3d eye(v[0], v[1], v[2]), target(v[3], v[4], v[5]), up(v[6], v[7], v[8]);
  const Eigen::Vector3d forward = (target - eye).stableNormalized();
  const Eigen::Vector3d right = forward.cross(up).stableNormalized();
  Eigen::Affine3d X = Eigen::Affine3d::Identity();
  X.linear() << right, right.cross(forward), -forward;
  X.translation() = eye;
  return X;
}

Eigen::Affine3d DaeReader::node_transform(const XMLElement& node) const {
  Eigen::Affine3d X = Eigen::Affine3d::Identity();
  for (const XMLElement* e = node.FirstChildElement(); e; e = e->NextSiblingElement()) {
    const std::string kind = e->Name();
    if (kind == "matrix") {
      const auto m = numbers(*e, 16);
      X = X * Eigen::Affine3d(Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(m.data()));
    } else if (kind == "translate") {
      const auto v = numbers(*e, 3);
      X = X * Eigen::Translation3d(v[0], v[1], v[2]);
    } else if (kind == "rotate") {
      const auto v = numbers(*e, 4);
      const Eigen::Vector3d axis(v[0], v[1], v[2]);
      if (!(axis.stableNorm() > 0.0)) file_.fail(*e, "the axis of rotation is zero");
      X = X * Eigen::AngleAxisd(v[3] * std::numbers::pi / 180.0, axis.stableNormalized());
    } else if (kind == "scale") {
      const auto v = numbers(*e, 3);
      X = X * Eigen::Scaling(v[0], v[1], v[2]);
    } else if (kind == "lookat") {
      X = X * look_at(numbers(*e, 9));
    } else if (kind == "skew") {
      file_.fail(*e, "skewed nodes are not read; apply the transform before exporting");
    }
  }
  return X;
}

const TriangleMesh& DaeReader::geometry(const XMLElement& element) {
  const auto [entry, is_new] = geometries_.try_emplace(&element);
  if (!is_new) return entry->second;
  if (std::string(element.Name()) != "geometry") file_.fail(element, "a geometry is expected here");
  vertex_ranges_.clear();
  for (const XMLElement* e = element.FirstChildElement(); e; e = e->NextSiblingElement()) {
    const std::string kind = e->Name();
    if (kind == "mesh") read_primitives(*e, entry->second);
    if (kind == "convex_mesh" || kind == "spline" || kind == "brep") {
      file_.fail(*e, "only <mesh> geometry is read; export triangles");
    }
  }
  return entry->second;
}

void DaeReader::read_primitives(const XMLElement& mesh_element, TriangleMesh& mesh) {
  static const std::set<std::string> kPrimitives = {"triangles", "polylist", "polygons",  "trifans",
                                                    "tristrips", "lines",    "linestrips"};
  for (const XMLElement* e = mesh_element.FirstChildElement(); e; e = e->NextSiblingElement()) {
    if (kPrimitives.count(e->Name())) read_primitive(*e, mesh);
  }
}

// Where in mesh.vertices the positions that `vertices` names are; they are read once.
VertexRange DaeReader::add_positions(const XMLElement& vertices, TriangleMesh& mesh) {
  const auto [entry, is_new] = vertex_ranges_.try_emplace(&vertices);
  if (!is_new) return entry->second;
  entry->second.first = static_cast<int>(mesh.vertices.size());
  const XMLElement* input = vertices.FirstChildElement("input");
  while (input && file_.required(*input, "semantic") != "POSITION") input = input->NextSiblingElement("input");
  if (!input) file_.fail(vertices, "has no <input semantic=\"POSITION\">");
  const XMLElement& source = referred(*input, "source");
  const XMLElement* array = source.FirstChildElement("float_array");
  if (!array) file_.fail(source, "has no <float_array>");
  const std::vector<double> values = numbers(*array);

  long long stride = 3, offset = 0, x = 0, y = 1, z = 2;
  const XMLElement* common = source.FirstChildElement("technique_common");
  if (const XMLElement* accessor = common ? common->FirstChildElement("accessor") : nullptr) {
    stride = parse_integer(file_.optional(*accessor, "stride").value_or("1")).value_or(0);
    offset = parse_integer(file_.optional(*accessor, "offset").value_or("0")).value_or(-1);
    long long at = 0;
    const XMLElement* param = accessor->FirstChildElement("param");
    for (; param && at < 1000; param = param->NextSiblingElement("param"), ++at) {
      const std::string axis = file_.optional(*param, "name").value_or("");
      if (axis == "X") x = at;
      if (axis == "Y") y = at;
      if (axis == "Z") z = at;
    }
    const long long last = std::max({x, y, z});
    if (stride <= last || stride > 1000 || offset < 0 || offset > static_cast<long long>(values.size())) {
      file_.fail(*accessor, "does not describe positions of three numbers each");
    }
  }
  for (long long i = offset; i + std::max({x, y, z}) < static_cast<long long>(values.size()); i += stride) {
    const auto at = [&](long long k) { return values[static_cast<std::size_t>(i + k)]; };
    mesh.vertices.emplace_back(at(x), at(y), at(z));
  }
  entry->second.count = static_cast<int>(mesh.vertices.size()) - entry->second.first;
  return entry->second;
}

void append_run(const std::string& kind, std::vector<int> run, TriangleMesh& mesh) {
  if (kind == "triangles") {
    for (std::size_t i = 0; i + 2 < run.size(); i += 3) mesh.triangles.emplace_back(run[i], run[i + 1], run[i + 2]);
  } else if (kind == "tristrips") {
    for (std::size_t i = 0; i + 2 < run.size(); ++i) {
      mesh.triangles.emplace_back(run[i], run[i + (i % 2 ? 2 : 1)], run[i + (i % 2 ? 1 : 2)]);
    }
  } else if (kind == "lines") {
    for (std::size_t i = 0; i + 1 < run.size(); i += 2) append_polyline(mesh, {run[i], run[i + 1]});
  } else if (kind == "linestrips") {
    append_polyline(mesh, run);
  } else if (kind == "trifans") {
    for (std::size_t i = 1; i + 1 < run.size(); ++i) mesh.triangles.emplace_back(run[0], run[i], run[i + 1]);
  } else {
    append_polygon(mesh, std::move(run));
  }
}

void DaeReader::read_primitive(const XMLElement& primitive, TriangleMesh& mesh) {
  const std::string kind = primitive.Name();
  long long width = 0, vertex_offset = -1;
  VertexRange range;
  for (const XMLElement* e = primitive.FirstChildElement("input"); e; e = e->NextSiblingElement("input")) {
    const auto offset = parse_integer(file_.optional(*e, "offset").value_or("0"));
    if (!offset || *offset < 0 || *offset > 1000) file_.fail(*e, "'offset' must be a small whole number");
    width = std::max(width, *offset + 1);
    if (file_.required(*e, "semantic") != "VERTEX") continue;
    vertex_offset = *offset;
    range = add_positions(referred(*e, "source"), mesh);
  }
  if (!primitive.FirstChildElement("p") && !primitive.FirstChildElement("ph")) return;  // no faces of this material
  if (vertex_offset < 0) file_.fail(primitive, "has no <input semantic=\"VERTEX\">");

  const auto corners_of = [&](const XMLElement& p) {
    const std::string text = element_text(p);
    const auto words = split_blanks(text);
    std::vector<int> corners;
    for (auto i = static_cast<std::size_t>(vertex_offset); i < words.size(); i += static_cast<std::size_t>(width)) {
      const auto index = parse_integer(words[i]);
      if (!index || *index < 0 || *index >= range.count) {
        file_.fail(p, in_quotes(words[i]) + " is not the number of a vertex");
      }
      corners.push_back(range.first + static_cast<int>(*index));
    }
    return corners;
  };
  for (const XMLElement* e = primitive.FirstChildElement(); e; e = e->NextSiblingElement()) {
    const bool with_holes = std::string(e->Name()) == "ph";  // a hole is covered: at worst a false contact
    const XMLElement* p = with_holes ? e->FirstChildElement("p") : e;
    if (!p || std::string(p->Name()) != "p") continue;
    std::vector<int> corners = corners_of(*p);
    if (kind == "triangles" && corners.size() % 3 != 0) file_.fail(*p, "the corners do not make whole triangles");
    const XMLElement* vcount = kind == "polylist" ? primitive.FirstChildElement("vcount") : nullptr;
    if (!vcount) {
      append_run(kind, std::move(corners), mesh);
      continue;
    }
    auto next = corners.begin();
    for (const double count : numbers(*vcount)) {
      if (!(count >= 0.0) || count > static_cast<double>(corners.end() - next)) {
        file_.fail(*vcount, "counts more corners than <p> has");
      }
      const auto end = next + static_cast<std::ptrdiff_t>(count);
      append_run(kind, std::vector<int>(next, end), mesh);
      next = end;
    }
    if (next != corners.end()) file_.fail(*vcount, "counts fewer corners than <p> has");
  }
}

}  // namespace

DaeMesh read_dae(std::string_view bytes, const std::string& name, DaeUpAxis up_axis) {
  return DaeReader(bytes, name).read(up_axis);
}

}  // namespace planner_ccd
