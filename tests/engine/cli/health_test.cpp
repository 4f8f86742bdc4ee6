// Layer statistics and the probe on the command line: events, tables, CSV.
#include <cmath>
#include <limits>

#include "engine/store/store.h"
#include "tests/engine/cli/cli_fixture.h"

namespace mantissa {
namespace {

using testing::HasSubstr;
using testing::Not;

HealthRow row(const std::string& layer, HealthKind kind, std::int64_t underflow) {
  HealthRow r;
  r.layer = layer;
  r.kind = kind;
  r.format = DType::f16;
  r.statistics.count = 100;
  r.statistics.underflow = underflow;
  r.statistics.amax = r.statistics.scaled_amax = 2047;
  r.statistics.signal = 1000;
  r.statistics.noise = underflow > 0 ? 1 : 0;
  r.statistics.histogram[50] = 100;
  return r;
}

class HealthCommandTest : public CliTest {
 protected:
  void keep_run() {
    RunStore store(context_.runs_database());
    RunRow run;
    run.id = "20260101-run";
    run.name = "run";
    run.state = "finished";
    run.preset_json = run.plan_json = "{}";
    store.create_run(run);
    store.add_health(run.id, {50,
                              0.01,
                              {row("denoiser.good", HealthKind::output, 0),
                               row("denoiser.bad", HealthKind::gradient, 25),
                               row("denoiser.worse", HealthKind::gradient, 75)}});
  }
};

TEST_F(HealthCommandTest, EventsOfARun) {
  train_ = [](const JobSpec& job, RunControl&, RunObserver& o) {
    EXPECT_EQ(job.health_every, 7);
    o.on_health({7, 0.5, {row("denoiser.conv_in", HealthKind::output, 25)}});
    NonFiniteReport report;
    report.step = 8;
    report.layer = "denoiser.conv_in";
    report.op = "conv2d";
    report.tensor = message<"output">();
    report.phase = "forward";
    report.format = DType::f16;
    report.non_finite = 3;
    report.count = 4;
    report.last_amax = 60000;
    report.format_max = 65504;
    o.on_non_finite(report);
    return RunResult{};
  };
  ASSERT_EQ(
      run({"train", "demo", "--base", "demo", "--images", "demo", "--health-every", "7", "--json"}),
      0);
  const auto all = events();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]["event"], "health");
  EXPECT_EQ(all[0]["step"], 7);
  const auto& layer = all[0]["layers"][0];
  EXPECT_EQ(layer["layer"], "denoiser.conv_in");
  EXPECT_EQ(layer["tensor"], "output");
  EXPECT_EQ(layer["format"], "fp16");
  EXPECT_EQ(layer["underflow"], 0.25);
  EXPECT_EQ(layer["sqnr"], 30);
  EXPECT_NEAR(layer["headroom"].get<double>(), 5, 1e-3);
  EXPECT_EQ(layer["histogram"].size(), 64U);
  EXPECT_EQ(layer["histogram"][50], 100);
  EXPECT_EQ(layer["first_exponent"], -40);
  EXPECT_EQ(all[1]["event"], "non_finite");
  EXPECT_EQ(all[1]["layer"], "denoiser.conv_in");
  EXPECT_EQ(all[1]["last_amax"], 60000);
  EXPECT_EQ(run({"train", "demo", "--base", "demo", "--health-every", "-1"}), 2);
}

TEST_F(HealthCommandTest, ShowPutsTheWorstLayersFirst) {
  keep_run();
  ASSERT_EQ(run({"runs", "show", "20260101"}), 0);
  EXPECT_THAT(out(), HasSubstr("Layer statistics at step 50: 3 tensors, 2 of them notable"));
  EXPECT_THAT(out(), Not(HasSubstr("denoiser.good")));
  EXPECT_LT(out().find("denoiser.worse"), out().find("denoiser.bad"));
  EXPECT_THAT(out(), HasSubstr("75.00%"));
}

TEST_F(HealthCommandTest, MetricsAsCsvAndEvents) {
  keep_run();
  ASSERT_EQ(run({"runs", "metrics", "20260101", "--health", "--csv"}), 0);
  std::istringstream lines(out());
  std::string header, first;
  std::getline(lines, header);
  std::getline(lines, first);
  EXPECT_EQ(header.rfind("step,layer,tensor,format,values,zeros,non_finite,underflow", 0), 0U);
  EXPECT_EQ(std::count(header.begin(), header.end(), ','),
            std::count(first.begin(), first.end(), ','));
  EXPECT_EQ(first.rfind("50,denoiser.bad,gradient,fp16,100,0,0,0.25,", 0), 0U) << first;
  ASSERT_EQ(run({"runs", "metrics", "20260101", "--health", "--json"}), 0);
  EXPECT_EQ(events().at(0)["layers"].size(), 3U);
}

