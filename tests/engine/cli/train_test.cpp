#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <thread>

#include "engine/preset/preset_io.h"
#include "tests/engine/cli/cli_fixture.h"
#include "tests/engine/record_values.h"
#include "tests/environment.h"

namespace mantissa {
namespace {

using testing::HasSubstr;
using testing::Not;

class TrainCommandTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    train_ = [this](const JobSpec& job, RunControl&, RunObserver& o) {
      const std::int64_t steps = job.preset.training.steps;
      o.on_state(RunState::preparing);
      PlanReport plan;
      plan.precision_json = R"({"compute":"fp32"})";
      plan.peak_bytes = 7'900'000'000;
      plan.free_bytes = 12'000'000'000;
      plan.findings = {{"D8",
                        Verdict::warning,
                        {"precision.weights.denoiser"},
                        Message::verbatim("some weights vanish"),
                        R"({"precision.weights.denoiser":"bf16"})"}};
      o.on_plan(plan);
      o.on_progress(RunPhase::caching, 0, 3);
      o.on_progress(RunPhase::caching, 3, 3);
      o.on_state(RunState::training);
      o.on_sample({0, 0, "a cat", folder_ / "s0.png"});
      for (std::int64_t i = 1; i <= steps; ++i) {
        StepRecord s{.step = i, .loss = 1.0 / static_cast<double>(i), .grad_norm = 0.5};
        s.seconds = 0.25;
        s.parts[Part("unet")].lr = 1e-4;
        clock_ += 0.25;
        o.on_progress(RunPhase::training, i, steps);
        o.on_step(s);
      }
      o.on_saved(folder_ / "lora.safetensors", steps);
      return RunResult{"run-1", folder_, folder_ / "lora.safetensors", steps, 0.1};
    };
  }
  const std::vector<std::string> kTrain{"train",    "demo", "--base", "demo",
                                        "--images", "demo", "--set",  "training.steps=40"};
};

TEST_F(TrainCommandTest, OptionsReachTheJob) {
  EXPECT_EQ(run({"train",         "sdxl-lora",
                 "--base",        "m.safetensors",
                 "--images",      "a",
                 "--images",      "b",
                 "--out",         "o",
                 "--device",      "cpu",
                 "--set",         "adapter.rank=4",
                 "--set",         "optimizer.type=lion",
                 "--trace",       "t.safetensors",
                 "--trace-steps", "3",
                 "--replay",      "r.safetensors"}),
            0);
  EXPECT_EQ(job_.preset.adapter.rank, 4);
  EXPECT_EQ(job_.preset.optimizer.type, OptimizerType::lion);
  EXPECT_EQ(job_.preset.model.family, ModelFamily("sdxl"));
  EXPECT_EQ(job_.base, "m.safetensors");
  EXPECT_EQ(job_.images, (std::vector<std::filesystem::path>{"a", "b"}));
  EXPECT_EQ(job_.out, "o");
  EXPECT_EQ(job_.trace.value(), "t.safetensors");
  EXPECT_EQ(job_.trace_steps, 3);
  EXPECT_EQ(job_.replay.value(), "r.safetensors");
  EXPECT_FALSE(job_.resume.has_value());
}

TEST_F(TrainCommandTest, PlainLinesInAPipe) {
  ASSERT_EQ(run(kTrain), 0);
  const std::string text = out();
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
  EXPECT_THAT(text, HasSubstr("Caching 3/3"));
  EXPECT_THAT(text, HasSubstr("needs 7.9 GB of 12.0 GB free"));
  EXPECT_THAT(text, HasSubstr("Step 1/40  loss 1  grad 0.5  4.0 it/s  ETA 0:10"));
  EXPECT_THAT(text, HasSubstr("Step 40/40  loss 0.025"));
  EXPECT_THAT(text, HasSubstr("Done: 40 steps, loss 0.5208 -> 0.026"));
  // 40 steps of a quarter second: the first, the last, and about one per second.
  std::size_t lines = 0;
  for (std::size_t at = text.find("Step "); at != std::string::npos;
       at = text.find("Step ", at + 1)) {
    ++lines;
  }
  EXPECT_GE(lines, 10u);
  EXPECT_LE(lines, 13u);
  EXPECT_EQ(err(), "");
}

