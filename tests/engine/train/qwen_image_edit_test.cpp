// Runs of the tiny Qwen-Image (tests/golden/make_qwen_image.py) as one that edits, on images with
// references, which its text encoder sees too.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/data/image_cut.h"
#include "engine/data/reference_placement.h"
#include "engine/diffusion/model_objective.h"
#include "engine/io/json_file.h"
#include "engine/io/model_writer.h"
#include "engine/models/references.h"
#include "engine/plan/run_notices.h"
#include "engine/preset/names.h"
#include "engine/programs/latent_encoding.h"
#include "engine/programs/renderer.h"
#include "engine/programs/text_encoding.h"
#include "engine/render/run_sample.h"
#include "tests/engine/train/edit_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class QwenImageEditRun : public testing_support::EditRun {
 protected:
  QwenImageEditRun() : EditRun("qwen_image") {}
  void SetUp() override {
    EditRun::SetUp();
    plain_ = model_;
    model_ = edits("edit", "QwenImageEditPlusPipeline", true);
    job_.base = model_;
  }
  /// The model with another pipeline, and references at time 0 or not.
  fs::path edits(const char* name, const char* pipeline, bool still) const {
    const fs::path folder = home_ / name;
    fs::copy(plain_, folder, fs::copy_options::recursive);
    set(folder / "model_index.json", "_class_name", pipeline);
    set(folder / "transformer/config.json", "zero_cond_t", still);
    return folder;
  }
  static void set(const fs::path& file, const char* field, const nlohmann::json& value) {
    nlohmann::json json = read_json(file);
    json[field] = value;
    std::ofstream(file) << json.dump();
  }
  static std::string warning(const JobSpec& job) {
    const std::vector<Finding> found = reference_findings(open_run(job));
    return found.empty() ? std::string() : found.front().message.text();
  }
  fs::path plain_;  ///< as it draws from text
};

/// The pipelines' samples, and what their text encoder passes on.
class QwenImageEditSample : public QwenImageEditRun {
 protected:
  std::vector<float> golden(const std::string& name) const {
    const TensorInfo* t = golden_.find(name);
    std::vector<float> values(static_cast<std::size_t>(t->count()));
    std::memcpy(values.data(), t->data, t->bytes);
    return values;
  }
  /// [8, 12, 4] of [1, 4, 8, 12].
  std::vector<float> noise() const {
    const std::vector<float> all = golden("noise");
    std::vector<float> out;
    for (std::size_t at = 0; at < 96; ++at) {
      for (std::size_t channel = 0; channel < 4; ++channel) {
        out.push_back(all[channel * 96 + at]);
      }
    }
    return out;
  }
  /// A sample beside `count` images as the pipeline named `name` makes it.
  void expect_sample(const fs::path& base, const std::string& name, std::size_t count) {
    const WeightSource source = WeightSource::open(base);
    const auto model =
        DiffusionModel::open(*kernels_, source, nullptr, PrecisionRules::uniform(DType::f32));
    model->set_text_options({.references = count});
    ReferenceRule rule = reference_rule(*model);
    EXPECT_EQ(rule.multiple, 32);
    EXPECT_EQ(rule.seen_pixels, name == "first" ? 0 : 384 * 384);
    rule.most_pixels = kArea;
    rule.seen_pixels = rule.seen_pixels > 0 ? kArea : 0;
    RenderOptions options{.width = 48, .height = 32, .steps = 2};
    options.guidance = count > 1 ? 4 : 1;
    std::vector<Image> seen;
    LatentEncoder encoder(*kernels_, *model);
    const LatentFormat format = LatentFormat::of(*model);
    for (std::size_t i = 0; i < count; ++i) {
      const fs::path file = home_ / "seen" / (std::to_string(i + 1) + ".png");
      const Placement placed = place_reference(rule, read_reference(file), count);
      options.references.push_back({format.size_of(placed.bucket),
                                    format.scaled(encoder.encode(cut_image(file, {placed})).mean)});
      seen.push_back(cut_image(file, seen_version(rule, {placed})));
    }
    TextEncoder texts(*kernels_, *model);
    const TextEncoding prompt = texts.encode("make the cat red", seen);
    expect_states(prompt, golden("hidden." + name));
    const TextEncoding negative = texts.encode("a blue dog", seen);
    Arena arena(*kernels_);
    Renderer renderer(*kernels_, arena, *model, model_objective(source, {}));
    const std::vector<float> made =
        renderer.decode(renderer.denoise(prompt, negative, options, noise()), 48, 32);
    expect_image(made, golden("image." + name), name);
  }
  static void expect_states(const TextEncoding& text, const std::vector<float>& states) {
    const std::size_t rows = states.size() / 24;
    const std::vector<float>&context = text.at("context").data, &mask = text.at("mask").data;
    ASSERT_GT(mask.size(), rows);
    EXPECT_EQ(std::ranges::count(mask, 0.0F), std::ssize(states) / 24);
    EXPECT_EQ(mask[rows - 1], 0.0F);
    double off = 0, most = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      off = std::max(off, static_cast<double>(std::abs(context[i] - states[i])));
      most = std::max(most, static_cast<double>(std::abs(states[i])));
    }
    RecordProperty("states", std::to_string(off / most));
    EXPECT_LE(off / most, 1e-5);
  }
  static void expect_image(const std::vector<float>& made, const std::vector<float>& want,
                           const std::string& name) {
    ASSERT_EQ(made.size(), want.size());
    double squares = 0;
    for (std::size_t i = 0; i < made.size(); ++i) {
      const double level = (std::clamp(made[i], -1.0F, 1.0F) + 1) / 2;
      squares += std::pow(level - static_cast<double>(want[i]), 2);
    }
    const double psnr = -10 * std::log10(squares / static_cast<double>(made.size()));
    RecordProperty("psnr", std::to_string(psnr));
    EXPECT_GE(psnr, 70) << name;
  }
  void SetUp() override {
    QwenImageEditRun::SetUp();
    draw("seen/1.png", 7, 96, 96);
    draw("seen/2.png", 8, 288, 32);
  }

  static constexpr int kArea = 96 * 96;

  const SafetensorsFile golden_ = SafetensorsFile::open(
      fs::path(MANTISSA_TEST_DATA) / "golden/reference/qwen_image_edit_sample.safetensors");
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels();
};

