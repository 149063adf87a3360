#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner_ccd/geometry/triangle_distance.hpp"
#include "planner_ccd/motion/edge_motion.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd::viewer {

/// How a floating joint moves during a piece: X_ParentBodyJoint * before * move * turn * after.
struct FloatingFrame {
  int body;
  Eigen::Isometry3d before, after;
  Eigen::Vector3d direction, axis;  ///< Unit, of the translation and of the turn.
};

/// A stretch of a motion as in the checker. Between `begin` and `end` each move of the robot's MoveChain has the
/// value moves[k](u), u = (time - begin) / (end - begin).
struct Piece {
  double begin, end;  ///< [s], or segment numbers for a path without times.
  std::vector<Polynomial> moves;
  std::vector<FloatingFrame> floating;
};

Piece piece_of(const EdgeMotion& motion, double begin, double end);

/// A mesh triangle to highlight, in the frame of its body.
struct MarkedTriangle {
  int body;
  Triangle corners;
};

/// The triangle `index` of the `geometry`-th collision element of the link or object `name`; empty if that is not a
/// mesh.
std::optional<MarkedTriangle> marked_triangle(const RobotModel& robot, const Scene& scene, const std::string& name,
                                              int geometry, int index);

/// Where two bodies meet, in the world frame at the time of the finding; the normal points from b to a.
struct Touch {
  Eigen::Vector3d point_a, point_b, normal;
};

enum class EntryKind { Contact, Margin, Undecided, Limit, Note, Event };

/// An entry of the page's list.
struct Entry {
  EntryKind kind = EntryKind::Note;
  std::string title;           ///< A few words: "contact", "velocity limit", ...
  std::string text;            ///< A sentence.
  double begin = 0.0;          ///< On the clock of the pieces.
  double end = 0.0;            ///< >= begin
  double moment = 0.0;         ///< The time that a click leads to.
  std::vector<std::string> a;  ///< Names of links and objects to be coloured as the first and as the second body.
  std::vector<std::string> b;
  std::optional<Touch> touch;
  std::vector<MarkedTriangle> triangles;
};

enum class SpanKind { Free, Contact, Margin, Undecided, Unchecked };

/// The state of a stretch of the motion.
struct Span {
  double begin, end;
  SpanKind kind;
};

/// Where an object is from `begin` on, until its next stay.
struct Stay {
  std::string item;
  double begin;
  int body;
  Eigen::Isometry3d pose;  ///< X_BodyObject
};

/// The least distance of all pairs during a stretch of the motion, certified from both sides.
struct ProfilePiece {
  double from, to;
  double lower, upper;  ///< [m]; infinite where no pair is checked. `lower` not a number: not known.
  std::string a, b;     ///< The nearest pair.
};

/// The contents of a page. `robot` and `scene` must outlive the call only.
struct PageContent {
  std::string title;
  const RobotModel* robot = nullptr;
  const Scene* scene = nullptr;
  std::string verdict;        ///< "free", "contact", "undecided", or empty when nothing was checked.
  std::string summary;        ///< A sentence beside the verdict.
  bool time_is_known = true;  ///< Whether the clock counts seconds, or segments.
  double margin = 0.0;        ///< [m] Drawn in the plot.
  std::vector<Piece> motion;  ///< Without a gap; empty: joints are moved by hand.
  JointVector rest;           ///< The configuration shown without a motion; empty: RobotModel::neutral().
  std::vector<Entry> findings;
  std::vector<Span> spans;
  std::vector<Stay> stays;            ///< Of objects that change hands, in order of time.
  std::vector<ProfilePiece> profile;  ///< In order of time; empty when not known.
  /// By piece of the motion: the error of every joint with which it is still free, < 0 where not even without; empty when
  /// not known.
  std::vector<double> tracking;
  std::vector<std::string> assumptions;                    ///< Assumptions of the verdict, one line each.
  std::vector<std::pair<std::string, std::string>> facts;  ///< Shown at the end: files, options, version.
};

/// Why this build cannot write pages, with the remedy; empty if it can.
std::string missing();

/// The whole HTML document. Throws InputError with `missing()`.
std::string page(const PageContent& content);

/// Writes page() to a file. Throws InputError naming the file when it cannot be written.
void write_page(const PageContent& content, const std::string& file);

/// The data inside the page, before deflate: a 32-bit little-endian length, that many bytes of JSON, then the meshes'
/// bytes.
std::string page_data(const PageContent& content);

}  // namespace planner_ccd::viewer
