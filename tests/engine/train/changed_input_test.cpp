// A run whose files change while it trains: nothing made from them is kept; the last checkpoint
// before stays. And one whose cache is deleted.
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

#include "engine/core/paths.h"
#include "engine/io/content_hashes.h"
#include "engine/io/file.h"
#include "engine/io/input_file.h"
#include "engine/io/model_writer.h"
#include "engine/run/checkpoint.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_identity.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

/// Acts once: after a step, when a phase begins or when a step's checkpoint is saved.
class Meddler : public testing_support::HealthRecorder {
 public:
  Meddler(std::int64_t step, std::function<void()> act) : step_(step), act_(std::move(act)) {}
  Meddler(RunPhase phase, std::function<void()> act) : phase_(phase), act_(std::move(act)) {}
  static Meddler at_checkpoint(std::int64_t step, std::function<void()> act) {
    Meddler meddler(-1, std::move(act));
    meddler.checkpoint_ = step;
    return meddler;
  }
  void on_step(const StepRecord& r) override {
    HealthRecorder::on_step(r);
    act_if(r.step == step_);
  }
  void on_progress(RunPhase phase, std::int64_t, std::int64_t) override { act_if(phase == phase_); }
  void on_saved(const fs::path&, std::int64_t step) override { act_if(step == checkpoint_); }
  bool acted() const { return !act_; }

 private:
  void act_if(bool now) {
    if (now && act_) {
      std::exchange(act_, {})();
    }
  }
  std::int64_t step_ = -1, checkpoint_ = -1;
  std::optional<RunPhase> phase_;
  std::function<void()> act_;
};

class ChangedInput : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.training.steps = 5;
    job_.preset.output.save_every = 2;
  }
  fs::path result() const { return job_.out / "test.safetensors"; }
  bool saved(int step) const {
    return fs::exists(job_.out / "checkpoints" / ("step-0000000" + std::to_string(step)));
  }
  std::string state(int step) const {
    return sha256_file(job_.out / "checkpoints" / ("step-0000000" + std::to_string(step)) /
                       "state.safetensors");
  }
  /// The error that ends a run one of whose files has changed.
  static std::string refusal(const JobSpec& job, Meddler& meddler) {
    try {
      run(job, meddler);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::input);
      EXPECT_NE(std::string(e.what()).find("was changed, replaced or removed"), std::string::npos)
          << e.what();
      return e.what();
    }
    ADD_FAILURE() << "the run took no notice; " << (meddler.acted() ? "" : "nothing happened");
    return {};
  }
  void use_base_folder() {
    job_.base = home_ / "base";
    write_model_folder(job_.base,
                       model_contents(WeightSource::open(MANTISSA_SOURCE_DIR
                                                         "/resources/demo/mini-sdxl.safetensors")));
  }
  void use_images() {
    job_.images = {home_ / "images"};
    fs::create_directories(home_ / "images");
    for (const char* name : {"zorb_01.png", "zorb_02.png", "zorb_03.png"}) {
      fs::copy_file(fs::path(MANTISSA_SOURCE_DIR "/resources/demo/images") / name,
                    home_ / "images" / name);
    }
  }
};

/// In place, and as if nothing had happened since `file` was written.
void rewrite(const fs::path& file) {
  const auto time = fs::last_write_time(file);
  std::string bytes = read_text(file);
  const std::size_t at = file.extension() == ".json" ? bytes.find_last_of('}') : bytes.size() - 2;
  bytes[at] = file.extension() == ".json" ? '}' : static_cast<char>(bytes[at] ^ 1);
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary) << bytes;
  fs::last_write_time(file, time);
}

#ifndef _WIN32  // where nobody can change an open file
TEST_F(ChangedInput, EveryWeightFileOfTheBaseIsComparedBeforeACheckpoint) {
  use_base_folder();
  for (const char* file :
       {"unet/diffusion_pytorch_model.safetensors", "text_encoder/model.safetensors",
        "text_encoder_2/model.safetensors", "vae/diffusion_pytorch_model.safetensors"}) {
    SCOPED_TRACE(file);
    fs::remove_all(job_.out);
    Meddler meddler(3, [&] { rewrite(job_.base / file); });
    EXPECT_NE(refusal(job_, meddler).find(path_to_utf8(job_.base / file)), std::string::npos);
    EXPECT_TRUE(saved(2)) << "the base was whole until then";
    EXPECT_FALSE(saved(4));
    EXPECT_FALSE(fs::exists(result()));
  }
}

TEST_F(ChangedInput, ABaseRewrittenWhileImagesAreFoundIsNoticed) {
  job_.base = edited_base({});
  use_images();
  Meddler meddler(RunPhase::scanning, [&] { rewrite(job_.base); });
  EXPECT_NE(refusal(job_, meddler).find(path_to_utf8(job_.base)), std::string::npos);
  EXPECT_FALSE(fs::exists(result()));
}

TEST_F(ChangedInput, ABaseRewrittenBetweenOpeningAndHashingIsNoticed) {
  job_.base = edited_base({});
  const WeightSource source = WeightSource::open(job_.base);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // times of changes come in ticks
  rewrite(job_.base);
  const std::vector<ListedFile> files = list_files(source, job_);
  EXPECT_THROW(hash_files(files, ContentHashes::shared(), {}), InputChanged);
}

