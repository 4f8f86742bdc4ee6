#include "engine/adapters/peft_folder.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "engine/adapters/peft_names.h"
#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/io/module_path.h"
#include "engine/io/part_names.h"
#include "engine/io/safetensors.h"
#include "engine/io/whole_folder.h"
#include "engine/preset/names.h"

namespace mantissa {

int file_rank(const AdapterModule& m) {
  return m.product ? m.product->rank : m.rank;
}

double file_alpha(const AdapterModule& m) {
  return m.product ? m.product->alpha : m.alpha;
}

namespace {

/// The level that CLIPTextModel had up to transformers 4. CLIPTextModelWithProjection still has it.
constexpr std::string_view kPeftTextLevel = "text_model.";

std::string without_text_level(std::string name) {
  const auto at = name.find(kPeftTextLevel);
  return at == std::string::npos ? name : name.erase(at, kPeftTextLevel.size());
}

/// A module's name in adapter_config.json.
std::string config_name(std::string_view path, const ModelNames& base) {
  const auto [part, name] = split_path(path);
  return without_text_level(peft_path({part, name, base}));
}

/// A key of rank_pattern and alpha_pattern, which PEFT takes for the end of a path: where another
/// module's path ends so, it is bound to the beginning.
std::string pattern_key(const std::string& name, std::span<const std::string> names) {
  const bool ends_another = std::ranges::any_of(
      names, [&](const std::string& other) { return other.ends_with("." + name); });
  return ends_another ? "^" + name : name;
}

/// adapter_config.json of one part. PEFT matches name suffixes, so names without the level fit
/// either model.
nlohmann::json peft_config(std::span<const AdapterModule> modules, const AdapterExport& options) {
  nlohmann::json ranks = nlohmann::json::object(), alphas = ranks;
  std::vector<std::string> targets;
  const AdapterModule& usual = modules.front();
  for (const AdapterModule& m : modules) {
    targets.push_back(config_name(m.path, *options.base));
  }
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const AdapterModule& m = modules[i];
    if (file_rank(m) != file_rank(usual)) {
      ranks[pattern_key(targets[i], targets)] = file_rank(m);
    }
    if (file_alpha(m) != file_alpha(usual)) {
      alphas[pattern_key(targets[i], targets)] = file_alpha(m);
    }
  }
  if (usual.product) {
    nlohmann::json config{{"peft_type", usual.product->type == AdapterType::loha ? "LOHA" : "LOKR"},
                          {"task_type", nullptr},
                          {"base_model_name_or_path", nullptr},
                          {"r", file_rank(usual)},
                          {"alpha", file_alpha(usual)},
                          {"rank_pattern", ranks},
                          {"alpha_pattern", alphas},
                          {"target_modules", targets},
                          {"rank_dropout", 0.0},
                          {"module_dropout", 0.0},
                          {"use_effective_conv2d", false},
                          {"inference_mode", true},
                          {"init_weights", true}};
    if (usual.product->type == AdapterType::lokr) {
      config["decompose_both"] = false;
      config["decompose_factor"] = options.lokr_factor;
    }
    return config;
  }
  return {{"peft_type", "LORA"},
          {"task_type", nullptr},
          {"base_model_name_or_path", nullptr},
          {"r", usual.rank},
          {"lora_alpha", usual.alpha},
          {"rank_pattern", ranks},
          {"alpha_pattern", alphas},
          {"target_modules", targets},
          {"lora_dropout", 0.0},
          {"bias", "none"},
          {"fan_in_fan_out", false},
          {"inference_mode", true},
          {"init_lora_weights", true},
          {"use_rslora", false},
          {"use_dora", usual.dora_axis.has_value()}};
}

/// Whether CLIPTextModel reads this part.
bool lost_text_level(Part part, const Family& family) {
  const PartFiles* files = family.part(part);
  return files != nullptr && files->model.name == "CLIPTextModel";
}

/// The changed weights of one part as PEFT keeps them: those of whole modules (modules_to_save),
/// and biases of the layers that it adapts.
struct PeftWhole {
  std::vector<FileTensor> tensors;
  std::set<std::string> modules;  ///< to save
  bool biases = false;
};

PeftWhole peft_whole(Part part, std::span<const AdapterModule> modules,
                     const AdapterExport& options) {
  PeftWhole whole;
  for (const WeightChange& change : options.changes) {
    if (split_path(change.path).part != part) {
      continue;
    }
    const std::size_t dot = change.path.rfind('.');
    const auto name = peft_weight(change.path, *options.base);
    if (!name || !options.base_tensor) {
      throw Error(unnamed_change(change.path, options, false));
    }
    BaseTensor tensor = options.base_tensor(change.path);
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      tensor.values[i] += change.values[i];
    }
    const std::string member = change.path.substr(dot);
    const std::string module = name->substr(0, name->size() - member.size());
    const bool adapted = std::ranges::find(modules, change.path.substr(0, dot),
                                           &AdapterModule::path) != modules.end();
    if (!adapted) {
      whole.modules.insert(without_text_level(module));
    }
    whole.biases = whole.biases || adapted;
    FileTensor& out = whole.tensors.emplace_back(FileTensor{
        "base_model.model." + module + (adapted ? ".base_layer" : "") + member, DType::f32,
        tensor.shape, std::vector<std::byte>(tensor.values.size() * sizeof(float))});
    std::memcpy(out.bytes.data(), tensor.values.data(), out.bytes.size());
  }
  return whole;
}

}  // namespace

