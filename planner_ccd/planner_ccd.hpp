#pragma once

/// Everything a user needs. The loaders (io/) are in the component planner_ccd::io, query/batch/ in
/// planner_ccd::batch, all else in planner_ccd::core.

#include "planner_ccd/certificate/certificate.hpp"
#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/io/srdf_write.hpp"
#include "planner_ccd/io/trajectory_file.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/motion/joint_path.hpp"
#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/query/assumptions.hpp"
#include "planner_ccd/query/batch/check_edges.hpp"
#include "planner_ccd/query/batch/roadmap.hpp"
#include "planner_ccd/query/check_path.hpp"
#include "planner_ccd/query/check_trajectory.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/query/suggest_pairs.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/scene/scene.hpp"
