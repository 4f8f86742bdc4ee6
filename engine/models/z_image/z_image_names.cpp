#include "engine/models/z_image/z_image_names.h"

#include <algorithm>
#include <vector>

#include "engine/io/model_writer.h"
#include "engine/io/name_parts.h"
#include "engine/models/extras.h"
#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/vae/vae_keys.h"
#include "engine/models/z_image/z_image_family.h"
#include "engine/models/z_image/z_image_keys.h"

namespace mantissa {

namespace {

/// A tensor's name in the transformer, whose file may have no prefix.
std::string_view in_transformer(std::string_view name) {
  take(name, kZImagePrefix);
  return name;
}

/// What the transformer's tensors are called; empty if they are no Z-Image's.
template <typename Any>
std::string_view transformer_naming(Any&& any) {
  if (any([](std::string_view name) { return name == kZImageMark; })) {
    return "diffusers";
  }
  return any([](std::string_view name) { return is_original_z_image(in_transformer(name)); })
             ? "ldm"
             : "";
}

/// Diffusers folders, ComfyUI's files of all parts, or the transformer alone in either naming.
class ZImageNames final : public ModelNames {
 public:
  ZImageNames(bool original, int vae_levels)
      : ModelNames(kZImage), original_(original), vae_levels_(vae_levels) {}

  std::optional<NameMapping> canonical(std::optional<Part> folder,
                                       const TensorInfo& tensor) const override {
    if (auto extra = extra_tensor(tensor.name)) {
      return extra;
    }
    if (!folder) {
      return in_single_file(tensor);
    }
    if (*folder == kVae) {
      return vae_in_folder(tensor);
    }
    return *folder == kDenoiser ? in_denoiser(tensor.name) : qwen3_weight(kTe1, tensor.name);
  }
  std::optional<std::string> original(Part part, std::string_view path) const override {
    return part == kDenoiser ? z_image_original_path(path) : std::nullopt;
  }

 private:
  std::optional<NameMapping> in_denoiser(std::string_view name) const {
    return original_ ? z_image_to_diffusers(in_transformer(name))
                     : NameMapping{NameTransform::none, {std::string(name)}, kDenoiser};
  }
  std::optional<NameMapping> in_single_file(const TensorInfo& tensor) const {
    std::string_view rest = tensor.name;
    if (take(rest, kZImageVaePrefix)) {
      auto name = vae_to_diffusers(rest, vae_levels_);
      return name ? std::optional(vae_weight(tensor, std::move(*name))) : std::nullopt;
    }
    return take(rest, kZImageTextPrefix) ? qwen3_weight(kTe1, rest) : in_denoiser(rest);
  }

  bool original_;  ///< whether the transformer has its authors' names
  int vae_levels_;
};

/// The names behind `prefix` in a single file.
std::vector<std::string> names_behind(const ModelFiles& files, std::string_view prefix) {
  std::vector<std::string> names;
  files.any([&](std::optional<Part> folder, const TensorInfo& tensor) {
    std::string_view rest = tensor.name;
    if (!folder && take(rest, prefix)) {
      names.emplace_back(rest);
    }
    return false;
  });
  return names;
}

}  // namespace

std::shared_ptr<const ModelNames> recognise_z_image(const ModelFiles& files) {
  const std::string_view naming = transformer_naming([&](auto&& is) {
    return files.any([&](std::optional<Part> folder, const TensorInfo& tensor) {
      return folder.value_or(kDenoiser) == kDenoiser && is(tensor.name);
    });
  });
  if (naming.empty()) {
    return nullptr;
  }
  const int levels = vae_levels_from_ldm(names_behind(files, kZImageVaePrefix));
  return std::make_shared<ZImageNames>(naming == "ldm", levels);
}

std::string_view z_image_naming(std::span<const TensorInfo> tensors) {
  return transformer_naming([&](auto&& is) {
    return std::any_of(tensors.begin(), tensors.end(),
                       [&](const TensorInfo& tensor) { return is(tensor.name); });
  });
}

OriginalName z_image_original_names(const ModelContents& model) {
  std::vector<std::string> vae;
  if (const auto found = model.parts.find(kVae); found != model.parts.end()) {
    for (const ModelTensor& tensor : found->second) {
      vae.push_back(tensor.name);
    }
  }
  return [levels = vae_levels_from_diffusers(vae)](
             Part part, const std::string& name) -> std::optional<OriginalTensor> {
    if (part == kVae) {
      return vae_in_single_file(name, std::string(kZImageVaePrefix), levels);
    }
    if (part != kDenoiser) {
      return OriginalTensor{std::string(kZImageTextPrefix) + name};
    }
    auto to = z_image_to_original(name);
    if (to) {
      to->name.insert(0, kZImagePrefix);
    }
    return to;
  };
}

}  // namespace mantissa
