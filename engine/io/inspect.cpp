#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "engine/core/error.h"
#include "engine/io/weight_convert.h"
#include "engine/io/weights.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// What a tensor of an adapter is, and which module it adapts.
struct AdapterTensor {
  enum class Role { none, down, alpha, dora, other } role = Role::none;
  std::string_view module;
};

AdapterTensor adapter_tensor(std::string_view name) {
  using Role = AdapterTensor::Role;
  static constexpr std::array<std::pair<std::string_view, Role>, 26> kEndings{
      {{".lora_down.weight", Role::down},
       {".lora_up.weight", Role::other},
       {".lora_mid.weight", Role::other},
       {".lora_A.weight", Role::down},
       {".lora_B.weight", Role::other},
       {".lora.down.weight", Role::down},
       {".lora.up.weight", Role::other},
       {"_lora.down.weight", Role::down},
       {"_lora.up.weight", Role::other},
       {".hada_w1_b", Role::down},
       {".hada_w1_a", Role::other},
       {".hada_w2_a", Role::other},
       {".hada_w2_b", Role::other},
       {".hada_t1", Role::other},
       {".hada_t2", Role::other},
       {".lokr_w2_b", Role::down},
       {".lokr_w1", Role::other},
       {".lokr_w1_a", Role::other},
       {".lokr_w1_b", Role::other},
       {".lokr_w2", Role::other},
       {".lokr_w2_a", Role::other},
       {".lokr_t2", Role::other},
       {".alpha", Role::alpha},
       {".dora_scale", Role::dora},
       {".lora_magnitude_vector", Role::dora},
       {".lora_magnitude_vector.weight", Role::dora}}};
  for (const auto& [ending, role] : kEndings) {
    if (name.ends_with(ending)) {
      return {role, name.substr(0, name.size() - ending.size())};
    }
  }
  return {};
}

std::string adapter_part(std::string_view name) {
  if (name.starts_with("lora_te2_") || name.starts_with("text_encoder_2.")) {
    return "te2";
  }
  if (name.starts_with("lora_te") || name.starts_with("text_encoder.")) {
    return "te1";
  }
  return "unet";
}

/// "LoRA", "LoHa" or "LoKr", by one tensor's name; empty where it doesn't tell.
std::string_view adapter_form(std::string_view name) {
  return has(name, ".hada_")   ? "LoHa"
         : has(name, ".lokr_") ? "LoKr"
         : has(name, "lora")   ? "LoRA"
                               : "";
}

std::string checkpoint_part(std::string_view name) {
  for (Part part : {kDenoiser, kTe1, kTe2, kVae}) {
    if (name.starts_with(ldm_prefix(part))) {
      return std::string(part_name(part));
    }
  }
  return name.starts_with("cond_stage_model.") ? "te1" : "other";
}

double scalar_value(const TensorInfo& tensor) {
  if (!tensor.type || !is_float(*tensor.type) || tensor.count() != 1) {
    throw Error(
        message<"tensor '{tensor}' must be one floating-point number (alpha)">(tensor.name));
  }
  double value = 0;
  convert_weight({*tensor.type, Shape{}, tensor.data, false}, DType::f64, &value,
                 message<"tensor '{tensor}'">(tensor.name));
  return value;
}

void count_file(const SafetensorsFile& file, ModelSummary& summary) {
  for (const TensorInfo& tensor : file.tensors()) {
    ++summary.dtypes[tensor.dtype];
    ++summary.tensors;
    summary.parameters += tensor.count();
    summary.bytes += tensor.bytes;
  }
}

void describe_adapter(const SafetensorsFile& file, ModelSummary& summary) {
  summary.kind = ModelSummary::Kind::adapter;
  std::set<std::string_view> modules;
  bool kohya = false;
  for (const TensorInfo& tensor : file.tensors()) {
    const AdapterTensor part = adapter_tensor(tensor.name);
    kohya |= tensor.name.starts_with("lora_");
    ++summary.parts[adapter_part(tensor.name)];
    if (part.role != AdapterTensor::Role::none) {
      modules.insert(part.module);
    }
    if (part.role == AdapterTensor::Role::down && !tensor.dims.empty()) {
      ++summary.ranks[tensor.dims[0]];
      // The text width tells the family: 2048 (two encoders) or 768.
      if (has(part.module, "attn2") && has(part.module, "to_k") && tensor.dims.size() > 1) {
        summary.family = tensor.dims[1] == 2048  ? "sdxl"
                         : tensor.dims[1] == 768 ? "sd15"
                                                 : summary.family;
      }
    } else if (part.role == AdapterTensor::Role::alpha) {
      ++summary.alphas[scalar_value(tensor)];
    } else if (part.role == AdapterTensor::Role::dora) {
      summary.dora = true;
    }
    if (tensor.name.starts_with("lora_te2_") || tensor.name.starts_with("text_encoder_2.") ||
        tensor.name.starts_with("lora_unet_input_blocks_")) {
      summary.family = "sdxl";
    }
  }
  summary.layout = kohya ? "kohya" : "peft";
  for (const TensorInfo& tensor : file.tensors()) {
    // What another form is called wins over LoRA: kohya's prefix is in every name.
    if (const std::string_view form = adapter_form(tensor.name);
        summary.form.empty() || (!form.empty() && form != "LoRA")) {
      summary.form = form;
    }
  }
  summary.modules = static_cast<std::int64_t>(modules.size());
  for (const char* key : {"modelspec.architecture", "ss_base_model_version"}) {
    const auto found = file.metadata().find(key);
    if (summary.family == "unknown" && found != file.metadata().end()) {
      summary.family = has(found->second, "xl")   ? "sdxl"
                       : has(found->second, "v1") ? "sd15"
                                                  : summary.family;
    }
  }
}

