// All that a start would find, as one list.
#include "engine/preflight/preflight.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/core/paths.h"
#include "engine/data/buckets.h"
#include "engine/io/safetensors.h"
#include "engine/io/write_access.h"
#include "engine/plan/disk_plan.h"
#include "engine/plan/job_paths.h"
#include "engine/preflight/dataset_check.h"
#include "engine/preflight/job_problems.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run_files.h"
#include "engine/run/run_folder.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class PreflightTest : public testing_support::RunFixture {
 protected:
  static const Finding* find(const PlanReport& report, std::string_view id) {
    const auto it = std::ranges::find(report.findings, id, &Finding::id);
    return it == report.findings.end() ? nullptr : &*it;
  }
  /// The refusal `id` of the job, at both depths.
  std::string refusal(const JobSpec& job, std::string_view id) {
    std::string text;
    for (const PreflightDepth depth : {PreflightDepth::draft, PreflightDepth::whole}) {
      const PlanReport report = preflight(job, depth);
      const Finding* found = find(report, id);
      EXPECT_NE(found, nullptr) << id;
      if (found == nullptr) {
        return {};
      }
      EXPECT_EQ(found->verdict, Verdict::refused);
      EXPECT_EQ(report.findings.front().verdict, Verdict::refused) << "what blocks comes first";
      text = found->message.text();
    }
    return text;
  }
};

TEST_F(PreflightTest, AGoodJobIsPlannedAndNothingRefused) {
  const PlanReport report = preflight(job_, PreflightDepth::whole);
  EXPECT_GT(report.peak_bytes, 0U);
  EXPECT_TRUE(report.data.has_value());
  EXPECT_EQ(std::ranges::count(report.findings, Verdict::refused, &Finding::verdict), 0);
  EXPECT_FALSE(preflight(job_, PreflightDepth::draft).data) << "a draft scans nothing";
}

// Before any image is encoded: the header tells.
TEST_F(PreflightTest, AWeightOfATypeThatCannotBeUsedIsRefused) {
  for (const char* name : {"model.diffusion_model.input_blocks.0.0.bias",
                           "conditioner.embedders.0.transformer.text_model.final_layer_norm.bias",
                           "first_stage_model.quant_conv.bias"}) {
    SCOPED_TRACE(name);
    std::ifstream in(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors", std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    auto header = nlohmann::json::parse(bytes.substr(8, length));
    ASSERT_TRUE(header.contains(name));
    auto& tensor = header.at(name);
    const auto count = tensor.at("shape").at(0).get<std::int64_t>();
    ASSERT_EQ(tensor.at("dtype"), "F16");
    ASSERT_EQ(count % 2, 0);
    tensor["dtype"] = "I32";  // as many bytes
    tensor["shape"] = {count / 2};
    std::string text = header.dump();
    ASSERT_LE(text.size(), length);
    text.resize(length, ' ');
    bytes.replace(8, length, text);
    JobSpec job = job_;
    job.base = home_ / "base.safetensors";
    std::ofstream(job.base, std::ios::binary) << bytes;
    EXPECT_THAT(refusal(job, "base"), testing::HasSubstr("I32"));
  }
}

TEST_F(PreflightTest, APresetAndABaseAloneArePlanned) {
  job_.images.clear();
  const PlanReport report = preflight(job_, PreflightDepth::no_images);
  EXPECT_GT(report.peak_bytes, 0U);
  EXPECT_FALSE(report.data);
  ASSERT_NE(find(report, "images"), nullptr);
  EXPECT_EQ(find(report, "images")->verdict, Verdict::warning) << "a training wouldn't start";
}

TEST_F(PreflightTest, ADraftKnowsWhatAStartWouldRefuse) {
  JobSpec job = job_;
  const fs::path empty = home_ / "empty", junk = home_ / "junk";
  fs::create_directories(empty / "deeper");
  fs::create_directories(junk);
  test::write_file(junk / "notes.txt", "no image");
  job.images = {empty};
  const auto said = [&] {
    const PlanReport report = preflight(job, PreflightDepth::draft);
    const Finding* found = find(report, "images");
    return found == nullptr ? "nothing" : found->message.text();
  };
  EXPECT_THAT(said(), testing::HasSubstr("is empty"));
  job.images = {junk};
  EXPECT_THAT(said(), testing::HasSubstr("none of the files in this folder (1) can be read"));
  job = job_;
  test::write_file(home_ / "a file", "");
  job.out = home_ / "a file" / "run";
  EXPECT_NE(refusal(job, "output").find("nothing can be written there"), std::string::npos);
  fs::create_directories(home_ / "locked");
  fs::permissions(home_ / "locked", fs::perms::owner_read | fs::perms::owner_exec);
  job.out = home_ / "locked" / "run";
  if (write_problem(job.out)) {  // not for root
    EXPECT_NE(refusal(job, "output").find("nothing can be written there"), std::string::npos);
  }
  fs::permissions(home_ / "locked", fs::perms::owner_all);
}

TEST_F(PreflightTest, SamplesThatNothingDrawsAreTold) {
  Preset::Samples& samples = job_.preset.samples;
  samples = {};
  EXPECT_EQ(find(preflight(job_, PreflightDepth::draft), "samples"), nullptr) << "no prompts";
  samples.prompts.push_back({.prompt = "a zorb"});
  const PlanReport report = preflight(job_, PreflightDepth::draft);
  const Finding* found = find(report, "samples");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->verdict, Verdict::warning);
  EXPECT_EQ(found->fix_json, R"({"samples.every": 250})");
  for (const auto& set :
       {+[](Preset::Samples& s) { s.every = 250; }, +[](Preset::Samples& s) { s.every_epochs = 1; },
        +[](Preset::Samples& s) { s.every_minutes = 5; }}) {
    Preset::Samples drawn = samples;
    set(drawn);
    JobSpec job = job_;
    job.preset.samples = drawn;
    EXPECT_EQ(find(preflight(job, PreflightDepth::draft), "samples"), nullptr);
  }
}