void write_peft_folders(const std::filesystem::path& path, std::span<const AdapterModule> modules,
                        const AdapterExport& options, const FileForm& form, ValueLosses& losses,
                        const std::map<std::string, std::string>& metadata) {
  std::map<Part, std::vector<AdapterModule>> parts;
  for (const AdapterModule& m : modules) {
    if (m.dora_axis && m.product) {
      throw Error(
          message<"{module}: PEFT's {form} has no magnitudes; set output.format to kohya or "
                  "plain_lora">(m.path, adapter_title(m.product->type)));
    }
    if (m.dora_axis == DoraAxis::input) {
      throw Error(
          message<"{module}: PEFT knows DoRA per output only; set output.format to plain_lora">(
              m.path));
    }
    parts[split_path(m.path).part].push_back(m);
  }
  for (const WeightChange& change : options.changes) {
    if (!parts.contains(split_path(change.path).part)) {
      throw Error(
          unnamed_change(change.path, options, false));  // PEFT's adapter has at least one layer
    }
  }
  AdapterExport adapters = options;
  adapters.changes.clear();
  WholeFolder result(path);  // a later part may hold what its type can't
  for (const auto& [part, list] : parts) {
    const PeftWhole whole = peft_whole(part, list, options);
    const std::filesystem::path folder = result.path() / part_folder(part);
    std::filesystem::create_directories(folder);
    std::vector<FileTensor> stored = file_tensors(list, adapters, form, losses);
    stored.insert(stored.end(), whole.tensors.begin(), whole.tensors.end());
    std::vector<TensorToWrite> tensors;
    const bool lost_level = lost_text_level(part, options.base->family());
    for (const FileTensor& s : stored) {
      tensors.push_back({s.name, s.dtype, s.shape, s.bytes.data(), {}});
      if (lost_level && s.name.find(kPeftTextLevel) != std::string::npos) {
        tensors.push_back({without_text_level(s.name), s.dtype, s.shape, s.bytes.data(), {}});
      }
    }
    write_safetensors(folder / "adapter_model.safetensors", tensors, metadata);
    nlohmann::json config = peft_config(list, options);
    if (!whole.modules.empty()) {
      config["modules_to_save"] = whole.modules;
    }
    if (whole.biases) {
      config["bias"] = "lora_only";
    }
    atomic_write(folder / "adapter_config.json", config.dump(2) + "\n");
  }
  result.commit();
}

}  // namespace mantissa
