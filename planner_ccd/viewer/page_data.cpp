#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "planner_ccd/viewer/mesh_packing.hpp"
#include "planner_ccd/viewer/page.hpp"
#include "planner_ccd/viewer/tessellate.hpp"

namespace planner_ccd::viewer {
namespace {

using json = nlohmann::ordered_json;

json vector_json(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

/// The rotation by rows, then the translation.
json pose_json(const Eigen::Isometry3d& X) {
  json out = json::array();
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) out.push_back(X.linear()(i, k));
  }
  for (int i = 0; i < 3; ++i) out.push_back(X.translation()[i]);
  return out;
}

json finite_or_null(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }

/// Stores each mesh once, however often it is placed.
class MeshStore {
 public:
  int add(const Shape& shape) {
    const MeshPtr mesh = drawn_mesh(shape);
    if (const auto found = index_.find(mesh.get()); found != index_.end()) return found->second;
    const PackedMesh packed = pack(*mesh);
    keep_.push_back(mesh);  // keeps the address from being reused by another mesh
    // Primitives are made anew for each placement; equal ones are also stored once.
    const std::string content = vector_json(packed.origin).dump() + json(packed.step).dump() + packed.bytes;
    const auto [entry, is_new] = by_content_.emplace(content, static_cast<int>(headers.size()));
    index_[mesh.get()] = entry->second;
    if (!is_new) return entry->second;
    headers.push_back({{"vertices", packed.vertices},
                       {"triangles", packed.triangles},
                       {"index_bytes", packed.index_bytes},
                       {"position_bytes", packed.position_bytes},
                       {"origin", vector_json(packed.origin)},
                       {"step", packed.step},
                       {"offset", bytes.size()}});
    bytes += packed.bytes;
    return entry->second;
  }

  json headers = json::array();
  std::string bytes;

