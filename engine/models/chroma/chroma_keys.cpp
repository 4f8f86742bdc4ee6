#include "engine/models/chroma/chroma_keys.h"

#include "engine/models/block_names.h"
#include "engine/models/flux1/flux1_keys.h"

namespace mantissa {

namespace {

constexpr std::array kChromaEnds{
    NamePair{"distilled_guidance_layer.in_proj", "distilled_guidance_layer.in_proj"},
    NamePair{"distilled_guidance_layer.out_proj", "distilled_guidance_layer.out_proj"}};
constexpr std::array kChromaLayerStack{
    NamePair{"distilled_guidance_layer.layers.", "distilled_guidance_layer.layers."}};
constexpr std::array<NamePair, 2> kChromaLayer{
    {{"in_layer", "linear_1"}, {"out_layer", "linear_2"}}};
constexpr std::array kChromaNormStack{
    NamePair{"distilled_guidance_layer.norms.", "distilled_guidance_layer.norms."}};
/// The second as ComfyUI saves it.
constexpr std::array<NamePair, 2> kChromaNorm{{{"scale", "weight"}, {"weight", "weight"}}};

/// A name of the approximator, or a module's path.
std::optional<std::string> approximator_renamed(std::string_view name, bool forward) {
  if (auto end = rename_head(name, kChromaEnds, forward)) {
    return end;
  }
  auto layer = rename_in_block(name, kChromaLayerStack, kChromaLayer, forward);
  return layer ? layer : rename_in_block(name, kChromaNormStack, kChromaNorm, forward);
}

}  // namespace

std::optional<NameMapping> chroma_to_diffusers(std::string_view name) {
  if (auto own = approximator_renamed(norm_factor_name(name), true)) {
    return NameMapping{NameTransform::none, {std::move(*own)}, kDenoiser};
  }
  auto shared = flux1_to_diffusers(name);
  return shared && !makes_flux1_modulations(shared->names.front()) ? shared : std::nullopt;
}

std::optional<OriginalTensor> chroma_to_original(std::string_view name) {
  if (auto own = approximator_renamed(name, false)) {
    return OriginalTensor{std::move(*own)};
  }
  return makes_flux1_modulations(name) ? std::nullopt : flux1_to_original(name);
}

std::optional<std::string> chroma_original_path(std::string_view path) {
  auto own = approximator_renamed(path, false);
  return own ? own : flux1_original_path(path);
}

}  // namespace mantissa
