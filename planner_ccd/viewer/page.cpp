#include "planner_ccd/viewer/page.hpp"

#include <fstream>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/viewer/bundle.hpp"
#include "planner_ccd/viewer/deflate.hpp"

namespace planner_ccd::viewer {
namespace {

constexpr std::string_view kTitleMark = "{{title}}";

std::string html_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      default: out.push_back(c);
    }
  }
  return out;
}

const Geometry* find_geometry(const std::vector<Geometry>& shapes, int index) {
  return index >= 0 && index < static_cast<int>(shapes.size()) ? &shapes[static_cast<std::size_t>(index)] : nullptr;
}

/// A triangle that marks a ball or a cube by sticking out of it.
MarkedTriangle around(int body, const Eigen::Isometry3d& X, const Eigen::Vector3d& center, double radius) {
  MarkedTriangle marked{body, {}};
  for (int i = 0; i < 3; ++i) {
    marked.corners[i] =
        X * Eigen::Vector3d(center + 2.0 * radius * (Eigen::Vector3d::Unit(i) - Eigen::Vector3d::Unit((i + 1) % 3)));
  }
  return marked;
}

std::optional<MarkedTriangle> mark(int body, const Eigen::Isometry3d& X_BodyOwner, const Geometry* geometry,
                                   int index) {
  if (const auto* cloud = geometry ? std::get_if<CloudPtr>(&geometry->shape) : nullptr) {
    const int point = (*cloud)->find(index);
    if (point < 0) return std::nullopt;
    return around(body, X_BodyOwner * geometry->pose, (*cloud)->point(point), (*cloud)->ball_radius());
  }
  if (const auto* cells = geometry ? std::get_if<CellsPtr>(&geometry->shape) : nullptr) {
    const int cell = (*cells)->find(index);
    if (cell < 0) return std::nullopt;
    const Eigen::Vector3d half = (*cells)->half_edges(cell), up(0.0, 0.0, half[2] - half[0]);
    return around(body, X_BodyOwner * geometry->pose, (*cells)->center(cell) + up, half[0]);
  }
  const auto* mesh = geometry ? std::get_if<MeshPtr>(&geometry->shape) : nullptr;
  if (!mesh || index < 0 || index >= static_cast<int>((*mesh)->triangles.size())) return std::nullopt;
  const Eigen::Isometry3d X = X_BodyOwner * geometry->pose;
  const Eigen::Vector3i& t = (*mesh)->triangles[static_cast<std::size_t>(index)];
  MarkedTriangle marked{body, {}};
  for (int i = 0; i < 3; ++i) marked.corners[i] = X * (*mesh)->vertices[static_cast<std::size_t>(t[i])];
  return marked;
}

}  // namespace

Piece piece_of(const EdgeMotion& motion, double begin, double end) {
  Piece piece{begin, end, {}, {}};
  const MoveChain& chain = motion.chain();
  for (std::size_t k = 0; k < chain.moves.size(); ++k) piece.moves.push_back(motion.move(static_cast<int>(k)));
  for (std::size_t b = 1; b < chain.bodies.size(); ++b) {
    const BodyMoves& m = chain.bodies[b];
    if (!m.has_offset) continue;
    const auto first = static_cast<std::size_t>(m.first);
    piece.floating.push_back(
        {static_cast<int>(b), m.before, m.after, chain.moves[first].axis, chain.moves[first + 1].axis});
  }
  return piece;
}

std::optional<MarkedTriangle> marked_triangle(const RobotModel& robot, const Scene& scene, const std::string& name,
                                              int geometry, int index) {
  if (const int link = robot.find_link(name); link >= 0) {
    const Link& owner = robot.links()[static_cast<std::size_t>(link)];
    return mark(owner.body, owner.X_BodyLink, find_geometry(owner.collision, geometry), index);
  }
  if (const SceneObject* object = scene.objects.find(name)) {
    return mark(0, object->pose, find_geometry(object->geometry, geometry), index);
  }
  for (const AttachedObject& attached : scene.attached) {
    if (attached.object.name != name) continue;
    const Link& owner = robot.links()[static_cast<std::size_t>(robot.find_link(attached.link))];
    return mark(owner.body, owner.X_BodyLink * attached.object.pose, find_geometry(attached.object.geometry, geometry),
                index);
  }
  return std::nullopt;
}

std::string missing() { return std::string(bundle().missing); }

std::string page(const PageContent& content) {
  if (!bundle().missing.empty()) throw InputError(missing());
  std::string html;
  for (const std::string_view part : bundle().before_data) html += part;
  if (const std::size_t at = html.find(kTitleMark); at != std::string::npos) {
    html.replace(at, kTitleMark.size(), html_text(content.title));
  }
  html += base64(deflate(page_data(content)));
  for (const std::string_view part : bundle().after_data) html += part;
  return html;
}

void write_page(const PageContent& content, const std::string& file) {
  const std::string html = page(content);
  std::ofstream out(file, std::ios::binary);
  out << html << std::flush;
  if (!out) throw InputError(file + ": cannot be written; does its folder exist, and is there room?");
}

}  // namespace planner_ccd::viewer
