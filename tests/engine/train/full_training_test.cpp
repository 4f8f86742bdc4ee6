// training.method full: whole runs that train the model's own weights, and their results.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/model_writer.h"
#include "engine/io/part_names.h"
#include "engine/io/safetensors.h"
#include "engine/io/weights.h"
#include "engine/models/new_model.h"
#include "engine/run/run_folder.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using testing_support::HealthRecorder;

std::vector<float> weight(const WeightSource& source, Part part, const std::string& name) {
  std::vector<float> values(static_cast<std::size_t>(source.shape(part, name).count()));
  source.read_f32(part, name, values);
  return values;
}

double mean(const std::vector<StepRecord>& steps, std::size_t from, std::size_t count) {
  double sum = 0;
  for (std::size_t i = from; i < from + count; ++i) {
    sum += steps.at(i).loss / static_cast<double>(count);
  }
  return sum;
}

class FullTrainingTest : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.training.method = TrainingMethod::full;
    job_.preset.optimizer.learning_rate = 1e-4;
  }
  WeightSource base() const { return WeightSource::open(resolve_base("demo")); }
  /// The demo's base with random weights except its VAE.
  fs::path untrained(std::uint64_t seed) const {
    NewModel wanted;
    wanted.like = resolve_base("demo");
    wanted.vae = wanted.like;
    wanted.seed = seed;
    const fs::path file = home_ / ("new" + std::to_string(seed) + ".safetensors");
    write_model(file, new_model(wanted));
    return file;
  }
};

TEST_F(FullTrainingTest, WritesAModelWithTheBasesNamesAndMovedWeights) {
  job_.preset.training.parts = {kDenoiser, kTe1, kTe2};
  job_.preset.output.save_every = 2;
  HealthRecorder r;
  const RunResult result = run(job_, r);
  const WeightSource before = base(), after = WeightSource::open(result.adapter);
  EXPECT_TRUE(after.unknown().empty());
  for (Part part : {kDenoiser, kTe1, kTe2, kVae}) {
    ASSERT_EQ(before.names(part), after.names(part));
    std::size_t moved = 0;
    for (const std::string& name : before.names(part)) {
      EXPECT_EQ(before.shape(part, name), after.shape(part, name));
      moved += weight(before, part, name) != weight(after, part, name) ? 1 : 0;
    }
    if (part == kVae) {
      EXPECT_EQ(moved, 0U);
    } else {
      // Weight decay moves even weights without gradients, except biases that are 0.
      EXPECT_GT(moved, before.names(part).size() * 3 / 4) << part_name(part);
    }
  }
  EXPECT_TRUE(fs::exists(result.folder / "checkpoints/step-00000002/test.safetensors"));
  for (const StepRecord& s : r.steps) {
    EXPECT_TRUE(std::isfinite(s.loss) && s.grad_norm > 0);
  }
}

TEST_F(FullTrainingTest, AModelFromScratchLearns) {
  job_.base = untrained(1);
  job_.preset.training.steps = 60;
  job_.preset.data.batch_size = 2;
  job_.preset.optimizer.learning_rate = 1e-3;
  HealthRecorder r;
  run(job_, r);
  EXPECT_LT(mean(r.steps, 45, 15), 0.9 * mean(r.steps, 0, 5));
}

TEST_F(FullTrainingTest, ResumeIsBitExactWithAveragedWeights) {
  job_.preset.training.ema = 0.9;
  job_.preset.training.steps = 4;
  HealthRecorder whole;
  const RunResult straight = run(job_into("straight"), whole);
  JobSpec first = job_into("stopped");
  first.preset.training.steps = 2;
  HealthRecorder half;
  run(first, half);
  JobSpec again = first;
  again.preset.training.steps = 4;
  again.resume = first.out;
  HealthRecorder rest;
  const RunResult resumed = run(again, rest);
  ASSERT_EQ(rest.steps.size(), 2U);
  EXPECT_EQ(rest.steps[1].loss, whole.steps[3].loss);
  const WeightSource a = WeightSource::open(straight.adapter),
                     b = WeightSource::open(resumed.adapter);
  for (const std::string& name : a.names(kDenoiser)) {
    ASSERT_EQ(weight(a, kDenoiser, name), weight(b, kDenoiser, name)) << name;
  }
}

TEST_F(FullTrainingTest, PatternsKeepTheRestFrozen) {
  job_.preset.training.weights = {"unet.*.attn1.*"};
  HealthRecorder r;
  const WeightSource before = base(), after = WeightSource::open(run(job_, r).adapter);
  std::size_t moved = 0;
  for (const std::string& name : before.names(kDenoiser)) {
    const bool same = weight(before, kDenoiser, name) == weight(after, kDenoiser, name);
    EXPECT_EQ(same, name.find(".attn1.") == std::string::npos) << name;
    moved += same ? 0 : 1;
  }
  EXPECT_GT(moved, 0U);
  job_.preset.training.weights = {"unet.no_such_module"};
  try {
    run(job_into("none"), r);
    FAIL() << "trained nothing";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("training.weights"), std::string::npos);
  }
}

