// The heads of adapter tensors in traces are part of the contract; older spellings are read too.
#include "engine/programs/trace.h"

#include <gtest/gtest.h>

#include "engine/io/family.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

fs::path trace_file() {
  return fs::path(testing::TempDir()) /
         (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
          ".safetensors");
}

TEST(Trace, AdapterTensorsHaveTheHeadsOfTheContract) {
  const auto kernels = make_cpu_kernels(1);
  Preset preset;
  preset.adapter.targets = {"*"};
  preset.training.parts = {kDenoiser, kTe1, kTe2};
  TrainedSet adapters(*kernels, preset, family_of(ModelFamily("sdxl")));
  std::vector<float> values(6, 1.0F);
  const Tensor weight{.name = "w", .shape = {2, 3}, .data = values.data()};
  adapters.request("denoiser.a.to_q", kDenoiser, weight);
  adapters.request("te1.a.q_proj", kTe1, weight);
  adapters.request("te2.a.q_proj", kTe2, weight);
  adapters.finalize(1);
  TraceWriter writer(trace_file());
  writer.add_adapters("adapter.before.", adapters);
  writer.add_gradients(0, adapters, 1);
  writer.write({});
  const SafetensorsFile file = SafetensorsFile::open(trace_file());
  for (const char* module : {"unet.a.to_q", "text_encoder.a.q_proj", "text_encoder_2.a.q_proj"}) {
    for (const std::string head : {"adapter.before.", "step.0001.grad."}) {
      EXPECT_NE(file.find(head + module + ".lora_A.weight"), nullptr) << head << module;
    }
  }
  EXPECT_EQ(file.tensors().size(), 12U);
}

TEST(Trace, EveryHeadIsReadAsThePartsOwn) {
  const std::pair<const char*, const char*> heads[] = {
      {"unet.a", "denoiser.a"},     {"transformer.b", "denoiser.b"},
      {"denoiser.c", "denoiser.c"}, {"text_encoder.a", "te1.a"},
      {"te1.b", "te1.b"},           {"text_encoder_2.a", "te2.a"}};
  const std::vector<float> values(4, 0.5F);
  std::vector<TensorToWrite> tensors{
      {"step.0001.latents", DType::f32, {1, 1, 2, 2}, values.data(), {}}};
  for (const auto& [before, now] : heads) {
    tensors.push_back({std::string("adapter.before.") + before + ".lora_A.weight",
                       DType::f32,
                       {1, 4},
                       values.data(),
                       {}});
  }
  write_safetensors(trace_file(), tensors, {});
  const auto state = TraceReader(trace_file()).adapters_before();
  EXPECT_EQ(state.size(), std::size(heads));
  for (const auto& [before, now] : heads) {
    EXPECT_TRUE(state.contains(std::string(now) + ".lora_A.weight")) << before;
  }
}

}  // namespace
}  // namespace mantissa
