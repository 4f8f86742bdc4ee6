#include "engine/train/backend.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/model_config.h"
#include "engine/models/diffusion_model.h"
#include "engine/precision/run_findings.h"
#include "engine/train/cuda_problem.h"
#include "engine/train/model_objective.h"
#include "kernels/check.h"
#include "kernels/cpu/cpu.h"
#include "kernels/device_lost.h"

namespace mantissa {

namespace {

/// The card that "cuda" or "cuda:1" names; nothing for the processor.
std::optional<int> card_of(const std::string& device) {
  if (device == "cpu" || device.empty()) {
    return std::nullopt;
  }
  if (device == "cuda") {
    return 0;
  }
  constexpr std::string_view kPrefix = "cuda:";
  int ordinal = 0;
  if (device.starts_with(kPrefix)) {
    const char* end = device.data() + device.size();
    const auto [rest, error] = std::from_chars(device.data() + kPrefix.size(), end, ordinal);
    if (error == std::errc() && rest == end && ordinal >= 0) {
      return ordinal;
    }
  }
  throw Error(message<"device '{device}' is unknown. Use cpu or cuda:0; `mantissa devices` lists "
                      "what is there">(device));
}

Error unusable_device(const std::string& device, const Message& reason) {
  return Error(
      message<"device {device} can't be used: {reason}. Or use --device cpu">(device, reason));
}

}  // namespace

std::unique_ptr<Kernels> make_backend(const std::string& device, bool deterministic) {
  const std::optional<int> card = card_of(device);
  if (!card) {
    return make_cpu_kernels();
  }
  try {
    return load_cuda_kernels(*card, {deterministic, path_to_utf8(cache_dir() / "cuda")});
  } catch (const OutOfDeviceMemory&) {
    throw;
  } catch (const DeviceLost&) {
    throw;
  } catch (const CudaUnusable& e) {
    throw unusable_device(device, cuda_problem_text(e.problem));
  } catch (const std::runtime_error& e) {
    throw unusable_device(device, message_of(e));
  }
}

namespace {

/// The type that most values of these parts have in the file; fp32 where a part is missing.
DType usual_dtype(const WeightSource& source, const std::vector<Part>& parts) {
  std::map<DType, std::int64_t> values;
  for (const Part part : parts) {
    if (!source.has_part(part)) {
      continue;
    }
    for (const std::string& name : source.names(part)) {
      const WeightView view = source.view(part, name);
      values[view.dtype] += view.shape.count();
    }
  }
  const auto most =
      std::max_element(values.begin(), values.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == values.end() ? DType::f32 : most->first;
}

/// Every module of the parts that a model has, from binding them without loading anything.
std::set<std::pair<std::string, ModuleKind>> bound_modules(const WeightSource& source) {
  const auto model = DiffusionModel::open_planning(source);
  std::vector<Part> parts{kDenoiser};
  for (const Part part : model->text_parts()) {
    if (source.has_part(part)) {
      parts.push_back(part);
    }
  }
  model->bind(parts);
  if (source.has_part(kVae)) {
    model->vae();
  }
  return model->weights().modules();
}

}  // namespace

void take_family(ModelFacts& facts, const Family& family) {
  facts.has_t5 = family.t5;
  facts.vae_fits_fp16 = family.vae_fits_fp16;
}

ModelFacts model_facts(const WeightSource& source) {
  const SourceObjective objective = source_objective(source);
  ModelFacts facts;
  take_family(facts, source.family());
  facts.prediction = objective.prediction;
  facts.zero_terminal_snr = objective.schedule.zero_terminal_snr;
  facts.denoiser_file = usual_dtype(source, {kDenoiser});
  facts.text_encoders_file = usual_dtype(source, source.family().text_parts());
  facts.vae_file = usual_dtype(source, {kVae});
  return facts;
}

DeviceFacts device_facts(const std::string& device) {
  const std::optional<int> card = card_of(device);
  if (!card) {
    return {};
  }
  const CudaReport report = cuda_report();
  Message problem = report.problem.empty() ? message<"there is no card of that number">()
                                           : cuda_problem_text(report.problem);
  if (*card < static_cast<int>(report.devices.size())) {
    const CudaDevice& found = report.devices[static_cast<std::size_t>(*card)];
    if (found.problem.empty()) {
      return {found.name, found.capability};
    }
    problem = cuda_problem_text(found.problem);
  }
  throw unusable_device(device, problem);
}

namespace {

/// A trained encoder's latents are brought to mean 0 and deviation 1 by the two pointwise layers
/// around them (latent_scale.h).
void require_settled_latents(const WeightSource& source) {
  const VaeConfig vae = vae_config(source);
  const char* field = !vae.quant_conv             ? "use_quant_conv"
                      : !vae.post_quant_conv      ? "use_post_quant_conv"
                      : !vae.latents_mean.empty() ? "latents_mean"
                                                  : nullptr;
  if (field != nullptr) {
    throw Error(
        message<"{path}: the VAE can't be trained: its config sets {field}, and the scale of its "
                "latents is settled in quant_conv and post_quant_conv alone. Adapters can be "
                "trained on this model">(path_to_utf8(source.path()), field));
  }
}

}  // namespace

PrecisionPlan job_precision(const Preset& preset, const WeightSource& source,
                            const std::string& device) {
  if (trains_vae(preset) && source.has_part(kVae)) {
    require_settled_latents(source);
  }
  PrecisionPlan plan = make_precision_plan(preset, model_facts(source), device_facts(device));
  if (!plan.effective.precision.pins.empty()) {
    std::vector<PinTarget> targets;
    for (const auto& [path, kind] : bound_modules(source)) {
      targets.push_back({path, kind});
    }
    for (PrecisionFinding& finding : pin_findings(plan.effective, targets)) {
      plan.findings.push_back(std::move(finding));
    }
  }
  return plan;
}

std::vector<PlannedModule> planned_modules(const WeightSource& source,
                                           const PrecisionRules& rules) {
  std::vector<PlannedModule> list;
  for (const auto& [path, kind] : bound_modules(source)) {
    const ModulePrecision m = rules.of(path, kind);
    list.push_back({path, std::string(kind_name(kind)), std::string(dtype_name(m.storage)),
                    compute_name(m),
                    m.reason != nullptr ? Message(m.reason->text, {}) : Message()});
  }
  return list;
}

void refuse_conflicts(const PrecisionPlan& plan) {
  if (const PrecisionFinding* refusal = plan.refusal()) {
    throw finding_error(ErrorKind::precision, *refusal);
  }
}

}  // namespace mantissa
