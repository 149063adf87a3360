#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/report/views.hpp"
#include "planner_ccd/viewer/report_page.hpp"
#include "support/small_robots.hpp"

/// Every field of a report shows in every view of it. Each view used to gather its own facts, so that one said what another did not: warnings
/// stood on stderr alone, and neither JSON nor JUnit nor pages said which files had been checked.
///
/// The structured bindings below name every member of every struct: a new member does not compile until it is given a mark here, and then
/// fails until each view shows the mark.
namespace planner_ccd {
namespace {

enum View { Text = 1, Json = 2, JUnit = 4, Page = 8, All = 15 };

/// A text that must appear in these views.
struct Mark {
  std::string member, text;
  int views;
};

Pose at(double x) {
  Pose pose = Pose::Identity();
  pose.translation().x() = x;
  return pose;
}

Contact some_contact() {
  Contact c;
  c.a = "tongs";
  c.b = "anvil";
  c.geometry_a = 31;
  c.geometry_b = 32;
  c.triangle_a = 3301;
  c.triangle_b = 3402;
  c.t = 0.625;
  c.distance = 0.0356789;
  c.margin = 0.0367891;
  c.error = 0.0378912;
  c.point_a = {0.381, 0.382, 0.383};
  c.point_b = {0.391, 0.392, 0.393};
  c.normal = {0.401, 0.402, 0.403};
  c.q = JointVector::Constant(1, 0.0414141);
  return c;
}

Finding some_finding() {
  Finding f;
  f.kind = FindingKind::Contact;
  f.severity = Severity::Error;
  f.segment = 1;
  f.begin = {1.5, 1.625};
  f.end = {1.75, 1.875};
  f.message = "tongs meet the anvil";
  f.contact = some_contact();
  f.depth = DepthSample{1.7, 0.0435, {0.441, 0.442, 0.443}};
  return f;
}

Finding some_limit() {
  Finding f;
  f.kind = FindingKind::VelocityLimit;
  f.severity = Severity::Warning;
  f.segment = 0;
  f.begin = f.end = {0.25, 0.25};
  f.message = "elbow is too fast";
  f.coordinate = 0;
  f.joint = "elbow";
  f.value = 45.125;
  f.limit = 46.125;
  f.at = 0.25;
  return f;
}

Report some_report() {
  Report r;
  r.version = "9.8.7";
  r.command = "planner_ccd check --path 'swing 11.csv'";
  r.inputs = {input_file("robot", "forge/smith.urdf", "bytes of the smith")};
  Question& q = r.question;
  q.robot = "smith";
  q.robots = {{"left_", "forge/left.urdf", "left smith", at(12.5), ""},
              {"tool_", "forge/tool.urdf", "tongs tool", at(13.5), "left_wrist"}};
  q.coordinates = {"elbow"};
  q.links = 141;
  q.links_with_geometry = 142;
  q.objects = 143;
  q.held = 144;
  q.pairs = 145;
  q.margin = 0.0146;
  q.self_margin = 0.0147;
  q.padding = {{"apron", 0.0148}};
  q.errors.tracking = {{"elbow", 0.0151}};
  q.errors.columns = {{"elbow", 0.0152}};
  q.errors.delay = 0.0153;
  q.errors.bases = {{"pedestal", {0.0154, 0.0155}}};
  q.errors.objects = {{"bellows", {0.0156, 0.0157}}};
  q.tolerance = 0.000161;
  q.method = "hammering";
  q.leaf = "quenching";
  q.broad_phase = "sorting";
  q.max_evaluations = 162163;
  q.angles = AnglePolicy::Wrap;
  q.limits_checked = true;
  q.acceleration_limits = true;
  q.all_contacts = true;
  q.clearance_accuracy = 0.00017;
  q.timed = true;
  q.begin = 0.0;
  q.end = 2.0;
  q.log = LogOrigin{"/forge/joints", "sensor_msgs/JointState", 181, 1'500'000'000'000'000'000, 182};
  TimelineEvent event;
  event.kind = EventKind::Attach;
  event.time = 0.1875;
  event.object = "ingot";
  event.link = "left_wrist";
  event.from = "rack";
  event.touch_links = {"left_thumb"};
  event.pose = at(19.5);
  event.pairs = {{"ingot", "left_palm"}};
  event.where = "shift.yaml:7";
  q.events = {event};
  q.fail_on = {"degrees"};
  r.warnings = {{WarningKind::Degrees, "the smith counts in degrees"}};
  r.assumptions = {{AssumptionKind::Excluded, "adjacent", "neighbours are left out", {"thumb"}, {{"palm", "wrist"}}}};
  TrajectoryResult& p = r.result;
  p.verdict = Verdict::Contact;
  p.segments = 201;
  p.segment = 1;
  p.edge.verdict = Verdict::Contact;
  p.edge.t_free = 0.5625;
  p.edge.contact = some_contact();
  p.findings = {some_limit(), some_finding()};
  p.clearance = {{"hammer", "rafter", 0.2011, 0.2012, true, 0, 0.375, {0.211, 0.212, 0.213}, {0.221, 0.222, 0.223}}};
  p.clearance_of_others = 0.2061;
  p.profile = {{0.0625,
                0.9375,
                {"hammer", "beam", 0.2311, 0.2312, true, 0, 0.4375, {0.241, 0.242, 0.243}, {0.251, 0.252, 0.253}}}};
  p.counters.node_evaluations = 26127;
  p.clearance_counters.node_evaluations = 27128;
  r.segments = {{0.0, 1.0}, {1.0, 2.0}};
  r.contact_parts = {"unknown cell", "column"};
  r.proved_apart = {{"brow", "heel"}};
  r.time_us = 28129.0;
  r.clearance_us = 29130.0;
  WrittenCertificate certificate;
  certificate.file = "swing.pccd";
  certificate.result.proved = true;
  certificate.result.sha256 = std::string(64, 'c');
  certificate.result.size = 30131;
  certificate.result.leaves = 31132;
  r.certificate = certificate;
  TrackingLimit limit;
  limit.proved = 0.0321;
  limit.failed = 0.0331;
  limit.segment = 1;
  limit.edge.contact = some_contact();
  r.tracking_limit = limit;
  Executed ran;
  ran.file = "night.mcap";
  ran.clocks = "stamps";
  ran.judged = true;
  ran.deviation.shift = 34.5;
  ran.deviation.begin = 0.0;
  ran.deviation.end = 1.984375;
  ran.deviation.complete = true;
  ran.deviation.joints = {{"elbow", 0.0351, 0.8125, 0.0361, 0.84375}};
  ran.result.verdict = Verdict::Contact;
  ran.result.segments = 371;
  ran.result.segment = 0;
  ran.result.findings = {some_finding()};
  ran.result.findings[0].message = "tongs met the trough";
  ran.segments = {{0.0, 1.0}, {1.0, 2.0}};
  r.executed = ran;
  r.not_looked_at = {"the back of the forge"};
  r.hints = {"mind the sparks"};
  r.refused_by = {"degrees"};
  return r;
}

std::string hash() { return input_file("robot", "", "bytes of the smith").sha256_hex(); }

std::vector<Mark> marks(const Report& report) {
  std::vector<Mark> m;
  const auto mark = [&](const std::string& member, const std::string& text, int views = All) {
    m.push_back({member, text, views});
  };
  const auto& [version, command, inputs, question, warnings, assumptions, result, segments, contact_parts, proved_apart,
               time_us, clearance_us, certificate, tracking_limit, executed, not_looked_at, hints, refused_by] = report;
  mark("version", "9.8.7");
  mark("command", "swing 11.csv");
  const auto& [role, path, size, sha256] = inputs[0];
  (void)role, (void)size, (void)sha256;
  mark("input role", "robot");
  mark("input path", "forge/smith.urdf");
  mark("input size", "18", Json);
  mark("input hash", hash().substr(0, 16));
  mark("input hash", hash(), Json | JUnit | Page);

  const auto& [robot, robots, coordinates, links, links_with_geometry, objects, held, pairs, margin, self_margin,
               padding, errors, tolerance, method, leaf, broad_phase, max_evaluations, angles, limits_checked,
               acceleration_limits, all_contacts, clearance_accuracy, timed, begin, end, log, events, fail_on] =
      question;
  (void)limits_checked, (void)acceleration_limits, (void)all_contacts, (void)timed, (void)begin, (void)end,
      (void)angles;
  mark("robot", robot, Json | JUnit | Page);
  const auto& [prefix, file, name, base, link] = robots[1];
  (void)base;
  for (const std::string& text : {prefix, file, name, link}) mark("robots", text);
  mark("base", "13.5", Json);
  mark("coordinates", coordinates[0], Text | Json | JUnit);
  mark("links", std::to_string(links));
  mark("links_with_geometry", std::to_string(links_with_geometry));
  mark("objects", std::to_string(objects));
  mark("held", std::to_string(held));
  mark("pairs", std::to_string(pairs));
  mark("margin", "14.6 mm", Text | JUnit | Page);
  mark("margin", "0.0146", Json);
  mark("self_margin", "14.7 mm", Text | JUnit | Page);
  mark("self_margin", "0.0147", Json);
  mark("padding", "apron");
  EXPECT_EQ(margin + self_margin + padding[0].padding, 0.0146 + 0.0147 + 0.0148);
  const auto& [tracking, columns, delay, bases, loose] = errors;
  (void)tracking, (void)columns, (void)delay, (void)bases, (void)loose;
  for (const char* text :
       {"0.0151", "0.0152", "0.0153", "pedestal", "0.0154", "0.0155", "bellows", "0.0156", "0.0157"}) {
    mark("errors", text);
  }
  mark("tolerance", "0.161 mm", Text | JUnit | Page);
  EXPECT_EQ(tolerance, 0.000161);
  mark("tolerance", "0.000161", Json);
  for (const std::string& text : {method, leaf, broad_phase}) mark("search", text);
  mark("max_evaluations", std::to_string(max_evaluations));
  mark("angles", "shorter way");
  mark("clearance_accuracy", "0.00017", Json);
  EXPECT_EQ(clearance_accuracy, 0.00017);
  const auto& [topic, type, messages, begin_ns, parts] = *log;
  mark("topic", topic);
  mark("type", type);
  mark("messages", std::to_string(messages));
  mark("begin_ns", "2017-07-14", Text | JUnit);
  mark("begin_ns", std::to_string(begin_ns), Json);
  mark("parts", std::to_string(parts), Text | Json | JUnit);
  const auto& [kind, time, waypoint, object, to, from, touch_links, pose, event_pairs, where] = (*events)[0];
  (void)kind, (void)waypoint, (void)pose;  // an event that took place has a time in place of the waypoint
  mark("event", "ttach");
  mark("event time", "0.1875", Text | Json | JUnit);
  EXPECT_EQ(time, 0.1875);
  mark("event object", object, Text | Json | JUnit);
  mark("event link", to, Text | Json | JUnit);
  for (const std::string& text : {from, touch_links[0], event_pairs[0].b, where}) mark("event", text, Json);
  mark("event pose", "19.5", Json);
  mark("fail_on", fail_on[0], Text | Json | JUnit);

  const auto& [warning_kind, warning_text] = warnings[0];
  mark("warning", to_string(warning_kind));
  mark("warning", warning_text);
  const auto& [assumption_kind, by, text, names, assumed_pairs] = assumptions[0];
  mark("assumption", to_string(assumption_kind), Json);
  mark("assumption", by, Json);
  mark("assumption", text);
  for (const std::string& one : {names[0], assumed_pairs[0].first, assumed_pairs[0].second}) mark("assumption", one);

  const auto& [verdict, nothing_checked, count, segment, edge, findings, clearance, of_others, profile, counters,
               clearance_counters] = result;
  (void)verdict, (void)nothing_checked, (void)edge, (void)segment, (void)findings, (void)clearance, (void)profile,
      (void)counters, (void)clearance_counters;
  mark("verdict", "contact");
  mark("segments", std::to_string(count), Json | Page);
  mark("segment and t", "segment 1, t = 0.625");
  mark("t_free", "0.5625");
  for (const char* one : {"tongs", "anvil"}) mark("contact", one);
  for (const char* one : {"3301", "3402", "0.0356789", "0.0378912", "0.381", "0.393", "0.401", "0.0414141"}) {
    mark("contact", one, Text | Json | JUnit);
  }
  mark("contact margin", "0.0367891", Text | Json | JUnit);
  for (const char* one : {"31", "32"}) mark("contact geometry", one, Json);
  mark("finding", "tongs meet the anvil");
  mark("finding depth", "0.0435", Text | Json | JUnit);
  mark("finding", "elbow is too fast");
  for (const char* one : {"45.125", "46.125"}) mark("limit", one, Json);
  for (const char* one : {"hammer", "rafter"}) mark("clearance", one);
  mark("clearance lower", "0.2011", Text | Json | JUnit);
  mark("clearance upper", "0.2012", Text | Json | JUnit);
  mark("clearance", "201.1", Page);
  for (const char* one : {"0.211", "0.223", "beam", "0.2311", "0.2312", "0.4375", "0.0625", "0.9375"})
    mark("profile", one, Json);
  mark("clearance of others", "0.2061", Json);
  EXPECT_EQ(of_others, 0.2061);
  mark("evaluations", "26127");
  mark("clearance evaluations", "27128");
  const auto& [part_a, part_b] = contact_parts;
  for (const std::string& one : {part_a, part_b}) mark("contact parts", one, Text | Json | JUnit);
  (void)segments;
  EXPECT_EQ(proved_apart.size(), 1u);
  for (const char* one : {"brow", "heel"}) mark("proved_apart", one, Json);
  mark("proved_apart", "proved apart within the joint limits", Text | JUnit | Page);
  mark("time_us", "28.129", Text | JUnit | Page);
  EXPECT_EQ(time_us, 28129.0);
  mark("time_us", "28129", Json);
  mark("clearance_us", "29.13", Text | JUnit | Page);
  EXPECT_EQ(clearance_us, 29130.0);
  mark("certificate", certificate->file);
  mark("certificate", certificate->result.sha256);
  for (const char* one : {"30131", "31132"}) mark("certificate", one, Text | Json | JUnit);
  mark("tracking_limit", "0.0321", Json);
  mark("tracking_limit", "0.03209", Text | JUnit | Page);  // rounded downwards
  mark("tracking_limit", "0.0331");
  EXPECT_EQ(tracking_limit->failed, 0.0331);
  const auto& [ran_file, clocks, judged, deviation, ran, ran_timed, ran_segments] = *executed;
  (void)judged, (void)deviation, (void)ran, (void)ran_timed, (void)ran_segments;
  mark("executed", ran_file);
  mark("executed clocks", clocks, Text | Json | JUnit);
  mark("executed shift", "34.5", Text | Json | JUnit);
  for (const char* one : {"0.0351", "0.8125", "0.0361", "0.84375"}) mark("deviation", one, Text | Json | JUnit);
  mark("executed finding", "tongs met the trough");
  mark("executed outcome", "left the errors", Text | JUnit | Page);
  mark("executed segments", "371", Json);
  mark("not_looked_at", not_looked_at[0]);
  mark("hints", hints[0]);
  mark("refused_by", refused_by[0]);
  return m;
}

/// Texts of the page's data, all fields in a row: what the page writes as HTML is the business of tests/viewer.
std::string page_text(const Report& report) {
  testing::ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX()).with(testing::ball(0.1));
  const RobotModel robot(chain.spec);
  JointPath path;
  for (const double q : {0.0, 0.5, 1.0}) path.waypoints.push_back(JointVector::Constant(1, q));
  return viewer::page(viewer::report_page(report, {robot, {}, make_trajectory(robot, path)}));
}

/// Without the marks of XML and HTML.
std::string plain(std::string text) {
  for (const auto& [entity, character] :
       {std::pair{"&quot;", "\""}, {"&#39;", "'"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}}) {
    for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos;)
      text.replace(at, std::string(entity).size(), character);
  }
  return text;
}

