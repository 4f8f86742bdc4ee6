#include "engine/adapters/dialect.h"

namespace mantissa {
namespace {

/// `head` before the path in the family's original checkpoints.
std::optional<std::string> original_name(const ModuleToName& m, std::string_view head) {
  const auto path = m.is_denoiser() ? m.original() : std::string(m.path);
  return path && !head.empty() ? std::optional(std::string(head) + *path) : std::nullopt;
}

/// Whether ComfyUI's names have the authors' paths, not diffusers'.
bool original_in_comfyui(const Family& family) {
  return family.comfyui_reads_kohya || family.kohya_original_paths;
}

/// diffusion_model.<original path>, text_encoders.clip_l.transformer.<path>: as in ComfyUI's
/// models. With diffusers' paths where those models have fused layers that adapters don't.
std::optional<std::string> ldm_name(const ModuleToName& m) {
  const std::string_view head = m.base.comfyui(m.part);
  if (head.empty()) {
    return std::nullopt;
  }
  return original_in_comfyui(m.base.family())
             ? original_name(m, head)
             : std::optional(std::string(head) + std::string(m.path));
}

/// With the paths of either naming, whichever is written; the denoiser also as in checkpoints.
std::vector<std::string> read_ldm_names(const ModuleToName& m) {
  std::vector<std::string> names = listed(ldm_name(m));
  if (const std::string_view head = m.base.comfyui(m.part); !head.empty()) {
    names.push_back(std::string(head) + std::string(m.path));
    for (std::string& name : listed(original_name(m, head))) {
      names.push_back(std::move(name));
    }
  }
  const auto in_checkpoint = m.is_denoiser() ? original_name(m, m.files()->prefix) : std::nullopt;
  if (in_checkpoint) {
    names.push_back(*in_checkpoint);
  }
  return names;
}

}  // namespace

extern const Dialect kLdmDialect{.name = "ldm", .name_of = ldm_name, .read_names = read_ldm_names};

}  // namespace mantissa
