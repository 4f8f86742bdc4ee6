#include "engine/store/store.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <sqlite3.h>
#include <thread>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/preset/preset_io.h"
#include "engine/store/reader.h"

#ifndef _WIN32
#include <csignal>
#ifdef __linux__
#include <sched.h>
#include <sys/mount.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class Store : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / "mantissa store é" / info->name();
    fs::remove_all(folder_);
    file_ = folder_ / "runs.db";
  }
  void TearDown() override { fs::remove_all(folder_); }

  static RunRow run(const std::string& id, const std::string& state = "training") {
    RunRow r;
    r.id = id;
    r.name = "portrait";
    r.state = state;
    r.base = "/models/base.safetensors";
    r.preset_json = "{\"a\": 1}";
    r.seed = -3;
    r.host = "here";
    r.process = 12;
    r.lock = "/runs/" + id + "/lock";
    return r;
  }

  static StepRow step(std::int64_t n) {
    StepRow s;
    s.step = n;
    s.loss = 1.0 / static_cast<double>(n + 1);
    s.grad_norm = 0.5;
    s.clip_norm = 1;
    s.loss_scale = 65536;
    s.lost_update = 0.01;
    s.update_ratio = 1e-3;
    s.seconds = 0.005;
    s.lr[0] = 1e-4;
    s.lr[2] = 2e-5;
    s.group_norm[1] = 7;
    s.clipped = n % 2 == 0;
    s.skipped = n % 3 == 0;
    return s;
  }

  // Runs SQL behind the store's back.
  void raw(const std::string& sql) const {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path_to_utf8(file_).c_str(), &db), SQLITE_OK);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
    sqlite3_close(db);
  }

  std::vector<fs::path> set_aside() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().filename().string().find(".corrupt-") != std::string::npos) {
        found.push_back(entry.path());
      }
    }
    return found;
  }

  fs::path folder_, file_;
};

/// A record with numbers in every place.
HealthRecord health_record(std::int64_t n) {
  HealthRow row;
  row.layer = "unet.mid_block.attentions.0";
  row.kind = HealthKind::gradient;
  row.format = DType::bf16;
  TensorStatistics& s = row.statistics;
  s.count = 1000 + n;
  s.zeros = 1;
  s.non_finite = 2;
  s.underflow = 3;
  s.subnormal = 4;
  s.overflow = 5;
  s.amax = 6.5;
  s.scaled_amax = 7.5;
  s.signal = 8.5;
  s.noise = 9.5;
  s.histogram[3] = 70000;
  s.histogram[63] = 1;
  HealthRow drift = row;
  drift.kind = HealthKind::magnitude;
  drift.drift = 0.25;
  drift.statistics = {};
  return {n, 0.5, {row, drift}};
}

TEST_F(Store, KeepsHealth) {
  RunStore store(file_);
  store.create_run(run("a1"));
  store.create_run(run("a2"));
  for (const std::int64_t n : {0, 1, 50}) {
    store.add_health("a1", health_record(n));
  }
  store.add_health("a2", health_record(7));
  store.flush();
  RunReader reader(file_);
  auto records = reader.health("a1", 0);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].step, 1);
  EXPECT_EQ(records[1].seconds, 0.5);
  ASSERT_EQ(records[1].rows.size(), 2u);
  const HealthRow& row = records[1].rows[0];
  const HealthRow want = health_record(50).rows[0];
  EXPECT_EQ(row.layer, want.layer);
  EXPECT_EQ(row.kind, want.kind);
  EXPECT_EQ(row.format, DType::bf16);
  EXPECT_TRUE(std::isnan(row.drift));
  EXPECT_EQ(row.statistics.count, 1050);
  EXPECT_EQ(row.statistics.zeros, 1);
  EXPECT_EQ(row.statistics.non_finite, 2);
  EXPECT_EQ(row.statistics.underflow, 3);
  EXPECT_EQ(row.statistics.subnormal, 4);
  EXPECT_EQ(row.statistics.overflow, 5);
  EXPECT_EQ(row.statistics.amax, 6.5);
  EXPECT_EQ(row.statistics.scaled_amax, 7.5);
  EXPECT_EQ(row.statistics.signal, 8.5);
  EXPECT_EQ(row.statistics.noise, 9.5);
  EXPECT_EQ(row.statistics.histogram, want.statistics.histogram);
  EXPECT_EQ(records[1].rows[1].drift, 0.25);
  EXPECT_EQ(records[1].rows[1].statistics.histogram, TensorStatistics{}.histogram);
  store.resume_run("a1", 1, "preparing", "here", 3);
  EXPECT_EQ(reader.health("a1").size(), 2u) << "what lies after the resumed step is gone";
  store.delete_run("a1");
  EXPECT_TRUE(reader.health("a1").empty());
  EXPECT_EQ(reader.health("a2").size(), 1u);
}

