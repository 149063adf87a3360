#include "planner_ccd/io/read_mesh/stated.hpp"

#include <tinyxml2.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd::read_mesh {
namespace {

using tinyxml2::XMLElement;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The name without the prefix of its namespace.
std::string_view local_name(const XMLElement& element) {
  const std::string_view name = element.Name();
  return name.substr(name.rfind(':') == std::string_view::npos ? 0 : name.rfind(':') + 1);
}

const XMLElement& root_of(tinyxml2::XMLDocument& document, const std::string& text, const char* name) {
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS || !document.RootElement() ||
      local_name(*document.RootElement()) != name) {
    throw InputError(std::string("is not well-formed XML that begins with <") + name + ">; export it again");
  }
  return *document.RootElement();
}

// Every element below `element`, with its parents' answer: visit(element, parent's) -> its own.
template <class T, class Visit>
void visit_all(const XMLElement& element, const T& above, const Visit& visit) {
  const T here = visit(element, above);
  for (const XMLElement* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) {
    visit_all(*child, here, visit);
  }
}

double unit_of(const XMLElement& root, const char* attribute) {
  static const std::map<std::string_view, double> kUnits = {
      {"micron", 1e-6}, {"millimeter", 1e-3}, {"millimeters", 1e-3}, {"centimeter", 1e-2},
      {"inch", 0.0254}, {"feet", 0.3048},     {"foot", 0.3048},      {"meter", 1.0}};
  const char* text = root.Attribute(attribute);
  const auto unit = kUnits.find(text ? text : "millimeter");  // both formats have this preset
  if (unit == kUnits.end()) throw InputError("has an unknown unit; use millimeter or meter");
  return unit->second;
}

Stated read_amf(const std::string& path) {
  tinyxml2::XMLDocument document;
  return {unit_of(root_of(document, read(path), "amf"), "unit"), true};
}

Stated read_3mf(const std::string& path) {
  tinyxml2::XMLDocument document;
  const XMLElement& root = root_of(document, zip_part(read(path), ".model"), "model");
  visit_all(root, 0, [](const XMLElement& element, int) {
    for (const std::string_view solid :
         {"beamlattice", "slicestack", "volumetricstack", "displacementmesh", "implicitfunction"}) {
      if (local_name(element) == solid)
        throw InputError("<" + std::string(solid) + "> is no mesh; export triangles alone");
    }
    return 0;
  });
  return {unit_of(root, "unit"), true};
}

// Assimp passes over the nodes that it does not know, with all that is in them.
Stated read_x3d(const std::string& path) {
  tinyxml2::XMLDocument document;
  const XMLElement& root = root_of(document, read(path), "X3D");
  Stated stated{1.0, true};
  enum class Place { Outside, Known, Unknown };
  visit_all(root, Place::Outside, [&](const XMLElement& element, Place above) {
    static constexpr std::array<std::string_view, 4> kKnown = {"Group", "StaticGroup", "Transform", "Switch"};
    const std::string_view name = local_name(element);
    if (name == "unit" && element.Attribute("category", "length")) {
      stated.unit = element.DoubleAttribute("conversionFactor", 0.0);
      if (!(stated.unit > 0.0) || !std::isfinite(stated.unit))
        throw InputError("has an unknown unit; use millimeter or meter");
    }
    if (name == "Scene") return Place::Known;
    if (name == "Inline" || name == "ProtoInstance" || (name == "Shape" && above == Place::Unknown)) {
      throw InputError("<" + std::string(name) +
                       "> would be left out by Assimp; export plain shapes in groups and transforms");
    }
    const bool known = name == "Shape" || std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end();
    return above == Place::Known && known ? Place::Known : above == Place::Outside ? above : Place::Unknown;
  });
  return stated;
}

Stated read_gltf(const std::string& path) {
  const auto root = nlohmann::json::parse(read(path), nullptr, false);
  if (!root.is_object()) throw InputError("its JSON is malformed; export it again");
  for (const char* list : {"extensionsRequired", "extensionsUsed"}) {
    const auto found = root.find(list);
    if (found == root.end() || !found->is_array()) continue;
    for (const auto& entry : *found) {
      const std::string name = entry.is_string() ? entry.get<std::string>() : "";
      if (name == "EXT_mesh_gpu_instancing" || name.find("compression") != std::string::npos) {
        throw InputError("uses the glTF extension " + name + "; export without it");
      }
    }
  }
  return {1.0, true};
}

// Assimp leaves out where a skin places a mesh that no bone moves.
void refuse_collada(const std::string& path, const std::string& ending) {
  if (ending != ".zae" && (ending != ".xml" || read(path).find("<COLLADA") == std::string::npos)) return;
  throw InputError("holds COLLADA; give the .dae file itself, which is read without Assimp");
}

}  // namespace

Stated read_stated(const std::string& path, const std::string& ending) {
  refuse_collada(path, ending);
  if (ending == ".amf") return read_amf(path);
  if (ending == ".3mf") return read_3mf(path);
  if (ending == ".x3d") return read_x3d(path);
  if (ending == ".gltf") return read_gltf(path);
  return {};
}

}  // namespace planner_ccd::read_mesh