TEST(Report, ShowsEveryFieldInEveryView) {
  const Report report = some_report();
  const std::vector<CheckedFile> one{{"swing 11.csv", report, ""}};
  const std::vector<std::pair<View, std::string>> views = {{Text, report_text(report, true)},
                                                           {Json, report_json(report)},
                                                           {JUnit, plain(reports_junit(one))},
                                                           {Page, plain(page_text(report))}};
  for (const Mark& mark : marks(report)) {
    for (const auto& [view, text] : views) {
      if ((mark.views & view) == 0) continue;
      EXPECT_NE(text.find(mark.text), std::string::npos)
          << "view " << view << " does not show " << mark.member << ": " << mark.text;
    }
  }
}

TEST(Report, HasOneMeaningOfT) {
  // "segment 3, t = 0.573091" stood beside "(segment 3, t = 3.57309)" for the same contact.
  const Report report = some_report();
  const std::string text = report_text(report);
  for (std::size_t at = 0; (at = text.find("t = ", at)) != std::string::npos; at += 4) {
    EXPECT_LE(std::stod(text.substr(at + 4)), 1.0) << text.substr(at, 60);
  }
  EXPECT_NE(text.find("segment 1, t = 0.625, at 1.625 s to 1.75 s"), std::string::npos) << text;
}

