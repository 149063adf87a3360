#include "planner_ccd/io/srdf_write.hpp"

#include <tinyxml2.h>

#include <set>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {

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

}  // namespace planner_ccd
