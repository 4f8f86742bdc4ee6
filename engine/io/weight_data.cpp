#include "engine/io/weight_data.h"

#include <algorithm>

#include "engine/core/error.h"

namespace mantissa {

bool is_marker(std::string_view name) {
  return name.find('.') == std::string_view::npos &&
         (name.starts_with("v_pred") || name.starts_with("ztsnr") || name.starts_with("edm_"));
}

bool is_harmless(std::string_view name) {
  static constexpr std::array<std::string_view, 15> kExact{"betas",
                                                           "alphas_cumprod",
                                                           "alphas_cumprod_prev",
                                                           "sqrt_alphas_cumprod",
                                                           "sqrt_one_minus_alphas_cumprod",
                                                           "log_one_minus_alphas_cumprod",
                                                           "sqrt_recip_alphas_cumprod",
                                                           "sqrt_recipm1_alphas_cumprod",
                                                           "posterior_variance",
                                                           "posterior_log_variance_clipped",
                                                           "posterior_mean_coef1",
                                                           "posterior_mean_coef2",
                                                           "logvar",
                                                           "scale_factor",
                                                           "lvlb_weights"};
  return is_marker(name) || name.starts_with("model_ema.") || name.starts_with("denoiser.") ||
         name.starts_with("first_stage_model.loss.") || name.ends_with("position_ids") ||
         name.ends_with("logit_scale") ||
         std::find(kExact.begin(), kExact.end(), name) != kExact.end();
}

std::string with_text_model(std::string_view name) {
  const bool bare = name.starts_with("embeddings.") || name.starts_with("encoder.layers.") ||
                    name.starts_with("final_layer_norm.");
  return (bare ? "text_model." : "") + std::string(name);
}

bool holds_original_pixart(const SafetensorsFile& file) {
  return std::any_of(file.tensors().begin(), file.tensors().end(),
                     [](const TensorInfo& t) { return is_original_pixart(t.name); });
}

bool is_convolved_projection(const TensorInfo& tensor, std::string_view name) {
  return name.find(".attentions.") != std::string_view::npos && tensor.dims.size() == 4 &&
         tensor.dims[2] == 1 && tensor.dims[3] == 1;
}

void WeightSource::Data::add(Part p, const std::string& name, const Weight& weight,
                             const std::string& file) {
  if (!part(p).emplace(name, weight).second) {
    throw Error(message<"'{file}': two tensors stand for the {part} weight '{weight}' (one of them "
                        "is '{tensor}')">(file, part_name(p), name, weight.tensor->name));
  }
}

void WeightSource::Data::add_mapped(Part p, const NameMapping& mapping, const TensorInfo& tensor,
                                    const std::string& file) {
  const int count = static_cast<int>(mapping.names.size());
  for (int i = 0; i < count; ++i) {
    add(p, mapping.names[static_cast<std::size_t>(i)], {&tensor, mapping.transform, i, count},
        file);
  }
  if (mapping.transform == NameTransform::dropped) {
    ignored.push_back(tensor.name);
  }
}

// A PixArt transformer, in its authors' naming or in that of diffusers.
void WeightSource::Data::add_pixart(const TensorInfo& tensor, bool original,
                                    const std::string& file) {
  if (!original) {
    return add(kDenoiser, tensor.name, {.tensor = &tensor}, file);
  }
  if (const auto mapping = pixart_to_diffusers(tensor.name)) {
    return add_mapped(kDenoiser, *mapping, tensor, file);
  }
  unknown.push_back(tensor.name);
}

}  // namespace mantissa