TEST(Report, NamesTheMomentInTheSegmentThatHoldsIt) {
  const std::vector<TimeBracket> segments = {{0.0, 1.0}, {1.0, 1.0}, {1.0, 3.0}};
  const auto expect = [&](double clock, int segment, double t) {
    const Moment m = moment_of(segments, clock);
    EXPECT_EQ(m.segment, segment) << clock;
    EXPECT_DOUBLE_EQ(m.t, t) << clock;
  };
  expect(0.0, 0, 0.0);
  expect(0.25, 0, 0.25);
  expect(1.0, 0, 1.0);
  expect(2.0, 2, 0.5);
  expect(9.0, 2, 1.0);
  EXPECT_EQ(to_text({2, 0.5}, segments, true), "segment 2, t = 0.5, at 2 s");
  EXPECT_EQ(to_text({2, 0.5}, segments, false), "segment 2, t = 0.5");
}

Report free_report() {
  Report r = some_report();
  r.result = {};
  r.result.verdict = Verdict::Free;
  r.result.segments = 2;
  r.executed.reset();
  r.tracking_limit.reset();
  r.certificate.reset();
  r.question.fail_on.clear();
  r.refused_by.clear();
  return r;
}

TEST(Report, ConcludesByTheWorstThatHappened) {
  Report r = free_report();
  conclude(r);
  EXPECT_EQ(exit_code(r), 0);
  EXPECT_EQ(headline(r), "free: proved everywhere on all 2 segments");
  r.question.fail_on = parse_fail_on("warnings");
  conclude(r);
  EXPECT_EQ(exit_code(r), 2) << "there is a warning";
  r.result.verdict = Verdict::Undecided;
  r.result.segment = 0;
  EXPECT_EQ(exit_code(r), 2);
  r.question.fail_on.clear();
  conclude(r);
  EXPECT_EQ(exit_code(r), 3);
  r.result.findings = {some_finding()};
  EXPECT_EQ(exit_code(r), 1);
}

