#include <cmath>

#include "engine/io/run_lock.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run_folder.h"
#include "engine/store/setting_changes.h"
#include "engine/store/store.h"
#include "tests/engine/cli/cli_fixture.h"

namespace mantissa {
namespace {

using testing::HasSubstr;

class RunsTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    RunStore store(folder_ / "runs.db");
    for (int i = 0; i < 2; ++i) {
      Preset preset;
      preset.adapter.rank = 4 + i;
      RunRow row;
      row.id = i == 0 ? "20260101-a" : "20260102-b";
      row.name = "lora";
      row.state = "training";
      row.created = 1767225600000 + i;
      row.base = "demo";
      row.preset_json = to_json(preset, WriteMode::full);
      row.plan_json = R"({"compute":"fp32"})";
      store.create_run(row);
      for (int s = 1; s <= 100; ++s) {
        StepRow step;
        step.step = s;
        step.loss = s == 50 ? std::nan("") : 1.0 / (s + i);
        step.parts[Part("unet")].lr = 1e-4;
        step.seconds = 0.5;
        step.clipped = s == 3;
        store.add_step(row.id, step);
      }
      for (const int at : {0, 40, 80, 100}) {
        const double loss = at == 80 ? 0.25 : 0.5 + i;
        store.add_validation(
            row.id, {at, loss, 2, 1, {{0, "a.png", loss - 0.125}, {1, "b.png", loss + 0.125}}});
      }
      store.add_event(row.id, LogLevel::info, Message::verbatim("it began"));
      if (i == 1) {
        store.add_rates(row.id, {40, 8.5, {{0, "node-a", 5, 1, false}, {1, "node-b", 3, 1, true}}});
        store.add_pause(row.id, {7, false});
        store.add_event(row.id, LogLevel::info, setting_changed({"adapter.rank", 3, 4, 20}));
      }
      store.add_checkpoint(row.id, {100, "ckpt-100", 2048});
      store.add_sample(row.id, {0, 0, "a cat", "s.png"});
      store.set_state(row.id, "finished");
      store.flush();
    }
  }
};

