// `mantissa check` is the dry run of `mantissa train`: over odd and broken jobs both end with the
// same status and the same sentence, and a check tells what a training would log beforehand.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "engine/cli/cli.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "tests/environment.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

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

  static constexpr const char* kWeight =
      "model.diffusion_model.input_blocks.4.1.transformer_blocks.0.attn1.to_q.weight";
  /// The demo's base model with a weight in FP16, kWeight of 64 x 64 by default, changed by `edit`.
  std::string edited_base(const std::function<void(std::uint16_t*, std::size_t)>& edit,
                          const char* name = kWeight) const {
    std::string bytes =
        read_text(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors", 64u << 20);
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    const json header = json::parse(bytes.substr(8, length));
    const auto at = header.at(name).at("data_offsets").get<std::vector<std::size_t>>();
    std::vector<std::uint16_t> codes((at[1] - at[0]) / 2);
    std::memcpy(codes.data(), bytes.data() + 8 + length + at[0], at[1] - at[0]);
    edit(codes.data(), codes.size());
    std::memcpy(bytes.data() + 8 + length + at[0], codes.data(), at[1] - at[0]);
    test::write_file(root_ / "edited.safetensors", bytes);
    return path("edited.safetensors");
  }

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

TEST_F(DryRun, TellsTheSizesOfEachResolution) {
  const Said check =
      run("check", job({"--set", "data.resolution=128", "--set", "data.further_resolutions=64"}));
  EXPECT_EQ(check.exit, 0) << check.err;
  const json plan = check.events.front();
  const json resolutions = plan.at("data").at("resolutions");
  ASSERT_EQ(resolutions.size(), 2U) << plan.dump();
  EXPECT_EQ(resolutions[0].at("resolution"), 64);
  EXPECT_EQ(resolutions[0].at("images"), 3);
  EXPECT_EQ(resolutions[1].at("sizes").front().at("width"), 128);
  EXPECT_THAT(plan.at("notices").dump(),
              AllOf(HasSubstr("resolution 64: 3 images"), HasSubstr("resolution 128: 3 images")));
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

/// A preset and a base model alone are checked as such; a run without images is refused.
TEST_F(DryRun, WithoutImagesOnlyAPresetAndItsBaseAreChecked) {
  const Said check = run("check", {"--base", "demo"});
  EXPECT_EQ(check.exit, 0) << check.err;
  const json& plan = check.events.front();
  EXPECT_THAT(plan.at("findings").dump(),
              AllOf(HasSubstr("no images given"), HasSubstr("only the preset and the base model")));
  EXPECT_FALSE(plan.at("checked").at("images"));
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--out", path("out")},
                                             {"--validation", "demo"},
                                             {"--prior", "demo"},
                                             {"--trace", path("trace")}}) {
    std::vector<std::string> args{"--base", "demo"};
    args.insert(args.end(), more.begin(), more.end());
    SCOPED_TRACE(more.front());
    const Said refused = run("check", args), train = run("train", args);
    EXPECT_EQ(refused.exit, 2) << refused.err;
    EXPECT_EQ(train.exit, 2) << train.err;
    EXPECT_EQ(refused.error(), train.error());
    EXPECT_THAT(refused.error(), HasSubstr("no images given"));
  }
}

/// Of the samples too, without any caption.
TEST_F(DryRun, APromptThatIsCutIsNamedWithoutImages) {
  std::string prompt = "a zorb";
  for (int i = 0; i < 100; ++i) {
    prompt += " zorb";
  }
  const Said check = run(
      "check", {"--base", "demo", "--set", R"(samples.prompts=[{"prompt":")" + prompt + R"("}])"});
  ASSERT_EQ(check.exit, 0) << check.err;
  EXPECT_THAT(check.events.front().at("notices").dump(), HasSubstr("samples.prompts[0]"));
}

TEST_F(DryRun, ReadsTheWeightsOfTheBase) {
  const std::string base = edited_base([](std::uint16_t* w, std::size_t) { w[77] = 0x7e00; });
  const std::vector<std::string> broken = job({"--base", base});
  const Said check = run("check", broken), train = run("train", broken);
  EXPECT_EQ(check.exit, 2) << check.err;
  EXPECT_EQ(train.exit, 2) << train.err;
  EXPECT_THAT(check.error(), AllOf(HasSubstr(kWeight), HasSubstr("1 of 4096 values")));
  EXPECT_EQ(check.error(), train.error());
  EXPECT_EQ(run("check", {"--base", base}).error(), train.error()) << "without images, too";
  std::vector<std::string> quick = broken;
  quick.emplace_back("--quick");
  const Said headers = run("check", quick);
  EXPECT_EQ(headers.exit, 0) << headers.err;
  EXPECT_FALSE(headers.events.front().at("checked").at("contents"));
  EXPECT_TRUE(check.events.front().at("checked").at("contents"));
}

