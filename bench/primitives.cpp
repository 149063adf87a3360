#include "bench/primitives.hpp"

/// Leaf primitives, one call each: nanoseconds beside the peers', on pairs drawn from fixed seeds. `bytes` is the
/// memory of one operand.
int main(int argc, char** argv) {
  using namespace planner_ccd::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  Table table("primitives", arguments);
  triangle_rows(arguments, table);
  ssv_rows(arguments, table);
  gjk_rows(arguments, table);
  return table.finish();
}
