#pragma once

#include <string>
#include <string_view>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/io/loaded.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// A height field (geometry/height_field.hpp) from a NumPy array of rows x columns heights in metres. Warns about missing
/// heights. Messages call the file `name`. Throws InputError for malformed or truncated data, and as make_height_field()
/// does.
Loaded<CellsPtr> parse_height_field(std::string_view bytes, const HeightFieldOptions& options, const std::string& name);
Loaded<CellsPtr> load_height_field(const std::string& path, const HeightFieldOptions& options);

/// A field as an .npy file, and the options with which parse_height_field() gives its columns again. The heights are the least that do:
/// each is that of the lowest column about it. Throws InputError for a field from which columns were taken, and for one without a known height.
struct HeightFieldText {
  std::string bytes;
  HeightFieldOptions options;
};
HeightFieldText format_height_field(const HeightField& field);

}  // namespace planner_ccd
#pragma GCC visibility pop
