#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "planner_ccd/report/parts.hpp"
#include "planner_ccd/report/views.hpp"

namespace planner_ccd {
namespace {

using nlohmann::ordered_json;

/// Of the object that reports_json() and report_json() print: raised when a key changes its meaning.
constexpr int kSchema = 2;

ordered_json vector_json(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
ordered_json index_json(int index) { return index < 0 ? ordered_json(nullptr) : ordered_json(index); }
ordered_json number_json(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(nullptr); }
ordered_json bracket_json(const TimeBracket& b) { return {b.from, b.to}; }
ordered_json text_json(const std::string& s) { return s.empty() ? ordered_json(nullptr) : ordered_json(s); }

ordered_json pose_json(const Pose& pose) {
  const Eigen::Quaterniond q(pose.linear());
  return {{"xyz", vector_json(pose.translation())}, {"quaternion", {q.x(), q.y(), q.z(), q.w()}}};
}

/// `t_free`: in the segment's own [0, 1].
ordered_json contact_json(const std::vector<std::string>& coordinates, const Contact& c, double t_free) {
  ordered_json joints = ordered_json::object();
  for (std::size_t i = 0; i < coordinates.size(); ++i) joints[coordinates[i]] = c.q[static_cast<Eigen::Index>(i)];
  return {{"a", c.a},
          {"b", c.b},
          {"geometry_a", c.geometry_a},
          {"geometry_b", c.geometry_b},
          {"triangle_a", index_json(c.triangle_a)},
          {"triangle_b", index_json(c.triangle_b)},
          {"t", {t_free, c.t}},
          {"distance", c.distance},
          {"margin", c.margin},
          {"error", c.error},
          {"inside", c.inside},
          {"point_a", vector_json(c.point_a)},
          {"point_b", vector_json(c.point_b)},
          {"normal", vector_json(c.normal)},
          {"joints", joints}};
}

ordered_json finding_json(const Finding& f, const std::vector<std::string>& coordinates,
                          const std::vector<TimeBracket>& segments) {
  ordered_json out = {{"kind", to_string(f.kind)},
                      {"severity", to_string(f.severity)},
                      {"segment", f.segment},
                      {"begin", bracket_json(f.begin)},
                      {"end", f.has_end ? bracket_json(f.end) : ordered_json(nullptr)},
                      {"message", f.message},
                      {"contact", nullptr},
                      {"depth", nullptr},
                      {"joint", nullptr},
                      {"value", nullptr},
                      {"limit", nullptr},
                      {"at", nullptr}};
  if (f.contact) {
    const TimeBracket& s = segments[static_cast<std::size_t>(f.segment)];
    const double length = s.to - s.from;
    const double from = length > 0.0 ? std::clamp((f.begin.from - s.from) / length, 0.0, f.contact->t) : 0.0;
    out["contact"] = contact_json(coordinates, *f.contact, from);
  }
  if (f.depth) {
    out["depth"] = {{"time", f.depth->time}, {"depth", f.depth->depth}, {"point", vector_json(f.depth->point)}};
  }
  if (f.coordinate >= 0) out["joint"] = f.joint;
  if (f.coordinate >= 0 || f.kind == FindingKind::TimeNotIncreasing || f.kind == FindingKind::Margin) {
    out["value"] = f.value;
    out["limit"] = f.limit;
    out["at"] = f.at;
  }
  return out;
}

ordered_json findings_json(const std::vector<Finding>& findings, const std::vector<std::string>& coordinates,
                           const std::vector<TimeBracket>& segments) {
  ordered_json all = ordered_json::array();
  for (const Finding& f : findings) all.push_back(finding_json(f, coordinates, segments));
  return all;
}

ordered_json pair_json(const PairClearance& c) {
  return {{"a", c.a},
          {"b", c.b},
          {"lower", c.known ? number_json(c.lower) : ordered_json(nullptr)},
          {"upper", number_json(c.upper)},
          {"known", c.known},
          {"segment", c.segment},
          {"time", c.time},
          {"point_a", vector_json(c.point_a)},
          {"point_b", vector_json(c.point_b)}};
}

ordered_json clearance_json(const Report& report) {
  if (!(report.question.clearance_accuracy > 0.0)) return nullptr;
  ordered_json pairs = ordered_json::array(), profile = ordered_json::array();
  for (const PairClearance& c : report.result.clearance) pairs.push_back(pair_json(c));
  for (const ClearancePiece& piece : report.result.profile) {
    ordered_json row = {{"from", piece.from}, {"to", piece.to}};
    row.update(pair_json(piece.nearest));
    profile.push_back(std::move(row));
  }
  const double others = report.result.clearance_of_others;
  const ordered_json rest = {{"lower", others > 0.0 ? number_json(others) : ordered_json(nullptr)},
                             {"known", others > 0.0}};
  return {{"accuracy", report.question.clearance_accuracy}, {"pairs", pairs}, {"others", rest}, {"profile", profile}};
}

ordered_json certificate_json(const std::optional<WrittenCertificate>& certificate) {
  if (!certificate) return nullptr;
  const CertificateResult& r = certificate->result;
  if (!r.proved) return {{"written", false}, {"obstacle", r.obstacle}};
  return {{"written", true},    {"file", certificate->file},
          {"sha256", r.sha256}, {"statement_sha256", r.statement_sha256},
          {"leaves", r.leaves}, {"bytes", r.size}};
}

ordered_json log_json(const std::optional<LogOrigin>& log) {
  if (!log) return nullptr;
  return {{"topic", log->topic},
          {"type", log->type},
          {"messages", log->messages},
          {"begin_ns", log->begin_ns},
          {"parts", log->parts}};
}

ordered_json events_json(const std::optional<std::vector<TimelineEvent>>& events) {
  if (!events) return nullptr;
  ordered_json all = ordered_json::array();
  for (const TimelineEvent& event : *events) {
    ordered_json pairs = ordered_json::array();
    for (const AllowedPair& pair : event.pairs) pairs.push_back({pair.a, pair.b});
    all.push_back({{"time", *event.time},
                   {"kind", to_string(event.kind)},
                   {"object", text_json(event.object)},
                   {"from", text_json(event.from)},
                   {"to", text_json(event.link)},
                   {"touch_links", event.touch_links},
                   {"pose", event.pose ? pose_json(*event.pose) : ordered_json(nullptr)},
                   {"pairs", pairs},
                   {"where", event.where}});
  }
  return all;
}

ordered_json tracking_limit_json(const std::optional<TrackingLimit>& limit) {
  if (!limit) return nullptr;
  const bool fails = limit->segment >= 0;
  ordered_json out = {{"proved", limit->proved < 0.0 ? ordered_json(nullptr) : ordered_json(limit->proved)},
                      {"failed", fails ? ordered_json(limit->failed) : ordered_json(nullptr)},
                      {"segment", index_json(limit->segment)},
                      {"t", nullptr},
                      {"a", nullptr},
                      {"b", nullptr}};
  if (limit->edge.contact) {
    out["t"] = limit->edge.contact->t;
    out["a"] = limit->edge.contact->a;
    out["b"] = limit->edge.contact->b;
  } else if (limit->edge.undecided_pair) {
    out["a"] = limit->edge.undecided_pair->a;
    out["b"] = limit->edge.undecided_pair->b;
  }
  return out;
}

ordered_json executed_json(const std::optional<Executed>& executed, const std::vector<std::string>& coordinates) {
  if (!executed) return nullptr;
  const Deviation& d = executed->deviation;
  ordered_json joints = ordered_json::array();
  for (const JointDeviation& joint : d.joints) {
    joints.push_back({{"joint", joint.joint},
                      {"greatest", joint.greatest},
                      {"at", joint.at},
                      {"allowed", number_json(joint.allowed)},
                      {"left", number_json(joint.left)}});
  }
  return {{"file", executed->file},
          {"verdict", to_string(executed->result.verdict)},
          {"segments", executed->result.segments},
          {"findings", findings_json(executed->result.findings, coordinates, executed->segments)},
          {"clocks", executed->clocks},
          {"shift", d.shift},
          {"begin", d.begin},
          {"end", d.end},
          {"complete", d.complete},
          {"within", executed->judged ? ordered_json(d.within()) : ordered_json(nullptr)},
          {"joints", joints}};
}

ordered_json question_json(const Question& q) {
  ordered_json words = ordered_json::object();
  for (const auto& [name, text] : in_words(q)) words[name] = text;
  return {{"robot", q.robot},
          {"links", q.links},
          {"links_with_geometry", q.links_with_geometry},
          {"objects", q.objects},
          {"held", q.held},
          {"pairs", q.pairs},
          {"joints", q.coordinates},
          {"limits_checked", q.limits_checked},
          {"acceleration_limits", q.acceleration_limits},
          {"all_contacts", q.all_contacts},
          {"fail_on", q.fail_on},
          {"words", words}};
}

ordered_json options_json(const Question& q) {
  ordered_json padding = ordered_json::object();
  for (const Padding& p : q.padding) padding[p.name] = p.padding;
  return {{"margin", q.margin},
          {"self_margin", q.self_margin},
          {"padding", padding},
          {"errors", errors_json(q.errors)},
          {"tolerance", q.tolerance},
          {"method", q.method},
          {"leaf", q.leaf},
          {"broad_phase", q.broad_phase},
          {"max_evaluations", q.max_evaluations},
          {"angles", q.angles == AnglePolicy::Wrap ? "wrap" : "literal"}};
}

/// What of the contact is a number in something else than a mesh.
ordered_json parts_json(const ContactParts& parts) { return {text_json(parts.a), text_json(parts.b)}; }

ordered_json object_of(const Report& report) {
  const TrajectoryResult& r = report.result;
  const Question& q = report.question;
  const bool free = r.verdict == Verdict::Free;
  ordered_json proved_apart = ordered_json::array();
  for (const LinkPair& pair : report.proved_apart) proved_apart.push_back({pair.a, pair.b});
  ordered_json out = {
      {"schema", kSchema},
      {"planner_ccd", report.version},
      {"command", text_json(report.command)},
      {"inputs", inputs_json(report.inputs)},
      {"question", question_json(q)},
      {"verdict", to_string(r.verdict)},
      {"headline", headline(report)},
      {"nothing_checked", q.pairs == 0 || r.nothing_checked},
      {"warnings", warnings_json(report.warnings)},
      {"refused_by", report.refused_by},
      {"not_looked_at", report.not_looked_at},
      {"segments", r.segments},
      {"t_free", free ? ordered_json(nullptr) : ordered_json(r.edge.t_free)},
      {"segment", free ? ordered_json(nullptr) : ordered_json(r.segment)},
      {"contact", r.edge.contact ? contact_json(q.coordinates, *r.edge.contact, r.edge.t_free) : ordered_json(nullptr)},
      {"contact_parts", r.edge.contact ? parts_json(report.contact_parts) : ordered_json(nullptr)},
      {"open", r.edge.undecided_pair ? ordered_json{r.edge.undecided_pair->a, r.edge.undecided_pair->b}
                                     : ordered_json(nullptr)},
      {"evaluations", r.counters.evaluations()},
      {"time_us", report.time_us},
      {"clearance_evaluations", r.clearance_counters.evaluations()},
      {"clearance_time_us", report.clearance_us},
      {"proved_apart", proved_apart},
      {"robots", robots_json(q.robots)},
      {"timed", q.timed},
      {"begin", q.begin},
      {"end", q.end},
      {"exit_code", exit_code(report)},
      {"certificate", certificate_json(report.certificate)},
      {"log", log_json(q.log)},
      {"events", events_json(q.events)},
      {"findings", findings_json(r.findings, q.coordinates, report.segments)},
      {"clearance", clearance_json(report)},
      {"executed", executed_json(report.executed, q.coordinates)},
      {"tracking_limit", tracking_limit_json(report.tracking_limit)},
      {"assumptions", assumptions_json(report.assumptions)},
      {"hints", report.hints},
      {"options", options_json(q)}};
  return out;
}

std::string dump(const ordered_json& out) {
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

ordered_json assumptions_json(const std::vector<Assumption>& assumptions) {
  ordered_json all = ordered_json::array();
  for (const Assumption& a : assumptions) {
    ordered_json pairs = ordered_json::array();
    for (const auto& [first, second] : a.pairs) pairs.push_back(ordered_json::array({first, second}));
    all.push_back({{"kind", to_string(a.kind)},
                   {"by", text_json(a.by)},
                   {"text", a.text},
                   {"names", a.names},
                   {"pairs", std::move(pairs)}});
  }
  return all;
}

ordered_json warnings_json(const std::vector<InputWarning>& warnings) {
  ordered_json all = ordered_json::array();
  for (const InputWarning& w : warnings) all.push_back({{"kind", to_string(w.kind)}, {"text", w.text}});
  return all;
}

ordered_json inputs_json(const std::vector<InputFile>& inputs) {
  ordered_json all = ordered_json::array();
  for (const InputFile& file : inputs) {
    all.push_back({{"role", file.role}, {"path", file.path}, {"bytes", file.size}, {"sha256", file.sha256_hex()}});
  }
  return all;
}

ordered_json robots_json(const std::vector<RobotPart>& robots) {
  ordered_json all = ordered_json::array();
  for (const RobotPart& robot : robots) {
    all.push_back({{"prefix", robot.prefix},
                   {"file", robot.file},
                   {"name", robot.name},
                   {"base", pose_json(robot.base)},
                   {"link", text_json(robot.link)}});
  }
  return all;
}

ordered_json errors_json(const StatedErrors& errors) {
  ordered_json tracking = ordered_json::object(), columns = ordered_json::object(), links = ordered_json::object(),
               objects = ordered_json::object();
  const auto pose = [](const PoseError& e) { return ordered_json{{"xyz", e.position}, {"angle", e.angle}}; };
  for (const auto& [name, error] : errors.tracking) tracking[name] = error;
  for (const auto& [name, error] : errors.columns) columns[name] = error;
  for (const auto& [name, error] : errors.bases) links[name] = pose(error);
  for (const auto& [name, error] : errors.objects) objects[name] = pose(error);
  return {
      {"tracking", tracking}, {"columns", columns}, {"delay", errors.delay}, {"links", links}, {"objects", objects}};
}

std::string report_json(const Report& report) { return dump(object_of(report)); }

std::string reports_json(std::span<const CheckedFile> files) {
  ordered_json all = ordered_json::array();
  for (const CheckedFile& file : files) {
    ordered_json one = {{"file", file.file}};
    if (file.report) {
      one.update(object_of(*file.report));
    } else {
      one["error"] = file.refused;
      one["exit_code"] = 2;
    }
    all.push_back(std::move(one));
  }
  return dump({{"schema", kSchema}, {"exit_code", exit_code(files)}, {"reports", std::move(all)}});
}

}  // namespace planner_ccd
