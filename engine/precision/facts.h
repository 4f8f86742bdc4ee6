#pragma once
// What a precision plan depends on beside the preset.

#include <string>

#include "engine/core/message.h"
#include "engine/preset/preset.h"
#include "kernels/dtype.h"

namespace mantissa {

/// Facts about a base model for the plan, read before any weight is loaded.
struct ModelFacts {
  ModelFamily family = ModelFamily::automatic;
  Prediction prediction = Prediction::epsilon;
  bool zero_terminal_snr = false;
  /// Storage dtype of most weights of a part in the file; `gguf` where it has any of GGUF's
  /// blocks.
  DType denoiser_file = DType::f32, text_encoders_file = DType::f32, vae_file = DType::f32;
  /// Whether most of the denoiser's values are int8 codes rotated in groups that can't be kept, so
  /// that they are decoded to fp32.
  bool denoiser_decoded = false;
  bool has_t5 = false;
  bool vae_fits_fp16 = false;  ///< its activations stay within FP16's range
  /// Trained in bf16 only, with values beyond fp16's range.
  bool bf16_native = false;
  /// "Z-Image Turbo" and what tells, if the model is a distilled one; else empty.
  std::string distilled{};
  Message distilled_evidence{};
  /// The job has training adapters, whose purpose is to keep such a model's distillation.
  bool helped = false;
};

/// Facts about the device for the plan.
struct DeviceFacts {
  std::string name = "cpu";
  /// 89 for sm_89; 0 for the CPU, which emulates every format exactly.
  int compute_capability = 0;
};

}  // namespace mantissa
