#include "engine/plan/job_precision.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "engine/adapters/targets.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/diffusion/model_objective.h"
#include "engine/io/module_path.h"
#include "engine/models/diffusion_model.h"
#include "engine/models/vae/vae_config.h"
#include "engine/precision/run_findings.h"

namespace mantissa {
namespace {

/// Whether the view's codes are rotated in groups that can't be kept.
bool is_decoded(const WeightView& view) {
  return view.rotation > 0 && view.dtype != DType::i8_rotated;
}

/// The most common type of these parts' values in the file, of a GGUF file with blocks `gguf`; fp32
/// if a part is missing.
DType usual_dtype(const WeightSource& source, const std::vector<Part>& parts) {
  std::map<DType, std::int64_t> values;
  for (const Part part : parts) {
    if (!source.has_part(part)) {
      continue;
    }
    for (const std::string& name : source.names(part)) {
      const WeightView view = source.view(part, name);
      if (is_gguf(view.dtype)) {
        return DType::gguf;
      }
      values[is_decoded(view) ? DType::f32 : view.dtype] += view.shape.count();
    }
  }
  const auto most =
      std::max_element(values.begin(), values.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == values.end() ? DType::f32 : most->first;
}

/// Whether most of a part's values are rotated codes that are decoded when they are read.
bool usually_decoded(const WeightSource& source, Part part) {
  std::int64_t decoded = 0, all = 0;
  for (const std::string& name : source.names(part)) {
    const WeightView view = source.view(part, name);
    decoded += is_decoded(view) ? view.shape.count() : 0;
    all += view.shape.count();
  }
  return 2 * decoded > all;
}

/// What the model is called if it is a distilled one.
void take_variant(ModelFacts& facts, const WeightSource& source) {
  const Family& family = source.family();
  const ModelVariant variant = family.variant != nullptr ? family.variant(source) : ModelVariant();
  if (variant.distilled) {
    facts.distilled = std::string(family.title()) + " " + std::string(variant.name);
    facts.distilled_evidence = variant.evidence;
  }
}

/// Every module of the parts that a model has, from binding them without loading anything.
std::set<std::pair<std::string, ModuleKind>> bound_modules(const WeightSource& source) {
  const auto model = DiffusionModel::open_planning(source);
  model->set_text_options({.references = source.family().reference_mark.empty() ? 0U : 1U});
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

/// The layers that adapter.targets and training.parts choose from these modules.
std::vector<std::string> adapted_layers(
    const Preset& preset, const Family& family,
    const std::set<std::pair<std::string, ModuleKind>>& modules) {
  const AdapterTargets targets(preset.adapter.targets, family.parts);
  std::vector<std::string> layers;
  for (const auto& [path, kind] : modules) {
    const bool layer = kind == ModuleKind::linear || kind == ModuleKind::conv;
    for (const Part part : preset.training.parts) {
      if (layer && split_path(path).part == part && targets.matches(part, path)) {
        layers.push_back(path);
      }
    }
  }
  return layers;
}

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

void take_family(ModelFacts& facts, const Family& family) {
  facts.family = family.id();
  facts.has_t5 = family.t5;
  facts.vae_fits_fp16 = family.vae_fits_fp16;
  facts.bf16_native = family.bf16_native;
}

ModelFacts model_facts(const WeightSource& source) {
  const SourceObjective objective = source_objective(source);
  ModelFacts facts;
  take_family(facts, source.family());
  facts.prediction = objective.prediction;
  facts.zero_terminal_snr = objective.schedule.zero_terminal_snr;
  facts.denoiser_file = usual_dtype(source, {kDenoiser});
  facts.denoiser_decoded = usually_decoded(source, kDenoiser);
  facts.text_encoders_file = usual_dtype(source, source.family().text_parts());
  facts.vae_file = usual_dtype(source, {kVae});
  take_variant(facts, source);
  return facts;
}

PrecisionPlan job_precision(const Preset& preset, const WeightSource& source,
                            const DeviceFacts& device, bool helped) {
  if (trains_vae(preset) && source.has_part(kVae)) {
    require_settled_latents(source);
  }
  ModelFacts facts = model_facts(source);
  facts.helped = helped;
  PrecisionPlan plan = make_precision_plan(preset, facts, device);
  const Preset& used = plan.effective;
  const bool ranks = used.training.method == TrainingMethod::adapter && !used.adapter.ranks.empty();
  if (used.precision.pins.empty() && !ranks) {
    return plan;
  }
  const auto modules = bound_modules(source);
  std::vector<PinTarget> targets;
  for (const auto& [path, kind] : modules) {
    targets.push_back({path, kind});
  }
  std::vector<PrecisionFinding> findings = pin_findings(used, targets);
  if (ranks) {
    for (PrecisionFinding& finding :
         rank_findings(used, adapted_layers(used, source.family(), modules))) {
      findings.push_back(std::move(finding));
    }
  }
  std::ranges::move(findings, std::back_inserter(plan.findings));
  return plan;
}

std::vector<Finding> told_findings(const std::vector<PrecisionFinding>& findings) {
  std::vector<Finding> told;
  for (const PrecisionFinding& f : findings) {
    told.push_back({f.id, f.verdict, f.fields, f.message, f.fix_json, f.changes});
  }
  return told;
}

/// The file's own type of a module's weight where `planned` leaves that open.
static DType stored_type(const WeightSource& source, const std::string& path, DType planned) {
  const auto [part, name] = split_path(path);
  const std::string weight = std::string(name) + ".weight";
  return planned == DType::gguf && source.contains(part, weight) ? source.view(part, weight).dtype
                                                                 : planned;
}

std::vector<PlannedModule> planned_modules(const WeightSource& source,
                                           const PrecisionRules& rules) {
  std::vector<PlannedModule> list;
  for (const auto& [path, kind] : bound_modules(source)) {
    const ModulePrecision m = rules.of(path, kind);
    list.push_back({path, std::string(kind_name(kind)),
                    std::string(dtype_name(stored_type(source, path, m.storage))), compute_name(m),
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
