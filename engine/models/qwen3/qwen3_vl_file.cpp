#include "engine/models/qwen3/qwen3_vl_file.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/json_file.h"
#include "engine/io/name_parts.h"
#include "engine/models/qwen3/qwen3_keys.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr std::array kLoneParts{
    PartFiles{.part = kTe1, .folder = ".", .vision = true, .targets = kQwen3Targets}};
constexpr Family kLoneQwen3Vl{
    .row = {.title = "Qwen3-VL"}, .parts = kLoneParts, .bf16_native = true};

class LoneQwen3VlNames final : public ModelNames {
 public:
  LoneQwen3VlNames() : ModelNames(kLoneQwen3Vl) {}
  std::optional<NameMapping> canonical(std::optional<Part>,
                                       const TensorInfo& tensor) const override {
    std::string_view rest = tensor.name;
    take(rest, "model.");
    if (rest.starts_with("visual.") || rest == "lm_head.weight") {
      return NameMapping{NameTransform::none, {std::string(rest)}, kTe1};
    }
    return qwen3_weight(kTe1, tensor.name);
  }
};

bool says_qwen3_vl(const fs::path& folder) {
  const fs::path file = folder / "config.json";
  if (!fs::is_regular_file(file)) {
    return false;
  }
  const nlohmann::json config = read_json(file);
  return config.is_object() && config.value("model_type", nlohmann::json()) == "qwen3_vl";
}

bool holds_tower(const fs::path& file) {
  const SafetensorsFile opened = SafetensorsFile::open(file);
  return std::ranges::any_of(opened.tensors(), [](const TensorInfo& tensor) {
    return tensor.name.ends_with("visual.pos_embed.weight");
  });
}

}  // namespace

bool is_qwen3_vl(const fs::path& path) noexcept {
  try {
    return fs::is_directory(path)
               ? says_qwen3_vl(path)
               : fs::is_regular_file(path) && path.extension() == ".safetensors" &&
                     (says_qwen3_vl(path.parent_path()) || holds_tower(path));
  } catch (...) {
    return false;
  }
}

WeightSource open_qwen3_vl(const fs::path& path) {
  if (!is_qwen3_vl(path)) {
    throw Error(
        message<
            "'{path}' is no Qwen3-VL: the folder of one, with config.json of the type qwen3_vl, "
            "or its weights with the vision tower in one .safetensors file are read">(
            path_to_utf8(path)));
  }
  const bool inside = fs::is_regular_file(path) && says_qwen3_vl(path.parent_path());
  WeightSource source =
      WeightSource::open(inside ? path.parent_path() : path, std::make_shared<LoneQwen3VlNames>());
  if (!source.contains(kTe1, "visual.pos_embed.weight")) {
    throw Error(message<"'{path}' lacks the vision tower (visual.…) of a Qwen3-VL; get its whole "
                        "folder">(path_to_utf8(path)));
  }
  return source;
}

}  // namespace mantissa
