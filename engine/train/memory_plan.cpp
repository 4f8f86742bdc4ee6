#include "engine/train/memory_plan.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/system.h"
#include "engine/graph/plan.h"
#include "engine/train/transaction.h"

namespace mantissa {

int latent_factor(const SdxlModel& model) {
  return 1 << (static_cast<int>(model.vae_config().block_out_channels.size()) - 1);
}

int bucket_quantum(const SdxlModel& model) {
  const int least = latent_factor(model) << (model.unet_config().levels() - 1);
  return latent_factor(model) == 8 ? std::max(least, 64) : least;
}

std::vector<StepShape> largest_shapes(std::vector<StepShape> shapes) {
  std::int64_t largest = 0;
  for (const StepShape& s : shapes) {
    largest = std::max(largest, s.height * s.width);
  }
  std::erase_if(shapes, [&](const StepShape& s) { return s.height * s.width * 10 < largest * 9; });
  return shapes;
}

PhaseNeeds phase_needs(const WeightSource& source, const PrecisionPlan& precision, int width,
                       int height) {
  PhaseNeeds needs;
  const Preset& preset = precision.effective;
  SdxlModel model = SdxlModel::planning(source, nullptr, precision.rules);
  const VaeConfig& vae = model.vae_config();
  if (width > 0) {
    Graph graph;
    graph.output("moments", model.vae().encode(
                                graph, graph.input("image", DType::f32, {1, height, width, 3})));
    needs.vae_bytes = model.weights().bytes();
    needs.encode_bytes = make_plan(graph).arena_bytes + needs.vae_bytes;
  }
  const int factor = latent_factor(model);
  for (const SamplePrompt& prompt : preset.samples.prompts) {
    const std::int64_t w = (prompt.width > 0 ? prompt.width : preset.data.resolution) / factor;
    const std::int64_t h = (prompt.height > 0 ? prompt.height : preset.data.resolution) / factor;
    Graph decode;
    decode.output("image",
                  model.vae().decode(
                      decode, decode.input("latents", DType::f32, {1, h, w, vae.latent_channels})));
    needs.sample_arena = std::max(needs.sample_arena, make_plan(decode).arena_bytes);
    const UnetConfig& unet = model.unet_config();
    const std::int64_t batch = prompt.guidance != 1.0 ? 2 : 1;
    const std::int64_t tokens =
        std::min(model.te1_config().positions, model.te2_config().positions);
    Graph denoise;
    const auto input = [&](const char* name, const Shape& shape) {
      return denoise.input(name, DType::f32, shape);
    };
    denoise.output("prediction",
                   model.unet().forward(denoise, input("latents", {batch, h, w, unet.in_channels}),
                                        input("timesteps", {batch}),
                                        input("context", {batch, tokens, unet.cross_attention_dim}),
                                        input("pooled", {batch, unet.pooled_dim()}),
                                        input("time_ids", {batch, 6})));
    needs.sample_arena = std::max(needs.sample_arena, make_plan(denoise).arena_bytes);
  }
  if (needs.vae_bytes == 0 && needs.sample_arena > 0) {
    needs.vae_bytes = model.weights().bytes(ModelPart::vae);
  }
  return needs;
}

PlanReport plan_report(const PrecisionPlan& precision, SdxlModel& model, const AdapterSet& adapters,
                       std::size_t step_arena, const PhaseNeeds& phases) {
  PlanReport report;
  const Preset& preset = precision.effective;
  report.precision_json = precision.json();
  for (const PrecisionFinding& f : precision.findings) {
    report.findings.push_back(
        {f.id, std::string(verdict_name(f.verdict)), f.fields, f.message, f.fix_json});
  }
  report.arena_bytes = std::max(step_arena, phases.sample_arena);
  report.weight_bytes = model.weights().bytes() + (phases.sample_arena > 0 ? phases.vae_bytes : 0);
  report.adapter_bytes = adapters.bytes();
  const auto parameters = static_cast<std::uint64_t>(adapters.parameter_count());
  for (Part part : adapters.parts()) {
    report.adapter_bytes +=
        optimizer_state_bytes(optimizer_settings(preset, part),
                              optimizer_tensors(adapters, part, preset.adapter.lora_plus_ratio));
  }
  // Weights before the step, for the lost-update share, and the averaged weights.
  report.adapter_bytes += parameters * sizeof(float) * (preset.training.ema > 0 ? 2 : 1);
  report.peak_bytes = std::max<std::uint64_t>(
      report.arena_bytes + report.weight_bytes + report.adapter_bytes, phases.encode_bytes);
  report.free_bytes = available_memory();
  return report;
}

void require_memory(const PlanReport& report, const Preset& preset) {
  if (report.free_bytes == 0 || report.peak_bytes <= report.free_bytes) {
    return;
  }
  const char* advice = !preset.training.gradient_checkpointing
                           ? "Turn on training.gradient_checkpointing"
                       : preset.data.batch_size > 1 ? "Lower data.batch_size"
                                                    : "Lower data.resolution";
  throw Error(ErrorKind::out_of_memory,
              fmt::format("training needs {} bytes ({} activations, {} weights, {} adapters and "
                          "optimizer), {} are free. {}",
                          report.peak_bytes, report.arena_bytes, report.weight_bytes,
                          report.adapter_bytes, report.free_bytes, advice));
}

}  // namespace mantissa