TEST_F(TrainCommandTest, OneRedrawnLineOnATerminal) {
  context_.out_is_terminal = true;
  ASSERT_EQ(run(kTrain), 0);
  EXPECT_THAT(out(), HasSubstr("\r\x1b[KTraining ▕"));
  EXPECT_THAT(out(), HasSubstr("ETA 0:05"));
  EXPECT_THAT(out(), HasSubstr("20/40"));
  context_.unicode = false;
  ASSERT_EQ(run(kTrain), 0);
  EXPECT_THAT(out(), HasSubstr("\r\x1b[KTraining [###"));
  for (const int columns : {20, 40, 61, 80, 200}) {
    context_.columns = [columns] { return columns; };
    ASSERT_EQ(run(kTrain), 0);
    std::istringstream frames(out());
    for (std::string frame; std::getline(frames, frame, '\r');) {
      if (frame.rfind("\x1b[KTraining", 0) == 0) {
        EXPECT_LT(frame.substr(3, frame.find('\n') - 3).size(), static_cast<std::size_t>(columns));
      }
    }
  }
}

TEST_F(TrainCommandTest, JsonEventsAreThoseOfTheContract) {
  std::vector<std::string> args = kTrain;
  args.emplace_back("--json");
  ASSERT_EQ(run(args), 0);
  const auto all = events();
  ASSERT_EQ(all.size(), 1u + 1 + 40 + 1 + 1);
  EXPECT_EQ(all[0]["event"], "plan");
  EXPECT_EQ(all[0]["precision"]["compute"], "fp32");
  EXPECT_EQ(all[0]["memory"]["peak_bytes"], 7'900'000'000);
  EXPECT_EQ(all[0]["findings"][0]["id"], "D8");
  EXPECT_EQ(all[0]["findings"][0]["fix"]["precision.weights.denoiser"], "bf16");
  EXPECT_EQ(all[1]["event"], "sample");
  EXPECT_EQ(all[2], nlohmann::json::parse(R"({"event":"step","step":1,"loss":1.0,"grad_norm":0.5,
      "clip_norm":0.0,"clipped":false,"loss_scale":1.0,"skipped":false,"lr":{"unet":1e-4},"lost_update":0.0,
      "update_ratio":0.0,"norms":{"unet":{"before_clip":0.0,"after_clip":0.0}},"seconds":0.25})"));
  EXPECT_EQ(all[42]["event"], "saved");
  EXPECT_EQ(all[42]["step"], 40);
  EXPECT_EQ(all[43]["event"], "done");
  EXPECT_EQ(all[43]["steps"], 40);
  EXPECT_THAT(err(), HasSubstr("Step 40/40"));
}

TEST_F(TrainCommandTest, SetsOfImagesAndTheirLoss) {
  train_ = [](const JobSpec&, RunControl&, RunObserver& o) {
    o.on_validation({20, 0.125, 3, 0.5, {{2, "a.png", 0.25}}});
    o.on_validation({40, std::nan(""), 1, 0.5});
    return RunResult{};
  };
  std::vector<std::string> args = kTrain;
  args.insert(args.end(), {"--prior", "p", "--prior", "q", "--validation", "v"});
  ASSERT_EQ(run(args), 0);
  EXPECT_EQ(job_.prior, (std::vector<std::filesystem::path>{"p", "q"}));
  EXPECT_EQ(job_.validation, std::vector<std::filesystem::path>{"v"});
  EXPECT_THAT(out(), HasSubstr("Validation at step 20: loss 0.125 on 3 images"));
  EXPECT_THAT(out(), HasSubstr("on 1 image\n"));
  args.emplace_back("--json");
  ASSERT_EQ(run(args), 0);
  const auto all = events();
  EXPECT_EQ(all[0], nlohmann::json::parse(R"({"event":"validation","step":20,"loss":0.125,
      "images":3,"seconds":0.5,"each":[{"image":2,"name":"a.png","loss":0.25}]})"));
  EXPECT_TRUE(all[1]["loss"].is_null());
}

TEST_F(TrainCommandTest, EventsNameEveryFieldOfTheirRecords) {
  using testing_support::filled;
  train_ = [](const JobSpec&, RunControl&, RunObserver& o) {
    o.on_plan(filled<PlanReport>());
    o.on_step(filled<StepRecord>());
    o.on_validation(filled<ValidationRecord>());
    o.on_rates(filled<RunRates>());
    o.on_pause({7, true});
    o.on_non_finite(filled<NonFiniteReport>());
    o.on_sample(filled<SampleRecord>());
    o.on_disk_full(filled<FullDisk>());
    return filled<RunResult>();
  };
  std::vector<std::string> args = kTrain;
  args.emplace_back("--json");
  ASSERT_EQ(run(args), 0);
  const auto all = events();
  ASSERT_EQ(all.size(), 9U);
  const auto expect_names = [](const nlohmann::json& event, const char* name, auto record) {
    EXPECT_EQ(event["event"], name);
    each_field(record, [&](const char* field, const auto&) {
      const bool listed = std::string_view(field) == "parts";  // as "lr" and "norms"
      EXPECT_TRUE(event.contains(listed ? "lr" : field)) << name << ": " << field;
    });
  };
  expect_names(all[1], "step", StepRecord());
  expect_names(all[2], "validation", ValidationRecord());
  expect_names(all[3], "rates", RunRates());
  expect_names(all[4], "pause", PauseRecord());
  expect_names(all[5], "non_finite", NonFiniteReport());
  expect_names(all[6], "sample", SampleRecord());
  expect_names(all[7], "disk_full", FullDisk());
  expect_names(all[8], "done", RunResult());
  const PlanReport plan;
  each_field_of(PlanReport::memory(), plan, [&](const char* field, std::uint64_t) {
    EXPECT_TRUE(all[0]["memory"].contains(field)) << field;
  });
  EXPECT_EQ(all[3]["processes"].size(), 2U);
  EXPECT_EQ(all[3]["processes"][0]["slow"], true);
  EXPECT_EQ(all[4], nlohmann::json::parse(R"({"event":"pause","step":7,"disk_full":true})"));
}

TEST_F(TrainCommandTest, RelaysTheRunToAProgramAndFollowsItsRequests) {
  std::vector<std::optional<std::string>> requests{"", "pause", "nonsense", std::nullopt};
  std::atomic<std::size_t> next{0};
  context_.read_request = [&](std::chrono::milliseconds) -> std::optional<std::string> {
    return next < requests.size() ? requests[next++] : "";
  };
  train_ = [](const JobSpec&, RunControl& control, RunObserver& o) -> RunResult {
    while (!control.pause_requested() || control.stop_requested() == RunControl::Stop::none) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(control.stop_requested(), RunControl::Stop::save) << "the program is gone";
    EXPECT_TRUE(control.waits_refused());
    o.on_state(RunState::stopping);
    throw Error(ErrorKind::interrupted, message<"stopped at step {step}">(3));
  };
  std::vector<std::string> args = kTrain;
  args.emplace_back("--relay");
  EXPECT_EQ(run(args), 130);
  const auto all = events();
  ASSERT_EQ(all.size(), 2U) << out();
  EXPECT_EQ(all[0]["state"], "stopping");
  EXPECT_EQ(all[1]["event"], "failed");
  EXPECT_EQ(all[1]["message"]["values"][0], "3");
  EXPECT_THAT(err(), HasSubstr("'nonsense' is no request to a run"));
  EXPECT_THAT(err(), HasSubstr("mantissa: stopped at step 3"));
}

TEST_F(TrainCommandTest, RelaysWhyARunDidNotBegin) {
  EXPECT_EQ(run({"train", "demo", "--base", "demo", "--set", "adapter.rank=0", "--relay"}), 2);
  const auto all = events();
  ASSERT_EQ(all.size(), 1U) << out();
  EXPECT_EQ(all[0]["event"], "failed");
  EXPECT_EQ(all[0]["kind"], 2);
}

TEST_F(TrainCommandTest, RelaysTheResult) {
  context_.read_request = [](std::chrono::milliseconds) { return std::optional<std::string>(""); };
  std::vector<std::string> args = kTrain;
  args.emplace_back("--relay");
  ASSERT_EQ(run(args), 0);
  const auto all = events();
  EXPECT_EQ(all.back()["event"], "ended");
  EXPECT_EQ(all.back()["run"], "run-1");
  EXPECT_EQ(std::ranges::count_if(all, [](const auto& e) { return e["event"] == "step"; }), 40);
}

TEST_F(TrainCommandTest, LogLevelFilters) {
  train_ = [](const JobSpec&, RunControl&, RunObserver& o) {
    o.on_log(LogLevel::debug, Message::verbatim("detail"));
    o.on_log(LogLevel::info, Message::verbatim("news"));
    o.on_log(LogLevel::warning, Message::verbatim("odd"));
    o.on_step({.step = 1});
    return RunResult{};
  };
  std::vector<std::string> args = kTrain;
  args.insert(args.end(), {"--log-level", "warning"});
  ASSERT_EQ(run(args), 0);
  EXPECT_EQ(out(), "warning: odd\n");
  args.back() = "debug";
  ASSERT_EQ(run(args), 0);
  EXPECT_THAT(out(), HasSubstr("detail\nnews\nwarning: odd\n"));
}

TEST_F(TrainCommandTest, EveryKindOfErrorHasItsStatus) {
  const std::vector<std::pair<ErrorKind, int>> kinds{
      {ErrorKind::input, 2},         {ErrorKind::precision, 3},     {ErrorKind::non_finite, 4},
      {ErrorKind::out_of_memory, 5}, {ErrorKind::out_of_disk, 6},   {ErrorKind::device_lost, 7},
      {ErrorKind::rank_lost, 8},     {ErrorKind::interrupted, 130}, {ErrorKind::internal, 1}};
  for (const auto& [kind, status] : kinds) {
    train_ = [kind = kind](const JobSpec&, RunControl&, RunObserver& o) -> RunResult {
      o.on_log(LogLevel::error, Message::verbatim("it went wrong"));
      throw Error(kind, Message::verbatim("it went wrong"),
                  kind == ErrorKind::precision ? "S4" : "");
    };
    EXPECT_EQ(run(kTrain), status);
    EXPECT_EQ(out(), "");
    EXPECT_THAT(one_error_line(), HasSubstr("it went wrong"));
  }
  train_ = [](const JobSpec&, RunControl&, RunObserver&) -> RunResult { throw std::bad_alloc(); };
  EXPECT_EQ(run(kTrain), 5);
  train_ = [](const JobSpec&, RunControl&, RunObserver&) -> RunResult {
    throw std::filesystem::filesystem_error("write",
                                            std::make_error_code(std::errc::no_space_on_device));
  };
  EXPECT_EQ(run(kTrain), 6);
  train_ = [](const JobSpec&, RunControl&, RunObserver&) -> RunResult {
    throw std::logic_error("a bug");
  };
  EXPECT_EQ(run(kTrain), 1);
  EXPECT_THAT(one_error_line(), HasSubstr("internal error: a bug"));
}

TEST_F(TrainCommandTest, ARefusedFindingIsNamedWithItsFix) {
  train_ = [](const JobSpec&, RunControl&, RunObserver&) -> RunResult {
    throw Error(ErrorKind::precision, Message::verbatim("S5: fp16 without loss scaling. Fix: {}"),
                "S5");
  };
  EXPECT_EQ(run(kTrain), 3);
  EXPECT_THAT(one_error_line(), HasSubstr("mantissa: S5: fp16"));
  std::vector<std::string> args = kTrain;
  args.emplace_back("--json");
  EXPECT_EQ(run(args), 3);
  EXPECT_EQ(events().back()["id"], "S5");
  EXPECT_EQ(events().back()["exit"], 3);
}

TEST_F(TrainCommandTest, AnEarlierErrorLineIsNotLost) {
  train_ = [](const JobSpec&, RunControl&, RunObserver& o) -> RunResult {
    o.on_log(LogLevel::error, Message::verbatim("first"));
    o.on_log(LogLevel::error, Message::verbatim("second"));
    throw Error(Message::verbatim("second"));
  };
  EXPECT_EQ(run(kTrain), 2);
  EXPECT_EQ(out(), "error: first\n");
  EXPECT_EQ(err(), "mantissa: second\n");
}

TEST_F(TrainCommandTest, BadPresetsAndSetsAreRefusedBeforeTraining) {
  bool trained = false;
  train_ = [&](const JobSpec&, RunControl&, RunObserver&) {
    trained = true;
    return RunResult{};
  };
  const std::vector<std::pair<std::string, const char*>> sets{
      {"adapter.rnak=4", "did you mean adapter.rank?"},
      {"adapter.rank=0", "adapter.rank is 0; it must be a whole number from 1 to 1024"},
      {"adapter.rank", "write key=value"},
      {"optimizer.type=adamv", "one of adamw"},
      {"output.name=../x", "output.name is"}};
  for (const auto& [set, message] : sets) {
    EXPECT_EQ(run({"train", "demo", "--base", "demo", "--set", set}), 2);
    EXPECT_THAT(one_error_line(), HasSubstr(message));
  }
  const std::string bad =
      file("bad.json", "{\n\"mantissa_preset\": 1,\n\"adapter\": {\"rnak\": 4}\n}");
  EXPECT_EQ(run({"train", bad, "--base", "demo"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("bad.json:3: adapter.rnak is not a setting; did you "
                                          "mean adapter.rank?"));
  EXPECT_FALSE(trained);
}

TEST_F(TrainCommandTest, ResumeTakesEverythingFromTheRun) {
  file("job.json", R"({"mantissa_job": 1, "id": "run-9", "base": "demo", "device": "cpu",
      "images": ["demo"], "preset": {"mantissa_preset": 1, "adapter": {"rank": 3}}})");
  EXPECT_EQ(run({"train", "--resume", path(""), "--set", "training.steps=50"}), 0) << err();
  EXPECT_EQ(job_.preset.adapter.rank, 3);
  EXPECT_EQ(job_.preset.training.steps, 50);
  EXPECT_EQ(job_.base, "demo");
  ASSERT_TRUE(job_.resume.has_value());
  EXPECT_EQ(run({"train", "--resume", path(""), "--out", "x"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("leave --out away"));
  for (const auto& [option, value] :
       {std::pair{"--dora-axis", "input"}, std::pair{"--replay", "trace.safetensors"}}) {
    EXPECT_EQ(run({"train", "--resume", path(""), option, value}), 2) << option;
    EXPECT_THAT(one_error_line(), HasSubstr(std::string(option) + " is for a new run"));
  }
  EXPECT_EQ(run({"train", "--resume", path("no-such-run")}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("no such run"));
}

TEST_F(TrainCommandTest, AContinuedRunTellsTheLossOfItsLaterSteps) {
  file("job.json", R"({"mantissa_job": 1, "id": "run-9", "base": "demo", "device": "cpu",
      "images": ["demo"], "preset": {"mantissa_preset": 1, "training": {"steps": 102}}})");
  train_ = [this](const JobSpec&, RunControl&, RunObserver& o) {
    o.on_step({.step = 101, .loss = 0.5});
    o.on_step({.step = 102, .loss = 0.25});
    return RunResult{"run-9", folder_, folder_ / "l.safetensors", 102, 0.25};
  };
  EXPECT_EQ(run({"train", "--resume", path("")}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("Done: 102 steps, loss 0.5 -> 0.25 since step 100 (means of the "
                               "first and the last tenth of the steps since then)\n"));
}

TEST_F(TrainCommandTest, Check) {
  plan_.precision_json =
      R"({"compute":"bf16","adapter":"fp32","gradients":"fp32","optimizer_state":"8bit",)"
      R"("loss_scaling":"auto","pins":{"unet.conv_in":"fp32"},"activations":{"unet":"bf16"},)"
      R"("modules":[{"part":"unet","kind":"linear","storage":"fp8_e4m3","compute":"bf16",)"
      R"("accumulation":"fp32"},{"part":"unet","kind":"conv","storage":"fp8_e4m3",)"
      R"("compute":"bf16","accumulation":"fp32"},{"part":"unet","kind":"norm",)"
      R"("storage":"fp32","compute":"bf16","accumulation":"fp32"},{"part":"vae",)"
      R"("kind":"conv","storage":"fp32","compute":"fp32","accumulation":"fp32"}],"findings":[]})";
  plan_.peak_bytes = 1000;
  plan_.free_bytes = 5000;
  plan_.modules = {
      {"unet.conv_in", "conv", "fp32", "fp32", Message::verbatim("pinned in the preset")},
      {"unet.conv_in", "bias", "bf16", "bf16", Message::verbatim("shown")},
      {"unet.conv_out", "conv", "bf16", "bf16", {}},
      {"unet.conv_out", "bias", "bf16", "bf16", Message::verbatim("left out")}};
  plan_.findings = {{"S9", Verdict::works, {}, Message::verbatim("One factor a gradient."), "{}"}};
  EXPECT_EQ(run({"check", "demo", "--base", "demo"}), 0);
  EXPECT_THAT(out(), testing::ContainsRegex("unet +linear, conv +fp8_e4m3 +bf16 +fp32"));
  EXPECT_THAT(out(), testing::ContainsRegex("vae +all +fp32 +fp32 +fp32"));
  EXPECT_THAT(out(), testing::ContainsRegex("adapter +all +fp32 +bf16 +fp32 +fp32 +8bit"));
  EXPECT_THAT(out(), HasSubstr("pinned: unet.conv_in fp32"));
  EXPECT_THAT(unwrapped(), HasSubstr("Only the preset and the base model were checked"));
  EXPECT_THAT(unwrapped(), Not(HasSubstr("--quick")));
  EXPECT_EQ(run({"check", "demo", "--base", "demo", "--images", "demo", "--quick"}), 0);
  EXPECT_THAT(unwrapped(), HasSubstr("weights were not read, the images not decoded and a resumed "
                                     "run's files not compared (--quick)"));
  EXPECT_THAT(unwrapped(), Not(HasSubstr("Only the preset")));
  EXPECT_EQ(run({"check", "demo", "--base", "demo"}), 0);
  EXPECT_THAT(out(), HasSubstr("none"));
  EXPECT_EQ(run({"check", "demo", "--base", "demo", "--explain"}), 0);
  EXPECT_THAT(out(), HasSubstr("adapter.targets = "));
  EXPECT_THAT(out(), HasSubstr("S9: One factor a gradient."));
  EXPECT_THAT(out(), testing::ContainsRegex("unet.conv_in +conv +fp32 +fp32 +pinned"));
  EXPECT_THAT(out(), HasSubstr("shown"));
  EXPECT_THAT(out(), Not(HasSubstr("left out")));
  EXPECT_THAT(out(), HasSubstr("by epochs: with --images, their steps are shown"));
  plan_.length = {60, 20, 1};
  plan_.levels.assign(kLevelIntervals, 1.0);
  EXPECT_EQ(run({"check", "demo", "--base", "demo", "--explain"}), 0);
  EXPECT_THAT(out(), HasSubstr("60 steps, 3 epochs"));
  EXPECT_THAT(out(), HasSubstr("0.9  10.0%  ##########"));
  EXPECT_EQ(run({"check", "demo", "--base", "demo", "--json", "--explain"}), 0);
  EXPECT_EQ(events().at(0)["length"]["steps"], 60);
  EXPECT_EQ(events().at(0)["length"]["epochs"], 3);
  EXPECT_EQ(events().at(0)["levels"].size(), 50u);
  EXPECT_EQ(events().at(0)["memory"]["free_bytes"], 5000);
  EXPECT_FALSE(events().at(0)["precision"].contains("findings")) << "they stand beside it";
  EXPECT_EQ(events().at(1)["modules"][0]["path"], "unet.conv_in");
  EXPECT_EQ(err(), "");

  plan_.findings = {
      {"memory", Verdict::refused, {}, Message::verbatim("needs 6.0 kB of 5.0 kB"), "{}"}};
  EXPECT_EQ(run({"check", "demo", "--base", "demo"}), 5);
  EXPECT_THAT(one_error_line(), HasSubstr("needs 6.0 kB of 5.0 kB"));
}

TEST_F(TrainCommandTest, CheckTellsFindingsByVerdict) {
  plan_.findings = {{"S4",
                     Verdict::refused,
                     {"precision.adapter"},
                     Message::verbatim("FP16 masters lose small updates."),
                     R"({"precision.adapter":"fp32"})"},
                    {"Q2",
                     Verdict::adjusted,
                     {"precision.weights.denoiser"},
                     Message::verbatim("Per-channel scales added."),
                     "{}"},
                    {"G4",
                     Verdict::warning,
                     {"precision.compute"},
                     Message::verbatim("TF32 on."),
                     R"({"precision.compute":"fp32"})"}};
  EXPECT_EQ(run({"check", "demo", "--base", "demo"}), 3);
  EXPECT_THAT(out(), HasSubstr("S4: FP16 masters lose small updates."));
  EXPECT_THAT(out(), HasSubstr("Cause: FP16 has 11 significant bits"));
  EXPECT_THAT(out(), HasSubstr("Fix: FP32 adapter weights; precision.adapter = fp32"));
  EXPECT_LT(out().find("Refused: "), out().find("S4: "));
  EXPECT_LT(out().find("S4: "), out().find("Adjusted automatically"));
  EXPECT_LT(out().find("Adjusted automatically"), out().find("Q2: "));
  EXPECT_LT(out().find("Warnings: "), out().find("G4: "));
  EXPECT_THAT(one_error_line(), HasSubstr("S4: FP16 masters lose small updates. Fix: FP32 adapter "
                                          R"(weights {"precision.adapter":"fp32"})"));
  EXPECT_EQ(run({"check", "demo", "--base", "demo", "--json"}), 3);
  EXPECT_EQ(events().at(1)["id"], "S4");
}

TEST_F(TrainCommandTest, CheckAppliesFixesUntilNoneIsLeft) {
  context_.plan = [](const JobSpec& job) {
    PlanReport plan;
    plan.precision_json = "{}";
    const Preset::Precision& p = job.preset.precision;
    if (p.adapter == MasterType::fp16) {
      plan.findings.push_back(
          {"S4", Verdict::refused, {}, Message::verbatim("m"), R"({"precision.adapter":"fp32"})"});
    } else if (p.compute == ComputeType::fp8) {
      plan.findings.push_back(
          {"H2", Verdict::adjusted, {}, Message::verbatim("m"), R"({"precision.compute":"bf16"})"});
    }
    plan.findings.push_back({"Q2", Verdict::adjusted, {}, Message::verbatim("m"), "{}"});
    plan.findings.push_back(
        {"G4", Verdict::warning, {}, Message::verbatim("m"), R"({"precision.compute":"fp32"})"});
    return plan;
  };
  const std::vector<std::string> call{"check",         "demo",
                                      "--base",        "demo",
                                      "--set",         "precision.adapter=fp16",
                                      "--set",         "precision.compute=fp8",
                                      "--apply-fixes", path("fixed.json")};
  EXPECT_EQ(run(call), 0);
  EXPECT_THAT(out(), HasSubstr("2 settings changed"));
  EXPECT_THAT(out(), testing::ContainsRegex("precision.compute +\"fp8\" +\"bf16\""));
  const Preset fixed = load_preset(folder_ / "fixed.json");
  EXPECT_EQ(fixed.precision.adapter, MasterType::fp32);
  EXPECT_EQ(fixed.precision.compute, ComputeType::bf16) << "warnings change nothing";

  context_.plan = [](const JobSpec&) {
    PlanReport plan;
    plan.findings.push_back(
        {"S4", Verdict::refused, {}, Message::verbatim("m"), R"({"precision.adapter":"fp32"})"});
    return plan;
  };
  EXPECT_EQ(run({"check", "demo", "--base", "demo", "--apply-fixes", path("none.json")}), 3);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none.json"));
}

TEST_F(TrainCommandTest, TakesAMemoryBudgetInUnits) {
  const auto budget = [&](const std::string& size) {
    EXPECT_EQ(run({"check", "demo", "--base", "demo", "--memory-budget", size}), 0) << err();
    return job_.memory_budget;
  };
  EXPECT_EQ(budget("8GB"), 8'000'000'000u) << "as sizes are printed";
  EXPECT_EQ(budget("7500mb"), 7'500'000'000u);
  EXPECT_EQ(budget("2GiB"), 2'147'483'648u);
  EXPECT_EQ(run({"check", "demo", "--base", "demo", "--memory-budget", "much"}), 2);
  EXPECT_EQ(run({"check", "demo", "--base", "demo"}), 0);
  EXPECT_EQ(job_.memory_budget, 0u);
}

TEST_F(TrainCommandTest, CheckPlansASplitOverCards) {
  test::set_environment("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources");
  const std::vector<std::string> check{"check", "demo", "--base", "demo", "--cards", "4070,4060"};
  ASSERT_EQ(run(check), 0) << err();
  EXPECT_THAT(out(), HasSubstr("Layers split over cards (train so with --split-cards)"));
  EXPECT_THAT(out(), HasSubstr("RTX 4070"));
  EXPECT_THAT(out(), Not(HasSubstr("RTX 4060"))) << "the first card is enough";
  EXPECT_THAT(out(), HasSubstr("the first card alone"));
  std::vector<std::string> events_of = check;
  events_of.emplace_back("--json");
  ASSERT_EQ(run(events_of), 0) << err();
  const auto split = events().back();
  EXPECT_EQ(split["event"], "split");
  EXPECT_EQ(split["stages"].size(), 1U);
  EXPECT_EQ(split["streaming"]["streamed_bytes"], 0);
  EXPECT_GT(split["stages"][0]["weight_bytes"], 0);
  EXPECT_EQ(run({"check", "demo", "--base", "demo", "--cards", "4070,geforce"}), 2);
  EXPECT_THAT(err(), HasSubstr("'geforce' is not a card with known rates"));
}

TEST_F(TrainCommandTest, CheckPrintsTheCatalogue) {
  EXPECT_EQ(run({"check", "--catalogue"}), 0);
  EXPECT_THAT(out(), HasSubstr("### S4"));
}

TEST_F(TrainCommandTest, CheckComparesImages) {
  const auto source = std::filesystem::path(MANTISSA_SOURCE_DIR);
  const auto images = folder_ / "images";
  std::filesystem::create_directories(images);
  std::filesystem::copy_file(source / "resources/demo/images/zorb_07.png", images / "a.png");
  std::filesystem::copy_file(source / "tests/golden/duplicates/large_07.jpg",
                             images / path_from_utf8("b\u202e31m.jpg"));
  std::filesystem::copy_file(source / "resources/demo/images/zorb_09.png", images / "c.png");
  plan_.data.emplace();
  plan_.data->copies = Message::verbatim("1 image is a copy of another: \x1b (same as a.png)");
  EXPECT_EQ(run({"check", "demo", "--base", "demo", "--images", path("images")}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("1 image is a copy of another: \\x1b (same as a.png)"));
  EXPECT_THAT(out(), Not(HasSubstr("Duplicates")));
  const std::vector<std::string> call{"check",    "demo",         "--base",      "demo",
                                      "--images", path("images"), "--duplicates"};
  EXPECT_EQ(run(call), 0) << err();
  EXPECT_THAT(out(), testing::ContainsRegex("b.u202e31m.jpg +640x640 +the largest"));
  EXPECT_THAT(out(), testing::ContainsRegex("a.png +128x128 +similar, another size"));
  EXPECT_THAT(out(), Not(HasSubstr("c.png")));
  std::vector<std::string> json = call;
  json.emplace_back("--json");
  EXPECT_EQ(run(json), 0) << err();
  const nlohmann::json event = events().back();
  EXPECT_EQ(event.at("event"), "duplicates");
  ASSERT_EQ(event.at("groups").size(), 1U);
  EXPECT_EQ(event.at("groups")[0][1].at("kind"), "similar");
  EXPECT_EQ(event.at("groups")[0][1].at("width"), 128);
  EXPECT_EQ(run({"check", "demo", "--base", "demo", "--duplicates"}), 2);
  EXPECT_THAT(err(), HasSubstr("--images"));
}

}  // namespace
}  // namespace mantissa
