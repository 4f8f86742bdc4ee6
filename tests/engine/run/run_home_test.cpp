// A run's folder: its owner, and moving to another one.
#include "engine/run/run_home.h"

#include "engine/core/disk_full.h"
#include "engine/core/paths.h"
#include "engine/store/reader.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

/// Sends a run whose disk is full to the next of `folders`, and the last time to stop.
class Mover : public RunObserver {
 public:
  Mover(RunControl& control, std::vector<fs::path> folders)
      : control_(control), folders_(std::move(folders)) {}
  void on_disk_full(const FullDisk& full) override {
    movable.push_back(full.movable);
    control_.request_folder(folders_.at(next_++));
  }
  void on_log(LogLevel, const Message& line) override { log += line.text() + "\n"; }
  std::vector<bool> movable;
  std::string log;

 private:
  RunControl& control_;
  std::vector<fs::path> folders_;
  std::size_t next_ = 0;
};

class RunHomeTest : public testing_support::RunFixture {
 protected:
  void announce(RunStore& store, const RunFolder& folder) const {
    RunRow row;
    row.id = folder.id();
    row.state = state_name(RunState::preparing);
    row.out = path_to_utf8(folder.path());
    row.lock = path_to_utf8(folder.lock());
    store.create_run(row);
  }
  /// A write into the run's folder, which fails as long as that is below `full`.
  static void write(RunLog& log, const RunHome& home, const std::vector<fs::path>& full) {
    log.keep([&] {
      for (const fs::path& folder : full) {
        if (home.folder().path() == folder || home.folder().path().parent_path() == folder) {
          throw DiskFull(home.folder().path(), std::uint64_t{1} << 60,
                         Message::verbatim("no room"));
        }
      }
    });
  }
};

TEST_F(RunHomeTest, OneProcessOwnsTheFolder) {
  const RunFolder folder = RunFolder::create(job_);
  const RunHome home(folder);
  EXPECT_TRUE(RunLock::is_held(folder.lock()));
  EXPECT_THROW(RunHome{folder}, Error);
}

TEST_F(RunHomeTest, NoStartComesBetweenACreatedFolderAndItsOwner) {
  std::optional<RunLock> lock;
  const RunFolder folder = RunFolder::create(job_, lock);
  EXPECT_THROW(RunFolder::create(job_), Error) << "as a second start at the same moment";
  const RunHome home(folder, *std::move(lock));
  EXPECT_TRUE(home.writes());
  EXPECT_THROW(RunHome{folder}, Error);
}

TEST_F(RunHomeTest, AStartWritesNoJobWhileAnotherProcessHasTheFolder) {
  const RunFolder folder = RunFolder::create(job_);
  const RunLock other(folder.lock());
  fs::remove(folder.job_file());  // as if it were about to write it
  job_.overwrite = true;
  EXPECT_THROW(RunFolder::create(job_), Error);
  EXPECT_FALSE(fs::exists(folder.job_file()));
}

TEST_F(RunHomeTest, MovesFromFullDiskToFullDiskAndLeavesNotes) {
  const fs::path first = job_.out, second = home_ / "second", third = home_ / "third";
  const RunFolder folder = RunFolder::create(job_);
  RunHome home(folder);
  RunStore store(runs_database());
  announce(store, folder);
  RunControl control;
  Mover mover(control, {second, third});
  DiskWait disk(control, mover, OnFullDisk::wait);
  RunLog log(mover, store, home.folder(), disk);
  home.allow_moves(log);
  write(log, home, {first, second});
  EXPECT_EQ(mover.movable, (std::vector<bool>{true, true}));
  const fs::path now = third / path_from_utf8(folder.id());
  EXPECT_EQ(home.folder().path(), now);
  EXPECT_EQ(home.folder().id(), folder.id());
  EXPECT_TRUE(RunLock::is_held(now / "run.lock"));
  EXPECT_TRUE(RunLock::is_held(folder.lock())) << "nobody else may start there";
  EXPECT_NE(mover.log.find(path_to_utf8(now)), std::string::npos) << mover.log;
  EXPECT_EQ(RunFolder::open(first).path(), first) << "a folder without a note is where the run is";
  home.note_moves();
  EXPECT_EQ(RunFolder::open(first).path(), now);
}

TEST_F(RunHomeTest, ADeletedLockIsMadeAgainAndTold) {
  const RunFolder folder = RunFolder::create(job_);
  RunHome home(folder);
  RunStore store(runs_database());
  announce(store, folder);
  RunControl control;
  Mover mover(control, {});
  DiskWait disk(control, mover, OnFullDisk::wait);
  RunLog log(mover, store, home.folder(), disk);
  home.renew_lock(log);
  EXPECT_EQ(mover.log, "");
#ifdef __linux__
  fs::remove(folder.lock());
  home.renew_lock(log);
  EXPECT_NE(mover.log.find("run.lock was deleted"), std::string::npos) << mover.log;
  EXPECT_TRUE(fs::exists(folder.lock()));
#endif
}

TEST_F(RunHomeTest, ACopiedRunGetsAnIdOfItsOwn) {
  job_.preset.output.save_every = 2;
  testing_support::HealthRecorder first, copied, again;
  const std::string id = run(job_, first).run_id;
  const fs::path original = job_.out, copy = home_ / "copy";
  fs::copy(original, copy, fs::copy_options::recursive);
  const auto resumed = [&](const fs::path& folder, std::int64_t steps,
                           testing_support::HealthRecorder& recorder) {
    JobSpec job = job_;
    job.resume = folder;
    job.preset.training.steps = steps;
    return run(job, recorder).run_id;
  };
  const std::string other = resumed(copy, 6, copied);
  EXPECT_NE(other, id);
  EXPECT_NE(copied.log.find("is a copy of the run " + id), std::string::npos) << copied.log;
  EXPECT_EQ(RunFolder::open(copy).id(), other);
  RunReader reader(runs_database());
  EXPECT_EQ(reader.run(id)->out, path_to_utf8(original)) << "the original's record is its own";
  EXPECT_EQ(reader.run(other)->out, path_to_utf8(copy));
  EXPECT_EQ(reader.run(id)->steps, 4);
  EXPECT_EQ(resumed(copy, 8, again), other) << "it keeps that id";
  EXPECT_EQ(again.log.find("is a copy"), std::string::npos);
  EXPECT_EQ(resumed(original, 5, again), id);
  fs::rename(copy, home_ / "moved");
  EXPECT_EQ(resumed(home_ / "moved", 9, again), other) << "a moved run is no copy";
}

}  // namespace
}  // namespace mantissa