TEST(Report, RefusesByKindsOfWarningsAssumptionsAndFindings) {
  for (const auto& [names, refused] : {std::pair{"degrees", true},
                                       {"excluded", true},
                                       {"full_turn", true},
                                       {"open_meshes", true},
                                       {"log_clock", false},
                                       {"unknown_free", false},
                                       {"log_clock,excluded", true}}) {
    Report r = free_report();
    r.assumptions.push_back({.kind = AssumptionKind::NoInside, .text = "open"});
    Finding turn;
    turn.kind = FindingKind::FullTurn;
    turn.severity = Severity::Warning;
    turn.segment = 0;
    r.result.findings = {turn};
    r.question.fail_on = parse_fail_on(names);
    conclude(r);
    EXPECT_EQ(exit_code(r), refused ? 2 : 0) << names;
  }
  EXPECT_THROW(parse_fail_on("degree"), InputError);
  EXPECT_THROW(parse_fail_on(""), InputError);
}

TEST(Report, NeverCallsFreeWhatIsAboutNothing) {
  Report r = free_report();
  r.question.pairs = 0;
  conclude(r);
  EXPECT_EQ(headline(r).find("free: "), std::string::npos) << headline(r);
  EXPECT_EQ(nlohmann::json::parse(report_json(r))["nothing_checked"], true);
  EXPECT_NE(reports_junit(std::vector<CheckedFile>{{"", r, ""}}).find("<skipped"), std::string::npos);
  EXPECT_EQ(page_text(r).find("Proved free"), std::string::npos);
}

