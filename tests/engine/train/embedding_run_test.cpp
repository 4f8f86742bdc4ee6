// Runs that train the vectors of new words (training.parts embeddings).
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/adapters/embedding_file.h"
#include "engine/io/file.h"
#include "engine/io/safetensors.h"
#include "engine/io/weights.h"
#include "engine/plan/job_paths.h"
#include "engine/plan/plan_run.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"
#include "engine/readers/file_readings.h"
#include "engine/render/sample.h"
#include "tests/engine/train/precisions.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/engine/train/steady_run.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_support::HealthRecorder;
using testing_support::StepRecorder;

class EmbeddingRun : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.training.parts = {kEmbeddings};
    job_.preset.embedding.tokens = {{"zorb", 3, "a red circle"}};
  }
  std::vector<double> losses(const JobSpec& job) {
    StepRecorder recorder;
    run(job, recorder);
    return recorder.losses;
  }
  std::string refusal(const JobSpec& job) {
    HealthRecorder recorder;
    return test::message_of([&] { run(job, recorder); });
  }
  static std::string state_of(const JobSpec& job) {
    return sha256_file(job.out / "checkpoints/step-00000004/state.safetensors");
  }
  static WordEmbeddings result(const JobSpec& job, const char* word = "zorb") {
    return read_embedding(job.out / (std::string(word) + ".safetensors"), demo().family());
  }
  static WeightSource demo() { return WeightSource::open(resolve_base("demo")); }
};

TEST_F(EmbeddingRun, WritesTheWordsVectorsAndNothingElse) {
  const JobSpec job = job_into("run");
  StepRecorder recorder;
  const RunResult done = run(job, recorder);
  EXPECT_EQ(done.adapter, job.out / "zorb.safetensors");
  const WordEmbeddings word = result(job);
  EXPECT_EQ(word.word, "zorb");
  ASSERT_EQ(word.encoders.size(), 2U);
  EXPECT_EQ(word.vectors(), 3);
  EXPECT_FALSE(fs::exists(job.out / "test.safetensors")) << "there is no adapter";
  EXPECT_TRUE(fs::exists(job.out / "checkpoints/step-00000004/zorb.safetensors"));
  const auto metadata = SafetensorsFile::open(job.out / "zorb.safetensors").metadata();
  EXPECT_EQ(parse_preset(metadata.at("mantissa.preset"), "metadata"), job.preset);
  EXPECT_EQ(metadata.at("ss_steps"), "4");
}

// A rate of 0 leaves what they start from: the text's tokens, repeated or cut.
TEST_F(EmbeddingRun, StartsFromItsText) {
  job_.preset.training.steps = 1;
  job_.preset.optimizer.learning_rate = 0;
  job_.preset.embedding.tokens = {{"zorb", 5, "a red circle"}, {"print", 2, "a red circle"}};
  const JobSpec job = job_into("run");
  losses(job);
  const WordEmbeddings five = result(job), two = result(job, "print");
  const auto model = DiffusionModel::open_planning(demo());
  for (std::size_t e = 0; e < 2; ++e) {
    const WordVectors &all = five.encoders[e], &some = two.encoders[e];
    const std::vector<std::int32_t> ids = model->word_ids("a red circle").at(all.part);
    ASSERT_EQ(ids.size(), 3U);
    std::vector<float> table(static_cast<std::size_t>(
        demo().shape(all.part, "text_model.embeddings.token_embedding.weight").count()));
    demo().read_f32(all.part, "text_model.embeddings.token_embedding.weight", table);
    for (std::int64_t i = 0; i < 5; ++i) {
      for (std::int64_t k = 0; k < all.width; ++k) {
        const auto at = static_cast<std::size_t>(i * all.width + k);
        const std::int64_t row = ids[static_cast<std::size_t>(i % 3)];
        EXPECT_EQ(all.values[at], table[static_cast<std::size_t>(row * all.width + k)]);
        if (i < 2) {
          EXPECT_EQ(some.values[at], all.values[at]);
        }
      }
    }
  }
}