TEST_F(RunsTest, List) {
  ASSERT_EQ(run({"runs", "list"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("20260102-b"));
  EXPECT_THAT(out(), HasSubstr("finished"));
  ASSERT_EQ(run({"runs", "list", "--json", "--limit", "1"}), 0);
  ASSERT_EQ(events().size(), 1u);
  EXPECT_EQ(events()[0]["id"], "20260102-b");
  EXPECT_EQ(events()[0]["steps"], 100);
  ASSERT_EQ(run({"runs", "list", "--state", "failed"}), 0);
  EXPECT_EQ(out(), "No such runs.\n");
  context_.runs_database = [this] { return folder_ / "empty" / "runs.db"; };
  ASSERT_EQ(run({"runs", "list"}), 0) << err();
  EXPECT_EQ(out(), "No runs.\n");
}

TEST_F(RunsTest, ARunWhoseProcessIsGoneShowsAsInterrupted) {
  const std::filesystem::path lock = folder_ / "run.lock";
  {
    RunStore store(folder_ / "runs.db", [](const RunRow&) { return true; });
    RunRow row;
    row.id = "20260103-c";
    row.state = "training";
    row.lock = path_to_utf8(lock);
    store.create_run(row);
    store.flush();
  }
  {
    const RunLock owner(lock);
    ASSERT_EQ(run({"runs", "list", "--json", "--limit", "1"}), 0);
    EXPECT_EQ(events().at(0)["state"], "training");
  }
  ASSERT_EQ(run({"runs", "list", "--json", "--limit", "1"}), 0);
  EXPECT_EQ(events().at(0)["state"], "interrupted");
}

TEST_F(RunsTest, AFolderWithAnUnknownRunIsToldAsOne) {
  JobSpec job;
  job.base = "demo";
  job.out = folder_ / "elsewhere";
  const RunFolder folder = RunFolder::create(job);
  for (const char* command : {"show", "metrics", "export", "delete"}) {
    EXPECT_EQ(run({"runs", command, path("elsewhere")}), 2);
    EXPECT_THAT(err(), HasSubstr("the database of runs doesn't know this run, " + folder.id()));
  }
}

TEST_F(RunsTest, Show) {
  ASSERT_EQ(run({"runs", "show", "20260101"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("adapter.rank = 4"));
  EXPECT_THAT(out(), HasSubstr("ckpt-100"));
  EXPECT_THAT(out(), HasSubstr("it began"));
  EXPECT_THAT(out(), HasSubstr("Validation loss"));
  EXPECT_THAT(out(), testing::ContainsRegex("  80 +0.25 +-0.625 ± 0 +lowest\n"));
  EXPECT_THAT(out(), HasSubstr("no checkpoint is better than the untrained model"));
  ASSERT_EQ(run({"runs", "show", "20260101-a", "--json"}), 0);
  EXPECT_EQ(events().at(0)["preset"]["adapter"]["rank"], 4);
  EXPECT_EQ(events().at(0)["checkpoints"][0]["bytes"], 2048);
  EXPECT_EQ(events().at(0)["best_validation_step"], 80);
  EXPECT_TRUE(events().at(0)["suggested_checkpoint_step"].is_null())
      << "none is better than step 0";
  EXPECT_EQ(events().at(0)["validation"][0]["images"], 2);
  EXPECT_EQ(events().at(0)["validation"][2]["each"][1]["loss"], 0.375);
  EXPECT_TRUE(events().at(0)["rates"].empty()) << "a run by one process";
  ASSERT_EQ(run({"runs", "show", "20260102-b", "--json"}), 0);
  EXPECT_EQ(events().at(0)["rates"][0]["processes"][1]["host"], "node-b");
  EXPECT_EQ(events().at(0)["pauses"][0]["step"], 7);
  const nlohmann::json changed = events().at(0)["changed_settings"];
  EXPECT_EQ(changed.dump(), R"([{"key":"adapter.rank","values":[{"from_step":1,"value":3},)"
                            R"({"from_step":21,"value":4},{"from_step":null,"value":5}]}])");
  ASSERT_EQ(run({"runs", "show", "20260102-b"}), 0);
  EXPECT_THAT(out(), HasSubstr("adapter.rank = 3; 4 from step 21; 5 since it was resumed\n"));
  ASSERT_EQ(run({"runs", "metrics", "20260102-b", "--json"}), 0);
  EXPECT_EQ(events().at(104)["event"], "rates");
  EXPECT_EQ(events().at(105)["event"], "pause");
  EXPECT_EQ(run({"runs", "show", "202601"}), 2);
  EXPECT_THAT(one_error_line(),
              HasSubstr("202601: 2 runs begin so, the newest of them 20260102-b, 20260101-a"));
  EXPECT_EQ(run({"runs", "show", "nothing"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("nothing: no such run"));
}

TEST_F(RunsTest, Metrics) {
  ASSERT_EQ(run({"runs", "metrics", "20260101", "--csv"}), 0) << err();
  std::istringstream lines(out());
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line,
            "step,loss,grad_norm,clip_norm,clipped,loss_scale,skipped,lost_update,update_ratio,"
            "seconds,lr_unet,norm_unet,validation_loss");
  EXPECT_TRUE(line.ends_with(",validation_loss")) << line;
  std::getline(lines, line);
  EXPECT_EQ(line, "0,,,,,,,,,,,,0.5") << "measured before the first step";
  std::size_t rows = 0;
  while (std::getline(lines, line)) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 12);
    EXPECT_EQ(line.ends_with(",0.25"), rows + 1 == 80) << line;
    ++rows;
    if (rows == 2) {
      EXPECT_THAT(line, testing::StartsWith("2,0.5,0,0,0,1,0,0,0,0.5,"));
    }
    if (rows == 50) {
      EXPECT_THAT(line, testing::StartsWith("50,nan,"));
    }
  }
  EXPECT_EQ(rows, 100u);
  ASSERT_EQ(run({"runs", "metrics", "20260101"}), 0);
  EXPECT_THAT(out(), HasSubstr("One of every 3 of 100 steps"));
  EXPECT_THAT(out(), testing::ContainsRegex("\n80 +0.0125 +0.25 .* best\n"));
  EXPECT_THAT(out(), testing::ContainsRegex("\n0 +0.5\n"));
  ASSERT_EQ(run({"runs", "metrics", "20260101", "--json"}), 0);
  ASSERT_EQ(events().size(), 104u);
  EXPECT_EQ(events()[100]["event"], "validation");
  EXPECT_EQ(events()[0]["lr"]["unet"], 1e-4);
  EXPECT_TRUE(events()[49]["loss"].is_null());
}

TEST_F(RunsTest, Compare) {
  ASSERT_EQ(run({"runs", "compare", "20260101", "20260102"}), 0) << err();
  EXPECT_THAT(out(), testing::ContainsRegex("adapter.rank +4 +5"));
  EXPECT_THAT(out(), HasSubstr("0.25 at step 80"));
  ASSERT_EQ(run({"runs", "compare", "20260101", "20260102", "--json"}), 0);
  EXPECT_EQ(events().at(0)["differences"][0]["key"], "adapter.rank");
  EXPECT_NEAR(events().at(0)["a"]["seconds"].get<double>(), 0.5, 1e-12);
}

TEST_F(RunsTest, Export) {
  ASSERT_EQ(run({"runs", "export", "20260101"}), 0) << err();
  const auto all = nlohmann::json::parse(out());
  EXPECT_EQ(all["id"], "20260101-a");
  EXPECT_EQ(all["preset"]["adapter"]["rank"], 4);
  EXPECT_EQ(all["training"].size(), 100U);
  EXPECT_EQ(all["training"][99]["step"], 100);
  EXPECT_EQ(all["validation"][2]["loss"], 0.25);
  EXPECT_EQ(all["checkpoints"][0]["path"], "ckpt-100");
  EXPECT_EQ(all["samples"][0]["prompt"], "a cat");
  EXPECT_EQ(all["events"][0]["message"], "it began");
  EXPECT_EQ(all["validation"][2]["images"], 2);
  EXPECT_TRUE(all["pauses"].empty());
  ASSERT_EQ(run({"runs", "export", "20260101", "--out", path("run.json")}), 0) << err();
  EXPECT_EQ(nlohmann::json::parse(std::ifstream(folder_ / "run.json")), all);
  EXPECT_EQ(run({"runs", "export", "20260101", "--out", path("run.json")}), 2);
}

/// A run folder beside the database, as the program makes them.
class RunDeletionTest : public RunsTest {
 protected:
  void SetUp() override {
    RunsTest::SetUp();
    runs_ = folder_ / "runs";
    add("20260103-c", runs_ / "20260103-c");
  }
  void add(const std::string& id, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder / "checkpoints" / "step-00000100");
    for (const char* name : {"job.json", "log.txt", "run.lock", "lora.safetensors",
                             "lora-step-50.safetensors", "checkpoints/step-00000100/state"}) {
      std::ofstream(folder / name) << id;
    }
    RunStore store(folder_ / "runs.db");
    RunRow row;
    row.id = id;
    row.state = "finished";
    row.out = path_to_utf8(folder);
    row.lock = path_to_utf8(folder / "run.lock");
    row.preset_json = to_json(Preset{}, WriteMode::full);
    store.create_run(row);
    store.flush();
  }
  bool is_listed(const std::string& id) {
    run({"runs", "list"});
    return out().find(id) != std::string::npos;
  }
  std::filesystem::path runs_;
};

TEST_F(RunDeletionTest, RemovesTheRecordAndTheFolder) {
  ASSERT_EQ(run({"runs", "delete", "20260103", "--yes"}), 0) << err();
  EXPECT_FALSE(std::filesystem::exists(runs_ / "20260103-c"));
  EXPECT_FALSE(is_listed("20260103-c"));
  EXPECT_TRUE(is_listed("20260101-a"));
  ASSERT_EQ(run({"runs", "delete", "20260101-a", "20260102-b", "--yes"}), 0) << err();
  EXPECT_FALSE(is_listed("20260101-a"));
}

TEST_F(RunDeletionTest, ARunThatIsNamedTwiceIsDeletedOnce) {
  ASSERT_EQ(run({"runs", "delete", "20260103", "20260103-c", "--yes", "--json"}), 0) << err();
  EXPECT_EQ(events().size(), 1u);
  EXPECT_FALSE(is_listed("20260103-c"));
}

TEST_F(RunDeletionTest, LeavesWhatTheRunDidNotWrite) {
  const std::filesystem::path folder = runs_ / "20260103-c";
  std::filesystem::create_directory(folder_ / "kept");
  file("kept/a.safetensors", "x");
  std::ofstream(folder / "notes.txt") << "mine";
  std::ofstream(folder / "lorax.safetensors") << "mine";
#ifndef _WIN32  // only administrators make links there
  std::filesystem::create_directory_symlink(folder_ / "kept", folder / "samples");
#endif
  ASSERT_EQ(run({"runs", "delete", "20260103", "--yes"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("2 entries not written by the run stay in"));
  EXPECT_TRUE(std::filesystem::exists(folder / "notes.txt"));
  EXPECT_TRUE(std::filesystem::exists(folder / "lorax.safetensors"));
  EXPECT_FALSE(std::filesystem::exists(folder / "lora.safetensors"));
  EXPECT_FALSE(std::filesystem::exists(folder / "checkpoints"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "kept" / "a.safetensors"));
}

TEST_F(RunDeletionTest, LeavesAFolderThatTheUserChose) {
  const std::filesystem::path own = folder_ / "mine";
  add("20260104-d", own);
  std::string asked;
  context_.confirm = [&](const std::string& question) {
    asked = question;
    return true;
  };
  ASSERT_EQ(run({"runs", "delete", "20260104"}), 0) << err();
  EXPECT_EQ(asked, "Delete the record of 20260104-d? Folders chosen by --out stay.");
  EXPECT_THAT(out(), HasSubstr("chosen by --out and stays, with checkpoints, samples and results"));
  EXPECT_TRUE(std::filesystem::exists(own / "lora.safetensors"));
  EXPECT_FALSE(is_listed("20260104-d"));
#ifndef _WIN32
  std::filesystem::create_directory_symlink(own, runs_ / "20260105-e");
  RunStore store(folder_ / "runs.db");
  RunRow row;
  row.id = "20260105-e";
  row.state = "finished";
  row.out = path_to_utf8(runs_ / "20260105-e");
  store.create_run(row);
  store.flush();
  ASSERT_EQ(run({"runs", "delete", "20260105", "--yes"}), 0) << err();
  EXPECT_TRUE(std::filesystem::exists(own / "lora.safetensors")) << "a link leads elsewhere";
#endif
}

TEST_F(RunDeletionTest, RefusesARunInProgress) {
  const RunLock owner(runs_ / "20260103-c" / "run.lock");
  EXPECT_EQ(run({"runs", "delete", "20260103", "--yes"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("20260103-c is being trained now"));
  EXPECT_TRUE(std::filesystem::exists(runs_ / "20260103-c" / "job.json"));
  EXPECT_TRUE(is_listed("20260103-c"));
}

TEST_F(RunDeletionTest, AsksFirst) {
  EXPECT_EQ(run({"runs", "delete", "20260103"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("give --yes"));
  std::string question;
  bool answer = false;
  context_.confirm = [&](const std::string& asked) {
    question = asked;
    return answer;
  };
  EXPECT_EQ(run({"runs", "delete", "20260103"}), 0);
  EXPECT_THAT(question, HasSubstr("20260103-c"));
  EXPECT_TRUE(is_listed("20260103-c"));
  answer = true;
  EXPECT_EQ(run({"runs", "delete", "20260103"}), 0);
  EXPECT_FALSE(is_listed("20260103-c"));
  EXPECT_EQ(run({"runs", "delete", "20260109-x", "--yes"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("no such run"));
}

}  // namespace
}  // namespace mantissa