TEST_F(FullTrainingTest, WeightsOfCodesAreRefusedAsQ9) {
  HealthRecorder r;
  for (const StorageType type : {StorageType::fp8_e4m3, StorageType::int8}) {
    job_.preset.precision.weights.denoiser = type;
    try {
      run(job_, r);
      FAIL() << "trained codes";
    } catch (const Error& e) {
      EXPECT_EQ(e.id(), "Q9");
      EXPECT_EQ(e.kind(), ErrorKind::precision);
    }
  }
  // Parts that stay frozen may be codes.
  job_.preset.precision.weights.denoiser = StorageType::fp32;
  job_.preset.precision.weights.text_encoders = StorageType::fp8_e4m3;
  EXPECT_EQ(run(job_into("text"), r).steps, 4);
}

TEST_F(FullTrainingTest, NarrowMastersAndComputeTrain) {
  job_.preset.training.steps = 12;
  for (const auto& [compute, masters] : {std::pair{ComputeType::fp32, MasterType::fp32},
                                         {ComputeType::bf16, MasterType::fp32},
                                         {ComputeType::bf16, MasterType::bf16},
                                         {ComputeType::fp16, MasterType::fp32},
                                         {ComputeType::fp32, MasterType::bf16},
                                         {ComputeType::fp8, MasterType::fp32},
                                         {ComputeType::int8, MasterType::fp32}}) {
    JobSpec job = job_into(("run" + std::to_string(static_cast<int>(compute)) + "-" +
                            std::to_string(static_cast<int>(masters)))
                               .c_str());
    job.preset.precision.compute = compute;
    job.preset.precision.adapter = masters;
    HealthRecorder r;
    EXPECT_EQ(run(job, r).steps, 12);
    EXPECT_EQ(r.log.find("Q14") != std::string::npos,
              compute == ComputeType::fp8 || compute == ComputeType::int8);
    for (const StepRecord& s : r.steps) {
      EXPECT_TRUE(std::isfinite(s.loss));
    }
  }
}

TEST_F(FullTrainingTest, FolderAndFileHoldTheSameModel) {
  HealthRecorder r;
  const RunResult file = run(job_into("file"), r);
  job_.preset.output.format = OutputFormat::diffusers;
  const RunResult folder = run(job_into("folder"), r);
  EXPECT_TRUE(fs::is_directory(folder.adapter));
  EXPECT_TRUE(fs::exists(folder.adapter / "model_index.json"));
  const WeightSource a = WeightSource::open(file.adapter), b = WeightSource::open(folder.adapter);
  for (Part part : {kDenoiser, kTe1, kTe2, kVae}) {
    ASSERT_EQ(a.names(part), b.names(part));
    for (const std::string& name : a.names(part)) {
      ASSERT_EQ(weight(a, part, name), weight(b, part, name)) << name;
    }
  }
}

/// Every tensor of a file with its shape.
std::set<std::string> tensor_shapes(const fs::path& file) {
  const SafetensorsFile opened = SafetensorsFile::open(file);
  std::set<std::string> result;
  for (const TensorInfo& t : opened.tensors()) {
    result.insert(t.name + " " + t.shape().str());
  }
  return result;
}

TEST_F(FullTrainingTest, AWrittenModelReadBackIsWrittenTheSame) {
  const auto write = [&](const fs::path& from, const char* to) {
    write_model(home_ / to, model_contents(WeightSource::open(from)));
    return home_ / to;
  };
  const auto same = [](const fs::path& a, const fs::path& b) {
    return sha256_file(a) == sha256_file(b);
  };
  // A single file, with all that is in it.
  const fs::path given = fs::path(MANTISSA_TEST_DATA) / "golden/models/a.safetensors";
  const fs::path one = write(given, "one.safetensors");
  EXPECT_EQ(tensor_shapes(one), tensor_shapes(given)) << "as other programs ask";
  EXPECT_TRUE(same(write(one, "two.safetensors"), one));
  // Via a folder. It loses only what CLIPTextModel has no parameter for.
  const fs::path folder = write(one, "folder");
  const fs::path back = write(folder, "back.safetensors");
  std::set<std::string> left = tensor_shapes(one);
  EXPECT_EQ(std::erase_if(left,
                          [](const std::string& name) {
                            return name.find("logit_scale ") != std::string::npos;
                          }),
            1U);
  EXPECT_EQ(tensor_shapes(back), left);
  const fs::path folder_again = write(back, "again");
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      EXPECT_TRUE(same(entry.path(), folder_again / fs::relative(entry.path(), folder)))
          << entry.path();
    }
  }
  EXPECT_TRUE(same(write(folder_again, "last.safetensors"), back));
}