TEST_F(EmbeddingRun, StartsFromRandomVectorsOfTheGivenDeviation) {
  job_.preset.training.steps = 1;
  job_.preset.optimizer.learning_rate = 0;
  job_.preset.embedding.tokens = {{"zorb", 40, "", 0.3}};
  const JobSpec job = job_into("run");
  losses(job);
  const WordEmbeddings word = result(job);
  for (const WordVectors& vectors : word.encoders) {
    double squares = 0;
    for (const float x : vectors.values) {
      squares += static_cast<double>(x) * static_cast<double>(x);
    }
    const double deviation = std::sqrt(squares / static_cast<double>(vectors.values.size()));
    EXPECT_NEAR(deviation, 0.3, 0.02) << vectors.part.name();
  }
  EXPECT_NE(word.encoders[0].values[0], word.encoders[1].values[0]);
}

TEST_F(EmbeddingRun, ContinuesAsIfNeverStopped) {
  job_.preset.output.save_every = 2;
  for (const ComputeType compute : {ComputeType::fp32, ComputeType::bf16, ComputeType::fp8}) {
    for (const bool beside : {false, true}) {
      job_.preset.precision.compute = compute;
      job_.preset.training.parts =
          beside ? std::vector{kDenoiser, kEmbeddings} : std::vector{kEmbeddings};
      const std::string name = std::string(enum_name(compute)) + (beside ? "-lora" : "");
      SCOPED_TRACE(name);
      const JobSpec straight = job_into((name + "-straight").c_str());
      losses(straight);
      JobSpec stopped = job_into((name + "-stopped").c_str());
      stopped.preset.training.steps = 2;
      losses(stopped);
      stopped.resume = stopped.out;
      stopped.preset.training.steps = 4;
      losses(stopped);
      EXPECT_EQ(state_of(stopped), state_of(straight));
      EXPECT_EQ(sha256_file(stopped.out / "zorb.safetensors"),
                sha256_file(straight.out / "zorb.safetensors"));
    }
  }
}

// The file of the word beside the adapter is continued with it.
TEST_F(EmbeddingRun, ContinuesFromFiles) {
  job_.preset.training.parts = {kDenoiser, kEmbeddings};
  const JobSpec first = job_into("first");
  losses(first);
  JobSpec second = job_into("second");
  second.continue_from = first.out / "test.safetensors";
  second.preset.training.steps = 1;
  second.preset.optimizer.learning_rate = 0;
  losses(second);
  EXPECT_EQ(result(second).encoders[0].values, result(first).encoders[0].values);
  JobSpec alone = second;
  alone.out = home_ / "alone";
  alone.continue_from = first.out / "zorb.safetensors";
  alone.preset.training.parts = {kEmbeddings};
  losses(alone);
  EXPECT_EQ(result(alone).encoders[1].values, result(first).encoders[1].values);
  alone.preset.embedding.tokens[0].vectors = 2;
  alone.out = home_ / "other";
  EXPECT_THAT(refusal(alone), HasSubstr("holds 3 vectors, but embedding.tokens says 2 for zorb"));
}

TEST_F(EmbeddingRun, ItsRateIsItsOwn) {
  job_.preset.training.parts = {kDenoiser, kEmbeddings};
  job_.preset.optimizer.groups = {{kEmbeddings, std::nullopt, 0.0, 0.0}};
  const JobSpec still = job_into("still");
  losses(still);
  job_.preset.optimizer.groups = {{kEmbeddings, std::nullopt, 0.01, 0.0}};
  const JobSpec moved = job_into("moved");
  losses(moved);
  EXPECT_NE(result(still).encoders[0].values, result(moved).encoders[0].values);
  EXPECT_NE(sha256_file(still.out / "test.safetensors"),
            sha256_file(moved.out / "test.safetensors"));
}