TEST_F(DryRun, ReadsTheWeightsOfEveryPart) {
  for (const char* name :
       {"model.diffusion_model.input_blocks.0.0.weight", "model.diffusion_model.out.2.weight",
        "conditioner.embedders.0.transformer.text_model.final_layer_norm.weight",
        "conditioner.embedders.1.model.ln_final.weight",
        "first_stage_model.encoder.conv_out.weight"}) {
    SCOPED_TRACE(name);
    const std::string base =
        edited_base([](std::uint16_t* w, std::size_t count) { w[count - 1] = 0x7e00; }, name);
    const Said check = run("check", job({"--base", base})),
               train = run("train", job({"--base", base}));
    EXPECT_EQ(check.exit, 2) << check.err;
    EXPECT_THAT(check.error(), AllOf(HasSubstr(name), HasSubstr("1 of")));
    EXPECT_EQ(train.error(), check.error()) << "no image is blamed for it";
    EXPECT_THAT(train.err, Not(HasSubstr("skipped: ")));
  }
}

TEST_F(DryRun, DecodesTheImages) {
  const auto truncate = [](const fs::path& image) {
    fs::resize_file(image, fs::file_size(image) / 2);
  };
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(images())) {
    all.push_back(entry.path());
  }
  truncate(all.front());
  const std::string name = path_to_utf8(all.front().filename());
  const Said check = run("check", job({}));
  ASSERT_EQ(check.exit, 0) << check.err;
  const json& plan = check.events.front();
  EXPECT_THAT(plan.at("notices").dump(), HasSubstr(name));
  EXPECT_EQ(plan.at("data").at("images"), 2);
  EXPECT_EQ(plan.at("data").at("skipped"), 1);
  EXPECT_EQ(run("check", job({"--quick"})).events.front().at("data").at("images"), 3);
  const Said train = run("train", job({}));
  ASSERT_EQ(train.exit, 0) << train.err;
  for (const json& notice : plan.at("notices")) {
    EXPECT_THAT(train.err, HasSubstr(notice.at("message").get<std::string>()));
  }
  truncate(all[1]);
  truncate(all[2]);
  // In a folder of its own: encodings of the first run are found by content.
  const Said none = run("check", job({"--out", path("none")}));
  const Said refused = run("train", job({"--out", path("none")}));
  EXPECT_EQ(none.exit, 2) << none.err;
  EXPECT_EQ(refused.exit, 2) << refused.err;
  EXPECT_EQ(none.error(), refused.error());
  EXPECT_THAT(none.error(), HasSubstr("no image could be read"));
}

TEST_F(DryRun, CountsTheRowsThatDoraLeavesPlain) {
  const std::string base =
      edited_base([](std::uint16_t* w, std::size_t count) { std::fill(w, w + count, 0); });
  const std::vector<std::string> dora = job({"--base", base, "--set", "adapter.type=dora"});
  const Said check = run("check", dora), train = run("train", dora);
  ASSERT_EQ(check.exit, 0) << check.err;
  ASSERT_EQ(train.exit, 0) << train.err;
  std::string told;
  for (const json& notice : check.events.front().at("notices")) {
    const std::string text = notice.at("message");
    told = text.find("64 channels") != std::string::npos ? text : told;
  }
  ASSERT_FALSE(told.empty()) << check.events.front().at("notices");
  EXPECT_THAT(train.err, HasSubstr(told));
}

TEST_F(DryRun, TellsWhatTheAdapterToContinueFromLoses) {
  ASSERT_EQ(run("train", job({"--set", "adapter.rank=8", "--set", "training.steps=2"})).exit, 0);
  const std::vector<std::string> smaller =
      job({"--continue-from", path("out"), "--set", "adapter.rank=2", "--out", path("smaller")});
  const Said check = run("check", smaller), train = run("train", smaller);
  ASSERT_EQ(check.exit, 0) << check.err;
  ASSERT_EQ(train.exit, 0) << train.err;
  std::size_t told = 0;
  for (const json& notice : check.events.front().at("notices")) {
    const std::string text = notice.at("message");
    EXPECT_THAT(train.err, HasSubstr(text));
    told += text.find("were cut to the rank") != std::string::npos ? 1 : 0;
    told += text.find("continues from") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(told, 2U) << check.events.front().at("notices");
}

TEST_F(DryRun, ComparesTheInputsOfAResumedRun) {
  ASSERT_EQ(run("train", job({})).exit, 0);
  std::vector<std::string> resume{"--resume", path("out"), "--set", "training.steps=2"};
  EXPECT_EQ(run("check", resume).exit, 0);
  const fs::path image = fs::directory_iterator(images())->path();
  test::write_file(fs::path(image).replace_extension("txt"), "another caption");
  const Said check = run("check", resume), train = run("train", resume);
  EXPECT_EQ(check.exit, 2) << check.err;
  EXPECT_EQ(train.exit, 2) << train.err;
  EXPECT_EQ(check.error(), train.error());
  EXPECT_THAT(check.error(), HasSubstr("--accept-changed images"));
  std::vector<std::string> quick = resume;
  quick.emplace_back("--quick");
  EXPECT_EQ(run("check", quick).exit, 0);
  resume.insert(resume.end(), {"--accept-changed", "images"});
  const Said accepted = run("check", resume);
  EXPECT_EQ(accepted.exit, 0) << accepted.err;
  EXPECT_THAT(accepted.events.front().at("notices").dump(),
              HasSubstr("continues with a changed file, as accepted"));
}

}  // namespace
}  // namespace mantissa
