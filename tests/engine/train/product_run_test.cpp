// Runs of LoHa and LoKr: what they write is what other commands read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/adapters/delta.h"
#include "engine/adapters/export.h"
#include "engine/adapters/merge.h"
#include "engine/adapters/module_weight.h"
#include "engine/adapters/read_adapter.h"
#include "engine/preset/names.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using testing_support::HealthRecorder;

struct ProductForm {
  AdapterType type;
  bool decompose;
  DoraAxis axis = DoraAxis::output;
};

class ProductRun : public testing_support::RunFixture,
                   public ::testing::WithParamInterface<ProductForm> {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.adapter.type = GetParam().type;
    job_.preset.adapter.decompose = GetParam().decompose;
    job_.preset.adapter.dora_axis = GetParam().axis;
    job_.preset.adapter.targets = {"linear+conv"};
    job_.preset.adapter.conv_rank = 2;
  }
  static std::map<std::string, std::vector<float>> changes(const WeightSource& base,
                                                           const fs::path& file) {
    std::map<std::string, std::vector<float>> result;
    for (const AdapterModule& m : read_adapter(file, base).modules) {
      const auto [part, name] = weight_of_module(m.path);
      std::vector<float> weight(static_cast<std::size_t>(base.shape(part, name).count()));
      base.read_f32(part, name, weight);
      result[m.path] = weight_delta(m, weight);
    }
    return result;
  }
};

TEST_P(ProductRun, WritesWhatMergeAndTheNextRunRead) {
  for (const ComputeType compute : {ComputeType::fp32, ComputeType::bf16}) {
    job_.preset.precision.compute = compute;
    JobSpec job = job_into(compute == ComputeType::fp32 ? "fp32" : "bf16");
    HealthRecorder recorder;
    EXPECT_EQ(run(job, recorder).steps, 4);
    const fs::path file = job.out / "test.safetensors";
    const WeightSource base =
        WeightSource::open(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors");
    const auto learned = changes(base, file);
    ASSERT_FALSE(learned.empty());
    std::size_t moved = 0;
    for (const auto& [path, change] : learned) {
      const bool changed = std::ranges::any_of(change, [](float x) { return x != 0; });
      moved += changed ? 1 : 0;
    }
    EXPECT_EQ(moved, learned.size()) << "every module learns from the first step on";

    JobSpec next = job_into(compute == ComputeType::fp32 ? "fp32-next" : "bf16-next");
    next.continue_from = file;
    next.preset.optimizer.learning_rate = 1e-12;
    HealthRecorder again;
    run(next, again);
    for (const auto& [path, change] : changes(base, next.out / "test.safetensors")) {
      EXPECT_LE(test::deviation(change, learned.at(path)), 1e-4) << path;
    }
  }
}

TEST_P(ProductRun, PlansRefuseWhatHasNoForm) {
  JobSpec job = job_into("refused");
  HealthRecorder recorder;
  job.preset.adapter.init = AdapterInit::pissa;
  EXPECT_THAT(test::message_of([&] { run(job, recorder); }), ::testing::HasSubstr("pissa"));
  job = job_into("refused");
  job.preset.output.format = OutputFormat::diffusers;
  EXPECT_THAT(test::message_of([&] { run(job, recorder); }), ::testing::HasSubstr("output.format"));
  if (GetParam().decompose) {
    job.preset.output.format = OutputFormat::peft;
    EXPECT_THAT(test::message_of([&] { run(job, recorder); }),
                ::testing::HasSubstr("PEFT has no names for the magnitudes"));
  }
  EXPECT_FALSE(fs::exists(job.out));
}

INSTANTIATE_TEST_SUITE_P(Types, ProductRun,
                         ::testing::Values(ProductForm{AdapterType::loha, false},
                                           ProductForm{AdapterType::lokr, false},
                                           ProductForm{AdapterType::loha, true},
                                           ProductForm{AdapterType::lokr, true},
                                           ProductForm{AdapterType::loha, true, DoraAxis::input},
                                           ProductForm{AdapterType::lokr, true, DoraAxis::input}),
                         [](const auto& info) {
                           return std::string(enum_name(info.param.type)) +
                                  (info.param.decompose ? "_dora" : "") +
                                  (info.param.axis == DoraAxis::input ? "_input" : "");
                         });

}  // namespace
}  // namespace mantissa