TEST_F(HealthCommandTest, ProbeSaysWhatToPin) {
  ProbeOptions asked;
  context_.probe = [&](const JobSpec& job, const ProbeOptions& options, RunControl&,
                       RunObserver& observer) {
    job_ = job;
    asked = options;
    observer.on_progress(RunPhase::probing, 1, 2);
    ProbeReport r;
    r.plan = "fp8";
    r.steps = 3;
    r.loss = {1.5};
    r.loss_fp32 = {1.25};
    r.gradient_error = 0.25;
    r.modules.push_back(
        {"denoiser.a", 20, std::numeric_limits<double>::quiet_NaN(), 0.5, 0.25, 0.125});
    r.modules.push_back({"denoiser.norm", std::numeric_limits<double>::infinity(),
                         std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::quiet_NaN(), 0});
    r.pins.push_back({"denoiser.a", StorageType::bf16, 1000, 0.25});
    r.pinned_error = 0.01;
    r.verdict = Message::verbatim("It loses denoiser.a.");
    r.fix_json = R"({"precision.pins":{"denoiser.a":"bf16"}})";
    return r;
  };
  const std::vector<std::string> args{"probe", "demo",    "--base", "demo",   "--images",
                                      "demo",  "--steps", "3",      "--pins", "2"};
  ASSERT_EQ(run(args), 0);
  EXPECT_EQ(asked.steps, 3);
  EXPECT_EQ(asked.pins, 2);
  EXPECT_THAT(out(), HasSubstr("It loses denoiser.a."));
  EXPECT_THAT(out(), HasSubstr(R"(Fix, for the preset: {"precision.pins":{"denoiser.a":"bf16"}})"));
  EXPECT_THAT(out(), HasSubstr("20 dB"));
  EXPECT_THAT(out(), Not(HasSubstr("denoiser.norm"))) << "no adapter, no gradient";
  std::vector<std::string> json = args;
  json.emplace_back("--json");
  ASSERT_EQ(run(json), 0);
  const auto all = events();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0]["event"], "probe");
  EXPECT_EQ(all[0]["fix"]["precision.pins"]["denoiser.a"], "bf16");
  EXPECT_EQ(all[0]["pins"][0]["bytes"], 1000);
  EXPECT_EQ(all[0]["modules"][0]["gradient_cosine"], 0.5);
  EXPECT_TRUE(all[0]["modules"][0]["weight_sqnr"].is_null());
}

TEST_F(HealthCommandTest, LearningRateTestTellsItsCurveAndItsSuggestion) {
  std::vector<std::string> args{"lr-test",  "demo",
                                "--base",   "demo",
                                "--images", "demo",
                                "--set",    "data.resolution=64",
                                "--set",    "adapter.rank=4",
                                "--steps",  "20",
                                "--to",     "1"};
  ASSERT_EQ(run(args), 0) << err();
  EXPECT_THAT(out(), HasSubstr("At the start"));
  args.emplace_back("--json");
  ASSERT_EQ(run(args), 0);
  const auto all = events();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0]["event"], "lr_test");
  EXPECT_EQ(all[0]["points"][0]["rate"], 1e-7);
  EXPECT_EQ(all[0]["points"][0]["loss"], all[0]["points"][0]["start_loss"]);
  EXPECT_EQ(all[0]["suggestion"].is_null(), all[0]["fix"].empty());
  for (const char* key : {"smoothed", "loss"}) {
    EXPECT_TRUE(all[0]["points"][1].contains(key)) << key;
  }
  EXPECT_EQ(run({"lr-test", "demo", "--base", "demo", "--images", "demo", "--from", "0.1", "--to",
                 "0.01"}),
            2);
  EXPECT_EQ(run({"lr-test", "demo", "--base", "demo", "--images", "demo", "--steps", "19"}), 2);
}

TEST_F(HealthCommandTest, ProbeFitsWeightsToALimit) {
  const std::vector<std::string> args{
      "probe", "demo",  "--base", "demo",  "--images",
      "demo",  "--fit", "1GB",    "--set", "precision.compute=bf16"};
  ASSERT_EQ(run(args), 0) << err();
  EXPECT_THAT(out(), HasSubstr("denoiser.down_blocks.*.resnets.*.conv1"));
  EXPECT_THAT(out(), HasSubstr(R"("precision.weights.denoiser":"nf4")"));
  std::vector<std::string> json = args;
  json.emplace_back("--json");
  ASSERT_EQ(run(json), 0);
  const auto all = events();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0]["event"], "fit");
  EXPECT_EQ(all[0]["limit"], 1000000000);
  EXPECT_LE(all[0]["peak_bytes"], all[0]["limit"]);
  EXPECT_GT(all[0]["groups"].size(), 10U);
  std::vector<std::string> little = args;
  little[7] = "1MB";
  EXPECT_EQ(run(little), 5) << "out of memory";
}

}  // namespace
}  // namespace mantissa
