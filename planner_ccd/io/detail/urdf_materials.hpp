#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner_ccd/io/detail/xml.hpp"
#include "planner_ccd/validation/input_warning.hpp"

namespace planner_ccd {

/// The colours in one URDF document: `<material name><color rgba/></material>` below the robot or, the first of its
/// name, in a visual. Unreadable colours are only warnings, since they decide nothing. Textures are not read.
class UrdfMaterials {
 public:
  using Colour = std::array<double, 4>;

  UrdfMaterials(const XmlFile& file, std::vector<InputWarning>& warnings) : file_(file), warnings_(warnings) {}

  /// Collects every material in the document that has a colour and a name.
  void read();
  /// The colour of a `<visual>`: from its own material, or from the one it names.
  std::optional<Colour> colour_of(const tinyxml2::XMLElement& visual);

 private:
  std::optional<Colour> read_colour(const tinyxml2::XMLElement& material);

  const XmlFile& file_;
  std::vector<InputWarning>& warnings_;
  std::map<std::string, Colour> named_;
};

}  // namespace planner_ccd