TEST_F(QwenImageEditSample, BesideOneImageIsThePipelines) {
  expect_sample(edits("2509", "QwenImageEditPlusPipeline", false), "1", 1);
}

TEST_F(QwenImageEditSample, BesideTwoImagesIsThePipelines) {
  expect_sample(edits("2509", "QwenImageEditPlusPipeline", false), "2", 2);
}

TEST_F(QwenImageEditSample, OfTheFirstModelIsItsPipelines) {
  expect_sample(edits("first", "QwenImageEditPipeline", false), "first", 1);
}

TEST_F(QwenImageEditRun, LearnsAnAdapterAsWithoutReferences) {
  const std::size_t tensors = trained_adapter().tensors().size();
  job_.references.clear();
  testing_support::FamilyRecorder r;
  EXPECT_EQ(SafetensorsFile::open(run(job_into("without"), r).adapter).tensors().size(), tensors);
}

TEST_F(QwenImageEditRun, ReferencesChangeTheLossAndTheText) {
  const std::vector<double> with = losses(job_into("with"));
  const std::vector<float> encoding = encoded_caption();
  draw("before/a.png", 7);
  draw("before/b.png", 8);
  draw("before/c.png", 9);
  EXPECT_NE(losses(job_into("others")), with);
  EXPECT_NE(encoded_caption(), encoding);
}

TEST_F(QwenImageEditRun, EachKindOfModelTrainsInItsWay) {
  std::set<std::vector<double>> all{losses(job_into("2511"))};
  job_.base = edits("2509", "QwenImageEditPlusPipeline", false);
  all.insert(losses(job_into("2509-run")));
  job_.base = edits("first", "QwenImageEditPipeline", false);
  all.insert(losses(job_into("first-run")));
  EXPECT_EQ(all.size(), 3U);
}

TEST_F(QwenImageEditRun, TextsSeeReferencesAsTheyAreMirrored) {
  job_.preset.data.flip = true;
  EXPECT_NE(encoded_caption(false), encoded_caption(true));
}

TEST_F(QwenImageEditRun, DroppedAndPreservedCaptionsSeeReferences) {
  job_.preset.data.flip = true;
  job_.preset.data.variants = 2;
  job_.preset.data.crop_jitter = 0.2;
  job_.preset.data.caption_dropout = 0.5;
  job_.preset.training.preservation = Preservation::empty;
  EXPECT_EQ(losses(job_into("run")).size(), 4U);
}

