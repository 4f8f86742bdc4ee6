#include "engine/plan/fit_options.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/preset/preset_io.h"

namespace mantissa {
namespace {

/// Each change saves a quarter of what is left; checkpointing takes a third longer.
RunNeeds quarters(const Preset& preset) {
  double bytes = 1000;
  bytes *= preset.training.gradient_checkpointing ? 0.75 : 1;
  bytes *= preset.data.batch_size == 1 ? 0.75 : 1;
  bytes *= preset.precision.compute == ComputeType::bf16 ? 0.75 : 1;
  return {static_cast<std::uint64_t>(bytes), preset.training.gradient_checkpointing ? 0.2 : 0.15};
}

Preset two_at_once() {
  Preset preset;
  preset.data.batch_size = 2;
  return preset;
}

TEST(FitOptions, EachIsEnoughAlone) {
  const std::vector<FitOption> options = fit_options(two_at_once(), 750, quarters);
  ASSERT_EQ(options.size(), 3u);
  for (const FitOption& option : options) {
    Preset changed = two_at_once();
    apply_patch(changed, nlohmann::json::parse(option.patch_json));
    EXPECT_EQ(quarters(changed).peak_bytes, option.needs.peak_bytes) << option.patch_json;
  }
}

TEST(FitOptions, CombineWhereNoneIsEnough) {
  const std::vector<FitOption> options = fit_options(two_at_once(), 450, quarters);
  ASSERT_EQ(options.size(), 1u);
  const auto patch = nlohmann::json::parse(options[0].patch_json);
  EXPECT_EQ(patch["training.gradient_checkpointing"], true);
  EXPECT_EQ(patch["data.batch_size"], 1);
  EXPECT_EQ(patch["precision.compute"], "bf16");
  EXPECT_FALSE(patch.contains("data.resolution")) << "no more than is needed";
}

TEST(FitOptions, TheBestSavingFreesMostForItsTime) {
  // Checkpointing frees 500 bytes in 100 ms, a batch of one 100 in 10, NF4 200 in 40.
  const auto needs = [](const Preset& p) -> RunNeeds {
    RunNeeds all{1000, 0.5};
    const auto less = [&](bool applies, std::uint64_t bytes, double seconds) {
      all.peak_bytes -= applies ? bytes : 0;
      all.step_seconds += applies ? seconds : 0;
    };
    less(p.training.gradient_checkpointing, 500, 0.1);
    less(p.data.batch_size == 1, 100, 0.01);
    less(p.precision.weights.denoiser == StorageType::nf4, 200, 0.04);
    return all;
  };
  const auto best = best_saving(two_at_once(), {1000, 0.5}, needs);
  ASSERT_TRUE(best);
  EXPECT_EQ(nlohmann::json::parse(best->patch_json)["data.batch_size"], 1);
  EXPECT_EQ(best->needs.peak_bytes, 900u);
  // Without times the mildest that helps.
  const auto untimed = [&](const Preset& p) { return RunNeeds{needs(p).peak_bytes}; };
  const auto mildest = best_saving(two_at_once(), {1000}, untimed);
  ASSERT_TRUE(mildest);
  EXPECT_EQ(nlohmann::json::parse(mildest->patch_json)["training.gradient_checkpointing"], true);
  EXPECT_FALSE(best_saving(two_at_once(), {1000, 0.5}, [](const Preset&) {
    return RunNeeds{1000, 0.4};
  })) << "nothing frees any";
}

// The resolutions below the new one stay.
TEST(FitOptions, SmallerResolutionsStay) {
  Preset preset;
  preset.data.resolution = 256;
  preset.data.further_resolutions = {1024, 640};
  const std::vector<FitOption> options = fit_options(preset, 800, [](const Preset& p) -> RunNeeds {
    return {static_cast<std::uint64_t>(std::ranges::max(resolutions_of(p.data)))};
  });
  ASSERT_FALSE(options.empty());
  apply_patch(preset, nlohmann::json::parse(options.front().patch_json));
  EXPECT_EQ(preset.data.resolution, 768);
  EXPECT_EQ(preset.data.further_resolutions, (std::vector<int>{256, 640}));
}

// Recomputing less costs less time: it comes first where it is enough.
TEST(FitOptions, TheFinestCheckpointingThatIsEnoughComesFirst) {
  const auto by_scope = [](const Preset& preset) -> RunNeeds {
    const Preset::Training& t = preset.training;
    return {!t.gradient_checkpointing                                   ? 1000u
            : t.checkpointing_scope == CheckpointingScope::activations  ? 900u
            : t.checkpointing_scope == CheckpointingScope::feed_forward ? 700u
                                                                        : 400u};
  };
  const auto first = [&](const Preset& preset, std::uint64_t bytes) {
    const std::vector<FitOption> options = fit_options(preset, bytes, by_scope);
    return options.empty() ? "" : options.front().patch_json;
  };
  constexpr const char* kOn = R"("training.gradient_checkpointing":true)";
  const auto scope = [](const char* name) {
    return fmt::format(R"("training.checkpointing_scope":"{}")", name);
  };
  EXPECT_EQ(first({}, 950), fmt::format("{{{},{}}}", scope("activations"), kOn));
  EXPECT_EQ(first({}, 800), fmt::format("{{{},{}}}", scope("feed_forward"), kOn));
  EXPECT_EQ(first({}, 500), fmt::format("{{{}}}", kOn)) << "blocks are the preset's scope already";
  Preset finer;
  finer.training.gradient_checkpointing = true;
  finer.training.checkpointing_scope = CheckpointingScope::feed_forward;
  EXPECT_EQ(first(finer, 500), fmt::format("{{{}}}", scope("blocks")));
  finer.training.checkpointing_scope = CheckpointingScope::blocks;
  EXPECT_EQ(first(finer, 300), "");
}

TEST(FitOptions, TheWidestWeightsThatAreEnoughAreOffered) {
  const auto by_weights = [](const Preset& preset) -> RunNeeds {
    const StorageType type = preset.precision.weights.denoiser;
    return {type == StorageType::nf4 ? 400u : type == StorageType::int8 ? 700u : 1000u};
  };
  const auto weights = [&](const Preset& preset, std::uint64_t bytes) -> std::string {
    const std::vector<FitOption> options = fit_options(preset, bytes, by_weights);
    return options.empty() ? "" : options.front().patch_json;
  };
  EXPECT_EQ(weights({}, 800), R"({"precision.weights.denoiser":"int8"})");
  EXPECT_EQ(weights({}, 500), R"({"precision.weights.denoiser":"nf4"})");
  Preset narrow;
  narrow.precision.weights.denoiser = StorageType::int8;
  EXPECT_EQ(weights(narrow, 500), R"({"precision.weights.denoiser":"nf4"})");
  narrow.precision.weights.denoiser = StorageType::nf4;
  EXPECT_EQ(weights(narrow, 300), "");
  Preset full;
  full.training.method = TrainingMethod::full;
  EXPECT_EQ(weights(full, 800), "") << "quantised weights can't be trained";
}

TEST(FitOptions, ASmallerAdapterIsOfferedScaledAlike) {
  Preset preset;
  preset.adapter.rank = 64;
  preset.adapter.alpha = 32;
  preset.adapter.conv_rank = 24;
  const auto by_rank = [](const Preset& p) -> RunNeeds {
    return {static_cast<std::uint64_t>(p.adapter.rank)};
  };
  const auto first = [&](std::uint64_t bytes) -> std::string {
    const std::vector<FitOption> options = fit_options(preset, bytes, by_rank);
    return options.empty() ? "" : options.front().patch_json;
  };
  EXPECT_EQ(first(40), R"({"adapter.alpha":16.0,"adapter.rank":32})");
  EXPECT_EQ(first(16), R"({"adapter.alpha":8.0,"adapter.conv_rank":16,"adapter.rank":16})");
  EXPECT_EQ(first(3), "") << "below 4 nothing is learnt";
  preset.adapter.scaling = AdapterScaling::rslora;
  EXPECT_EQ(first(16), R"({"adapter.alpha":16.0,"adapter.conv_rank":16,"adapter.rank":16})");
  preset.training.method = TrainingMethod::full;
  EXPECT_EQ(first(40), "") << "there is no adapter";
  preset.training.method = TrainingMethod::adapter;
  EXPECT_FALSE(best_saving(preset, {64, 1}, by_rank)) << "the adapter isn't what slows a step";
}

TEST(FitOptions, TheRefusalNamesTheMildest) {
  PlanReport report;
  report.peak_bytes = 1000;
  const auto fitting = [&] { return fit_options(two_at_once(), report.free_bytes, quarters); };
  EXPECT_NO_THROW(require_memory(report, fitting)) << "what is free isn't known";
  report.free_bytes = 1000;
  EXPECT_NO_THROW(require_memory(report, fitting));
  report.free_bytes = 800;
  try {
    require_memory(report, fitting);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::out_of_memory);
    EXPECT_NE(std::string(e.what()).find("--set training.gradient_checkpointing=true"),
              std::string::npos)
        << e.what();
    EXPECT_EQ(std::string(e.what()).find(" ms "), std::string::npos) << "no time is known";
    EXPECT_NE(std::string(e.what()).find("800 B are free"), std::string::npos) << e.what();
  }
  EXPECT_TRUE(memory_refusal(report).text().ends_with("800 B are free"))
      << "a way that nobody looked for: " << memory_refusal(report);
  report.step_seconds = 0.15;
  try {
    require_memory(report, fitting);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("a step takes about 200 ms instead of 150 ms (estimated)"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace mantissa
