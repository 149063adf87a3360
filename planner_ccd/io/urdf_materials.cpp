#include <algorithm>

#include "planner_ccd/io/detail/urdf_materials.hpp"
#include "planner_ccd/io/text.hpp"

namespace planner_ccd {

using tinyxml2::XMLElement;

std::optional<UrdfMaterials::Colour> UrdfMaterials::read_colour(const XMLElement& material) {
  const XMLElement* element = material.FirstChildElement("color");
  if (!element) return std::nullopt;
  const std::string text = file_.optional(*element, "rgba").value_or("");
  const auto words = split_blanks(text);
  Colour colour{};
  bool good = words.size() == 4;
  for (std::size_t i = 0; good && i < 4; ++i) {
    const auto number = parse_number(words[i]);
    good = number && *number >= 0.0 && *number <= 1.0;
    if (good) colour[i] = *number;
  }
  if (good) return colour;
  const InputWarning warning{
      WarningKind::Visuals,
      file_.where(*element) + ": 'rgba' must be four numbers from 0 to 1; the colour is left out"};
  if (std::find(warnings_.begin(), warnings_.end(), warning) == warnings_.end()) warnings_.push_back(warning);
  return std::nullopt;
}

void UrdfMaterials::read() {
  const auto define = [&](const XMLElement& parent) {
    for (const XMLElement* m = parent.FirstChildElement("material"); m; m = m->NextSiblingElement("material")) {
      const auto colour = read_colour(*m);
      if (colour) named_.emplace(file_.optional(*m, "name").value_or(""), *colour);
    }
  };
  define(file_.root());
  for (const XMLElement* l = file_.root().FirstChildElement("link"); l; l = l->NextSiblingElement("link")) {
    for (const XMLElement* v = l->FirstChildElement("visual"); v; v = v->NextSiblingElement("visual")) define(*v);
  }
}

std::optional<UrdfMaterials::Colour> UrdfMaterials::colour_of(const XMLElement& visual) {
  const XMLElement* material = visual.FirstChildElement("material");
  if (!material) return std::nullopt;
  if (const auto own = read_colour(*material)) return own;
  const auto found = named_.find(file_.optional(*material, "name").value_or(""));
  return found == named_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace planner_ccd
