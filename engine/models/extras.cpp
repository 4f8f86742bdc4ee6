#include "engine/models/extras.h"

#include <algorithm>
#include <array>

namespace mantissa {

namespace {

constexpr std::array<std::string_view, 15> kExtras{"betas",
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

/// "edm_vpred.sigma_max" has a dot of its own.
bool is_marker(std::string_view name) {
  return name.starts_with("edm_vpred.") ||
         (name.find('.') == std::string_view::npos &&
          (name.starts_with("v_pred") || name.starts_with("ztsnr") || name.starts_with("edm_")));
}

}  // namespace

std::optional<NameMapping> extra_tensor(std::string_view name) {
  if (is_marker(name)) {
    return NameMapping{NameTransform::marker, {}, {}};
  }
  const bool extra = name.starts_with("model_ema.") || name.starts_with("denoiser.") ||
                     name.starts_with("first_stage_model.loss.") ||
                     name.ends_with("position_ids") || name.ends_with("logit_scale") ||
                     std::find(kExtras.begin(), kExtras.end(), name) != kExtras.end();
  return extra ? std::optional(NameMapping{NameTransform::dropped, {}, {}}) : std::nullopt;
}

}  // namespace mantissa
