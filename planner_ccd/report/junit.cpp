#include "planner_ccd/io/text.hpp"
#include "planner_ccd/report/parts.hpp"
#include "planner_ccd/report/views.hpp"

namespace planner_ccd {
namespace {

std::string quoted(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + xml_text(value) + "\"";
}

/// A suite being written: its cases and how they ended.
struct Suite {
  std::string name;
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0.0;
  std::string properties, cases, output;

  void add(const std::string& case_name, const std::string& element = "", const std::string& type = "",
           const std::string& message = "") {
    ++tests;
    failures += element == "failure";
    errors += element == "error";
    skipped += element == "skipped";
    cases += "    <testcase" + quoted("classname", name) + quoted("name", case_name);
    if (element.empty()) {
      cases += "/>\n";
      return;
    }
    cases += ">\n      <" + element + (type.empty() ? "" : quoted("type", type)) + quoted("message", message) +
             "/>\n    </testcase>\n";
  }

  void set(const std::string& property, const std::string& value) {
    properties += "      <property" + quoted("name", property) + quoted("value", value) + "/>\n";
  }

  std::string counts() const {
    return " tests=\"" + std::to_string(tests) + "\" failures=\"" + std::to_string(failures) + "\" errors=\"" +
           std::to_string(errors) + "\" skipped=\"" + std::to_string(skipped) + "\"";
  }

  std::string xml() const {
    std::string text = "  <testsuite" + quoted("name", name) + counts() + " time=\"" + format_number(seconds) + "\">\n";
    if (!properties.empty()) text += "    <properties>\n" + properties + "    </properties>\n";
    text += cases;
    if (!output.empty()) text += "    <system-out>" + xml_text(output, true) + "</system-out>\n";
    return text + "  </testsuite>\n";
  }
};

std::string document(const std::vector<Suite>& suites) {
  Suite sum;
  std::string text;
  for (const Suite& suite : suites) {
    sum.tests += suite.tests;
    sum.failures += suite.failures;
    sum.errors += suite.errors;
    sum.skipped += suite.skipped;
    text += suite.xml();
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + sum.counts() + ">\n" + text + "</testsuites>\n";
}

/// Of each kind that is an error: a failed case for each finding, or a passed one.
void add_findings(const Report& report, Suite& suite) {
  for (int k = 0; k <= static_cast<int>(kLastFindingKind); ++k) {
    const auto kind = static_cast<FindingKind>(k);
    int found = 0;
    for (const Finding& f : report.result.findings) {
      if (f.kind != kind || f.severity != Severity::Error) continue;
      suite.add(std::string(to_string(kind)) + " " + std::to_string(++found),
                kind == FindingKind::Undecided ? "error" : "failure", to_string(kind),
                f.message + " (" + when_text(f, report.segments, report.question.timed) + ")");
    }
    if (found == 0) suite.add(std::string("no ") + to_string(kind));
  }
}

void add_executed(const Executed& executed, Suite& suite) {
  bool any = false;
  for (const Finding& f : executed.result.findings) {
    if (f.severity != Severity::Error) continue;
    suite.add("executed: " + std::string(to_string(f.kind)), "failure", to_string(f.kind), f.message);
    any = true;
  }
  if (!any) suite.add("executed: free");
  if (!executed.judged) return;
  if (executed.deviation.within()) {
    suite.add("executed: within the errors");
  } else {
    suite.add("executed: within the errors", "failure", "deviation", outcome_text(executed));
  }
}

Suite suite_of(const std::string& file, const Report& report) {
  Suite suite;
  suite.name = report.question.robot + (file.empty() ? "" : ": " + file);
  suite.seconds = report.time_us * 1e-6;
  suite.set("planner_ccd", report.version);
  if (!report.command.empty()) suite.set("command", report.command);
  for (const InputFile& input : report.inputs)
    suite.set(input.role + " " + input.path, "SHA-256 " + input.sha256_hex());
  for (const auto& [name, words] : in_words(report.question)) suite.set(name, words);
  suite.set("verdict", headline(report));
  suite.set("warnings", std::to_string(report.warnings.size()));
  if (report.question.pairs == 0 || report.result.nothing_checked) {
    suite.add("something is checked", "skipped", "", headline(report));
  }
  add_findings(report, suite);
  if (report.executed) add_executed(*report.executed, suite);
  if (report.certificate) {
    const CertificateResult& r = report.certificate->result;
    r.proved ? suite.add("certificate") : suite.add("certificate", "error", "certificate", r.obstacle);
  }
  for (const std::string& kind : report.refused_by) {
    suite.add("none of " + kind, "failure", kind, "occurred, and was not to be accepted (--strict, --fail-on)");
  }
  suite.output = report_text(report, true);
  return suite;
}

}  // namespace

std::string reports_junit(std::span<const CheckedFile> files) {
  std::vector<Suite> suites;
  for (const CheckedFile& file : files) {
    if (file.report) {
      suites.push_back(suite_of(file.file, *file.report));
    } else {
      Suite& suite = suites.emplace_back();
      suite.name = file.file;
      suite.add("input", "error", "bad_input", file.refused);
    }
  }
  return document(suites);
}

std::string bad_input_junit(const std::string& message) {
  Suite suite;
  suite.name = "planner_ccd";
  suite.add("input", "error", "bad_input", message);
  return document({suite});
}

}  // namespace planner_ccd