TEST_F(PreflightTest, ADraftCountsImagesWithoutACaption) {
  const fs::path photos = home_ / "photos";
  fs::create_directories(photos / "trip");
  const fs::path image = MANTISSA_SOURCE_DIR "/resources/demo/images/zorb_01.png";
  for (const char* name : {"a.png", "b.png", "trip/c.png"}) {
    fs::copy_file(image, photos / name);
  }
  test::write_file(photos / "a.txt", "a zorb");
  job_.images = {photos};
  const auto told = [&] {
    const PlanReport draft = preflight(job_, PreflightDepth::draft);
    const Finding* found = find(draft, "captions");
    return found == nullptr ? "" : found->message.text();
  };
  EXPECT_THAT(told(), testing::HasSubstr("2 of the first 3 images have no caption"));
  job_.preset.data.folder_repeats = true;
  EXPECT_EQ(told(), "") << "their folders are named for it";
  job_.preset.data.folder_repeats = false;
  test::write_file(photos / "metadata.jsonl", "");
  EXPECT_EQ(told(), "") << "it may hold them";
}

TEST_F(PreflightTest, EnlargedImagesAndTheTimeAreTold) {
  job_.preset.data.resolution = 512;
  job_.preset.training.steps = 100'000'000;
  job_.preset.training.epochs = 0;
  const PlanReport report = preflight(job_, PreflightDepth::whole);
  const PlanReport draft = preflight(job_, PreflightDepth::draft);
  ASSERT_NE(find(draft, "enlarged"), nullptr);
  EXPECT_NE(find(draft, "enlarged")->message.text().find("of the first"), std::string::npos);
  ASSERT_NE(find(report, "enlarged"), nullptr);
  EXPECT_EQ(find(report, "enlarged")->verdict, Verdict::warning);
  EXPECT_GT(report.step_seconds, 0) << "of the CPU, by its measured rates";
  EXPECT_DOUBLE_EQ(report.run_seconds(), report.step_seconds * 1e8);
  ASSERT_NE(find(report, "time"), nullptr);
  EXPECT_NE(find(report, "time")->message.text().find("days"), std::string::npos);
}

