// Runs of the tiny FLUX.3 (tests/golden/make_flux3.py) on images with references, which have blocks
// of their own.
#include <gtest/gtest.h>

#include "engine/render/run_sample.h"
#include "tests/engine/train/edit_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class Flux3EditRun : public testing_support::EditRun {
 protected:
  Flux3EditRun() : EditRun("flux3") {}
  /// The modules of an adapter that are of the references' blocks.
  static std::int64_t reference_modules(const SafetensorsFile& adapter) {
    std::int64_t count = 0;
    for (const TensorInfo& tensor : adapter.tensors()) {
      count += tensor.name.find("image_cond") != std::string::npos ? 1 : 0;
    }
    return count;
  }
  fs::path adapter_of(const JobSpec& job) {
    testing_support::FamilyRecorder r;
    return run(job, r).adapter;
  }
};

TEST_F(Flux3EditRun, LearnsAndTheBlocksOfReferencesTakePart) {
  EXPECT_GT(reference_modules(trained_adapter()), 0);
  job_.references.clear();
  EXPECT_EQ(reference_modules(SafetensorsFile::open(adapter_of(job_into("without")))), 0);
}

TEST_F(Flux3EditRun, ReferencesChangeTheLoss) {
  const std::vector<double> with = losses(job_into("with"));
  EXPECT_EQ(with.size(), 4U);
  draw("before/a.png", 7);
  draw("before/b.png", 8);
  draw("before/c.png", 9);
  EXPECT_NE(losses(job_into("others")), with);
}

TEST_F(Flux3EditRun, GoesOnAfterAResumeToTheBit) {
  draw("before/b.png", 4, 128, 64);
  expect_goes_on_after_a_resume();
}

TEST_F(Flux3EditRun, ReplaysItsTrace) {
  job_.references.push_back(home_ / "before");
  expect_trace_is_replayed();
}

// Its trace holds the references: their folders aren't needed again.
TEST_F(Flux3EditRun, ReplaysItsTraceWithoutFolders) {
  expect_replays_its_trace();
}

// Prior images have no references: their steps leave the references' blocks out.
TEST_F(Flux3EditRun, TrainsBesideImagesWithoutReferences) {
  draw("prior/p.png", 50);
  job_.prior = {home_ / "prior"};
  const std::vector<double> all = losses(job_into("run"));
  ASSERT_EQ(all.size(), 4U);
  EXPECT_TRUE(std::ranges::all_of(all, [](double loss) { return std::isfinite(loss); }));
}

TEST_F(Flux3EditRun, PlansTheMemoryOfItsBlocks) {
  expect_references_take_memory();
}

TEST_F(Flux3EditRun, SamplesShowTheReferencesThatTheyName) {
  draw("before/view.png", 3, 70, 50);
  expect_samples_show_their_references(job_into("run"));
}

// The adapter of an edit draws without references too, and a sample has its lone reference's size.
TEST_F(Flux3EditRun, ItsAdapterSamplesWithAndWithoutReferences) {
  draw("before/view.png", 3, 70, 50);
  SampleRequest request;
  request.base = model_;
  request.loras = {{adapter_of(job_into("run")), 1}};
  request.prompt = "a red cat";
  request.steps = 2;
  request.width = request.height = 64;
  request.out = home_ / "plain.png";
  testing_support::FamilyRecorder r;
  run_sample(request, r);
  EXPECT_EQ(probe_image(request.out).width, 64);
  request.references = {home_ / "before/view.png"};
  request.width = request.height = 0;
  request.out = home_ / "edited.png";
  run_sample(request, r);
  EXPECT_EQ(probe_image(request.out).width, 70);
  EXPECT_EQ(probe_image(request.out).height, 50);
  request.loras.clear();
  request.out = home_ / "base.png";
  run_sample(request, r);
  EXPECT_NE(read_text(request.out), read_text(home_ / "edited.png"));
  request.references.push_back(home_ / "before/a.png");
  request.out = home_ / "two.png";
  run_sample(request, r);
  EXPECT_EQ(probe_image(request.out).width, 68) << "of several, each is cut";
  EXPECT_EQ(probe_image(request.out).height, 48);
}

TEST(ReferencesUnread, TheFamilysReasonIsTold) {
  const auto refusal = [](const char* model) {
    JobSpec job;
    job.base = fs::path(MANTISSA_TEST_DATA) / "golden/models" / model;
    job.images = job.references = {job.base};
    try {
      open_run(job);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string told = refusal("qwen_image");
  EXPECT_NE(told.find("draws from text alone"), std::string::npos) << told;
  EXPECT_NE(told.find("--references"), std::string::npos) << told;
  EXPECT_NE(refusal("z_image").find("reads no reference images"), std::string::npos);
}

}  // namespace
}  // namespace mantissa