TEST_F(QwenImageEditRun, GoesOnAfterAResumeToTheBit) {
  draw("before/b.png", 4, 128, 64);
  expect_goes_on_after_a_resume();
}

TEST_F(QwenImageEditRun, ReplaysItsTrace) {
  job_.references.push_back(home_ / "before");
  expect_replays_its_trace();
}

// Two blocks are too few for each scope to take less memory than the one before, as
// expect_every_checkpointing_scope_is_the_same has it.
TEST_F(QwenImageEditRun, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.training.steps = 2;
  StepRecorder kept;
  run(job_into("kept"), kept);
  job_.preset.training.gradient_checkpointing = true;
  for (const CheckpointingScope scope :
       {CheckpointingScope::activations, CheckpointingScope::feed_forward,
        CheckpointingScope::blocks}) {
    job_.preset.training.checkpointing_scope = scope;
    StepRecorder recomputed;
    run(job_into(std::string(enum_name(scope)).c_str()), recomputed);
    EXPECT_EQ(recomputed.losses, kept.losses) << enum_name(scope);
    EXPECT_LT(recomputed.arena_bytes, kept.arena_bytes) << enum_name(scope);
  }
}

TEST_F(QwenImageEditRun, EveryComputeTypeFollowsFp32) {
  expect_every_compute_type_follows_fp32();
}

TEST_F(QwenImageEditRun, SplitOverDevicesItIsTheSame) {
  expect_the_same_over_devices();
}

TEST_F(QwenImageEditRun, TrainsBesideImagesWithoutReferences) {
  draw("prior/p.png", 50);
  job_.prior = {home_ / "prior"};
  EXPECT_EQ(losses(job_into("run")).size(), 4U);
}

TEST_F(QwenImageEditRun, PlansTheMemoryOfReferences) {
  expect_references_take_memory();
}

TEST_F(QwenImageEditRun, SamplesShowTheReferencesThatTheyName) {
  draw("before/view.png", 3, 70, 50);
  expect_samples_show_their_references(job_into("run"));
}

TEST_F(QwenImageEditRun, ItsAdapterSamplesWithAndWithoutReferences) {
  draw("before/view.png", 3, 70, 50);
  expect_an_adapter_samples_with_references();
}

TEST_F(QwenImageEditRun, TheFirstModelReadsOneReference) {
  job_.base = edits("first", "QwenImageEditPipeline", false);
  EXPECT_EQ(losses(job_into("one")).size(), 4U);
  job_.references.push_back(home_ / "before");
  const std::string refused = refusal(job_into("two"));
  EXPECT_NE(refused.find("is one of 2 references"), std::string::npos) << refused;
}

TEST_F(QwenImageEditRun, AModelWithoutItsTowerTrainsWithoutReferencesAlone) {
  job_.base = model_without("visual.");
  const std::string refused = refusal(job_into("run"));
  EXPECT_NE(refused.find("vision tower"), std::string::npos) << refused;
  EXPECT_NE(refused.find("model.safetensors"), std::string::npos) << refused;
  job_.references.clear();
  EXPECT_EQ(losses(job_into("plain")).size(), 4U);
}

TEST_F(QwenImageEditRun, RefusesCaptionsThatAreEncodedInTheSteps) {
  JobSpec shuffled = job_into("run");
  shuffled.preset.data.shuffle_captions = true;
  EXPECT_NE(refusal(shuffled).find("data.shuffle_captions"), std::string::npos);
  JobSpec text = job_into("run");
  text.preset.training.parts = {kDenoiser, kTe1};
  EXPECT_NE(refusal(text).find("training.parts"), std::string::npos);
}

TEST_F(QwenImageEditRun, AModelThatDrawsFromTextIsRefused) {
  job_.base = plain_;
  const std::string pipeline = refusal(job_into("run"));
  EXPECT_NE(pipeline.find("draws from text alone (model_index.json has _class_name "
                          "QwenImagePipeline)"),
            std::string::npos)
      << pipeline;
  EXPECT_NE(pipeline.find("--references"), std::string::npos) << pipeline;
  EXPECT_NE(pipeline.find("Qwen-Image Edit 2511"), std::string::npos) << pipeline;
  fs::copy(plain_, home_ / "qwen-image-2512", fs::copy_options::recursive);
  fs::remove(home_ / "qwen-image-2512/model_index.json");
  job_.base = home_ / "qwen-image-2512";
  const std::string name = refusal(job_into("run"));
  EXPECT_NE(name.find("it is called 'qwen-image-2512'"), std::string::npos) << name;
}