TEST(Reports, TellManyMotionsApart) {
  std::vector<CheckedFile> files;
  for (int i = 0; i < 50; ++i) files.push_back({"run" + std::to_string(i) + ".csv", free_report(), ""});
  files[7].report = some_report();
  files[8] = {"run8.csv", std::nullopt, "run8.csv: <no such file>"};
  EXPECT_EQ(exit_code(files), 2);
  files.erase(files.begin() + 8);
  EXPECT_EQ(exit_code(files), 1);
  files.push_back({"last.csv", std::nullopt, "last.csv: <no such file>"});
  const std::string junit = reports_junit(files);
  std::set<std::string> suites;
  for (std::size_t at = 0; (at = junit.find("<testsuite name=\"", at)) != std::string::npos; ++at) {
    suites.insert(junit.substr(at + 17, junit.find('"', at + 17) - at - 17));
  }
  EXPECT_EQ(suites.size(), files.size());
  EXPECT_NE(junit.find("last.csv: &lt;no such file&gt;"), std::string::npos);
  const auto json = nlohmann::json::parse(reports_json(files));
  EXPECT_EQ(json["reports"].size(), files.size());
  EXPECT_EQ(json["reports"][7]["verdict"], "contact");
  EXPECT_EQ(json["reports"].back()["error"], "last.csv: <no such file>");
  const std::string text = reports_text(files);
  EXPECT_NE(text.find("50 motions: 48 free, 1 with a contact or an error, 0 undecided, 1 not accepted or not read"),
            std::string::npos)
      << text.substr(text.size() - 200);
  std::vector<std::string> pages(files.size(), "a page.html");
  const std::string html = reports_html(files, pages);
  EXPECT_NE(html.find("run49.csv"), std::string::npos);
  EXPECT_NE(html.find("&lt;no such file&gt;"), std::string::npos);
}

}  // namespace
}  // namespace planner_ccd
