// `mantissa check` is the dry run of `mantissa train`: over odd and broken jobs both end with the
// same status and the same sentence, and a check tells what a training would log beforehand.
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "engine/cli/cli.h"
#include "engine/core/paths.h"
#include "tests/environment.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

struct Said {
  int exit = 0;
  std::vector<json> events;
  std::string err;
  /// Text of the last error event.
  std::string error() const {
    for (auto at = events.rbegin(); at != events.rend(); ++at) {
      if (at->at("event") == "error") {
        return at->at("message");
      }
    }
    return {};
  }
};

class DryRun : public testing::Test {
 protected:
  DryRun() {
    test::set_environment("MANTISSA_HOME", path_to_utf8(root_ / "home"));
    test::set_environment("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources");
    fs::create_directories(root_ / "home");
    fs::create_directories(images());
    const fs::path demo = fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/images";
    int count = 0;
    for (const auto& entry : fs::directory_iterator(demo)) {
      if ((entry.path().extension() == ".png" || entry.path().extension() == ".jpg") &&
          ++count <= 3) {
        fs::copy(entry.path(), images() / entry.path().filename());
      }
    }
  }
  fs::path images() const { return root_ / "images"; }
  std::string path(const char* name) const { return path_to_utf8(root_ / name); }

  Said run(const char* command, const std::vector<std::string>& more) {
    std::vector<std::string> args{command, "demo", "--json"};
    for (const char* setting :
         {"data.resolution=64", "data.batch_size=1", "training.steps=1", "training.epochs=0",
          "output.save_every=0", "samples.every=0", "samples.prompts=[]"}) {
      args.insert(args.end(), {"--set", setting});
    }
    args.insert(args.end(), more.begin(), more.end());
    std::ostringstream out, err;
    CliContext context = process_context();
    context.out = &out;
    context.err = &err;
    context.handle_signals = false;
    context.presets_folder = [] { return fs::path(MANTISSA_SOURCE_DIR) / "presets"; };
    Said said;
    said.exit = run_cli(args, context);
    said.err = err.str();
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) {
      said.events.push_back(json::parse(line));
    }
    return said;
  }
  /// With the demo's base and these images, unless `more` names others.
  std::vector<std::string> job(std::vector<std::string> more) const {
    const auto add = [&](const char* option, const std::string& value) {
      if (std::find(more.begin(), more.end(), option) == more.end()) {
        more.insert(more.end(), {option, value});
      }
    };
    add("--base", "demo");
    add("--images", path_to_utf8(images()));
    add("--out", path("out"));
    return more;
  }

  test::TempFolder root_;
};

TEST_F(DryRun, RefusesWhatTrainingRefusesInTheSameWords) {
  test::write_file(root_ / "broken.safetensors", "no model");
  test::write_file(root_ / "file", "a file");
  for (const char* folder : {"empty", "junk", "taken"}) {
    fs::create_directories(root_ / folder);
  }
  test::write_file(root_ / "junk/notes.pdf", "no image");
  test::write_file(root_ / "taken/job.json", "{\"mantissa_job\": 1}");
  test::write_file(root_ / "taken/zorb-demo.safetensors", "x");
  const std::vector<std::vector<std::string>> jobs = {
      {"--images", path("missing")},
      {"--images", path("empty")},
      {"--images", path("junk")},
      {"--images", path("file")},
      {"--base", path("missing")},
      {"--base", path("broken.safetensors")},
      {"--base", path("empty")},
      {"--prior", path("missing")},
      {"--prior", path("empty")},
      {"--validation", path("missing")},
      {"--validation", path("empty")},
      {"--continue-from", path("missing")},
      {"--continue-from", path("broken.safetensors")},
      {"--replay", path("broken.safetensors")},
      {"--out", path("file")},
      {"--out", path("taken")},
      {"--trace", path("file")},
      {"--set", "data.masks=files"},
      {"--set", "data.resolution=16"},
      {"--set", "data.skip_buckets=[\"64x64\"]", "--set", "data.buckets=false"},
      {"--set", "adapter.targets=[\"no.such.layer\"]"},
      {"--set", "training.parts=[\"te7\"]"},
      {"--set", "model.family=zimage"},
      {"--device", "cuda:7"},
  };
  for (const auto& odd : jobs) {
    SCOPED_TRACE(testing::PrintToString(odd));
    const Said check = run("check", job(odd)), train = run("train", job(odd));
    EXPECT_EQ(check.exit, train.exit) << check.err << train.err;
    EXPECT_NE(train.exit, 0);
    EXPECT_EQ(check.error(), train.error());
  }
}

/// What a training logs about its files and sizes stands in the check's notices and findings.
TEST_F(DryRun, TellsWhatTrainingLogsBeforeItsFirstStep) {
  test::write_file(images() / "notes.pdf", "no image");
  const std::vector<std::string> odd =
      job({"--set", "data.resolution=100", "--set", "adapter.rank=512"});
  const Said check = run("check", odd);
  ASSERT_EQ(check.exit, 0) << check.err;
  const json plan = check.events.front();
  const std::string text = plan.dump();
  std::set<std::string> ids;
  for (const json& finding : plan.at("findings")) {
    ids.insert(finding.at("id"));
  }
  EXPECT_TRUE(ids.contains("resolution")) << text;
  EXPECT_TRUE(ids.contains("rank")) << text;
  EXPECT_THAT(plan.at("notices").dump(), HasSubstr("notes.pdf skipped"));
  EXPECT_GT(plan.at("step_seconds").get<double>(), 0);
  const Said train = run("train", odd);
  ASSERT_EQ(train.exit, 0) << train.err;
  for (const json& notice : plan.at("notices")) {
    EXPECT_THAT(train.err, HasSubstr(notice.at("message").get<std::string>()));
  }
  for (const json& finding : plan.at("findings")) {
    if (finding.at("id") == "resolution" || finding.at("id") == "rank") {
      EXPECT_THAT(train.err, HasSubstr(finding.at("message").get<std::string>()));
    }
  }
}

TEST_F(DryRun, SmallImagesThatAreEnlargedAreCounted) {
  const Said check = run("check", job({"--set", "data.resolution=512"}));
  EXPECT_EQ(check.exit, 0) << check.err;
  EXPECT_THAT(check.events.front().at("findings").dump(),
              AllOf(HasSubstr("enlarged"), HasSubstr("of 3 images")));
}

/// What it advises exists in the command that says it.
TEST_F(DryRun, AnAdapterAsTheBaseIsToldWhereItGoes) {
  const Said train = run("train", job({}));
  ASSERT_EQ(train.exit, 0) << train.err;
  const std::string adapter = path("out/zorb-demo.safetensors");
  const Said check = run("check", job({"--base", adapter, "--out", path("other")}));
  EXPECT_EQ(check.exit, 2);
  EXPECT_THAT(check.error(), AllOf(HasSubstr("adapter (LoRA)"), HasSubstr("--continue-from")));
  EXPECT_EQ(run("check", job({"--continue-from", adapter, "--out", path("other")})).exit, 0);
}

TEST_F(DryRun, WithoutImagesSaysThatTheyAreNeeded) {
  const Said check = run("check", {"--base", "demo"});
  EXPECT_EQ(check.exit, 0) << check.err;
  EXPECT_THAT(check.events.front().at("findings").dump(), HasSubstr("no images given"));
  EXPECT_EQ(run("train", {"--base", "demo", "--out", path("out")}).exit, 2);
}

}  // namespace
}  // namespace mantissa