TEST_F(PreflightTest, EveryProblemIsInTheList) {
  JobSpec job = job_;
  job.base = home_ / "nowhere.safetensors";
  job.prior = {home_ / "dogs"};
  job.validation = {home_ / "cats"};
  job.device = "cuda:77";
  EXPECT_NE(refusal(job, "base").find("no such base model"), std::string::npos);
  EXPECT_NE(refusal(job, "prior").find("dogs"), std::string::npos);
  EXPECT_NE(refusal(job, "validation").find("cats"), std::string::npos);
  EXPECT_NE(refusal(job, "device"), "");
  job.images.clear();
  EXPECT_NE(refusal(job, "images").find("no images given"), std::string::npos);
  EXPECT_EQ(find(preflight(job, PreflightDepth::draft), "base")->fields,
            std::vector<std::string>{"--base"});
  EXPECT_EQ(refusal_kind(*find(preflight(job, PreflightDepth::draft), "base")), ErrorKind::input);
}

TEST_F(PreflightTest, TheRefusalThatEndsAStartComesFirst) {
  JobSpec job = job_;
  job.preset.adapter.type = AdapterType::lokr;
  job.preset.adapter.init = AdapterInit::pissa;
  PlanReport report = preflight(job, PreflightDepth::whole);
  ASSERT_NE(first_refusal(report), nullptr);
  EXPECT_EQ(first_refusal(report)->id, "D12");
  EXPECT_EQ(find(report, "settings"), nullptr) << "the same in other words";
  job.preset.data.masks = MaskMode::files;  // of which there are none
  EXPECT_EQ(first_refusal(preflight(job, PreflightDepth::whole))->id, "D12");
  job.base = home_ / "nowhere.safetensors";
  EXPECT_EQ(first_refusal(preflight(job, PreflightDepth::whole))->id, "base");
  EXPECT_EQ(first_refusal(preflight(job_, PreflightDepth::whole)), nullptr);
}

TEST_F(PreflightTest, ClipSkipBeyondTheTextEncoderIsRefusedBeforeAnythingIsMade) {
  job_.preset.training.clip_skip = 12;
  const std::string told = refusal(job_, "settings");
  EXPECT_NE(told.find("training.clip_skip is 12, but the text encoder has"), std::string::npos)
      << told;
}

TEST_F(PreflightTest, AnOccupiedRunFolderIsRefusedAsItsStartIs) {
  const RunFolder run = RunFolder::create(job_);
  fs::create_directories(run.checkpoints() / "step-00000001");
  const std::string told = refusal(job_, "output");
  std::string started;
  try {
    RunFolder::create(job_);
  } catch (const Error& e) {
    started = e.what();
  }
  EXPECT_EQ(told, started);
  job_.out = home_ / "file";
  std::ofstream(job_.out) << "x";
  EXPECT_NE(refusal(job_, "output").find("is a file"), std::string::npos);
}

TEST_F(PreflightTest, SizesThatDoNotExistAreTold) {
  job_.preset.data.resolution = 128;
  const int quantum = base_quantum(resolve_base("demo"));
  const std::string real = bucket_text(make_buckets(bucket_options(job_.preset, quantum)).front());
  job_.preset.data.skip_buckets = {"1000x24", real};
  EXPECT_EQ(find(preflight(job_, PreflightDepth::draft), "sizes"), nullptr) << "without images";
  const PlanReport report = preflight(job_, PreflightDepth::whole);
  const Finding* found = find(report, "sizes");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->verdict, Verdict::warning);
  EXPECT_NE(found->message.text().find("1000x24"), std::string::npos) << found->message.text();
  apply_patch(job_.preset, nlohmann::json::parse(found->fix_json));
  EXPECT_EQ(job_.preset.data.skip_buckets, std::vector<std::string>{real});
  EXPECT_EQ(find(preflight(job_, PreflightDepth::whole), "sizes"), nullptr);
}

// Tensors in the cache, without the files' headers.
std::uint64_t cached_bytes() {
  std::uint64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(cache_dir() / "tensors")) {
    if (entry.is_regular_file()) {
      const SafetensorsFile file = SafetensorsFile::open(entry.path());
      for (const TensorInfo& tensor : file.tensors()) {
        bytes += tensor.bytes;
      }
    }
  }
  return bytes;
}

