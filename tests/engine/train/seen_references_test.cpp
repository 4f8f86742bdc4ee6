// Runs of tiny models whose text encoders see references too, on images with some.
#include <cstring>
#include <gtest/gtest.h>
#include <set>

#include "engine/render/run_sample.h"
#include "tests/engine/train/edit_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class SeenReferences : public testing_support::EditRun,
                       public ::testing::WithParamInterface<const char*> {
 protected:
  SeenReferences() : EditRun(GetParam()) {}
};

TEST_P(SeenReferences, LearnsAnAdapterAsWithoutReferences) {
  const std::size_t tensors = trained_adapter().tensors().size();
  job_.references.clear();
  testing_support::FamilyRecorder r;
  EXPECT_EQ(SafetensorsFile::open(run(job_into("without"), r).adapter).tensors().size(), tensors);
}

TEST_P(SeenReferences, ReferencesChangeTheLossAndTheText) {
  const std::vector<double> with = losses(job_into("with"));
  const std::vector<float> encoding = encoded_caption();
  draw("before/a.png", 7);
  draw("before/b.png", 8);
  draw("before/c.png", 9);
  EXPECT_NE(losses(job_into("others")), with);
  EXPECT_NE(encoded_caption(), encoding);
}

TEST_P(SeenReferences, TextsSeeReferencesAsTheyAreMirrored) {
  job_.preset.data.flip = true;
  EXPECT_NE(encoded_caption(false), encoded_caption(true));
}

TEST_P(SeenReferences, DroppedAndPreservedCaptionsSeeReferences) {
  job_.preset.data.flip = true;
  job_.preset.data.variants = 2;
  job_.preset.data.crop_jitter = 0.2;
  job_.preset.data.caption_dropout = 0.5;
  job_.preset.training.preservation = Preservation::empty;
  EXPECT_EQ(losses(job_into("run")).size(), 4U);
}

TEST_P(SeenReferences, GoesOnAfterAResumeToTheBit) {
  draw("before/b.png", 4, 128, 64);
  expect_goes_on_after_a_resume();
}

TEST_P(SeenReferences, ReplaysItsTrace) {
  job_.references.push_back(home_ / "before");
  expect_replays_its_trace();
}

TEST_P(SeenReferences, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.training.steps = 2;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_P(SeenReferences, EveryComputeTypeFollowsFp32) {
  expect_every_compute_type_follows_fp32();
}

TEST_P(SeenReferences, SplitOverDevicesItIsTheSame) {
  expect_the_same_over_devices();
}

TEST_P(SeenReferences, TrainsBesideImagesWithoutReferences) {
  draw("prior/p.png", 50);
  job_.prior = {home_ / "prior"};
  EXPECT_EQ(losses(job_into("run")).size(), 4U);
}

TEST_P(SeenReferences, PlansTheMemoryOfReferences) {
  expect_references_take_memory();
}

TEST_P(SeenReferences, SamplesShowTheReferencesThatTheyName) {
  draw("before/view.png", 3, 70, 50);
  expect_samples_show_their_references(job_into("run"));
}

TEST_P(SeenReferences, ItsAdapterSamplesWithAndWithoutReferences) {
  draw("before/view.png", 3, 70, 50);
  expect_an_adapter_samples_with_references();
}

TEST_P(SeenReferences, AModelWithoutItsTowerTrainsWithoutReferencesAlone) {
  job_.base = model_without("visual.");
  const std::string refused = refusal(job_into("run"));
  EXPECT_NE(refused.find("vision tower"), std::string::npos) << refused;
  EXPECT_NE(refused.find("model.safetensors"), std::string::npos) << refused;
  job_.references.clear();
  EXPECT_EQ(losses(job_into("plain")).size(), 4U);
}

TEST_P(SeenReferences, RefusesCaptionsThatAreEncodedInTheSteps) {
  JobSpec shuffled = job_into("run");
  shuffled.preset.data.shuffle_captions = true;
  EXPECT_NE(refusal(shuffled).find("data.shuffle_captions"), std::string::npos);
  JobSpec text = job_into("run");
  text.preset.training.parts = {kDenoiser, kTe1};
  EXPECT_NE(refusal(text).find("training.parts"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Families, SeenReferences, ::testing::Values("qwen_image_21", "krea2"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace mantissa