TEST_F(Store, ADatabaseOfTheFirstFormatGainsHealth) {
  {
    RunStore store(file_);
    store.create_run(run("a1"));
    store.add_step("a1", step(1));
  }
  raw("DROP TABLE health; DROP TABLE summaries; UPDATE schema SET version = 1");
  EXPECT_TRUE(RunReader(file_).health("a1").empty()) << "read before a writer came";
  RunStore store(file_);
  EXPECT_TRUE(store.notices().empty());
  store.add_health("a1", health_record(1));
  store.flush();
  RunReader reader(file_);
  EXPECT_EQ(reader.health("a1").size(), 1u);
  EXPECT_EQ(reader.metrics("a1").size(), 1u) << "what was there stays";
}

TEST_F(Store, ASummaryFollowsItsRun) {
  RunStore store(file_);
  RunRow row = run("a1");
  Preset preset;
  preset.adapter.type = AdapterType::dora;
  preset.adapter.rank = 12;
  preset.precision.weights.unet = StorageType::fp8_e4m3;
  preset.precision.compute = ComputeType::bf16;
  row.preset_json = to_json(preset, WriteMode::full);
  store.create_run(row);
  RunRow unreadable = run("a2", "finished");
  unreadable.created = 1;
  store.create_run(unreadable);
  for (int i = 1; i <= 7; ++i) {
    store.add_step("a1", step(i));
  }
  store.annotate("a1", "portrait, good", "naïve ✓");
  RunReader reader(file_);
  const std::int64_t before = reader.changes();
  const auto list = reader.summaries();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].id, "a1") << "newest first";
  EXPECT_EQ(list[0].adapter, "DoRA 12");
  EXPECT_EQ(list[0].precision, "fp8_e4m3 / bf16");
  EXPECT_EQ(list[0].tags, "portrait, good");
  EXPECT_EQ(list[0].note, "naïve ✓");
  EXPECT_EQ(list[0].steps, 7);
  EXPECT_EQ(list[0].last_loss, step(7).loss);
  EXPECT_EQ(list[0].lock, "/runs/a1/lock");
  EXPECT_EQ(list[1].adapter, "") << "a preset that can't be read";
  EXPECT_TRUE(std::isnan(list[1].last_loss));
  EXPECT_EQ(list[1].lock, "") << "it has ended";
  EXPECT_EQ(reader.changes(), before);
  store.add_step("a1", step(8));
  store.flush();
  EXPECT_NE(reader.changes(), before);
}

TEST_F(Store, AHiddenRunIsInNoListAndComesBack) {
  RunStore store(file_);
  store.create_run(run("a1"));
  store.add_step("a1", step(1));
  store.set_hidden("a1", true);
  RunReader reader(file_);
  EXPECT_TRUE(reader.summaries().empty());
  EXPECT_TRUE(reader.list_runs().empty());
  EXPECT_EQ(reader.summaries(true).size(), 1u);
  store.set_hidden("a1", false);
  EXPECT_EQ(reader.summaries().size(), 1u);
  EXPECT_EQ(reader.metrics("a1").size(), 1u);
  store.delete_run("a1");
  EXPECT_TRUE(reader.summaries(true).empty());
}

TEST_F(Store, ADatabaseOfTheSecondFormatGainsSummaries) {
  {
    RunStore store(file_);
    RunRow row = run("a1");
    row.preset_json = to_json(Preset{}, WriteMode::full);
    store.create_run(row);
  }
  raw("DROP TABLE summaries; UPDATE schema SET version = 2");
  {
    RunReader reader(file_);
    ASSERT_EQ(reader.summaries().size(), 1u) << "read before a writer came";
    EXPECT_EQ(reader.summaries()[0].adapter, "");
    EXPECT_EQ(reader.list_runs().size(), 1u);
  }
  RunStore store(file_);
  EXPECT_EQ(RunReader(file_).summaries().at(0).adapter, "LoRA 16");
}

