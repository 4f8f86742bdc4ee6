#include "engine/plan/memory_needs.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/adapters/trained_set.h"
#include "engine/core/system.h"
#include "engine/graph/plan.h"
#include "engine/io/model_writer.h"
#include "engine/io/module_path.h"
#include "engine/models/sampling_values.h"
#include "engine/optim/make_optimizer.h"
#include "engine/optim/transaction.h"
#include "engine/plan/job_precision.h"
#include "engine/precision/catalogue.h"
#include "engine/precision/dtypes.h"
#include "engine/precision/plan.h"
#include "engine/programs/reconstruction.h"
#include "engine/programs/renderer.h"
#include "engine/programs/text_encoding.h"

namespace mantissa {

int bucket_quantum(const DiffusionModel& model) {
  const int least = model.latent_factor() * model.latent_multiple();
  return model.latent_factor() == 8 ? std::max(least, 64) : least;
}

StepShape square_shape(const Preset& preset, const DiffusionModel& model) {
  const int quantum = bucket_quantum(model);
  const int largest = std::ranges::max(resolutions_in_use(preset.data));
  const int side = std::max(largest / quantum, 1) * quantum / model.latent_factor();
  StepShape shape{preset.data.batch_size, side, side, model.text_tokens()};
  if (trains_pair_slider(preset)) {
    shape.references = {{side, side}};
  }
  return shape;
}

std::vector<StepShape> largest_shapes(std::vector<StepShape> shapes) {
  std::int64_t largest = 0;
  for (const StepShape& s : shapes) {
    largest = std::max(largest, s.positions());
  }
  std::erase_if(shapes, [&](const StepShape& s) { return s.positions() * 10 < largest * 9; });
  return shapes;
}

namespace {

/// Device memory of weights, including packed copies.
std::size_t taken(const WeightStore& weights, bool host_memory) {
  return weights.bytes() + (host_memory ? 0 : weights.packed_bytes());
}
std::size_t taken(const WeightStore& weights, Part part, bool host_memory) {
  return weights.bytes(part) + (host_memory ? 0 : weights.packed_bytes(part));
}

}  // namespace

std::vector<WeightSize> frozen_matrices(const WeightStore& weights) {
  constexpr std::size_t kLeastBytes = 4096;  // below it a copy costs more than it saves
  std::vector<WeightSize> list;
  weights.each([&](Part, std::string_view, const Tensor& tensor, bool) {
    if (tensor.shape.rank() >= 2 && tensor.bytes() >= kLeastBytes) {
      list.push_back({tensor.name, tensor.bytes(), tensor.streamed});
    }
  });
  std::stable_sort(list.begin(), list.end(),
                   [](const WeightSize& a, const WeightSize& b) { return a.bytes > b.bytes; });
  return list;
}

PhaseNeeds phase_needs(const Kernels& kernels, const WeightSource& source,
                       const PrecisionPlan& precision, const TextOptions& text,
                       const EncodeWork& work, const std::set<std::string>& streamed) {
  PhaseNeeds needs;
  const bool host_memory = kernels.host_memory();
  const Preset& preset = precision.effective;
  const auto planned = DiffusionModel::open_planning(source, nullptr, precision.rules);
  DiffusionModel& model = *planned;
  model.set_text_options(text);
  model.weights().stream(streamed);
  const auto arena_of = [&](const Graph& graph) {
    const Plan plan = make_plan(graph);
    needs.scratch.cover(planned_scratch(graph, plan, kernels.has_attention_engine()));
    return plan.arena_bytes;
  };
  if (trains_vae(preset)) {
    Graph graph;  // samples; the latents' scale is measured with less
    Reconstructor::record(graph, model.vae(), work.height, work.width);
    needs.sample_arena = arena_of(graph);
    return needs;
  }
  if (work.width > 0) {
    Graph graph;
    graph.output("moments",
                 model.vae().encode(
                     graph, graph.input("image", DType::f32, {1, work.height, work.width, 3})));
    needs.encode_bytes = arena_of(graph) + taken(model.weights(), host_memory);
  }
  if (work.texts && !host_memory && !trains_text(preset)) {  // on a host the encoders' file is
                                                             // mapped
    const std::size_t arena =
        text_arena_bytes(model, work.beside_texts);  // binds them, beside the VAE
    needs.encode_bytes = std::max(needs.encode_bytes, arena + taken(model.weights(), false));
  }
  const int factor = model.latent_factor();
  // For one image; with guidance for two.
  const auto cover_denoising = [&](const SamplePrompt& prompt, StepShape shape) {
    const double guidance = sampling_values(source, prompt).guidance;
    shape.batch = guidance != 1.0 && !model.takes_guidance() ? 2 : 1;
    shape.tokens = model.text_tokens();
    Graph denoise;
    record_denoiser(denoise, model, shape);
    needs.sample_arena = std::max(needs.sample_arena, arena_of(denoise));
  };
  for (std::size_t i = 0; i < preset.samples.prompts.size(); ++i) {
    const SamplePrompt& prompt = preset.samples.prompts[i];
    const std::int64_t w = (prompt.width > 0 ? prompt.width : preset.data.resolution) / factor;
    const std::int64_t h = (prompt.height > 0 ? prompt.height : preset.data.resolution) / factor;
    Graph decode;
    decode.output("image",
                  model.vae().decode(decode, decode.input("latents", DType::f32,
                                                          {1, h, w, model.latent_channels()})));
    needs.sample_arena = std::max(needs.sample_arena, arena_of(decode));
    cover_denoising(prompt, {1, h, w, 0, work.references_of(i)});
  }
  if (needs.sample_arena > 0) {
    needs.vae_bytes = taken(model.weights(), kVae, host_memory);
  }
  if (trains_own_images(preset)) {
    cover_denoising({}, square_shape(preset, model));
  }
  needs.weights = frozen_matrices(model.weights());
  // Samples share the steps' denoiser.
  std::erase_if(needs.weights,
                [](const WeightSize& w) { return split_path(w.path).part == kDenoiser; });
  return needs;
}

namespace {

/// Bytes of the weights in host memory; one that both steps and phases use counts once.
std::uint64_t streamed_bytes(const std::vector<WeightSize>& steps,
                             const std::vector<WeightSize>& phases) {
  std::uint64_t bytes = 0;
  std::set<std::string_view> counted;
  for (const auto* list : {&steps, &phases}) {
    for (const WeightSize& w : *list) {
      bytes += w.streamed && counted.insert(w.path).second ? w.bytes : 0;
    }
  }
  return bytes;
}

/// Bytes of what a run writes at its end, at least.
std::uint64_t result_bytes(const Preset& preset, const WeightSource& source,
                           std::uint64_t parameters) {
  const DType dtype = dtype_of(preset.output.dtype);
  return preset.training.method == TrainingMethod::full ? least_bytes(model_contents(source, dtype))
                                                        : parameters * dtype_size(dtype);
}

}  // namespace

PlanReport plan_report(const Kernels& kernels, const PrecisionPlan& precision,
                       DiffusionModel& model, const TrainedSet& adapters, const StepNeeds& steps,
                       const PhaseNeeds& phases, const GradientCopies& gradients,
                       std::uint64_t free_bytes) {
  PlanReport report;
  const bool host_memory = kernels.host_memory();
  const Preset& preset = precision.effective;
  report.precision_json = precision.json();
  report.findings = told_findings(precision.findings);
  for (Finding& finding : told_findings(explained_findings(precision))) {
    report.findings.push_back(std::move(finding));
  }
  // A device keeps its scratch across phases; a host's is small.
  const std::size_t scratch = host_memory ? 0 : steps.scratch.with(phases.scratch).bytes();
  report.arena_bytes = std::max(steps.arena, phases.sample_arena) + scratch;
  report.streamed_bytes = streamed_bytes(frozen_matrices(model.weights()), phases.weights);
  report.weight_bytes =
      taken(model.weights(), host_memory) + (phases.sample_arena > 0 ? phases.vae_bytes : 0) +
      (adapters.training_adapters() != nullptr ? adapters.training_adapters()->bytes() : 0);
  report.adapter_bytes = adapters.bytes();
  const auto parameters = static_cast<std::uint64_t>(adapters.parameter_count());
  std::uint64_t optimizer_bytes = 0, gradient_bytes = 0, averaged = 0, beside = 0;
  for (const AdapterBuffer& buffer : adapters.buffers()) {
    const std::vector<OptimizerTensor> tensors = optimizer_tensors(adapters, buffer);
    const OptimizerSettings settings = optimizer_settings(preset, buffer);
    optimizer_bytes += optimizer_state_bytes(settings, tensors);
    beside += optimizer_scratch_bytes(settings, tensors);
    std::uint64_t values = 0;
    for (const OptimizerTensor& tensor : tensors) {
      values += static_cast<std::uint64_t>(tensor.count());
    }
    gradient_bytes += values * dtype_size(buffer.gradients.dtype);
    if (optimizer_row(settings.type).schedule_free) {
      beside += values * dtype_size(settings.parameters);  // while their average replaces them
    } else if (preset.training.ema > 0) {
      averaged += values;
    }
  }
  report.adapter_bytes += optimizer_bytes + beside + gradients.bytes(gradient_bytes);
  // Weights before the step, for the lost-update share, the averaged weights, and those replaced by
  // averages while latents are measured.
  report.adapter_bytes +=
      (parameters + averaged + (trains_vae(preset) ? averaged : 0)) * sizeof(float);
  report.result_bytes = result_bytes(preset, model.source(), parameters);
  // Masters and averages, plus the result, which a family without a single file leaves out.
  const bool holds_result =
      preset.training.method != TrainingMethod::full || model.family().original_names != nullptr;
  report.checkpoint_bytes = optimizer_bytes + (parameters + averaged) * sizeof(float) +
                            (holds_result ? report.result_bytes : 0);
  report.peak_bytes =
      std::max<std::uint64_t>(report.arena_bytes + report.weight_bytes + report.adapter_bytes,
                              phases.encode_bytes > 0 ? phases.encode_bytes + scratch : 0);
  report.free_bytes = free_bytes;
  return report;
}

std::uint64_t free_memory(const Kernels& kernels) {
  return kernels.host_memory() ? available_memory() : kernels.memory().free;
}

}  // namespace mantissa
