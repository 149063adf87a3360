# cmake -DDIST=web/dist -DOUT=bundle.cpp -P embed.cmake: the page and its script as string literals. They come in parts,
# because compilers limit the length of a literal.
function(literals file result)
  file(READ ${file} rest)
  set(parts "")
  while(NOT rest STREQUAL "")
    string(LENGTH "${rest}" length)
    if(length GREATER 12000)
      set(length 12000)
    endif()
    string(SUBSTRING "${rest}" 0 ${length} part)
    string(SUBSTRING "${rest}" ${length} -1 rest)
    string(APPEND parts "      R\"page(${part})page\"sv,\n")
  endwhile()
  set(${result} "${parts}" PARENT_SCOPE)
endfunction()

literals(${DIST}/page.html page)
literals(${DIST}/app.js app)
file(WRITE ${OUT} "#include <string_view>

#include \"planner_ccd/viewer/bundle.hpp\"

namespace planner_ccd::viewer {
namespace {

using namespace std::string_view_literals;  // which knows its length: clang counts no characters at compile time

template <std::size_t n>
std::string joined(const std::string_view (&parts)[n]) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

}  // namespace

std::string bundled_page() {
  static constexpr std::string_view kParts[] = {
${page}  };
  return joined(kParts);
}

std::string bundled_app() {
  static constexpr std::string_view kParts[] = {
${app}  };
  return joined(kParts);
}

}  // namespace planner_ccd::viewer
")