TEST_F(Store, TellsWhichRunsWereInterrupted) {
  { RunStore(file_).create_run(run("a1")); }
  { RunStore(file_).create_run(run("a2")); }
  RunStore store(file_, [](const RunRow& r) { return r.id == "a2"; });
  EXPECT_EQ(store.interrupted(), std::vector<std::string>{"a1"});
}

TEST_F(Store, WritesAndReadsEverything) {
  RunStore store(file_);
  EXPECT_TRUE(store.notices().empty());
  store.create_run(run("a1"));
  store.set_plan("a1", "{\"peak\": 5}");
  for (int i = 1; i <= 5; ++i) {
    store.add_step("a1", step(i));
  }
  store.add_event("a1", 2, "loss is odd");
  store.add_event("a1", 1, "naïve ✓");
  store.add_sample("a1", {2, 1, "a cat", "/out/2-1.png"});
  store.add_sample("a1", {2, 0, "a dog", "/out/2-0.png"});
  store.add_checkpoint("a1", {4, "/out/step-4", 1234});
  store.add_checkpoint("a1", {5, "/out/step-5", 99});
  store.remove_checkpoint("a1", 4);
  store.flush();

  RunReader reader(file_);
  const auto row = reader.run("a1");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->name, "portrait");
  EXPECT_EQ(row->state, "training");
  EXPECT_GT(row->created, 1'600'000'000'000);
  EXPECT_EQ(row->finished, 0);
  EXPECT_EQ(row->preset_json, "{\"a\": 1}");
  EXPECT_EQ(row->plan_json, "{\"peak\": 5}");
  EXPECT_EQ(row->seed, -3);
  EXPECT_EQ(row->lock, "/runs/a1/lock");
  EXPECT_EQ(row->steps, 5);
  EXPECT_EQ(row->last_loss, 1.0 / 6);

  const auto steps = reader.metrics("a1", 2);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].step, 3);
  EXPECT_EQ(steps[1].loss, 1.0 / 5);
  EXPECT_EQ(steps[1].loss_scale, 65536);
  EXPECT_EQ(steps[1].lr[2], 2e-5);
  EXPECT_EQ(steps[1].group_norm[1], 7);
  EXPECT_TRUE(steps[1].clipped);
  EXPECT_FALSE(steps[1].skipped);
  EXPECT_TRUE(steps[0].skipped);
  EXPECT_EQ(reader.metrics("a1", -1, 2).size(), 2u);

  const auto events = reader.events("a1");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].level, 2);
  EXPECT_EQ(events[1].text, "naïve ✓");
  EXPECT_EQ(reader.events("a1", events[0].id).size(), 1u);
  const auto samples = reader.samples("a1");
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].prompt, "a dog");
  const auto checkpoints = reader.checkpoints("a1");
  ASSERT_EQ(checkpoints.size(), 1u);
  EXPECT_EQ(checkpoints[0].bytes, 99);

  store.set_state("a1", "finished");
  store.flush();
  EXPECT_GT(reader.run("a1")->finished, 0);
}

TEST_F(Store, NonFiniteNumbersComeBackAsTheyWere) {
  RunStore store(file_);
  store.create_run(run("a"));
  StepRow s = step(1);
  s.loss = std::numeric_limits<double>::quiet_NaN();
  s.grad_norm = std::numeric_limits<double>::infinity();
  s.group_norm[2] = std::numeric_limits<double>::quiet_NaN();
  s.lr[1] = -std::numeric_limits<double>::infinity();
  s.update_ratio = std::numeric_limits<double>::denorm_min();
  store.add_step("a", s);
  store.flush();
  RunReader reader(file_);
  const StepRow r = reader.metrics("a").at(0);
  EXPECT_TRUE(std::isnan(r.loss));
  EXPECT_EQ(r.grad_norm, s.grad_norm);
  EXPECT_TRUE(std::isnan(r.group_norm[2]));
  EXPECT_EQ(r.lr[1], s.lr[1]);
  EXPECT_EQ(r.update_ratio, s.update_ratio);
  EXPECT_EQ(r.group_norm[0], 0);
  EXPECT_TRUE(std::isnan(reader.run("a")->last_loss));
}