TEST_F(FullTrainingTest, NewModelsHaveTheirSeedsWeights) {
  const WeightSource a = WeightSource::open(untrained(1)), b = WeightSource::open(untrained(2));
  const auto statistics = [&](Part part, const std::string& name) {
    const std::vector<float> v = weight(a, part, name);
    double squares = 0, largest = 0;
    for (float x : v) {
      squares += static_cast<double>(x) * x;
      largest = std::max(largest, std::fabs(static_cast<double>(x)));
    }
    return std::pair{std::sqrt(squares / static_cast<double>(v.size())), largest};
  };
  std::size_t uniform = 0;
  for (const std::string& name : a.names(kDenoiser)) {
    const Shape shape = a.shape(kDenoiser, name);
    const auto [deviation, largest] = statistics(kDenoiser, name);
    if (shape.rank() > 1 && shape.count() > 2000) {
      const double bound = 1 / std::sqrt(static_cast<double>(shape.count() / shape[0]));
      EXPECT_LE(largest, bound) << name;
      EXPECT_NEAR(deviation, bound / std::sqrt(3.0), 0.05 * bound) << name;
      EXPECT_NE(weight(a, kDenoiser, name), weight(b, kDenoiser, name)) << name;
      ++uniform;
    }
  }
  EXPECT_GT(uniform, 10U);
  // With the deviation of the text encoder's config.
  const auto embedding = statistics(kTe1, "text_model.embeddings.token_embedding.weight");
  EXPECT_NEAR(embedding.first, 1.0, 0.01);
  EXPECT_EQ(statistics(kDenoiser, "conv_norm_out.weight").second, 1.0);
  EXPECT_EQ(weight(a, kVae, "encoder.conv_in.weight"), weight(b, kVae, "encoder.conv_in.weight"));
}

TEST_F(FullTrainingTest, EmbeddingsAreNarrowWhereTheConfigSaysNothing) {
  NewModel wanted;
  wanted.like = fs::path(MANTISSA_TEST_DATA) / "golden/models/a.safetensors";
  write_model(home_ / "new.safetensors", new_model(wanted));
  double squares = 0;
  const std::vector<float> v = weight(WeightSource::open(home_ / "new.safetensors"), kTe1,
                                      "text_model.embeddings.token_embedding.weight");
  for (float x : v) {
    squares += static_cast<double>(x) * x;
  }
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(v.size())), 0.02, 0.002);
}

TEST_F(FullTrainingTest, NewModelsOfAFlowFamily) {
  NewModel wanted;
  wanted.like = fs::path(MANTISSA_TEST_DATA) / "golden/models/z_image";
  wanted.vae = wanted.like;
  wanted.seed = 3;
  write_model(home_ / "new", new_model(wanted));
  const WeightSource made = WeightSource::open(home_ / "new"),
                     like = WeightSource::open(wanted.like);
  EXPECT_EQ(made.family().id(), ModelFamily("z_image"));
  EXPECT_TRUE(made.tokenizer_folder(kTe1).has_value());
  EXPECT_EQ(weight(made, kVae, "encoder.conv_in.weight"),
            weight(like, kVae, "encoder.conv_in.weight"));
  for (const Part part : {kDenoiser, kTe1}) {
    for (const std::string& name : like.names(part)) {
      EXPECT_EQ(made.shape(part, name), like.shape(part, name)) << name;
    }
  }
  const std::vector<float> pad = weight(made, kDenoiser, "cap_pad_token");
  EXPECT_LT(*std::max_element(pad.begin(), pad.end()), 0.1F) << "0.02, no config says otherwise";
  EXPECT_EQ(weight(made, kTe1, "model.layers.0.input_layernorm.weight").at(0), 1.0F);
  job_.base = home_ / "new";
  job_.preset.training.parts = {kDenoiser, kTe1};
  job_.preset.training.steps = 2;
  HealthRecorder r;
  run(job_, r);
  EXPECT_TRUE(std::isfinite(r.steps.at(1).loss));
}

TEST_F(FullTrainingTest, NewModelsOfOtherFamiliesAreRefused) {
  const auto refusal = [](const fs::path& like) {
    return test::message_of([&] { new_model({.like = like}); });
  };
  const fs::path models = fs::path(MANTISSA_TEST_DATA) / "golden/models";
  EXPECT_EQ(refusal(models / "krea2"),
            path_to_utf8(models / "krea2") +
                " has no config.json of a denoiser of which new models can be made: Z-Image, SDXL, "
                "SD 1.5");
  fs::create_directories(home_ / "partial/transformer");
  fs::copy_file(models / "z_image/transformer/config.json",
                home_ / "partial/transformer/config.json");
  EXPECT_EQ(refusal(home_ / "partial"),
            path_to_utf8(home_ / "partial") +
                " has no text_encoder/config.json, which a new model needs");
}

}  // namespace
}  // namespace mantissa