void describe_checkpoint(const SafetensorsFile& file, ModelSummary& summary) {
  bool pixart = false, bare_unet = false, added = false;
  for (const TensorInfo& tensor : file.tensors()) {
    const std::string_view name = tensor.name;
    ++summary.parts[checkpoint_part(name)];
    pixart |= name == "adaln_single.linear.weight" || name == "t_block.1.weight";
    bare_unet |= name.starts_with("down_blocks.") && has(name, "time_emb_proj");
    added |=
        name.starts_with("add_embedding.") || name.starts_with("model.diffusion_model.label_emb.");
  }
  const bool ldm = summary.parts.contains("unet");
  if (!ldm && !pixart && !bare_unet) {
    return;
  }
  summary.kind = ModelSummary::Kind::checkpoint;
  summary.layout = ldm || file.find("t_block.1.weight") != nullptr ? "ldm" : "diffusers";
  summary.family = pixart ? "pixart" : added ? "sdxl" : "sd15";
  if (!ldm) {
    summary.parts = {{pixart ? "transformer" : "unet", summary.tensors}};
  }
}

void describe_folder(const fs::path& folder, ModelSummary& summary) {
  std::vector<fs::path> files;
  for (const char* name :
       {"unet", "transformer", "text_encoder", "text_encoder_2", "text_encoder_3", "vae"}) {
    if (!fs::is_directory(folder / name)) {
      continue;
    }
    for (const auto& entry : fs::directory_iterator(folder / name)) {
      if (entry.path().extension() == ".safetensors") {
        files.push_back(entry.path());
      }
    }
  }
  if (files.empty()) {
    throw Error(message<"'{path}' holds no diffusers model: no .safetensors under unet/, "
                        "transformer/, text_encoder/ or vae/">(path_to_utf8(folder)));
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& path : files) {
    const SafetensorsFile file = SafetensorsFile::open(path);
    count_file(file, summary);
    const std::string part = path_to_utf8(path.parent_path().filename());
    const std::string short_name = part == "text_encoder"     ? "te1"
                                   : part == "text_encoder_2" ? "te2"
                                                              : part;
    summary.parts[short_name] += static_cast<std::int64_t>(file.tensors().size());
  }
  summary.kind = ModelSummary::Kind::checkpoint;
  summary.layout = "diffusers";
  summary.family = summary.parts.contains("transformer") ? "pixart"
                   : summary.parts.contains("te2")       ? "sdxl"
                   : summary.parts.contains("unet")      ? "sd15"
                                                         : "unknown";
}

/// A folder that PEFT wrote, or one with such a folder for each part.
bool describe_peft_folder(const fs::path& folder, ModelSummary& summary) {
  bool found = false;
  for (const char* part : {"", "unet", "transformer", "text_encoder", "text_encoder_2"}) {
    const fs::path weights = folder / part / "adapter_model.safetensors";
    if (!fs::exists(weights)) {
      continue;
    }
    const SafetensorsFile file = SafetensorsFile::open(weights);
    const std::int64_t before = summary.modules;
    count_file(file, summary);
    describe_adapter(file, summary);
    summary.modules += before;
    found = true;
  }
  return found;
}

}  // namespace

ModelSummary inspect(const fs::path& path) {
  ModelSummary summary;
  summary.family = "unknown";
  if (fs::is_directory(path)) {
    if (describe_peft_folder(path, summary)) {
      return summary;
    }
    describe_folder(path, summary);
    return summary;
  }
  const SafetensorsFile file = SafetensorsFile::open(path);
  summary.metadata = file.metadata();
  count_file(file, summary);
  const bool adapter =
      std::any_of(file.tensors().begin(), file.tensors().end(), [](const TensorInfo& tensor) {
        const AdapterTensor::Role role = adapter_tensor(tensor.name).role;
        return role == AdapterTensor::Role::down || role == AdapterTensor::Role::other;
      });
  if (adapter) {
    describe_adapter(file, summary);
  } else {
    describe_checkpoint(file, summary);
  }
  return summary;
}

}  // namespace mantissa