TEST_F(Store, ListsNewestFirstAndFilters) {
  RunStore store(file_);
  for (int i = 0; i < 4; ++i) {
    RunRow r = run("run-" + std::to_string(i), i == 2 ? "finished" : "training");
    r.created = 1000 + i;
    r.name = i == 1 ? "Blue_Cat 100%" : "dog";
    store.create_run(r);
  }
  RunReader reader(file_);
  const auto all = reader.list_runs();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].id, "run-3");
  EXPECT_EQ(all[3].id, "run-0");
  EXPECT_EQ(reader.list_runs({"finished", "", 0}).size(), 1u);
  EXPECT_EQ(reader.list_runs({"", "blue_cat", 0}).size(), 1u);
  EXPECT_EQ(reader.list_runs({"", "blue cat", 0}).size(), 0u);  // _ is no wildcard
  EXPECT_EQ(reader.list_runs({"", "0%", 0}).size(), 1u);
  EXPECT_EQ(reader.list_runs({"", "", 2}).size(), 2u);
  EXPECT_TRUE(reader.run("run-1"));
  EXPECT_FALSE(reader.run("run-"));  // four begin so
  EXPECT_FALSE(reader.run(""));
  store.delete_run("run-1");
  EXPECT_FALSE(reader.run("run-1"));
  EXPECT_EQ(reader.list_runs().size(), 3u);
}

TEST_F(Store, ResumeTakesBackWhatCameAfterTheCheckpoint) {
  RunStore store(file_);
  store.create_run(run("a"));
  for (int i = 1; i <= 10; ++i) {
    store.add_step("a", step(i));
  }
  store.add_sample("a", {5, 0, "p", "5.png"});
  store.add_sample("a", {10, 0, "p", "10.png"});
  store.set_state("a", "interrupted");
  store.resume_run("a", 6, "training", "there", 77);
  RunReader reader(file_);
  EXPECT_EQ(reader.metrics("a").size(), 6u);
  EXPECT_EQ(reader.samples("a").size(), 1u);
  EXPECT_EQ(reader.run("a")->state, "training");
  EXPECT_EQ(reader.run("a")->finished, 0);
  EXPECT_EQ(reader.run("a")->process, 77);
  store.add_step("a", step(7));
  store.add_step("a", step(7));  // twice is once
  store.flush();
  EXPECT_EQ(reader.metrics("a").size(), 7u);
}

TEST_F(Store, RefusesTwiceTheSameIdAndUnknownRuns) {
  RunStore store(file_);
  store.create_run(run("a"));
  EXPECT_THROW(store.create_run(run("a")), Error);
  store.add_step("nobody", step(1));
  try {
    store.flush();
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("nobody"), std::string::npos);
  }
  store.add_step("a", step(1));
  store.flush();
  EXPECT_EQ(RunReader(file_).metrics("a").size(), 1u);
}

TEST_F(Store, MissingDatabaseReadsAsEmpty) {
  RunReader reader(file_);
  EXPECT_TRUE(reader.list_runs().empty());
  EXPECT_FALSE(reader.run("a"));
  RunStore store(file_);
  store.create_run(run("a"));
  EXPECT_EQ(reader.list_runs().size(), 1u);
}

TEST_F(Store, RunsWithoutOwnerBecomeInterrupted) {
  {
    RunStore store(file_);
    store.create_run(run("dead", "training"));
    store.create_run(run("alive", "paused"));
    store.create_run(run("done", "finished"));
  }
  {
    RunStore store(file_, [](const RunRow& r) {
      EXPECT_EQ(r.lock, "/runs/" + r.id + "/lock");
      EXPECT_NE(r.id, "done");
      return r.id == "alive";
    });
    ASSERT_EQ(store.notices().size(), 1u);
    EXPECT_NE(store.notices()[0].find("dead"), std::string::npos);
  }
  RunReader reader(file_);
  EXPECT_EQ(reader.run("dead")->state, "interrupted");
  EXPECT_GT(reader.run("dead")->finished, 0);
  EXPECT_EQ(reader.events("dead").size(), 1u);
  EXPECT_EQ(reader.run("alive")->state, "paused");
  EXPECT_EQ(reader.run("done")->state, "finished");
}

TEST_F(Store, NewerFormatIsRefusedAndUntouched) {
  { RunStore store(file_); }
  raw("UPDATE schema SET version = 999");
  for (int i = 0; i < 2; ++i) {
    try {
      RunStore store(file_);
      ADD_FAILURE();
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("newer"), std::string::npos) << e.what();
    }
  }
  EXPECT_THROW(RunReader(file_).list_runs(), Error);
  EXPECT_TRUE(set_aside().empty());
}

