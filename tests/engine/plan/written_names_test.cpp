// What a run trains can be written in its format, or the run is refused before it begins.
#include <algorithm>
#include <gtest/gtest.h>

#include "engine/adapters/export.h"
#include "engine/adapters/output_names.h"
#include "engine/io/model_writer.h"
#include "engine/plan/job_precision.h"
#include "engine/plan/run_inputs.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/golden_families.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

std::vector<float> zeros(const Shape& shape) {
  return std::vector<float>(static_cast<std::size_t>(shape.count()));
}

/// An untrained adapter, as a run's result has it.
AdapterModule untrained(const Adapter& adapter) {
  AdapterModule m;
  m.path = adapter.path;
  if (adapter.product) {
    m.product = ProductModule{adapter.product->type, adapter.rank, adapter.alpha, {}};
    for (const ProductAdapter::Member& member : adapter.product->members) {
      m.product->members.push_back({member.role, member.tensor.shape, zeros(member.tensor.shape)});
    }
  } else {
    m.rank = adapter.rank;
    m.alpha = adapter.alpha;
    m.down_shape = adapter.down.shape;
    m.up_shape = adapter.up.shape;
    m.down = zeros(m.down_shape);
    m.up = zeros(m.up_shape);
  }
  if (adapter.dora) {
    m.dora_axis = adapter.dora->axis;
    m.magnitude = zeros(adapter.dora->magnitude.shape);
  }
  return m;
}

class WrittenNames : public testing_support::RunFixture,
                     public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::ranges::replace(name, '/', '-');
    home_ = std::filesystem::path(testing::TempDir()) / ("mantissa-WrittenNames-" + name);
    std::filesystem::remove_all(home_);
    std::filesystem::create_directories(home_);
    test::set_environment("MANTISSA_HOME", path_to_utf8(home_));
    test::set_environment("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources");
    const std::filesystem::path models =
        std::filesystem::path(MANTISSA_TEST_DATA) / "golden/models";
    job_.base = GetParam() == "demo" ? std::filesystem::path("demo") : models / GetParam();
    job_.preset.adapter.rank = 1;
  }

  /// Whether the job can begin; what is planned for it is then written.
  bool is_written() {
    const PlannedRun run = open_run(job_);
    try {
      refuse_conflicts(run.precision);
      open_adapters(run);
    } catch (const Error&) {
      return false;
    }
    const Preset& preset = run.job.preset;
    for (const OutputFormat format : {preset.output.format, checkpoint_format(preset)}) {
      write(run, format);
    }
    return true;
  }

  std::string refusal() {
    try {
      open_adapters(open_run(job_));
    } catch (const Error& e) {
      return e.what();
    }
    return {};
  }

 private:
  void write(const PlannedRun& run, OutputFormat format) {
    const PlannedAdapters planned(run);
    std::vector<AdapterModule> modules;
    for (const Adapter& adapter : planned.set.adapters()) {
      modules.push_back(untrained(adapter));
    }
    AdapterExport options;
    options.format = format;
    options.base = run.source.model_names();
    const AdapterModule& first = modules.front();
    const WrittenKind kind{first.product.has_value(), first.dora_axis};
    if (written_form(format, kind, run.source.family()).form.plain) {
      return;  // decomposes every layer's weight; the names are a LoRA's
    }
    EXPECT_NO_THROW(write_adapter_file(home_ / "adapter.safetensors", modules, options))
        << GetParam() << ", " << enum_name(format);
    std::filesystem::remove_all(home_ / "adapter.safetensors");
  }
};

TEST_P(WrittenNames, WhatBeginsCanBeWritten) {
  for (const char* targets : {"*", "denoiser.*"}) {
    job_.preset.adapter.targets = {targets};
    for (std::size_t type = 0; type < enum_names<AdapterType>().size(); ++type) {
      job_.preset.adapter.type = static_cast<AdapterType>(type);
      int written = 0;
      for (std::size_t format = 0; format < enum_names<OutputFormat>().size(); ++format) {
        job_.preset.output.format = static_cast<OutputFormat>(format);
        written += is_written() ? 1 : 0;
      }
      EXPECT_GT(written, 0) << targets << ", " << enum_name(job_.preset.adapter.type);
    }
  }
}

TEST_P(WrittenNames, AllOfAModelThatIsTrainedWholeCanBeWritten) {
  job_.preset.training.method = TrainingMethod::full;
  EXPECT_EQ(refusal(), "");
  ModelContents model = model_contents(open_run(job_).source);
  if (model.family->original_names != nullptr) {
    EXPECT_NO_THROW(require_original_names(model));
    ModelTensor& other = model.parts.at(kDenoiser).emplace_back();
    other.name = "nowhere.weight";
    other.shape = {4, 4};
    test::expect_error_with([&] { require_original_names(model); },
                            {"nowhere.weight", "no name in a single file"});
  }
}

INSTANTIATE_TEST_SUITE_P(Families, WrittenNames,
                         testing::ValuesIn(test::together({"demo", "sd15.safetensors"},
                                                          test::transformer_models())),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

TEST(WrittenNamesOf, LayersWithoutOneAreRefusedByName) {
  const WeightSource base = WeightSource::open(std::filesystem::path(MANTISSA_TEST_DATA) /
                                               "golden/models/flux2_base.safetensors");
  const std::vector<std::string> paths{"denoiser.transformer_blocks.0.attn.to_q",
                                       "denoiser.nowhere"};
  Preset preset;
  preset.output.format = OutputFormat::comfyui;
  test::expect_error_with([&] { require_written_names(paths, preset, *base.model_names()); },
                          {"output.format comfyui has no name for denoiser.nowhere, one of 1"});
  EXPECT_NO_THROW(require_written_names(std::span(paths).first(1), preset, *base.model_names()));
}

class ModulationNames : public WrittenNames {};

// Its halves are the other way round in the original checkpoints: they are written so.
TEST_P(ModulationNames, AreWrittenInEveryFormat) {
  job_.preset.adapter.targets = {"attention", "denoiser.norm_out.linear"};
  for (const OutputFormat format : {OutputFormat::kohya, OutputFormat::comfyui}) {
    job_.preset.output.format = format;
    EXPECT_EQ(refusal(), "");
  }
  job_.preset.output.format = OutputFormat::diffusers;
  EXPECT_EQ(refusal(), "");
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.adapter.dora_axis = DoraAxis::input;
  job_.preset.output.format = OutputFormat::peft;
  EXPECT_NE(refusal().find("can't hold this DoRA"), std::string::npos) << refusal();
}

INSTANTIATE_TEST_SUITE_P(Flux, ModulationNames, testing::Values("flux2", "flux3"));

}  // namespace
}  // namespace mantissa
