// A run's folder as found by other commands.
#include "engine/run/run_files.h"

#include "engine/core/paths.h"
#include "engine/run/run_folder.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class RunFiles : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    run_ = RunFolder::create(job_).path();
  }
  static void make_file(const fs::path& file) { std::ofstream(file) << "x"; }
  fs::path run_;
};

TEST_F(RunFiles, ARunIsFoundFromItsCheckpoint) {
  const fs::path checkpoint = run_ / "checkpoints" / "step-00000004";
  EXPECT_EQ(run_of_checkpoint(checkpoint), run_);
  EXPECT_EQ(run_of_checkpoint(checkpoint / "state.json"), run_);
  EXPECT_EQ(run_of_checkpoint(run_), run_);
  // Each checkpoint holds a copy of the job, so that a run survives the loss of its own.
  fs::create_directories(checkpoint);
  fs::copy_file(run_ / "job.json", checkpoint / "job.json");
  EXPECT_EQ(run_of_checkpoint(checkpoint), run_);
  EXPECT_EQ(run_of_checkpoint(checkpoint / "state.json"), run_);
  // A run may be in a folder with a checkpoint's name.
  const fs::path named = home_ / "step-00000007";
  fs::create_directories(named / "checkpoints");
  fs::copy_file(run_ / "job.json", named / "job.json");
  EXPECT_EQ(run_of_checkpoint(named / "checkpoints" / "step-00000004"), named);
  const fs::path elsewhere = home_ / "nothing" / "step-1";
  EXPECT_EQ(run_of_checkpoint(elsewhere), elsewhere);
  EXPECT_EQ(run_of_checkpoint({}), fs::path());
}

TEST_F(RunFiles, ACheckpointIsNoRun) {
  const fs::path checkpoint = run_ / "checkpoints" / "step-00000004";
  fs::create_directories(checkpoint);
  fs::copy_file(run_ / "job.json", checkpoint / "job.json");
  for (const fs::path& path : {checkpoint, checkpoint / ""}) {
    test::expect_error_with([&] { RunFolder::open(path); },
                            {"is a checkpoint, not a run", path_to_utf8(run_), "--continue-from"});
  }
  const fs::path alone = home_ / "kept" / "step-00000004";
  fs::create_directories(alone.parent_path());
  fs::rename(checkpoint, alone);
  test::expect_error_with([&] { RunFolder::open(alone); }, {"outside its run's folder"});
  EXPECT_EQ(RunFolder::open(run_ / "").path(), run_);
}

TEST_F(RunFiles, EveryPathOfARunHasItsId) {
  const std::string id = RunFolder::open(run_).id();
  const fs::path checkpoint = run_ / "checkpoints" / "step-00000004";
  fs::create_directories(checkpoint);
  fs::copy_file(run_ / "job.json", checkpoint / "job.json");
  for (const fs::path& path : {run_, checkpoint, checkpoint / "state.json"}) {
    EXPECT_EQ(run_id_of(path), id) << path;
  }
  EXPECT_EQ(run_id_of(home_ / "nothing"), "");
  EXPECT_EQ(run_id_of({}), "");
  // It moved to another disk: the folder that was remembered is the old one.
  const RunFolder moved = RunFolder::open(run_).moved_below(home_ / "other disk");
  ASSERT_TRUE(RunFolder::open(run_).note_move(moved));
  EXPECT_EQ(run_id_of(run_), id);
  EXPECT_EQ(run_id_of(moved.path()), id);
}

TEST_F(RunFiles, OnlyARunDirectlyAmongTheRunsIsKeptThere) {
  EXPECT_TRUE(is_kept_among(run_, home_));
  EXPECT_TRUE(is_kept_among(run_ / "checkpoints" / "..", home_));
  EXPECT_FALSE(is_kept_among(run_, home_.parent_path()));
  EXPECT_FALSE(is_kept_among(run_ / "checkpoints", run_)) << "no run";
  EXPECT_FALSE(is_kept_among(home_, home_));
  EXPECT_FALSE(is_kept_among(home_ / "gone", home_));
  EXPECT_FALSE(is_kept_among({}, {}));
#ifndef _WIN32
  // A link within the runs folder leads outside.
  const fs::path runs = home_ / "runs";
  fs::create_directories(runs);
  fs::create_directory_symlink(run_, runs / "link");
  EXPECT_FALSE(is_kept_among(runs / "link", runs));
#endif
}

TEST_F(RunFiles, WhatEndedUnfinishedCanContinue) {
  for (const char* state : {"stopped", "failed", "interrupted"}) {
    EXPECT_TRUE(can_continue(state)) << state;
  }
  for (const char* state : {"finished", "training", "paused", "preparing"}) {
    EXPECT_FALSE(can_continue(state)) << state;
  }
}

