// Runs of the tiny Qwen-Image-2.1 (tests/golden/make_qwen_image21.py) on images with references,
// which its text encoder sees too.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "engine/data/image_cut.h"
#include "engine/diffusion/model_objective.h"
#include "engine/programs/latent_encoding.h"
#include "engine/programs/renderer.h"
#include "engine/programs/text_encoding.h"
#include "engine/render/run_sample.h"
#include "tests/engine/train/edit_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class QwenImage21EditRun : public testing_support::EditRun {
 protected:
  QwenImage21EditRun() : EditRun("qwen_image_21") {}
  /// The model without its vision tower.
  fs::path blind() const {
    const fs::path folder = home_ / "blind";
    fs::copy(model_, folder, fs::copy_options::recursive);
    const fs::path file = folder / "text_encoder/model.safetensors";
    const SafetensorsFile whole = SafetensorsFile::open(model_ / "text_encoder/model.safetensors");
    std::vector<TensorToWrite> kept;
    for (const TensorInfo& t : whole.tensors()) {
      if (t.name.find("visual.") == std::string::npos) {
        kept.push_back({t.name, *t.type, t.shape(), t.data, {}});
      }
    }
    fs::remove(file);
    write_safetensors(file, kept, {});
    return folder;
  }
  /// The first caption's encoding beside its image.
  std::vector<float> text(bool flipped = false) {
    const Encoded made = encoded();
    const BucketedImages& images = made.run.data->images();
    const ImageItem& item = images.item(0);
    const ImageVersion version = images.version(item, images.sizes(item).front(), 0);
    return made.run.data->text(item.caption, item, version, flipped).at("context").data;
  }
};

/// The pipeline's samples, and what its text encoder passes on.
class QwenImage21EditSample : public QwenImage21EditRun {
 protected:
  std::vector<float> golden(const std::string& name) const {
    const TensorInfo* t = golden_.find(name);
    std::vector<float> values(static_cast<std::size_t>(t->count()));
    std::memcpy(values.data(), t->data, t->bytes);
    return values;
  }
  /// [8, 12, 8] of [1, 8, 8, 12].
  std::vector<float> noise() const {
    const std::vector<float> all = golden("noise");
    std::vector<float> out;
    for (std::size_t at = 0; at < 96; ++at) {
      for (std::size_t channel = 0; channel < 8; ++channel) {
        out.push_back(all[channel * 96 + at]);
      }
    }
    return out;
  }
  std::vector<Image> seen(std::size_t count) const {
    draw("seen/1.png", 7, 96, 32);
    draw("seen/2.png", 8, 64, 64);
    std::vector<Image> images;
    for (std::size_t i = 1; i <= count; ++i) {
      images.push_back(load_image(home_ / "seen" / (std::to_string(i) + ".png")));
    }
    return images;
  }

  const SafetensorsFile golden_ = SafetensorsFile::open(
      fs::path(MANTISSA_TEST_DATA) / "golden/reference/qwen_image21_edit_sample.safetensors");
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels();
  const WeightSource source_ = WeightSource::open(model_);
  std::unique_ptr<DiffusionModel> tiny_ =
      DiffusionModel::open(*kernels_, source_, nullptr, PrecisionRules::uniform(DType::f32));
};

TEST_F(QwenImage21EditSample, TextsAndImagesAreThePipelines) {
  Arena arena(*kernels_);
  for (const std::size_t count : {1U, 2U}) {
    tiny_->set_text_options({.references = count});
    const std::vector<Image> images = seen(count);
    const TextEncoding text = TextEncoder(*kernels_, *tiny_).encode("make the cat red", images);
    const std::vector<float> states = golden("hidden." + std::to_string(count));
    ASSERT_EQ(text.at("length").data.at(0), static_cast<float>(states.size() / 24));
    double off = 0, most = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      off = std::max(off, static_cast<double>(std::abs(text.at("context").data[i] - states[i])));
      most = std::max(most, static_cast<double>(std::abs(states[i])));
    }
    EXPECT_LE(off / most, 1e-5) << count;

    LatentEncoder encoder(*kernels_, *tiny_);
    const LatentFormat format = LatentFormat::of(*tiny_);
    RenderOptions options;
    options.width = 48;
    options.height = 32;
    options.steps = 2;
    options.guidance = 1;
    for (const Image& image : images) {
      options.references.push_back({{image.height / format.factor, image.width / format.factor},
                                    format.scaled(encoder.encode(image).mean)});
    }
    Renderer renderer(*kernels_, arena, *tiny_, model_objective(source_, {}));
    const std::vector<float> made =
        renderer.decode(renderer.denoise(text, text, options, noise()), 48, 32);
    const std::vector<float> want = golden("image." + std::to_string(count));
    ASSERT_EQ(made.size() / 3, want.size() / 4);
    double squares = 0;
    for (std::size_t i = 0; i < made.size(); ++i) {
      const double level = (std::clamp(made[i], -1.0F, 1.0F) + 1) / 2;
      squares += std::pow(level - static_cast<double>(want[i / 3 * 4 + i % 3]), 2);  // no alpha
    }
    const double psnr = -10 * std::log10(squares / static_cast<double>(made.size()));
    RecordProperty("psnr_" + std::to_string(count), std::to_string(psnr));
    EXPECT_GE(psnr, 70) << count;
  }
}

