// Runs that train the vectors of new words, of every family on its tiny model.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/adapters/embedding_file.h"
#include "engine/plan/plan_run.h"
#include "engine/render/sample.h"
#include "tests/engine/train/family_run.h"
#include "tests/engine/train/precisions.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_support::HealthRecorder;
using testing_support::StepRecorder;

class EmbeddingFamily : public testing_support::FamilyRun,
                        public testing::WithParamInterface<const char*> {
 protected:
  EmbeddingFamily() : FamilyRun(GetParam()) {}
  void SetUp() override {
    FamilyRun::SetUp();
    job_.preset.training.parts = {kEmbeddings};
    job_.preset.embedding.tokens = {{"zorb", 2, "a red cat"}};
    job_.preset.output.save_every = 2;
  }
  const Family& family() const { return WeightSource::open(model_).family(); }
  WordEmbeddings word_at(const JobSpec& job, int step) const {
    return read_embedding(job.out / fmt::format("checkpoints/step-{:08}/zorb.safetensors", step),
                          family());
  }
  static std::string state_of(const JobSpec& job) {
    return sha256_file(job.out / "checkpoints/step-00000004/state.safetensors");
  }
};

TEST_P(EmbeddingFamily, LearnsAsPlannedAndContinuesToTheBit) {
  const JobSpec straight = job_into("straight");
  StepRecorder steps;
  run(straight, steps);
  EXPECT_EQ(plan_training(job_).arena_bytes, steps.arena_bytes);
  for (const double loss : steps.losses) {
    EXPECT_TRUE(std::isfinite(loss) && loss > 0) << loss;
  }
  const WordEmbeddings before = word_at(straight, 2), after = word_at(straight, 4);
  for (std::size_t i = 0; i < after.encoders.size(); ++i) {
    EXPECT_EQ(after.encoders[i].count(), 2);
    EXPECT_NE(after.encoders[i].values, before.encoders[i].values) << after.encoders[i].part.name();
  }
  JobSpec stopped = job_into("stopped");
  stopped.preset.training.steps = 2;
  run(stopped, steps);
  stopped.resume = stopped.out;
  stopped.preset.training.steps = 4;
  run(stopped, steps);
  EXPECT_EQ(state_of(stopped), state_of(straight));
}

// What `mantissa sample` draws with the file is what the run drew, up to a rounding: the run's
// texts are padded to its longest caption.
TEST_P(EmbeddingFamily, SamplesUseTheTrainedVectors) {
  job_.preset.optimizer.learning_rate = 0.5;
  job_.preset.samples.every = 4;
  job_.preset.samples.prompts = {{"a zorb", "", 1, 64, 64, 2, 2.0}};
  const JobSpec job = job_into("run");
  StepRecorder steps;
  run(job, steps);
  const ImageLibrary library;
  const auto pixels = [](const fs::path& png) { return load_image(png).pixels; };
  const auto apart = [](const auto& a, const auto& b) {
    int most = a.size() == b.size() ? 0 : 255;
    for (std::size_t i = 0; most < 255 && i < a.size(); ++i) {
      most = std::max(most, std::abs(a[i] - b[i]));
    }
    return most;
  };
  const auto trained = pixels(job.out / "samples/step-000004-00.png");
  EXPECT_NE(pixels(job.out / "samples/step-000000-00.png"), trained);
  SampleRequest request;
  request.base = model_;
  request.prompt = "a Zorb";
  request.width = request.height = 64;
  request.steps = 2;
  request.guidance = 2;
  request.seed = 1;
  request.out = home_ / "image.png";
  request.embeddings = {{job.out / "zorb.safetensors", {}}};
  HealthRecorder recorder;
  run_sample(request, recorder);
  EXPECT_LE(apart(pixels(request.out), trained), 1);
  request.embeddings[0].word = "blob";
  request.prompt = "a blob";
  run_sample(request, recorder);
  EXPECT_LE(apart(pixels(request.out), trained), 1) << "under another word";
}

