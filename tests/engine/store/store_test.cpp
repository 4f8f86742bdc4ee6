// The content of a runs database, and its queries.
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/preset/preset_io.h"
#include "tests/engine/store/store_fixture.h"

namespace mantissa {
namespace {

using namespace testing_support;

class StoreRecords : public StoreFixture {};

TEST_F(StoreRecords, WritesAndReadsEverything) {
  RunStore store(file_);
  EXPECT_TRUE(store.notices().empty());
  store.create_run(run("a1"));
  store.set_plan("a1", "{\"peak\": 5}");
  for (int i = 1; i <= 5; ++i) {
    store.add_step("a1", step(i));
  }
  store.add_event("a1", LogLevel::warning, message<"{what} is odd">("loss"));
  store.add_event("a1", LogLevel::info, Message::verbatim("naïve ✓"));
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
  ASSERT_EQ(steps[1].parts.size(), 2u);
  EXPECT_EQ(steps[1].parts.begin()->part.name(), "unet");
  EXPECT_EQ(steps[1].parts.of(Part("unet")).lr, 1e-4);
  EXPECT_EQ(steps[1].parts.of(Part("te2")).lr, 2e-5);
  EXPECT_EQ(steps[1].parts.of(Part("te2")).norm, 7);
  EXPECT_TRUE(steps[1].clipped);
  EXPECT_FALSE(steps[1].skipped);
  EXPECT_TRUE(steps[0].skipped);
  EXPECT_EQ(reader.metrics("a1", -1, 2).size(), 2u);

  const auto events = reader.events("a1");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].level, LogLevel::warning);
  EXPECT_EQ(events[0].message.source(), "{what} is odd");
  EXPECT_EQ(events[0].message.text(), "loss is odd");
  EXPECT_EQ(events[1].message.text(), "naïve ✓");
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

TEST_F(StoreRecords, KeepsHealth) {
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

TEST_F(StoreRecords, LayersOfOlderVersionsHaveTodaysPaths) {
  RunStore store(file_);
  store.create_run(run("a1"));
  const std::pair<const char*, const char*> layers[] = {
      {"text_encoder.q_proj.lora_A.weight", "te1.q_proj.lora_A.weight"},
      {"text_encoder_2.q_proj", "te2.q_proj"},
      {"transformer.proj_out", "denoiser.proj_out"},
      {"unet.conv_in.weight", "denoiser.conv_in.weight"},
      {"vae.conv_in", "vae.conv_in"}};
  HealthRecord old{3, 0.5, {}};
  for (const auto& [before, now] : layers) {
    old.rows.push_back(health_record(1).rows[0]);
    old.rows.back().layer = before;
  }
  store.add_health("a1", old);
  store.flush();
  const auto records = RunReader(file_).health("a1");
  ASSERT_EQ(records.size(), 1U);
  ASSERT_EQ(records[0].rows.size(), std::size(layers));
  for (std::size_t i = 0; i < std::size(layers); ++i) {
    EXPECT_EQ(records[0].rows[i].layer, layers[i].second);
  }
}

TEST_F(StoreRecords, ReadsSomeOfManyLayerStatistics) {
  RunStore store(file_);
  store.create_run(run("a1"));
  store.create_run(run("a2"));
  for (std::int64_t step = 0; step <= 100; ++step) {
    store.add_health("a1", health_record(50 * step));  // two rows each
  }
  store.add_health("a2", health_record(7));
  store.flush();
  RunReader reader(file_);
  const auto some = reader.health("a1", -1, 20);
  ASSERT_EQ(some.size(), 10u);
  EXPECT_EQ(some.front().step, 0);
  EXPECT_EQ(some.back().step, 5000);
  for (std::size_t i = 1; i < some.size(); ++i) {
    const std::int64_t gap = some[i].step - some[i - 1].step;
    EXPECT_TRUE(gap >= 500 && gap <= 600) << gap;
    EXPECT_EQ(some[i].rows.size(), 2u);
  }
  EXPECT_EQ(reader.health("a1", -1, 1000).size(), 101u);
  EXPECT_EQ(reader.health("a1", 4900, 1000).size(), 2u);
  EXPECT_EQ(reader.health("a2", -1, 1000).size(), 1u);
  EXPECT_TRUE(reader.health("a2", 7, 1000).empty());
  EXPECT_TRUE(reader.health("none", -1, 1000).empty());
}

TEST_F(StoreRecords, KeepsValidation) {
  RunStore store(file_);
  store.create_run(run("a1"));
  store.create_run(run("a2"));
  for (int i = 0; i <= 30; i += 10) {
    store.add_validation("a1", {i, 1.0 / (i + 1), 7, 0.25});
  }
  store.add_validation("a1",
                       {30, std::nan(""), 2, 0.5, {{0, "a", 1}, {1, "b", 2}}});  // twice is once
  store.add_validation("a2", {0, 3, 1, 0.125});
  store.flush();
  RunReader reader(file_);
  const auto rows = reader.validation("a1");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[2].step, 20);
  EXPECT_EQ(rows[2].loss, 1.0 / 21);
  EXPECT_EQ(rows[2].images, 7);
  EXPECT_EQ(rows[2].seconds, 0.25);
  EXPECT_TRUE(std::isnan(rows[3].loss));
  EXPECT_EQ(reader.validation("a1", 10).size(), 2u);
  store.resume_run("a1", 20, "preparing", "here", 3);
  EXPECT_EQ(reader.validation("a1").size(), 3u) << "what lies after the resumed step is gone";
  store.add_validation("a1", {30, 1, 1, 0.5, {{0, "a", 1}}});
  store.flush();
  EXPECT_EQ(reader.validation("a1").back().each.size(), 1u) << "of each image too";
  store.delete_run("a1");
  EXPECT_TRUE(reader.validation("a1").empty());
  EXPECT_EQ(reader.validation("a2").size(), 1u);
}

TEST_F(StoreRecords, NonFiniteNumbersComeBackAsTheyWere) {
  RunStore store(file_);
  store.create_run(run("a"));
  StepRow s = step(1);
  s.loss = std::numeric_limits<double>::quiet_NaN();
  s.grad_norm = std::numeric_limits<double>::infinity();
  s.parts[Part("te2")].norm = std::numeric_limits<double>::quiet_NaN();
  s.parts[Part("te2")].lr = -std::numeric_limits<double>::infinity();
  s.update_ratio = std::numeric_limits<double>::denorm_min();
  store.add_step("a", s);
  store.flush();
  RunReader reader(file_);
  const StepRow r = reader.metrics("a").at(0);
  EXPECT_TRUE(std::isnan(r.loss));
  EXPECT_EQ(r.grad_norm, s.grad_norm);
  EXPECT_TRUE(std::isnan(r.parts.of(Part("te2")).norm));
  EXPECT_EQ(r.parts.of(Part("te2")).lr, s.parts.of(Part("te2")).lr);
  EXPECT_EQ(r.update_ratio, s.update_ratio);
  EXPECT_TRUE(std::isnan(reader.run("a")->last_loss));
}

TEST_F(StoreRecords, ListsNewestFirstAndFilters) {
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
  EXPECT_EQ(reader.list_runs({"", "blue cat", 0}).size(), 0u);
  EXPECT_EQ(reader.list_runs({"", "run_1", 0}).size(), 0u) << "_ is no wildcard";
  EXPECT_EQ(reader.list_runs({"", "run%1", 0}).size(), 0u);
  EXPECT_EQ(reader.list_runs({"", "run\\-1", 0}).size(), 0u) << "nor does \\ hide what follows";
  EXPECT_EQ(reader.list_runs({"", "0%", 0}).size(), 1u);
  EXPECT_EQ(reader.list_runs({"", "", 2}).size(), 2u);
  EXPECT_TRUE(reader.run("run-1"));
  EXPECT_FALSE(reader.run("run-"));  // four have this prefix
  EXPECT_FALSE(reader.run(""));
  store.delete_run("run-1");
  EXPECT_FALSE(reader.run("run-1"));
  EXPECT_EQ(reader.list_runs().size(), 3u);
}

TEST_F(StoreRecords, ASummaryFollowsItsRun) {
  RunStore store(file_);
  RunRow row = run("a1");
  Preset preset;
  preset.adapter.type = AdapterType::dora;
  preset.adapter.rank = 12;
  preset.precision.weights.denoiser = StorageType::fp8_e4m3;
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
  EXPECT_EQ(list[0].family, "") << "any family's preset, and no plan yet";
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
  store.set_plan("a1", "{}", "sd2");
  store.flush();
  EXPECT_NE(reader.changes(), before);
  EXPECT_EQ(reader.summaries().at(0).family, "sd2") << "the base model's, once it is known";
}

TEST_F(StoreRecords, AHiddenRunIsInNoListAndComesBack) {
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

TEST_F(StoreRecords, NothingOfADeletedRunComesBackWithItsId) {
  RunStore store(file_);
  const auto fill = [&] {
    store.add_step("a", step(1));
    store.add_event("a", LogLevel::info, Message::verbatim("begun"));
    store.add_sample("a", {1, 0, "p", "1.png"});
    store.add_checkpoint("a", {1, "step-1", 10});
    store.add_validation("a", {1, 0.5, 2, 0.1});
    store.add_health("a", health_record(1));
  };
  store.create_run(run("a"));
  fill();
  store.delete_run("a");
  // The deleted run's rows would otherwise belong to the next one with its key.
  store.create_run(run("a"));
  RunReader reader(file_);
  EXPECT_TRUE(reader.metrics("a").empty());
  EXPECT_TRUE(reader.events("a").empty());
  EXPECT_TRUE(reader.samples("a").empty());
  EXPECT_TRUE(reader.checkpoints("a").empty());
  EXPECT_TRUE(reader.validation("a").empty());
  EXPECT_TRUE(reader.health("a").empty());
  fill();
  store.flush();
  EXPECT_EQ(reader.metrics("a").size(), 1u);
  EXPECT_EQ(reader.events("a").size(), 1u);
  // A second run gets its own key: rows of both stay separate.
  store.create_run(run("b"));
  store.delete_run("a");
  store.create_run(run("c"));
  store.create_run(run("a"));
  store.add_step("a", step(7));
  store.flush();
  EXPECT_EQ(reader.metrics("a").size(), 1u);
  EXPECT_TRUE(reader.metrics("b").empty());
  EXPECT_TRUE(reader.metrics("c").empty());
}

TEST_F(StoreRecords, ResumeTakesBackWhatCameAfterTheCheckpoint) {
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
  store.set_settings("a", "landscape", "{\"a\": 2}");
  store.flush();
  EXPECT_EQ(reader.run("a")->name, "landscape");
  EXPECT_EQ(reader.run("a")->preset_json, "{\"a\": 2}");
  store.add_step("a", step(7));
  store.add_step("a", step(7));  // twice is once
  store.flush();
  EXPECT_EQ(reader.metrics("a").size(), 7u);
}

TEST_F(StoreRecords, RefusesTwiceTheSameIdAndUnknownRuns) {
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

TEST_F(StoreRecords, TellsWhichRunsWereInterrupted) {
  { RunStore(file_).create_run(run("a1")); }
  { RunStore(file_).create_run(run("a2")); }
  RunStore store(file_, [](const RunRow& r) { return r.id == "a2"; });
  EXPECT_EQ(store.interrupted(), std::vector<std::string>{"a1"});
}

TEST_F(StoreRecords, RunsWithoutOwnerBecomeInterrupted) {
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
    EXPECT_NE(store.notices()[0].text().find("dead"), std::string::npos);
  }
  RunReader reader(file_);
  EXPECT_EQ(reader.run("dead")->state, "interrupted");
  EXPECT_GT(reader.run("dead")->finished, 0);
  EXPECT_EQ(reader.events("dead").size(), 1u);
  EXPECT_EQ(reader.run("alive")->state, "paused");
  EXPECT_EQ(reader.run("done")->state, "finished");
}

// A batch that fails halfway is rolled back and written again later. By then another process may
// have taken the key that a run of it had for a moment.
TEST_F(StoreRecords, ABatchThatIsWrittenAgainKeepsToItsRuns) {
  RunStore store(file_);
  store.create_run(run("a"));
  const auto fails = [&](auto&& call) { EXPECT_THROW(call(), Error); };
  const auto fail_at = [&](const char* name, const char* when) {
    raw(std::string("CREATE TRIGGER ") + name + " BEFORE INSERT ON " + when +
        " BEGIN SELECT abs(-9223372036854775807 - 1); END");  // an integer overflow
  };
  fail_at("early", "events");
  store.add_event("a", LogLevel::info, Message::verbatim("waits"));
  fails([&] { store.flush(); });
  fails([&] { store.create_run(run("b")); });  // told of, but queued
  for (const int n : {1, 7}) {
    try {
      store.add_step("b", step(n));
    } catch (const Error&) {  // of an attempt in between
    }
  }
  fails([&] { store.flush(); });
  fail_at("late", "metrics WHEN NEW.step = 7");
  raw("DROP TRIGGER early");
  fails([&] { store.flush(); });
  {
    RunStore other(file_, [](const RunRow&) { return true; });
    other.create_run(run("c"));
  }
  raw("DROP TRIGGER late");
  store.flush();
  RunReader reader(file_);
  EXPECT_EQ(reader.events("a").size(), 1u);
  EXPECT_EQ(reader.metrics("b").size(), 2u);
  EXPECT_TRUE(reader.metrics("c").empty());
}

}  // namespace
}  // namespace mantissa