TEST_F(RunFiles, ARunOutsideTheRunsFolderIsFoundByItsId) {
  const RunFolder made = RunFolder::open(run_);
  RunRow row;
  row.id = made.id();
  row.state = "stopped";
  row.out = path_to_utf8(run_);
  RunStore(runs_database()).create_run(row);
  EXPECT_EQ(RunFolder::open(made.id()).path(), run_);
  EXPECT_EQ(RunFolder::open(made.id().substr(0, 12)).path(), run_) << "a beginning is enough";
  test::expect_error_with([] { RunFolder::open("2020"); }, {"2020: no such run"});
  fs::rename(run_, home_ / "moved");
  test::expect_error_with([&] { RunFolder::open(made.id()); },
                          {made.id(), path_to_utf8(run_), "no longer"});
  job_.out = run_;
  RunFolder::create(job_);
  test::expect_error_with([&] { RunFolder::open(made.id()); }, {made.id(), "another run"});
}

TEST_F(RunFiles, ARunHasOnePathHoweverItIsNamed) {
  JobSpec job = job_into("other");
  job.out = home_ / "gone" / ".." / "other" / "";
  const RunFolder made = RunFolder::create(job);
  EXPECT_EQ(made.path(), home_ / "other");
  EXPECT_EQ(made.lock(), home_ / "other" / "run.lock") << "the database holds it";
  EXPECT_EQ(RunFolder::open(run_ / ".." / "other").path(), home_ / "other");
  EXPECT_EQ(made.moved_below(run_ / ".." / "disk").path(), home_ / "disk" / made.id());
  // A row of a version that recorded the path as it was given.
  RunRow row;
  row.id = made.id();
  row.state = "stopped";
  row.out = path_to_utf8(job.out);
  RunStore(runs_database()).create_run(row);
  EXPECT_EQ(RunFolder::open(made.id()).path(), home_ / "other");
}

TEST_F(RunFiles, AResultHasNoNameOfTheRunsOwn) {
  for (const char* name :
       {"log.txt", "job.json", "checkpoints", "Samples", "RUN.LOCK", "dataset.txt", "dataset.json",
        "moved.json", "copy.json", "settings.json", "result.json", "TensorBoard",
        "damaged-checkpoints-2"}) {
    SCOPED_TRACE(name);
    Preset preset = job_.preset;
    preset.output.name = name;
    EXPECT_NO_THROW(require_result_name(preset)) << "its file ends in .safetensors";
    preset.output.format = OutputFormat::peft;
    test::expect_error_with([&] { require_result_name(preset); }, {"output.name", name});
    JobSpec job = job_into("fresh");
    job.preset = preset;
    EXPECT_THROW(RunFolder::require_free(job), Error);
    EXPECT_THROW(RunFolder::create(job), Error);
    EXPECT_FALSE(fs::exists(job.out));
    preset.output.format = OutputFormat::diffusers;
    preset.training.method = TrainingMethod::full;
    EXPECT_THROW(require_result_name(preset), Error);
  }
  Preset preset = job_.preset;
  preset.output.format = OutputFormat::peft;
  preset.output.name = "my checkpoints";
  EXPECT_NO_THROW(require_result_name(preset));
}

TEST_F(RunFiles, ADeletedRunComesBackWithItsFolder) {
  const fs::path database = home_ / "runs.db";
  RunStore store(database);
  for (const char* id : {"here", "gone", "listed"}) {
    RunRow row;
    row.id = row.name = id;
    row.state = "finished";
    row.out = path_to_utf8(std::string(id) == "here" ? run_ : home_ / id);
    store.create_run(row);
    store.set_hidden(id, std::string(id) != "listed");
  }
  RunReader reader(database);
  EXPECT_EQ(reader.summaries().size(), 1U);
  settle_deleted_runs(store, reader, home_);
  EXPECT_TRUE(reader.run("here") && reader.run("listed"));
  EXPECT_FALSE(reader.run("gone"));
  EXPECT_EQ(reader.summaries().size(), 2U);
}

TEST_F(RunFiles, AContinuedRunKeepsItsFiles) {
  job_.prior = {"/prior"};
  job_.validation = {"/validation"};
  const JobSpec job = with_its_own_files(job_);
  EXPECT_TRUE(job.base.empty() && job.images.empty() && job.prior.empty() &&
              job.validation.empty());
  EXPECT_EQ(job.out, job_.out);
  EXPECT_EQ(job.preset, job_.preset);
}

TEST_F(RunFiles, TheAdapterIsAFileOrAFolder) {
  EXPECT_FALSE(has_adapter(run_, job_.preset));
  EXPECT_FALSE(has_adapter({}, job_.preset));
  make_file(run_ / "test.safetensors");
  EXPECT_TRUE(has_adapter(run_, job_.preset));
  job_.preset.output.format = OutputFormat::peft;
  EXPECT_FALSE(has_adapter(run_, job_.preset));
  fs::create_directories(run_ / "test");
  EXPECT_TRUE(has_adapter(run_, job_.preset));
  job_.preset.output.format = OutputFormat::kohya;
  job_.preset.training.method = TrainingMethod::full;
  EXPECT_FALSE(has_adapter(run_, job_.preset)) << "a whole model has no strength";
}

}  // namespace
}  // namespace mantissa