// The tables of tokens stay in 16 bits.
TEST_P(EmbeddingFamily, TrainsWithEncodersInFourBits) {
  job_.preset.training.steps = 2;
  job_.preset.precision.compute = ComputeType::bf16;
  job_.preset.precision.weights.text_encoders = StorageType::nf4;
  StepRecorder steps;
  run(job_into("run"), steps);
  for (const double loss : steps.losses) {
    EXPECT_TRUE(std::isfinite(loss) && loss > 0) << loss;
  }
}

class EmbeddingFamilyPrecisions : public EmbeddingFamily {};

// Beside a LoRA of the denoiser and the encoders, which are kept in few bits.
TEST_P(EmbeddingFamilyPrecisions, TrainsBesideALoraInEveryPrecision) {
  job_.preset.training.steps = 2;
  for (const test::Precision& precision : test::precisions_of_a_cpu()) {
    SCOPED_TRACE(precision.name());
    job_.preset.precision.compute = precision.compute;
    job_.preset.precision.weights.denoiser = precision.weights;
    job_.preset.precision.weights.text_encoders = precision.weights;
    for (const bool text : {false, true}) {
      JobSpec job = job_into("run");
      job.preset.training.parts =
          text ? std::vector{kDenoiser, kTe1, kEmbeddings} : std::vector{kDenoiser, kEmbeddings};
      StepRecorder steps;
      run(job, steps);
      for (const double loss : steps.losses) {
        EXPECT_TRUE(std::isfinite(loss) && loss > 0) << loss;
      }
      EXPECT_TRUE(fs::exists(job.out / "test.safetensors"));
      fs::remove_all(job.out);
    }
  }
}

std::string embedding_family_name(const testing::TestParamInfo<const char*>& info) {
  return info.param;
}

// One with T5, one with a Qwen3.
INSTANTIATE_TEST_SUITE_P(Some, EmbeddingFamily, testing::Values("chroma", "z_image"),
                         embedding_family_name);
INSTANTIATE_TEST_SUITE_P(SlowOthers, EmbeddingFamily,
                         testing::Values("pixart", "flux1", "flux2", "flux3", "anima", "krea2",
                                         "qwen_image", "qwen_image_21", "ernie_image"),
                         embedding_family_name);
INSTANTIATE_TEST_SUITE_P(Slow, EmbeddingFamilyPrecisions,
                         testing::Values("pixart", "z_image", "flux1", "chroma", "flux2", "flux3",
                                         "anima", "krea2", "qwen_image", "qwen_image_21",
                                         "ernie_image"),
                         embedding_family_name);

class EmbeddingRefusals : public testing_support::RunFixture {
 protected:
  std::string refusal(const char* model, const std::string& word, const fs::path& references = {}) {
    JobSpec job = job_;
    job.base = fs::path(MANTISSA_TEST_DATA) / "golden/models" / model;
    job.preset.training.parts = {kEmbeddings};
    job.preset.embedding.tokens = {{word, 1}};
    if (!references.empty()) {
      job.references = {references};
    }
    HealthRecorder recorder;
    return test::message_of([&] { run(job, recorder); });
  }
};

// A word of a template would become its vectors in every text.
TEST_F(EmbeddingRefusals, AWordAroundEveryTextIsRefused) {
  for (const char* model : {"z_image", "flux2", "flux3", "krea2", "qwen_image", "qwen_image_21"}) {
    SCOPED_TRACE(model);
    EXPECT_THAT(refusal(model, "User"), HasSubstr("the word User is in what"));
  }
  EXPECT_THAT(refusal("krea2", "texture"), HasSubstr("puts around every text"));
  EXPECT_THAT(refusal("z_image", "texture"), HasSubstr("no caption contains texture"));
  EXPECT_THAT(refusal("ernie_image", "user"), HasSubstr("no caption contains user"));
}

TEST_F(EmbeddingRefusals, TextsThatSeeReferencesAreRefused) {
  fs::create_directories(home_ / "references");
  EXPECT_THAT(refusal("qwen_image_21", "zorb", home_ / "references"),
              HasSubstr("sees the reference images"));
}

}  // namespace
}  // namespace mantissa
