// Runs of the tiny FLUX.2 (tests/golden/make_flux2.py) on images with references.
#include <filesystem>
#include <gtest/gtest.h>
#include <set>

#include "engine/data/batch_source.h"
#include "engine/data/image_cut.h"
#include "engine/render/run_sample.h"
#include "engine/run/run_identity.h"
#include "tests/engine/train/edit_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class EditRun : public testing_support::EditRun {
 protected:
  EditRun() : testing_support::EditRun("flux2") {}
};

TEST_F(EditRun, ReferencesChangeTheLossAndNoneIsMissed) {
  const std::vector<double> with = losses(job_into("with"));
  EXPECT_EQ(with.size(), 4U);
  draw("before/a.png", 7);
  draw("before/b.png", 8);
  draw("before/c.png", 9);
  EXPECT_NE(losses(job_into("others")), with);
  job_.references.clear();
  EXPECT_NE(losses(job_into("without")), with);
}

TEST_F(EditRun, GoesOnAfterAResumeToTheBit) {
  job_.preset.data.flip = true;
  job_.preset.data.crop_jitter = 0.1;
  job_.preset.data.variants = 2;
  expect_goes_on_after_a_resume();
}

TEST_F(EditRun, ResumesWithItsReferencesOnly) {
  JobSpec job = job_into("run");
  job.preset.training.steps = 2;
  losses(job);
  draw("before/b.png", 5);
  job.resume = job.out;
  job.preset.training.steps = 4;
  EXPECT_NE(refusal(job).find("b.png reference 1"), std::string::npos) << refusal(job);
}

TEST_F(EditRun, ReplaysItsTrace) {
  job_.references.push_back(home_ / "before");
  expect_trace_is_replayed();
}

// An edit that changes nothing: where the reference is the image itself, so are its tokens.
TEST_F(EditRun, TokensOfAPairShowTheSamePart) {
  job_.references = {home_ / "copies"};
  fs::create_directories(home_ / "copies");
  for (const char* name : {"a.png", "b.png", "c.png"}) {
    fs::copy_file(home_ / "images" / name, home_ / "copies" / name);
  }
  job_.preset.data.flip = true;
  job_.preset.data.crop_jitter = 0.3;
  job_.preset.data.rotation = 5;
  job_.preset.data.variants = 3;
  const Encoded made = encoded();
  const EncodedDataset& data = *made.run.data;
  std::set<std::vector<float>> seen;
  for (const ImageItem& item : data.images().dataset().items) {
    for (int variant = 0; variant < 3; ++variant) {
      const ImageVersion version =
          data.images().version(item, data.images().sizes(item).front(), variant);
      for (const bool flipped : {false, true}) {
        const auto references = data.references(item, version, flipped);
        ASSERT_EQ(references.size(), 1U);
        EXPECT_EQ(references[0].values,
                  data.latent_format().scaled(data.latents(item, version, flipped).mean));
        seen.insert(references[0].values);
      }
    }
  }
  EXPECT_EQ(seen.size(), 18U) << "versions and flips differ";
}

TEST_F(EditRun, BatchesHoldReferencesOfOneSize) {
  draw("before/b.png", 4, 128, 64);
  Encoded made = encoded();
  BatchSource batches(*made.run.data, made.run.objective, *made.kernels);
  std::set<std::int64_t> widths;
  for (std::int64_t k = 0; k < 8; ++k) {
    const StepInputs in = batches.inputs(k);
    ASSERT_EQ(in.references.size(), 1U);
    const auto& [size, values] = in.references[0];
    EXPECT_EQ(std::ssize(values), in.batch * size.positions() * in.channels);
    widths.insert(size.width);
  }
  EXPECT_EQ(widths, (std::set<std::int64_t>{16, 32}));
  const auto shapes = made.run.data->images().shapes(512, 4);
  ASSERT_EQ(shapes.size(), 2U);
  EXPECT_EQ(shapes[0].references, (std::vector<LatentSize>{{16, 32}}));
  EXPECT_EQ(losses(job_into("run")).size(), 4U);
}

TEST_F(EditRun, PlansTheMemoryOfReferences) {
  job_.preset.samples.prompts.resize(1);
  job_.preset.samples.prompts[0].prompt = "make it blue";
  JobSpec plain = job_into("run");
  plain.references.clear();
  const std::uint64_t without = plan_training(plain).arena_bytes;
  const std::uint64_t steps = plan_training(job_into("run")).arena_bytes;
  EXPECT_GT(steps, without);
  draw("before/view.png", 3, 512, 256);
  job_.preset.samples.prompts[0].references = "view";
  EXPECT_GT(plan_training(job_into("run")).arena_bytes, steps) << "the sample is larger";
}

TEST_F(EditRun, SamplesShowTheReferencesThatTheyName) {
  draw("before/view.png", 3, 48, 64);
  job_.preset.samples.prompts = prompts_with_references();
  const JobSpec job = job_into("run");
  expect_samples_show_their_references(job);
  const SampleRequest again = sample_of_run(job.out, job.preset, 2, 1, "cpu");
  EXPECT_EQ(again.references,
            (std::vector<fs::path>{home_ / "before/view.png", home_ / "before/a.png"}));
}

TEST_F(EditRun, PreservesBesideReferences) {
  job_.preset.training.preservation = Preservation::empty;
  EXPECT_EQ(losses(job_into("run")).size(), 4U);
}

TEST_F(EditRun, AModelThatReadsNoneIsNamed) {
  job_.base = "demo";
  EXPECT_NE(refusal(job_into("run")).find("reads no reference images"), std::string::npos);
  job_.references.clear();
  job_.preset.samples.prompts.resize(1);
  job_.preset.samples.prompts[0].references = "a";
  EXPECT_NE(refusal(job_into("run")).find("samples.prompts"), std::string::npos);
}

}  // namespace
}  // namespace mantissa