TEST_F(EmbeddingRun, UpdatesInsideTheBackwardPassAreTheSame) {
  job_.preset.training.parts = {kDenoiser, kEmbeddings};
  job_.preset.training.max_grad_norm = 0;
  const JobSpec separate = job_into("separate");
  JobSpec fused = job_into("fused");
  fused.preset.optimizer.fused_back_pass = true;
  losses(separate);
  losses(fused);
  EXPECT_EQ(state_of(fused), state_of(separate));
}

TEST_F(EmbeddingRun, EveryCheckpointingScopeIsTheSame) {
  job_.preset.training.parts = {kDenoiser, kEmbeddings};
  job_.preset.adapter.targets = {"linear+conv"};
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(EmbeddingRun, PlansItsVeryArena) {
  for (const bool beside : {false, true}) {
    job_.preset.training.parts =
        beside ? std::vector{kDenoiser, kEmbeddings} : std::vector{kEmbeddings};
    StepRecorder recorder;
    run(job_into(beside ? "beside" : "alone"), recorder);
    EXPECT_EQ(plan_training(job_).arena_bytes, recorder.arena_bytes);
  }
}

TEST_F(EmbeddingRun, TakesAllItsMemoryBeforeItsFirstStep) {
  testing_support::keep_busy(job_, home_ / "images");
  job_.preset.embedding.tokens = {{"pattern", 2, "a red circle"}};
  for (const bool beside : {false, true}) {
    job_.preset.training.parts =
        beside ? std::vector{kDenoiser, kEmbeddings} : std::vector{kEmbeddings};
    HealthRecorder recorder;
    run(job_into(beside ? "beside" : "alone"), recorder);
    EXPECT_THAT(recorder.log, HasSubstr(testing_support::kSteady));
  }
}

TEST_F(EmbeddingRun, ReplaysItsTrace) {
  JobSpec traced = job_into("traced");
  traced.trace = home_ / "trace.safetensors";
  traced.trace_steps = 4;
  const std::vector<double> first = losses(traced);
  JobSpec replayed = job_into("replayed");
  replayed.replay = traced.trace;
  EXPECT_EQ(losses(replayed), first);
}

TEST_F(EmbeddingRun, EveryPrecisionTrains) {
  job_.preset.training.steps = 2;
  for (const test::Precision& precision : test::precisions_of_a_cpu()) {
    for (const StorageType encoders : {StorageType::fp32, precision.weights}) {
      SCOPED_TRACE(precision.name() + ", encoders in " + std::string(enum_name(encoders)));
      JobSpec job = job_into("run");
      job.preset.precision.compute = precision.compute;
      job.preset.precision.weights.denoiser = precision.weights;
      job.preset.precision.weights.text_encoders = encoders;
      for (const double loss : losses(job)) {
        EXPECT_TRUE(std::isfinite(loss) && loss > 0) << loss;
      }
      fs::remove_all(job.out);
    }
  }
}

TEST_F(EmbeddingRun, EveryAdapterTrainsBeside) {
  job_.preset.training.steps = 2;
  job_.preset.training.parts = {kDenoiser, kTe1, kEmbeddings};
  for (const AdapterType type :
       {AdapterType::lora, AdapterType::dora, AdapterType::loha, AdapterType::lokr}) {
    SCOPED_TRACE(enum_name(type));
    JobSpec job = job_into("run");
    job.preset.adapter.type = type;
    for (const double loss : losses(job)) {
      EXPECT_TRUE(std::isfinite(loss) && loss > 0) << loss;
    }
    EXPECT_TRUE(fs::exists(job.out / "test.safetensors"));
    EXPECT_TRUE(fs::exists(job.out / "zorb.safetensors"));
    fs::remove_all(job.out);
  }
}

TEST_F(EmbeddingRun, EveryOptimizerTrains) {
  job_.preset.training.steps = 2;
  for (const std::string_view name : enum_names<OptimizerType>()) {
    SCOPED_TRACE(name);
    JobSpec job = job_into("run");
    job.preset.optimizer.type = *enum_from_name<OptimizerType>(name);
    for (const double loss : losses(job)) {
      EXPECT_TRUE(std::isfinite(loss) && loss > 0) << loss;
    }
    fs::remove_all(job.out);
  }
}

TEST_F(EmbeddingRun, ConflictsAreNamedBeforeAnythingIsMade) {
  const auto with = [&](const auto& change) {
    JobSpec job = job_into("refused");
    change(job);
    return refusal(job);
  };
  EXPECT_THAT(with([](JobSpec& j) { j.preset.embedding.tokens.clear(); }),
              HasSubstr("embedding.tokens names no word"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.embedding.tokens[0].init = " "; }),
              HasSubstr("init of zorb holds no token"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.output.name = "Zorb"; }),
              HasSubstr("output.name and a word of embedding.tokens"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.training.method = TrainingMethod::full; }),
              HasSubstr("no weight of the model changes"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.output.bundle_embeddings = true; }),
              HasSubstr("output.bundle_embeddings is for the file of an adapter"));
  EXPECT_THAT(with([](JobSpec& j) {
                j.preset.training.parts = {kDenoiser, kEmbeddings};
                j.preset.output.bundle_embeddings = true;
                j.preset.output.format = OutputFormat::peft;
              }),
              HasSubstr("output.format is peft, whose readers refuse"));
  EXPECT_FALSE(fs::exists(home_ / "refused/checkpoints"));
  // Captions are read in the run.
  EXPECT_THAT(with([](JobSpec& j) { j.preset.embedding.tokens[0].token = "blob"; }),
              HasSubstr("no caption contains blob"));
  EXPECT_THAT(with([](JobSpec& j) { j.preset.embedding.tokens[0].token = "zor"; }),
              HasSubstr("no caption contains zor"));
}

