#include "planner_ccd/io/height_field_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "planner_ccd/io/detail/cloud_readers.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/validation/assumptions.hpp"

namespace planner_ccd {

Loaded<CellsPtr> parse_height_field(std::string_view bytes, const HeightFieldOptions& options,
                                    const std::string& name) {
  const NpyArray array = read_npy(bytes, name);
  const auto cells =
      std::make_shared<const CellMap>(make_height_field(array.values, array.columns, options, name), name);
  Loaded<CellsPtr> loaded{cells, {}, height_field_means(*cells, name)};
  const auto missing =
      std::count_if(array.values.begin(), array.values.end(), [](double h) { return !std::isfinite(h); });
  if (missing > 0) {
    loaded.warnings.push_back(
        {WarningKind::UnknownSpace,
         name + ": " + std::to_string(missing) + " of " + std::to_string(array.values.size()) +
             " heights are missing; what borders on one is " + (options.unknown_is_free ? "free" : "an obstacle") +
             ": " + std::to_string(std::max(cells->unknown_count(), cells->field()->left_out)) + " columns"});
  }
  return loaded;
}

Loaded<CellsPtr> load_height_field(const std::string& path, const HeightFieldOptions& options) {
  if (to_lower(std::filesystem::path(path).extension().string()) != ".npy") {
    throw InputError(path + ": heights are read from NPY files alone; save them by numpy.save");
  }
  return parse_height_field(read_file(path, kMaxDataFileBytes), options, path);
}

}  // namespace planner_ccd