TEST_F(Store, ForeignDatabaseIsRefused) {
  fs::create_directories(folder_);
  raw("CREATE TABLE photos(a)");
  try {
    RunStore store(file_);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("another program"), std::string::npos) << e.what();
  }
}

TEST_F(Store, DamagedFileIsSetAside) {
  {
    RunStore store(file_);
    store.create_run(run("a"));
    for (int i = 0; i < 3000; ++i) {
      store.add_step("a", step(i));
    }
  }
  const auto size = fs::file_size(file_);
  ASSERT_GT(size, 40'000u);
  {
    std::fstream f(file_, std::ios::in | std::ios::out | std::ios::binary);
    f.seekp(4096 * 4);
    f << std::string(4096 * 4, '\xAB');
  }
  {
    RunStore store(file_);
    ASSERT_EQ(store.notices().size(), 1u);
    EXPECT_NE(store.notices()[0].find("damaged"), std::string::npos);
    ASSERT_EQ(set_aside().size(), 1u);
    EXPECT_EQ(fs::file_size(set_aside()[0]), size);
    store.create_run(run("b"));
    EXPECT_EQ(RunReader(file_).list_runs().size(), 1u);
  }
  // The same second, a file that is no database at all.
  std::ofstream(file_, std::ios::trunc) << std::string(5000, 'x');
  EXPECT_THROW(RunReader(file_).list_runs(), Error);
  RunStore store(file_);
  EXPECT_EQ(store.notices().size(), 1u);
  EXPECT_EQ(set_aside().size(), 2u);
}

TEST_F(Store, ReaderSeesAPrefixWhileTheWriterWrites) {
  constexpr int kSteps = 20'000;
  RunStore store(file_);
  store.create_run(run("a"));
  std::atomic<bool> finished{false};
  std::size_t reads = 0;
  bool sound = true;
  std::thread watcher([&] {
    RunReader reader(file_);
    std::int64_t last = -1;
    for (bool again = true; again;) {
      again = !finished.load();
      for (const StepRow& r : reader.metrics("a", last)) {
        sound = sound && r.step == last + 1 && r.loss == 1.0 / static_cast<double>(r.step + 1);
        last = r.step;
      }
      ++reads;
    }
    sound = sound && last == kSteps - 1;
  });
  for (int i = 0; i < kSteps; ++i) {
    store.add_step("a", step(i));
  }
  store.flush();
  finished = true;
  watcher.join();
  EXPECT_TRUE(sound);
  EXPECT_GE(reads, 2u);
}

TEST_F(Store, ManyThreadsMayAdd) {
  RunStore store(file_);
  store.create_run(run("a"));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        store.add_step("a", step(t * 500 + i));
        store.add_event("a", 1, "x");
      }
      store.flush();
    });
  }
  for (auto& t : threads) {
    t.join();
  }
  RunReader reader(file_);
  EXPECT_EQ(reader.metrics("a").size(), 2000u);
  EXPECT_EQ(reader.events("a").size(), 2000u);
}

TEST_F(Store, HundredThousandStepsArePrintedNotAsserted) {
  RunStore store(file_);
  store.create_run(run("a"));
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 100'000; ++i) {
    store.add_step("a", step(i));
  }
  store.flush();
  const auto end = std::chrono::steady_clock::now();
  std::printf("100,000 step rows: %.2f s\n", std::chrono::duration<double>(end - begin).count());
  RunReader reader(file_);
  const auto rows = reader.metrics("a");
  std::printf("read back: %.2f s\n",
              std::chrono::duration<double>(std::chrono::steady_clock::now() - end).count());
  EXPECT_EQ(rows.size(), 100'000u);
}

TEST_F(Store, UnwritableFolderIsNamed) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "file") << "x";
  try {
    RunStore store(folder_ / "file" / "runs.db");
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(path_to_utf8(folder_ / "file")), std::string::npos);
  }
}

#ifndef _WIN32