// The transformer of Edit-2509 is that of Qwen-Image.
TEST_F(QwenImageEditRun, WhatIsAssumedOfAModelIsTold) {
  EXPECT_EQ(warning(job_into("run")), "");
  JobSpec alone = job_into("run");
  alone.references.clear();
  const std::string without_any = warning(alone);
  EXPECT_NE(without_any.find("Qwen-Image Edit 2511 edits images (its config has zero_cond_t true)"),
            std::string::npos)
      << without_any;
  fs::copy(plain_, home_ / "any", fs::copy_options::recursive);
  fs::remove(home_ / "any/model_index.json");
  job_.base = home_ / "any";
  const std::string told = warning(job_into("run"));
  EXPECT_NE(told.find("taken for Qwen-Image Edit 2509"), std::string::npos) << told;
  EXPECT_EQ(losses(job_into("run")).size(), 4U);
}

// Its name is gone, and its weights are those of Qwen-Image: the pipeline's class tells it then.
TEST_F(QwenImageEditRun, WhatItsNameToldIsWritten) {
  const fs::path named = home_ / "Qwen-Image-Edit-2509";
  fs::copy(plain_, named, fs::copy_options::recursive);
  write_model(home_ / "folder", model_contents(WeightSource::open(named)));
  write_model(home_ / "file.safetensors", model_contents(WeightSource::open(named)));
  EXPECT_EQ(read_json(home_ / "folder/model_index.json").at("_class_name"),
            "QwenImageEditPlusPipeline");
  for (const char* copy : {"folder", "file.safetensors"}) {
    EXPECT_TRUE(unread_references(WeightSource::open(home_ / copy), "--references").empty())
        << copy;
  }
}

TEST_F(QwenImageEditRun, TrainedInFullOnReferencesItEdits) {
  fs::copy(plain_, home_ / "any", fs::copy_options::recursive);
  fs::remove(home_ / "any/model_index.json");
  job_.base = home_ / "any";
  job_.preset.training.method = TrainingMethod::full;
  job_.preset.training.steps = 1;
  job_.preset.output.format = OutputFormat::diffusers;
  for (const bool edits : {true, false}) {
    testing_support::FamilyRecorder r;
    const fs::path made = run(job_into(edits ? "edits" : "draws"), r).adapter;
    EXPECT_EQ(read_json(made / "model_index.json").at("_class_name"),
              edits ? "QwenImageEditPlusPipeline" : "QwenImagePipeline");
    job_.references.clear();
  }
}

// As they load it: with the tower, its pipeline and what it needs beside the parts.
TEST_F(QwenImageEditRun, IsWrittenAsItWasRead) {
  fs::copy(model_ / "tokenizer", model_ / "processor");
  set(model_ / "model_index.json", "processor", {"transformers", "Qwen2VLProcessor"});
  const WeightSource source = WeightSource::open(model_);
  write_model(home_ / "copy", model_contents(source));
  const nlohmann::json index = read_json(home_ / "copy/model_index.json");
  EXPECT_EQ(index.at("_class_name"), "QwenImageEditPlusPipeline");
  EXPECT_EQ(index.at("processor"), nlohmann::json({"transformers", "Qwen2VLProcessor"}));
  EXPECT_TRUE(fs::exists(home_ / "copy/processor/tokenizer.json"));
  EXPECT_EQ(read_json(home_ / "copy/transformer/config.json").at("zero_cond_t"), true);
  // ComfyUI tells a file of it by this tensor.
  write_model(home_ / "one.safetensors", model_contents(source));
  write_model(home_ / "again.safetensors",
              model_contents(WeightSource::open(home_ / "one.safetensors")));
  for (const char* name : {"one.safetensors", "again.safetensors"}) {
    EXPECT_NE(
        SafetensorsFile::open(home_ / name).find("model.diffusion_model.__index_timestep_zero__"),
        nullptr)
        << name;
  }
  const std::vector<double> with = losses(job_into("run"));
  job_.base = home_ / "copy";
  EXPECT_EQ(losses(job_into("again")), with);
}

}  // namespace
}  // namespace mantissa
