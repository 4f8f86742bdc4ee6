#include <nlohmann/json.hpp>

#include "engine/precision/dtypes.h"
#include "engine/precision/plan.h"
#include "engine/preset/names.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

struct PartName {
  std::string_view name;    ///< its name in settings
  std::string_view prefix;  ///< of its module paths
};
constexpr PartName kParts[] = {
    {"denoiser", "denoiser."}, {"text_encoders", "te1."}, {"vae", "vae."}};

constexpr ModuleKind kModuleKinds[] = {ModuleKind::linear, ModuleKind::conv, ModuleKind::norm,
                                       ModuleKind::embedding, ModuleKind::vector};

std::string name_of(DType type) {
  return std::string(dtype_name(type));
}

/// Dtypes by part and module kind, without pins.
Json modules(const PrecisionRules& rules) {
  Json list = Json::array();
  for (const PartName& part : kParts) {
    for (const ModuleKind kind : kModuleKinds) {
      const ModulePrecision m = rules.of(std::string(part.prefix) + "*", kind);
      Json row = {{"part", std::string(part.name)},
                  {"kind", std::string(kind_name(kind))},
                  {"storage", name_of(m.storage)},
                  {"compute", compute_name(m)},
                  {"accumulation", "fp32"}};
      if (m.reason != nullptr) {
        row["reason"] = m.reason->text;
      }
      list.push_back(std::move(row));
    }
  }
  return list;
}

Json setting(const Preset& preset, const char* key) {
  return Json::parse(get_setting(preset, key).dump());
}

}  // namespace

std::string_view kind_name(ModuleKind kind) {
  switch (kind) {
    case ModuleKind::linear:
      return "linear";
    case ModuleKind::conv:
      return "conv";
    case ModuleKind::norm:
      return "norm";
    case ModuleKind::embedding:
      return "embedding";
    case ModuleKind::vector:
      return "bias";
  }
  return "?";
}

std::string compute_name(const ModulePrecision& module) {
  return module.tf32               ? "tf32"
         : !module.codes           ? name_of(module.compute)
         : is_int8(module.storage) ? "int8"
                                   : "fp8";
}

std::string PrecisionPlan::json() const {
  const Preset::Precision& p = effective.precision;
  const auto name = [](auto value) { return std::string(enum_name(value)); };
  Json json = {{"weights",
                {{"denoiser", name(p.weights.denoiser)},
                 {"text_encoders", name(p.weights.text_encoders)},
                 {"vae", name(p.weights.vae)}}},
               {"compute", name(p.compute)},
               {"accumulation", "fp32"},
               {"adapter", name(p.adapter)},
               {"gradients", name(p.gradients)},
               {"optimizer_state", name(p.optimizer_state)},
               {"stochastic_rounding", p.stochastic_rounding},
               {"kahan", p.kahan},
               {"loss_scaling", setting(effective, "precision.loss_scaling")},
               {"fp8_scaling", name(p.fp8_scaling)},
               {"pins", setting(effective, "precision.pins")}};
  for (const PartName& part : kParts) {
    json["activations"][std::string(part.name)] = name_of(rules.activations(part.prefix));
  }
  json["modules"] = modules(rules);
  json["device"] = {{"name", device.name}, {"compute_capability", device.compute_capability}};
  json["findings"] = Json::array();
  for (const PrecisionFinding& f : findings) {
    json["findings"].push_back({{"id", f.id},
                                {"verdict", std::string(verdict_name(f.verdict))},
                                {"fields", f.fields},
                                {"message", with_changes(f.message, f.changes).text()},
                                {"fix", Json::parse(f.fix_json)}});
  }
  return json.dump();
}

}  // namespace mantissa