TEST_F(QwenImage21EditRun, LearnsAnAdapterAsWithoutReferences) {
  const std::size_t tensors = trained_adapter().tensors().size();
  job_.references.clear();
  testing_support::FamilyRecorder r;
  EXPECT_EQ(SafetensorsFile::open(run(job_into("without"), r).adapter).tensors().size(), tensors);
}

TEST_F(QwenImage21EditRun, ReferencesChangeTheLossAndTheText) {
  const std::vector<double> with = losses(job_into("with"));
  const std::vector<float> encoding = text();
  draw("before/a.png", 7);
  draw("before/b.png", 8);
  draw("before/c.png", 9);
  EXPECT_NE(losses(job_into("others")), with);
  EXPECT_NE(text(), encoding);
}

TEST_F(QwenImage21EditRun, TextsSeeReferencesAsTheyAreMirrored) {
  job_.preset.data.flip = true;
  EXPECT_NE(text(false), text(true));
}

TEST_F(QwenImage21EditRun, DroppedAndPreservedCaptionsSeeReferences) {
  job_.preset.data.flip = true;
  job_.preset.data.variants = 2;
  job_.preset.data.crop_jitter = 0.2;
  job_.preset.data.caption_dropout = 0.5;
  job_.preset.training.preservation = Preservation::empty;
  EXPECT_EQ(losses(job_into("run")).size(), 4U);
}

TEST_F(QwenImage21EditRun, GoesOnAfterAResumeToTheBit) {
  draw("before/b.png", 4, 128, 64);
  expect_goes_on_after_a_resume();
}

TEST_F(QwenImage21EditRun, ReplaysItsTrace) {
  job_.references.push_back(home_ / "before");
  JobSpec job = job_into("run");
  job.trace = home_ / "trace.st";
  job.trace_steps = job.preset.training.steps;
  const std::vector<double> traced = losses(job);
  JobSpec again = job_into("again");
  again.replay = job.trace;
  again.images.clear();
  again.references.clear();
  EXPECT_EQ(losses(again), traced);
}

TEST_F(QwenImage21EditRun, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.training.steps = 2;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(QwenImage21EditRun, EveryComputeTypeFollowsFp32) {
  expect_every_compute_type_follows_fp32();
}

TEST_F(QwenImage21EditRun, SplitOverDevicesItIsTheSame) {
  constexpr std::uint64_t kBudget = 1 << 30;
  const std::vector<double> whole = losses(job_into("whole"));
  JobSpec split = job_into("split");
  split.split = {{"cpu", kBudget}, {"cpu", kBudget}};
  EXPECT_EQ(losses(split), whole);
}

TEST_F(QwenImage21EditRun, TrainsBesideImagesWithoutReferences) {
  draw("prior/p.png", 50);
  job_.prior = {home_ / "prior"};
  EXPECT_EQ(losses(job_into("run")).size(), 4U);
}

TEST_F(QwenImage21EditRun, PlansTheMemoryOfReferences) {
  expect_references_take_memory();
}

TEST_F(QwenImage21EditRun, SamplesShowTheReferencesThatTheyName) {
  draw("before/view.png", 3, 70, 50);
  expect_samples_show_their_references(job_into("run"));
}

TEST_F(QwenImage21EditRun, ItsAdapterSamplesWithAndWithoutReferences) {
  draw("before/view.png", 3, 70, 50);
  testing_support::FamilyRecorder r;
  SampleRequest request;
  request.base = model_;
  request.loras = {{run(job_into("run"), r).adapter, 1}};
  request.prompt = "a red cat";
  request.steps = 2;
  request.width = request.height = 64;
  std::set<std::string> images;
  for (const char* name : {"plain", "one", "two"}) {
    request.out = home_ / (std::string(name) + ".png");
    run_sample(request, r);
    images.insert(read_text(request.out));
    request.references.push_back(home_ / "before/view.png");
  }
  EXPECT_EQ(images.size(), 3U);
}

TEST_F(QwenImage21EditRun, AModelWithoutItsTowerTrainsWithoutReferencesAlone) {
  job_.base = blind();
  const std::string refused = refusal(job_into("run"));
  EXPECT_NE(refused.find("vision tower"), std::string::npos) << refused;
  EXPECT_NE(refused.find("model.safetensors"), std::string::npos) << refused;
  job_.references.clear();
  EXPECT_EQ(losses(job_into("plain")).size(), 4U);
}

TEST_F(QwenImage21EditRun, RefusesCaptionsThatAreEncodedInTheSteps) {
  JobSpec shuffled = job_into("run");
  shuffled.preset.data.shuffle_captions = true;
  EXPECT_NE(refusal(shuffled).find("data.shuffle_captions"), std::string::npos);
  JobSpec text = job_into("run");
  text.preset.training.parts = {kDenoiser, kTe1};
  EXPECT_NE(refusal(text).find("training.parts"), std::string::npos);
}

}  // namespace
}  // namespace mantissa
