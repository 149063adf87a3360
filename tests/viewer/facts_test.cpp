// A page that could not draw said "Findings: Nothing to report." of a check that had found a contact: the script wrote the list.
// What a page says is now HTML, with or without a script, whatever names robots and files have.
#include "planner_ccd/viewer/facts.hpp"

#include <limits>

#include "viewer/puma_page.hpp"

namespace planner_ccd::test {
namespace {

using viewer::EntryKind;
using viewer::html_text;

/// Starts with `field`, and tries to be more than a text.
std::string hostile(const std::string& field) {
  return field +
         " </p></main></textarea></title></style></script --><script>window.injected = 1</script>"
         "<img src=x onerror=\"window.injected = 2\"><svg/onload='window.injected = 3'> \"' onfocus=window.injected=4 "
         "autofocus &lt; "
         "{{data}} {{result}} ]]> <!-- \u00e4";
}

/// A page with a text in every place, and the texts.
struct FullPage : PumaPage {
  std::vector<std::string> texts;

  FullPage() {
    const auto text = [&](const std::string& field) { return texts.emplace_back(hostile(field)); };
    content.title = text("title");
    content.headline = text("headline");
    content.summary = text("summary");
    content.question = {text("robot asked"), text("margin asked")};
    content.inputs = {{text("role"), text("path"), text("sha256")}, {"scene", "cell.yaml", ""}};
    content.command_line = text("command line");
    content.warnings = {{text("kind"), text("warning")}, {"open_meshes", text("second warning")}};
    content.numbers = {{text("name of a number"), text("value")}};
    content.not_looked_at = {text("not looked at")};
    content.assumptions = {text("assumption")};
    content.facts = {{text("name of a fact"), text("fact")}};
    for (viewer::Entry& entry : content.findings) {
      entry.title = text("finding");
      entry.text = text("sentence");
      entry.a = {text("first body")};
      entry.b = {text("second body"), text("third body")};
    }
    content.profile[2].lower = content.profile[3].lower = std::numeric_limits<double>::quiet_NaN();
  }
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(ViewerFacts, TextStaysText) {
  EXPECT_EQ(html_text("<a href=\"x\" id='y'>&amp;"), "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;");
  EXPECT_EQ(html_text("a\nb\t\u00e4\u20ac\U0001F600"), "a\nb\t\u00e4\u20ac\U0001F600");
  const std::string unknown = "\xEF\xBF\xBD";
  for (const char* bytes : {"\x01", "\x7f", "\xc2\x85", "\u202e", "\u2066", "\u061c", "\ufeff", "\xef\xbf\xbf"}) {
    EXPECT_EQ(html_text("a" + std::string(bytes) + "b"), "a" + unknown + "b");
  }
  EXPECT_EQ(html_text(std::string("a\0b", 3)), "a" + unknown + "b");
  // No UTF-8: alone, cut short, longer than need be, a surrogate, beyond Unicode. No byte of what follows is lost.
  for (const char* bytes : {"\xff", "\x80", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xc0\xbc", "\xe0\x80\xbc",
                            "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    const std::string out = html_text(std::string(bytes) + "<b>");
    EXPECT_EQ(out.rfind(unknown, 0), 0u) << bytes;
    EXPECT_TRUE(out.ends_with("&lt;b&gt;")) << out;
  }
}

TEST(ViewerFacts, EveryTextIsInThePage) {
  const FullPage full;
  const std::string html = viewer::page(full.content);
  for (const std::string& text : full.texts) EXPECT_TRUE(contains(html, html_text(text))) << text;
  EXPECT_FALSE(contains(html, "<script>window.injected")) << "in the title, say";
  EXPECT_FALSE(contains(html, "<img")) << "no picture of others";
}

// The badge is green where everything was proved and nothing needs attention, never else.
TEST(ViewerFacts, OnlyAFreeMotionLooksFree) {
  PumaPage puma;
  const auto badge = [&] {
    const std::string html = viewer::result_html(puma.content), mark = "data-verdict=\"";
    const auto at = html.find(mark) + mark.size();
    return html.substr(at, html.find('"', at) - at);
  };
  EXPECT_EQ(badge(), "contact");
  for (const char* verdict : {"undecided", "something new", "Free", "free "}) {
    puma.content.verdict = verdict;
    EXPECT_EQ(badge(), "undecided") << verdict;
  }
  puma.content.verdict = "free";
  for (const EntryKind kind : {EntryKind::Contact, EntryKind::Margin, EntryKind::Undecided, EntryKind::Limit}) {
    puma.content.findings.clear();
    puma.add_finding(kind, 1.0);
    EXPECT_EQ(badge(), "undecided") << to_string(kind);
  }
  puma.content.findings.clear();
  EXPECT_EQ(badge(), "free");
  EXPECT_TRUE(contains(viewer::result_html(puma.content), "<p class=\"none\">None.</p>"));
  puma.add_finding(EntryKind::Event, 1.0);
  EXPECT_EQ(badge(), "free");
  puma.content.verdict.clear();
  EXPECT_EQ(badge(), "unchecked");
}

TEST(ViewerFacts, APageWithoutACheckSaysSo) {
  PumaPage puma;
  puma.content.verdict.clear();
  puma.content.findings.clear();
  const std::string html = viewer::result_html(puma.content);
  EXPECT_TRUE(contains(html, "<span class=\"word\">Nothing was checked</span>")) << html;
  EXPECT_FALSE(contains(html, "id=\"findings\"")) << "no empty list that looks like an answer";
}

TEST(ViewerFacts, StandWhereverNothingCanBeDrawn) {
  if (std::string(PLANNER_CCD_CHROMIUM).empty()) GTEST_SKIP() << "Chromium is not installed";
  const TempFolder folder;
  const FullPage full;
  viewer::write_page(full.content, folder.path("full.html"));
  folder.write("full.json", json(full.texts).dump());
  const PumaPage puma;
  viewer::write_page(puma.content, folder.path("puma.html"));
  EXPECT_EQ(run_node("facts_test.mjs", "'" + folder.path() + "' '" PLANNER_CCD_CHROMIUM "'"), 0);
}

TEST(ViewerRaster, NearHidesFar) {
  if (std::string(PLANNER_CCD_NODE).empty()) GTEST_SKIP() << "Node is not installed";
  EXPECT_EQ(run_node("raster_test.mjs", ""), 0);
}

}  // namespace
}  // namespace planner_ccd::test