 private:
  std::map<const TriangleMesh*, int> index_;
  std::map<std::string, int> by_content_;
  std::vector<MeshPtr> keep_;
};

json shapes_json(const std::vector<Geometry>& shapes, MeshStore& meshes) {
  json out = json::array();
  for (const Geometry& g : shapes) {
    out.push_back({{"mesh", meshes.add(g.shape)}, {"pose", pose_json(g.pose)}});
    if (g.colour) out.back()["colour"] = *g.colour;
  }
  return out;
}

json bodies_json(const RobotModel& robot) {
  const MoveChain chain(robot);
  json out = json::array();
  for (std::size_t b = 0; b < robot.bodies().size(); ++b) {
    const Body& body = robot.bodies()[b];
    if (b == 0) {
      out.push_back({{"parent", -1}, {"origin", pose_json(Eigen::Isometry3d::Identity())}, {"first", 0}, {"count", 0}});
      continue;
    }
    const Joint& joint = robot.joints()[static_cast<std::size_t>(body.joint)];
    out.push_back({{"parent", body.parent},
                   {"origin", pose_json(joint.X_ParentBodyJoint)},
                   {"first", chain.bodies[b].first},
                   {"count", chain.bodies[b].count}});
  }
  return out;
}

/// A move's value is multiplier * q[coordinate] + offset; coordinate is null for moves without one (floating joints,
/// mimics of fixed joints).
json moves_json(const RobotModel& robot) {
  const MoveChain chain(robot);
  json out = json::array();
  for (std::size_t k = 0; k < chain.moves.size(); ++k) {
    const int b = chain.body_of_move[k];
    const Joint& joint = robot.joints()[static_cast<std::size_t>(robot.bodies()[static_cast<std::size_t>(b)].joint)];
    const bool follows = joint.type != JointType::Floating && joint.q_index >= 0;
    const int coordinate = joint.q_index + static_cast<int>(k) - chain.bodies[static_cast<std::size_t>(b)].first;
    out.push_back({{"turn", chain.moves[k].kind == MoveKind::Rotation},
                   {"axis", vector_json(chain.moves[k].axis)},
                   {"coordinate", follows ? json(coordinate) : json(nullptr)},
                   {"multiplier", joint.multiplier},
                   {"offset", joint.offset},
                   {"mimic", joint.is_mimic}});
  }
  return out;
}

json coordinates_json(const RobotModel& robot) {
  const MoveChain chain(robot);
  json out = json::array();
  for (const Coordinate& c : robot.coordinates()) {
    const JointType type = robot.joints()[static_cast<std::size_t>(c.joint)].type;
    const bool planar_angle = type == JointType::Planar && c.name.ends_with("theta");
    out.push_back({{"name", c.name},
                   {"lower", finite_or_null(c.lower)},
                   {"upper", finite_or_null(c.upper)},
                   {"angle", type == JointType::Revolute || type == JointType::Continuous || planar_angle}});
  }
  return out;
}

json items_json(const PageContent& content, MeshStore& meshes) {
  const RobotModel& robot = *content.robot;
  json out = json::array();
  const auto add = [&](const std::string& name, const char* kind, int body, const Eigen::Isometry3d& pose) -> json& {
    out.push_back({{"name", name}, {"kind", kind}, {"body", body}, {"pose", pose_json(pose)}});
    return out.back();
  };
  for (const Link& link : robot.links()) {
    if (link.collision.empty() && link.visual.empty()) continue;
    json& item = add(link.name, "link", link.body, link.X_BodyLink);
    item["collision"] = shapes_json(link.collision, meshes);
    json visual = shapes_json(link.visual, meshes);
    if (!visual.empty() && visual != item["collision"]) item["visual"] = std::move(visual);
  }
  for (const SceneObject& object : content.scene->objects) {
    add(object.name, "obstacle", 0, object.pose)["collision"] = shapes_json(object.geometry, meshes);
  }
  for (const AttachedObject& attached : content.scene->attached) {
    const Link& link = robot.links()[static_cast<std::size_t>(robot.find_link(attached.link))];
    add(attached.object.name, "attached", link.body, link.X_BodyLink * attached.object.pose)["collision"] =
        shapes_json(attached.object.geometry, meshes);
  }
  for (json& item : out) {
    for (const Stay& stay : content.stays) {
      if (item["name"] != stay.item || item["kind"] == "link") continue;
      item["stays"].push_back({{"begin", stay.begin}, {"body", stay.body}, {"pose", pose_json(stay.pose)}});
    }
  }
  return out;
}

json piece_json(const Piece& piece) {
  json moves = json::array();
  for (const Polynomial& p : piece.moves) {
    json c = json::array();
    for (int i = 0; i <= p.degree; ++i) c.push_back(p.c[static_cast<std::size_t>(i)]);
    moves.push_back(std::move(c));
  }
  json out = {{"begin", piece.begin}, {"end", piece.end}, {"moves", std::move(moves)}};
  for (const FloatingFrame& f : piece.floating) {
    out["floating"].push_back({{"body", f.body},
                               {"before", pose_json(f.before)},
                               {"after", pose_json(f.after)},
                               {"direction", vector_json(f.direction)},
                               {"axis", vector_json(f.axis)}});
  }
  return out;
}

json motion_json(const PageContent& content) {
  json out = json::array();
  for (const Piece& piece : content.motion) out.push_back(piece_json(piece));
  if (!out.empty()) return out;
  EdgeMotion still(*content.robot);
  const JointVector q = content.rest.size() > 0 ? content.rest : content.robot->neutral();
  still.set_linear(q, q, AnglePolicy::Literal);
  out.push_back(piece_json(piece_of(still, 0.0, 0.0)));
  return out;
}

json finding_json(const Entry& f) {
  json triangles = json::array();
  for (const MarkedTriangle& t : f.triangles) {
    triangles.push_back(
        {{"body", t.body},
         {"corners", {vector_json(t.corners[0]), vector_json(t.corners[1]), vector_json(t.corners[2])}}});
  }
  json touch = nullptr;
  if (f.touch) {
    touch = {{"point_a", vector_json(f.touch->point_a)},
             {"point_b", vector_json(f.touch->point_b)},
             {"normal", vector_json(f.touch->normal)}};
  }
  return {{"kind", to_string(f.kind)},
          {"begin", f.begin},
          {"end", f.end},
          {"moment", f.moment},
          {"a", f.a},
          {"b", f.b},
          {"touch", std::move(touch)},
          {"triangles", std::move(triangles)}};
}

json span_json(const Span& span) {
  static constexpr const char* kKinds[] = {"free", "contact", "margin", "undecided", "unchecked"};
  return {{"begin", span.begin}, {"end", span.end}, {"kind", kKinds[static_cast<int>(span.kind)]}};
}

/// By columns, which compress well; pairs are numbered.
json profile_json(const std::vector<ProfilePiece>& profile) {
  json from = json::array(), to = json::array(), lower = json::array(), upper = json::array(), pair = json::array();
  json names = json::array();
  std::map<std::pair<std::string, std::string>, std::size_t> number;
  for (const ProfilePiece& piece : profile) {
    const auto [entry, is_new] = number.emplace(std::pair(piece.a, piece.b), names.size());
    if (is_new) names.push_back({piece.a, piece.b});
    from.push_back(piece.from);
    to.push_back(piece.to);
    lower.push_back(finite_or_null(piece.lower));
    upper.push_back(finite_or_null(piece.upper));
    pair.push_back(entry->second);
  }
  return {{"from", std::move(from)},   {"to", std::move(to)},     {"lower", std::move(lower)},
          {"upper", std::move(upper)}, {"pair", std::move(pair)}, {"names", std::move(names)}};
}

json tracking_json(const PageContent& content) {
  if (content.tracking.empty() || content.tracking.size() != content.motion.size()) return nullptr;
  json to = json::array(), error = json::array();
  for (std::size_t i = 0; i < content.tracking.size(); ++i) {
    to.push_back(content.motion[i].end);
    error.push_back(content.tracking[i] < 0.0 ? json(nullptr) : json(content.tracking[i]));
  }
  return {{"begin", content.motion.front().begin}, {"to", std::move(to)}, {"error", std::move(error)}};
}

}  // namespace

std::string page_data(const PageContent& content) {
  MeshStore meshes;
  json out = {{"time_is_known", content.time_is_known},
              {"margin", content.margin},
              {"bodies", bodies_json(*content.robot)},
              {"moves", moves_json(*content.robot)},
              {"coordinates", coordinates_json(*content.robot)},
              {"items", items_json(content, meshes)},
              {"moving", !content.motion.empty()},
              {"motion", motion_json(content)}};
  out["findings"] = json::array();
  for (const Entry& f : content.findings) out["findings"].push_back(finding_json(f));
  out["spans"] = json::array();
  for (const Span& span : content.spans) out["spans"].push_back(span_json(span));
  out["profile"] = content.profile.empty() ? json(nullptr) : profile_json(content.profile);
  out["tracking"] = tracking_json(content);
  out["meshes"] = std::move(meshes.headers);
  const std::string header = out.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(header.size() >> (8 * i) & 0xFF));
  return bytes + header + meshes.bytes;
}

}  // namespace planner_ccd::viewer
