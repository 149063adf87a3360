#include "planner_ccd/io/srdf_write.hpp"

#include <tinyxml2.h>

#include <set>

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

/// Appends <kind name="..." ...> to `parent`.
tinyxml2::XMLElement& append(tinyxml2::XMLNode& parent, const char* kind,
                             const std::vector<std::pair<const char*, std::string>>& attributes) {
  tinyxml2::XMLElement* element = parent.GetDocument()->NewElement(kind);
  parent.InsertEndChild(element);
  for (const auto& [name, value] : attributes) element->SetAttribute(name, value.c_str());
  return *element;
}

void append_group(tinyxml2::XMLElement& root, const SrdfGroup& group) {
  tinyxml2::XMLElement& element = append(root, "group", {{"name", group.name}});
  for (const std::string& link : group.links) append(element, "link", {{"name", link}});
  for (const std::string& joint : group.joints) append(element, "joint", {{"name", joint}});
  for (const auto& [base, tip] : group.chains) append(element, "chain", {{"base_link", base}, {"tip_link", tip}});
  for (const std::string& subgroup : group.subgroups) append(element, "group", {{"name", subgroup}});
}

void append_state(tinyxml2::XMLElement& root, const SrdfGroupState& state) {
  tinyxml2::XMLElement& element = append(root, "group_state", {{"name", state.name}, {"group", state.group}});
  for (const auto& [joint, values] : state.joints) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : " ") + format_number(value);
    append(element, "joint", {{"name", joint}, {"value", text}});
  }
}

}  // namespace

std::string add_disabled_pairs(const std::string& text, const std::string& name, const std::string& robot,
                               const std::vector<SrdfPair>& disabled) {
  tinyxml2::XMLDocument document;
  if (text.empty()) {
    document.InsertEndChild(document.NewDeclaration());
    document.InsertEndChild(document.NewElement("robot"));
    document.RootElement()->SetAttribute("name", robot.c_str());
  } else if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS || !document.RootElement()) {
    throw InputError(name + ": not well-formed XML");
  }
  tinyxml2::XMLElement& root = *document.RootElement();
  std::set<std::pair<std::string, std::string>> there;
  const char* const kElement = "disable_collisions";
  for (const auto* e = root.FirstChildElement(kElement); e; e = e->NextSiblingElement(kElement)) {
    const char *a = e->Attribute("link1"), *b = e->Attribute("link2");
    if (!a || !b) continue;
    const std::string first = a, second = b;
    there.insert(std::minmax(first, second));
  }
  for (const SrdfPair& pair : disabled) {
    if (!there.insert(std::minmax(pair.a, pair.b)).second) continue;
    tinyxml2::XMLElement* element = document.NewElement(kElement);
    root.InsertEndChild(element);
    element->SetAttribute("link1", pair.a.c_str());
    element->SetAttribute("link2", pair.b.c_str());
    element->SetAttribute("reason", pair.reason.c_str());
  }
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

std::string format_srdf(const Srdf& srdf, const std::string& robot) {
  tinyxml2::XMLDocument document;
  document.InsertEndChild(document.NewDeclaration());
  tinyxml2::XMLElement& root = append(document, "robot", {{"name", robot}});
  for (const SrdfGroup& group : srdf.groups) append_group(root, group);
  for (const SrdfGroupState& state : srdf.states) append_state(root, state);
  for (const std::string& link : srdf.disabled_default) append(root, "disable_default_collisions", {{"link", link}});
  const auto pairs = [&](const char* kind, const std::vector<SrdfPair>& all) {
    for (const SrdfPair& p : all) append(root, kind, {{"link1", p.a}, {"link2", p.b}, {"reason", p.reason}});
  };
  pairs("enable_collisions", srdf.enabled);
  pairs("disable_collisions", srdf.disabled);
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

}  // namespace planner_ccd