// SIGKILL at a random moment of heavy writing: the file opens, what was flushed is there, the
// steps have no hole, and the run is marked interrupted.
TEST_F(Store, SurvivesSigkill) {
  for (int round = 0; round < 8; ++round) {
    const std::string id = "run" + std::to_string(round);
    int flushed[2];
    ASSERT_EQ(pipe(flushed), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      RunStore store(file_);
      store.create_run(run(id));
      for (std::int64_t i = 0;; ++i) {
        store.add_step(id, step(i));
        if (i % 500 == 499) {
          store.flush();
          const ssize_t written = write(flushed[1], &i, sizeof i);
          (void)written;
        }
      }
    }
    close(flushed[1]);
    std::int64_t promised = -1;
    for (int i = 0; i <= round; ++i) {
      ASSERT_EQ(read(flushed[0], &promised, sizeof promised),
                static_cast<ssize_t>(sizeof promised));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(137 * round * round));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    std::int64_t more = 0;
    while (read(flushed[0], &more, sizeof more) == static_cast<ssize_t>(sizeof more)) {
      promised = more;
    }
    close(flushed[0]);

    RunStore store(file_, [](const RunRow&) { return false; });
    ASSERT_EQ(store.notices().size(), 1u);
    RunReader reader(file_);
    EXPECT_EQ(reader.run(id)->state, "interrupted");
    const auto rows = reader.metrics(id);
    ASSERT_GT(static_cast<std::int64_t>(rows.size()), promised);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(rows[i].step, static_cast<std::int64_t>(i));
    }
  }
  EXPECT_TRUE(set_aside().empty());
}

// Puts a small file system under `folder` for this process alone. False where that isn't allowed.
bool mount_small_disk(const fs::path& folder, const char* options) {
#ifdef __linux__
  return (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
         mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("tmpfs", folder.c_str(), "tmpfs", 0, options) == 0;
#else
  return false;
#endif
}

// What the child of the test below sees go wrong; 0 when all is well.
int run_out_of_disk(const fs::path& file, bool small_disk, const StepRow& row) {
  const fs::path folder = file.parent_path();
  const auto named = [&](const Error& e) {
    return std::string(e.what()).find(path_to_utf8(folder)) != std::string::npos &&
           (!small_disk || e.kind() == ErrorKind::out_of_disk);
  };
  RunStore store(file);
  RunRow run;
  run.id = "a";
  store.create_run(run);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  if (!small_disk) {
    rlimit tight = before;
    tight.rlim_cur = 256 << 10;
    setrlimit(RLIMIT_FSIZE, &tight);
  }
  bool refused = false;
  const auto attempt = [&](auto&& call) {
    try {
      call();
    } catch (const Error& e) {
      refused = true;
      if (!named(e)) {
        std::fprintf(stderr, "%s\n", e.what());
        _exit(1);
      }
    }
  };
  for (int i = 0; i < 20'000; ++i) {
    StepRow s = row;
    s.step = i;
    attempt([&] { store.add_step("a", s); });
  }
  attempt([&] { store.flush(); });
  if (!refused) {
    return 2;
  }
  setrlimit(RLIMIT_FSIZE, &before);
  if (small_disk) {
    fs::remove(folder / "ballast");
  }
  try {
    store.flush();
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 4;
  }
  return RunReader(file).metrics("a").size() == 20'000 ? 0 : 8;
}

// A full disk: the error names the folder, nothing queued is lost, and writing goes on when there
// is room again. A small tmpfs where the system lets us mount one, else a limit on file size.
TEST_F(Store, GoesOnAfterTheDiskWasFull) {
  fs::create_directories(folder_);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const bool small_disk = mount_small_disk(folder_, "size=24m");
    if (small_disk) {
      std::ofstream(folder_ / "ballast") << std::string((23 << 20) + (512 << 10), 'x');
    }
    std::printf("disk-full by %s\n", small_disk ? "tmpfs" : "file size limit");
    std::fflush(stdout);
    _exit(run_out_of_disk(file_, small_disk, step(0)));
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// A folder that can't be written: the error names it.
TEST_F(Store, ReadOnlyDiskIsNamed) {
  fs::create_directories(folder_);
  { RunStore store(file_); }
  fs::permissions(file_, fs::perms::owner_read);
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // Root may write anywhere; be nobody.
    if (geteuid() == 0 && (chown(folder_.c_str(), 65534, 65534) != 0 ||
                           chown(file_.c_str(), 65534, 65534) != 0 || setuid(65534) != 0)) {
      _exit(9);
    }
    try {
      RunStore store(file_);
      _exit(1);
    } catch (const Error& e) {
      const bool named = std::string(e.what()).find(path_to_utf8(folder_)) != std::string::npos;
      if (!named) {
        std::fprintf(stderr, "%s\n", e.what());
      }
      _exit(named ? 0 : 2);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  fs::permissions(folder_, fs::perms::owner_all);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

#endif

}  // namespace
}  // namespace mantissa
