#include "planner_ccd/viewer/page.hpp"

#include <cstdint>
#include <fstream>
#include <stdexcept>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/viewer/bundle.hpp"
#include "planner_ccd/viewer/deflate.hpp"
#include "planner_ccd/viewer/facts.hpp"

namespace planner_ccd::viewer {
namespace {

/// The template with its marks, in the order in which they stand there, replaced by texts.
std::string filled(const std::string& page, const std::vector<std::pair<std::string, std::string>>& texts) {
  std::string out;
  std::size_t from = 0;
  for (const auto& [mark, text] : texts) {
    const std::size_t at = page.find("{{" + mark + "}}", from);
    if (at == std::string::npos) throw std::logic_error("no place for " + mark);
    out.append(page, from, at - from).append(text);
    from = at + mark.size() + 4;
  }
  return out.append(page, from);
}

/// FNV-1a of a text, by which the page notices that it was damaged on its way.
std::string checksum(const std::string& text) {
  std::uint32_t hash = 0x811C9DC5;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
  return std::to_string(hash);
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

const char* to_string(EntryKind kind) {
  switch (kind) {
    case EntryKind::Contact: return "contact";
    case EntryKind::Margin: return "margin";
    case EntryKind::Undecided: return "undecided";
    case EntryKind::Limit: return "limit";
    case EntryKind::Note: return "note";
    case EntryKind::Event: return "event";
  }
  return "note";
}

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

std::string page(const PageContent& content) {
  static const std::string app = base64(deflate(bundled_app()));
  const std::string data = base64(deflate(page_data(content)));
  return filled(bundled_page(), {{"title", html_text(content.title)},
                                 {"result", result_html(content)},
                                 {"record", record_html(content)},
                                 {"app_sum", checksum(app)},
                                 {"app", app},
                                 {"data_sum", checksum(data)},
                                 {"data", data}});
}

void write_page(const PageContent& content, const std::string& file) {
  const std::string html = page(content);
  std::ofstream out(file, std::ios::binary);
  out << html << std::flush;
  if (!out) throw InputError(file + ": cannot be written; does its folder exist, and is there room?");
}

}  // namespace planner_ccd::viewer