// What `mantissa sample` draws with the file is what the run drew.
TEST_F(EmbeddingRun, SamplesUseTheTrainedVectors) {
  job_.preset.optimizer.learning_rate = 0.05;
  job_.preset.samples.every = 4;
  job_.preset.samples.prompts = {{"a zorb", "", 1, 64, 64, 2, 2.0}};
  const JobSpec job = job_into("run");
  losses(job);
  const ImageLibrary library;
  const auto pixels = [](const fs::path& png) { return load_image(png).pixels; };
  const auto begun = pixels(job.out / "samples/step-000000-00.png");
  const auto trained = pixels(job.out / "samples/step-000004-00.png");
  EXPECT_NE(begun, trained);
  SampleRequest request;
  request.base = "demo";
  request.prompt = "a Zorb";
  request.width = request.height = 64;
  request.steps = 2;
  request.guidance = 2;
  request.seed = 1;
  request.out = home_ / "image.png";
  request.embeddings = {{job.out / "zorb.safetensors", {}}};
  HealthRecorder recorder;
  run_sample(request, recorder);
  EXPECT_EQ(pixels(request.out), trained);
  request.embeddings[0].word = "blob";
  run_sample(request, recorder);
  EXPECT_NE(pixels(request.out), trained) << "the prompt's word is another";
  request.prompt = "a blob";
  run_sample(request, recorder);
  EXPECT_EQ(pixels(request.out), trained);
}

class BundledRun : public EmbeddingRun {
 protected:
  void SetUp() override {
    EmbeddingRun::SetUp();
    job_.preset.training.parts = {kDenoiser, kEmbeddings};
    job_.preset.output.bundle_embeddings = true;
    job_.preset.optimizer.learning_rate = 0.05;
    job_.preset.training.steps = 2;
  }
  static std::vector<WordEmbeddings> bundle(const JobSpec& job) {
    return read_bundled(job.out / "test.safetensors", demo().family());
  }
};