TEST_F(ChangedInput, TheBaseIsComparedBeforeTheResult) {
  job_.base = edited_base({});
  job_.preset.output.save_every = 0;
  job_.preset.training.steps = 2;
  Meddler meddler(2, [&] { rewrite(job_.base); });
  refusal(job_, meddler);
  EXPECT_FALSE(saved(2));
  EXPECT_FALSE(fs::exists(result()));
}

TEST_F(ChangedInput, TheBaseIsComparedBetweenTheLastCheckpointAndTheResult) {
  job_.base = edited_base({});
  job_.preset.training.steps = 2;
  Meddler meddler = Meddler::at_checkpoint(2, [&] { rewrite(job_.base); });
  refusal(job_, meddler);
  EXPECT_TRUE(meddler.acted());
  EXPECT_TRUE(saved(2)) << "the base was whole until then";
  EXPECT_FALSE(fs::exists(result()));
}

TEST_F(ChangedInput, AResumedRunComparesItsBase) {
  job_.base = edited_base({});
  testing_support::HealthRecorder quiet;
  run(job_, quiet);
  JobSpec more = job_;
  more.resume = job_.out;
  more.preset.training.steps = 9;
  Meddler meddler(7, [&] { rewrite(job_.base); });
  refusal(more, meddler);
  EXPECT_TRUE(saved(6));
  EXPECT_FALSE(saved(8));
}

TEST_F(ChangedInput, ABaseOfWhichOnlyTheModeChangesStays) {
  job_.base = edited_base({});
  Meddler meddler(
      3, [&] { fs::permissions(job_.base, fs::perms::group_read, fs::perm_options::remove); });
  EXPECT_NO_THROW(run(job_, meddler));
  EXPECT_TRUE(fs::exists(result()));
}

TEST_F(ChangedInput, AnAdapterIsComparedUntilItIsLoaded) {
  testing_support::HealthRecorder quiet;
  run(job_, quiet);
  const fs::path adapter = home_ / "adapter.safetensors";
  fs::copy_file(result(), adapter);
  job_.continue_from = adapter;
  job_.out = home_ / "second";
  fs::remove_all(home_ / "cache");
  Meddler early(RunPhase::caching, [&] { rewrite(adapter); });
  EXPECT_NE(refusal(job_, early).find(path_to_utf8(adapter)), std::string::npos);
  fs::remove_all(job_.out);
  Meddler late(3, [&] { rewrite(adapter); });
  EXPECT_NO_THROW(run(job_, late)) << "its values were read before";
}

TEST_F(ChangedInput, ACheckpointIsTheOneThatWasVerified) {
  use_images();
  testing_support::HealthRecorder quiet;
  run(job_, quiet);
  JobSpec more = job_;
  more.resume = job_.out;
  more.preset.training.steps = 6;
  const fs::path newest = job_.out / "checkpoints/step-00000005/state.safetensors";
  Meddler meddler(RunPhase::scanning, [&] { rewrite(newest); });
  EXPECT_NE(refusal(more, meddler).find(path_to_utf8(newest)), std::string::npos);
}
#endif

TEST_F(ChangedInput, AnImageRewrittenBeforeItIsEncodedEndsTheRunAndLeavesNoEncoding) {
  use_images();
  const fs::path image = home_ / "images/zorb_03.png";
  const std::string before = read_text(image);
  Meddler late(RunPhase::caching, [&] {
    fs::copy_file(home_ / "images/zorb_01.png", image, fs::copy_options::overwrite_existing);
  });
  try {
    run(job_, late);  // its thread may have read the image before
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("zorb_03.png' was changed"), std::string::npos);
    EXPECT_FALSE(fs::exists(result()));
  }
  std::ofstream(image, std::ios::binary) << before;
  testing_support::HealthRecorder first, again;
  fs::remove_all(job_.out);
  run(job_, first);
  const std::string cached = state(5);
  fs::remove_all(job_.out);
  fs::remove_all(home_ / "cache");
  run(job_, again);
  EXPECT_EQ(state(5), cached) << "another image's encoding was cached for it";
}

TEST_F(ChangedInput, ACacheThatIsDeletedIsEncodedAgain) {
  use_images();
  job_.preset.data.cache = CacheMode::all;
  job_.preset.data.validation_share = 0.3;
  job_.preset.training.validate_every = 2;
  testing_support::HealthRecorder undisturbed;
  run(job_, undisturbed);
  const std::string straight = state(5);
  fs::remove_all(job_.out);
  Meddler meddler(1, [&] { fs::remove_all(home_ / "cache"); });
  run(job_, meddler);
  EXPECT_TRUE(meddler.acted());
  EXPECT_EQ(state(5), straight);
  EXPECT_NE(meddler.log.find("they are encoded again"), std::string::npos) << meddler.log;
  EXPECT_TRUE(fs::exists(home_ / "cache/tensors"));
}

TEST_F(ChangedInput, WithoutItsImagesTheRunIsSavedAtItsLastStep) {
  use_images();
  job_.preset.output.save_every = 0;
  Meddler meddler(3, [&] {
    fs::remove_all(home_ / "cache");
    fs::remove_all(home_ / "images");
  });
  test::expect_error_with([&] { run(job_, meddler); }, {"step-00000003"});
  EXPECT_TRUE(saved(3));
  EXPECT_FALSE(fs::exists(result()));
}

}  // namespace
}  // namespace mantissa
