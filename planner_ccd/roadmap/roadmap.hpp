#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "planner_ccd/query/batch/check_edges.hpp"
#include "planner_ccd/query/prepared_robot.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct SceneChange;

struct RoadmapOptions {
  CheckerOptions checker;
  EdgeOptions edge;
  int threads = 0;  ///< 0: one per processor.
  /// [m] >= 0. Free edges are also checked with this much more margin to all objects. Those that stay free need no new
  /// check when objects move by less. 0: no such check.
  double spare = 0.02;
};

/// The cost and effect of a scene change.
struct RoadmapUpdate {
  std::size_t checked = 0;          ///< Edges that were checked again.
  std::size_t kept_far = 0;         ///< Free; no new or moved object is in the space they sweep.
  std::size_t kept_spare = 0;       ///< Free; their spare clearance exceeds the motion of every object near them.
  std::size_t kept_contact = 0;     ///< In contact between bodies that have not changed.
  std::vector<std::size_t> turned;  ///< Edges whose verdict has changed.
  std::int64_t evaluations = 0;     ///< Distance evaluations spent.
};

/// The edges of a roadmap and their verdicts, kept up to date while the scene changes.
///
/// Per edge it keeps a box around what each moving link and attached object sweeps, and whether it has spare clearance.
/// An edge is checked again only if its verdict may have changed:
///   - free, and a new or moved object enters one of its boxes, unless the object moved by less than the spare
///     clearance;
///   - in contact with an object that is gone or has moved;
///   - undecided.
/// Why that is safe: nothing changes for a pair whose two bodies have not changed. An object outside of a link's box, margin
/// included, keeps clear of it on the whole edge. An object that was farther than margin + spare at every instant and whose
/// points moved by at most delta < spare is farther than margin; the surfaces did not pass through each other on the way, so
/// neither got inside the other. For the same reason a free edge is checked again against new and moved objects only.
class Roadmap {
 public:
  Roadmap(std::shared_ptr<const RobotModel> robot, Scene scene, CollisionMatrix matrix, RoadmapOptions options = {});
  /// For a prepared robot.
  Roadmap(PreparedRobot robot, Scene scene, RoadmapOptions options = {});
  ~Roadmap();

  /// Adds edges and checks them. Returns the number of the first; the others follow. Throws InputError as check_edges.
  std::size_t add(std::span<const Edge> edges);

  /// Changes the scene: objects may be added, moved, replaced or removed; changed rules or attached objects cause all
  /// edges to be checked again.
  RoadmapUpdate change_scene(Scene scene);

  std::size_t size() const;
  const Edge& edge(std::size_t i) const;
  Verdict verdict(std::size_t i) const;
  /// For the current scene.
  const PathChecker& checker() const;

 private:
  struct Record;
  struct Sweeper;
  struct Checkers {
    std::unique_ptr<const PathChecker> exact;
    std::unique_ptr<const PathChecker> roomy;  ///< Objects only, with `spare` more margin; null when that is 0.
  };

  PreparedRobot robot_;
  RoadmapOptions options_;
  Scene scene_;
  Checkers checkers_;  ///< Of scene_; `roomy` may be null until it is needed.
  std::vector<Record> records_;

  Scene with_room(Scene scene) const;
  Checkers follow(const Scene& scene) const;
  Checkers build_for(const Scene& scene, const SceneChange& change) const;
  void need_roomy();
  std::vector<std::size_t> sort_out(const SceneChange& change, RoadmapUpdate& update);
  std::int64_t check(const std::vector<std::size_t>& which);
  std::vector<std::size_t> check_arrivals(const std::vector<std::size_t>& which, const Checkers& arrivals,
                                          RoadmapUpdate& update);
};

}  // namespace planner_ccd
#pragma GCC visibility pop
