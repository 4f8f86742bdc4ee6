#include "engine/models/stable_diffusion/sd_names.h"

#include <algorithm>
#include <array>

#include "engine/io/name_parts.h"
#include "engine/models/clip/clip_keys.h"
#include "engine/models/extras.h"
#include "engine/models/vae/vae_keys.h"

namespace mantissa {

namespace {

/// Present only in a UNet conditioned on sizes.
constexpr std::string_view kToldSizes = "add_embedding.linear_1.weight";

/// A UNet in a file of its own, such as GGUF's, may lack the prefix.
constexpr std::array<std::string_view, 6> kBareUnet{
    "input_blocks.", "middle_block.", "output_blocks.", "time_embed.", "label_emb.", "out."};
bool is_bare_unet(std::string_view name) {
  return std::ranges::any_of(kBareUnet,
                             [&](std::string_view head) { return name.starts_with(head); });
}

std::optional<NameMapping> one(Part part, std::optional<std::string> name) {
  return name ? std::optional(NameMapping{NameTransform::none, {std::move(*name)}, part})
              : std::nullopt;
}

std::optional<NameMapping> of_part(Part part, std::optional<NameMapping> mapping) {
  if (mapping) {
    mapping->part = part;
  }
  return mapping;
}

class SdNames final : public ModelNames {
 public:
  SdNames(const Family& family, UnetLayout layout, int vae_levels, const ModelFiles& files)
      : ModelNames(family), layout_(std::move(layout)), vae_levels_(vae_levels) {
    note_encoders(files);
  }

  std::optional<NameMapping> canonical(std::optional<Part> folder,
                                       const TensorInfo& tensor) const override {
    if (auto extra = extra_tensor(tensor.name)) {
      return extra;
    }
    return folder ? in_folder(*folder, tensor) : in_single_file(tensor);
  }
  std::optional<std::string> original(Part part, std::string_view path) const override {
    return part == kDenoiser && !layout_.layers.empty() ? unet_to_ldm(path, layout_) : std::nullopt;
  }

 private:
  static std::optional<NameMapping> in_folder(Part part, const TensorInfo& tensor) {
    return part == kDenoiser ? one(part, tensor.name)
           : part == kVae    ? of_part(part, vae_in_folder(tensor))
                             : one(part, clip_name(tensor.name));
  }

  std::optional<NameMapping> in_single_file(const TensorInfo& tensor) const {
    std::string_view rest = tensor.name;
    // Others have an "out." too: only beside the blocks of a UNet.
    if (take(rest, kUnetPrefix) || (!layout_.layers.empty() && is_bare_unet(rest))) {
      return one(kDenoiser, unet_to_diffusers(rest, layout_));
    }
    if (take(rest, kVaePrefix)) {
      const auto name = vae_to_diffusers(rest, vae_levels_);
      return name ? of_part(kVae, vae_weight(tensor, *name)) : std::nullopt;
    }
    if (take(rest, kSdxlTe2Prefix)) {
      return of_part(kTe2, openclip_to_hf(rest));
    }
    if (take(rest, kSd2TextPrefix)) {
      return of_part(kTe1, openclip_to_hf(rest));
    }
    if (!take(rest, kSdxlTe1Prefix) && !take(rest, kSd15TextPrefix)) {
      return std::nullopt;
    }
    const auto name = clip_name(rest);
    if (name == "text_projection.weight") {  // present in some files, never used
      return NameMapping{NameTransform::dropped, {}, kTe1};
    }
    return one(kTe1, name);
  }

  UnetLayout layout_;
  int vae_levels_;
};

/// The names of `files` if they are Stable Diffusion's.
std::shared_ptr<const ModelNames> names_if_sd(const Family& family, const ModelFiles& files) {
  std::vector<std::string> unet, vae;
  bool original = false;  // a UNet in a file of its own, whose other parts may be elsewhere
  for (const ModelFiles::File& file : files.files) {
    original = original || !file.part;
    for (const TensorInfo& tensor : file.tensors) {
      std::string_view rest = tensor.name;
      if (file.part ? file.part == kDenoiser : take(rest, kUnetPrefix) || is_bare_unet(rest)) {
        unet.emplace_back(rest);
      } else if (!file.part && take(rest, kVaePrefix)) {
        vae.emplace_back(rest);
      }
    }
  }
  const UnetLayout layout =
      original ? unet_layout_from_ldm(unet) : unet_layout_from_diffusers(unet);
  return std::make_shared<SdNames>(family, layout, vae_levels_from_ldm(vae), files);
}

template <typename F>
bool any_weight(const ModelNames& names, const ModelFiles& files, F&& wanted) {
  return files.any([&](std::optional<Part> folder, const TensorInfo& tensor) {
    const auto mapping = names.canonical(folder, tensor);
    return mapping &&
           std::any_of(mapping->names.begin(), mapping->names.end(),
                       [&](const std::string& name) { return wanted(mapping->part, name); });
  });
}

bool starts_any(std::span<const TensorInfo> tensors, std::string_view prefix) {
  return std::any_of(tensors.begin(), tensors.end(),
                     [&](const TensorInfo& t) { return t.name.starts_with(prefix); });
}

}  // namespace

std::shared_ptr<const ModelNames> sd_names(const Family& family, const UnetLayout& layout,
                                           int vae_levels) {
  return std::make_shared<SdNames>(family, layout, vae_levels, ModelFiles{});
}

std::shared_ptr<const ModelNames> recognise_sd15(const Family& sd15, const ModelFiles& files) {
  auto names = names_if_sd(sd15, files);
  const bool found = !files.single() || any_weight(*names, files, [](Part part, const auto&) {
    return part == kDenoiser || part == kVae;
  });
  return found ? names : nullptr;
}

std::shared_ptr<const ModelNames> recognise_sdxl(const Family& sdxl, const ModelFiles& files) {
  auto names = names_if_sd(sdxl, files);
  const bool found = any_weight(*names, files, [](Part part, const std::string& name) {
    return part == kTe2 || (part == kDenoiser && name == kToldSizes);
  });
  return found && recognise_sd15(sdxl, files) != nullptr ? names : nullptr;
}

std::string_view sd15_naming(std::span<const TensorInfo> tensors) {
  if (starts_any(tensors, kUnetPrefix) || starts_any(tensors, kBareUnet.front())) {
    return "ldm";
  }
  const bool bare = std::any_of(tensors.begin(), tensors.end(), [](const TensorInfo& t) {
    return t.name.starts_with("down_blocks.") && t.name.find("time_emb_proj") != std::string::npos;
  });
  return bare ? "diffusers" : "";
}

std::string_view sdxl_naming(std::span<const TensorInfo> tensors) {
  const bool told_sizes = starts_any(tensors, "add_embedding.") ||
                          starts_any(tensors, "model.diffusion_model.label_emb.") ||
                          starts_any(tensors, "label_emb.");
  return told_sizes ? sd15_naming(tensors) : "";
}

}  // namespace mantissa