TEST_F(PreflightTest, TheCacheIsEstimatedToTheByte) {
  job_.preset.data.flip = true;
  job_.preset.training.steps = 1;
  job_.preset.data.variants = 3;  // some are equal: this little may be less than a pixel
  job_.preset.data.crop_jitter = 0.01;
  EXPECT_EQ(preflight(job_, PreflightDepth::draft).cache.needed_bytes, 0U) << "without images";
  const PlannedDisk planned = preflight(job_, PreflightDepth::whole).cache;
  EXPECT_EQ(planned.folder, cache_dir());
  EXPECT_TRUE(planned.fits());
  testing_support::HealthRecorder observer;
  run(job_, observer);
  EXPECT_EQ(planned.needed_bytes, cached_bytes());
  EXPECT_EQ(preflight(job_into("again"), PreflightDepth::whole).cache.needed_bytes, 0U);
  job_.preset.data.cache = CacheMode::none;
  job_.preset.data.resolution = 128;
  EXPECT_EQ(preflight(job_into("memory"), PreflightDepth::whole).cache.needed_bytes, 0U);
}

TEST(PlannedDisk, AFullCacheSaysWhatToDo) {
  const std::string text = cache_warning({"/cache", 5'000'000'000, 1'000'000}).text();
  for (const char* part : {"/cache", "5.0 GB", "1.0 MB", "data.cache"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST_F(PreflightTest, ResumingFromNothingIsTold) {
  const RunFolder run = RunFolder::create(job_);
  EXPECT_EQ(find_resume_point(run.path()).way, ResumePoint::Way::start_over);
  EXPECT_FALSE(has_checkpoint(run.path()));
  JobSpec job = with_its_own_files(job_);
  job.resume = run.path();
  const PlanReport report = preflight(job, PreflightDepth::draft);
  const Finding* found = find(report, "resume");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->verdict, Verdict::warning);
  EXPECT_GT(report.peak_bytes, 0U) << "planned with the files of the run";
  job.preset.adapter.rank = 5;
  EXPECT_NE(refusal(job, "resume").find("adapter.rank"), std::string::npos);
}

TEST_F(PreflightTest, SettingsThatAResumeChangesAreTold) {
  const RunFolder run = RunFolder::create(job_);
  JobSpec job = job_;
  job.resume = run.path();
  const auto told = [&] {
    for (const PlanNotice& notice : preflight(job, PreflightDepth::whole).notices) {
      const std::string text = notice.text.text();
      if (text.find("other settings") != std::string::npos) {
        return text;
      }
    }
    return std::string();
  };
  EXPECT_EQ(told(), "");
  job.preset.training.steps = 3200;
  EXPECT_EQ(told(),
            fmt::format("the run goes on with other settings than it had: training.steps: {} -> "
                        "3200",
                        job_.preset.training.steps));
}

TEST_F(PreflightTest, ALoneTransformerIsToldWithWhatItLacks) {
  const fs::path models = fs::path(MANTISSA_TEST_DATA) / "golden/models";
  JobSpec job = job_;
  job.base = models / "z_image_base.safetensors";
  const std::string text = refusal(job, "parts");
  EXPECT_NE(text.find("holds no text_encoder, vae"), std::string::npos) << text;
  EXPECT_NE(text.find("mantissa base"), std::string::npos) << text;
  EXPECT_NE(text.find("Separate files…"), std::string::npos) << text;
  const PlanReport report = preflight(job, PreflightDepth::draft);
  const Finding& found = *find(report, "parts");
  EXPECT_EQ(found.fields, std::vector<std::string>{"--base"});
  EXPECT_EQ(refusal_kind(found), ErrorKind::input);

  job.base = home_ / "anima";  // without the tokenizer of T5
  fs::copy(models / "anima", job.base, fs::copy_options::recursive);
  EXPECT_EQ(find(preflight(job, PreflightDepth::draft), "parts"), nullptr);
  fs::remove_all(job.base / "t5_tokenizer");
  EXPECT_NE(refusal(job, "parts").find("t5_tokenizer"), std::string::npos);
}

TEST_F(PreflightTest, AT5IsNotTrainedInFull) {
  const fs::path models = fs::path(MANTISSA_TEST_DATA) / "golden/models";
  JobSpec job = job_;
  job.preset.training.method = TrainingMethod::full;
  job.base = models / "flux1";
  job.preset.training.parts = {kDenoiser, kTe2};
  EXPECT_NE(refusal(job, "parts").find("te2, the T5 of FLUX.1"), std::string::npos);
  const PlanReport report = preflight(job, PreflightDepth::draft);
  EXPECT_EQ(find(report, "parts")->fix_json, R"({"training.parts":["denoiser"]})");
  testing_support::HealthRecorder none;
  test::expect_error_with([&] { run(job, none); }, {"relative position bias gets no gradient"});
  job.preset.training.parts = {kDenoiser, kTe1};
  EXPECT_EQ(find(preflight(job, PreflightDepth::draft), "parts"), nullptr) << "CLIP is";
  job.base = models / "pixart";
  job.preset.training.parts = {kTe1};
  EXPECT_NE(refusal(job, "parts").find("te1, the T5 of PixArt"), std::string::npos);
  EXPECT_EQ(find(preflight(job, PreflightDepth::draft), "parts")->fix_json,
            R"({"training.method":"adapter"})");
  job.preset.training.method = TrainingMethod::adapter;
  EXPECT_EQ(find(preflight(job, PreflightDepth::draft), "parts"), nullptr);
}

TEST_F(PreflightTest, SamplesOfAModelWithItsOwnGuidanceAreTold) {
  JobSpec job = job_;
  job.base = fs::path(MANTISSA_TEST_DATA) / "golden/models/flux1";
  job.preset.samples.prompts = {{.prompt = "a"}, {.prompt = "b", .negative = "blur", .steps = 5}};
  const PlanReport report = preflight(job, PreflightDepth::draft);
  const Finding* sampling = find(report, "sampling");
  ASSERT_NE(sampling, nullptr);
  EXPECT_EQ(sampling->verdict, Verdict::adjusted);
  EXPECT_EQ(sampling->message.text(),
            "1 of samples.prompts have the usual 20 steps with guidance 6: they are rendered as "
            "FLUX.1 dev is made for, with 28 steps and guidance 3.5");
  const auto fixed = nlohmann::json::parse(sampling->fix_json)["samples.prompts"];
  EXPECT_EQ(fixed[0]["steps"], 28);
  EXPECT_EQ(fixed[0]["guidance"], 3.5);
  EXPECT_EQ(fixed[1]["steps"], 5);
  const Finding* negative = find(report, "negative");
  ASSERT_NE(negative, nullptr);
  EXPECT_EQ(negative->verdict, Verdict::warning);
  EXPECT_NE(negative->message.text().find("samples.prompts[1]: the negative prompt has no effect"),
            std::string::npos);
  job.base = "demo";
  EXPECT_EQ(find(preflight(job, PreflightDepth::draft), "sampling"), nullptr);
  EXPECT_EQ(find(preflight(job, PreflightDepth::draft), "negative"), nullptr);
}

TEST_F(PreflightTest, TheResumePointIsThatOfTheEngine) {
  testing_support::HealthRecorder observer;
  job_.preset.output.save_every = 2;
  const RunResult result = run(job_, observer);
  EXPECT_EQ(find_resume_point(result.folder).way, ResumePoint::Way::checkpoint);
  EXPECT_EQ(find_resume_point(result.folder).step, 4);
  const auto spoil = [&](const char* checkpoint) {
    std::ofstream(result.folder / "checkpoints" / checkpoint / "state.safetensors") << "x";
  };
  spoil("step-00000004");
  EXPECT_EQ(find_resume_point(result.folder).step, 2);
  spoil("step-00000002");
  EXPECT_EQ(find_resume_point(result.folder).way, ResumePoint::Way::refused);
  EXPECT_TRUE(has_checkpoint(result.folder));
}

TEST_F(PreflightTest, TooLittleMemoryIsRefusedWithTheChangeThatFits) {
  job_.preset.data.resolution = 512;
  const std::uint64_t least = preflight(job_, PreflightDepth::draft).peak_bytes;
  job_.preset.data.batch_size = 4;
  const std::uint64_t whole = preflight(job_, PreflightDepth::draft).peak_bytes;
  ASSERT_LT(least, whole);
  job_.memory_budget = least + (whole - least) / 2;
  const PlanReport report = preflight(job_, PreflightDepth::whole);
  const Finding* found = find(report, "memory");
  ASSERT_FALSE(report.fits());
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(refusal_kind(*found), ErrorKind::out_of_memory);
  EXPECT_NE(found->fix_json, "{}");
}

}  // namespace
}  // namespace mantissa