TEST_F(BundledRun, WritesTheWordIntoTheAdapter) {
  const JobSpec job = job_into("run");
  JobSpec apart = job_into("apart");
  apart.preset.output.bundle_embeddings = false;
  losses(job);
  losses(apart);
  EXPECT_EQ(bundle(job), (std::vector{result(apart)}));
  EXPECT_FALSE(fs::exists(job.out / "zorb.safetensors"));
  EXPECT_FALSE(fs::exists(job.out / "checkpoints/step-00000002/zorb.safetensors"));
  const SafetensorsFile whole = SafetensorsFile::open(job.out / "test.safetensors");
  EXPECT_EQ(whole.find("bundle_emb.zorb.clip_g")->shape()[0], 3);
  const SafetensorsFile plain = SafetensorsFile::open(apart.out / "test.safetensors");
  EXPECT_EQ(whole.tensors().size(), plain.tensors().size() + 2);
  const FileReadings readings = read_file_as(job.out / "test.safetensors", demo(), {});
  EXPECT_TRUE(readings.bundles_words);
  EXPECT_FALSE(readings.modules.empty()) << readings.unknown.text();
  EXPECT_FALSE(read_file_as(apart.out / "test.safetensors", demo(), {}).bundles_words);
}

TEST_F(BundledRun, SamplesUseItsWord) {
  job_.preset.samples.every = 2;
  job_.preset.samples.prompts = {{"a zorb", "", 1, 64, 64, 2, 2.0}};
  const JobSpec job = job_into("run");
  losses(job);
  const ImageLibrary library;
  const auto pixels = [](const fs::path& png) { return load_image(png).pixels; };
  const auto trained = pixels(job.out / "samples/step-000002-00.png");
  SampleRequest request;
  request.base = "demo";
  request.prompt = "a zorb";
  request.width = request.height = 64;
  request.steps = 2;
  request.guidance = 2;
  request.seed = 1;
  request.out = home_ / "image.png";
  request.loras = {{job.out / "test.safetensors", 1}};
  HealthRecorder recorder;
  run_sample(request, recorder);
  EXPECT_EQ(pixels(request.out), trained);
  // Columns with vectors of their own; and an embedding that is given counts in their place.
  const SampleRequest::Column last{"last", std::move(request.loras)};
  request.loras.clear();
  request.columns = {last, {"same", last.loras}};
  run_sample(request, recorder);
  request.columns[1].loras.push_back(last.loras[0]);
  EXPECT_THAT(test::message_of([&] { run_sample(request, recorder); }),
              HasSubstr("two adapters bundle an embedding of the word zorb"));
  request.columns.clear();
  request.loras = last.loras;
  WordEmbeddings nothing = bundle(job).front();
  for (WordVectors& vectors : nothing.encoders) {
    std::ranges::fill(vectors.values, 0.0F);
  }
  write_embedding(home_ / "zorb.safetensors", nothing, demo().family(), MasterType::fp32, {});
  request.embeddings = {{home_ / "zorb.safetensors", {}}};
  run_sample(request, recorder);
  EXPECT_NE(pixels(request.out), trained);
}

TEST_F(BundledRun, IsContinued) {
  const JobSpec first = job_into("first");
  losses(first);
  JobSpec second = job_into("second");
  second.continue_from = first.out / "test.safetensors";
  second.preset.training.steps = 1;
  second.preset.optimizer.learning_rate = 0;
  losses(second);
  EXPECT_EQ(bundle(second), bundle(first));
  JobSpec without = second;
  without.out = home_ / "without";
  without.preset.training.parts = {kDenoiser};
  EXPECT_THAT(refusal(without), HasSubstr("bundles the embedding of zorb, which this run doesn't"));
  without = second;
  without.out = home_ / "without";
  without.preset.embedding.tokens[0].token = "print";
  EXPECT_THAT(refusal(without), HasSubstr("bundles the embedding of zorb, which this run doesn't"));
}

}  // namespace
}  // namespace mantissa
