#pragma once
// defines: TextEncoder

#include <string>

#include "engine/models/diffusion_model.h"
#include "engine/train/program.h"

namespace mantissa {

/// Runs a model's text encoders on one caption at a time, with its adapters where it has any.
class TextEncoder {
 public:
  TextEncoder(Kernels& kernels, DiffusionModel& model);
  TextEncoding encode(const std::string& caption);

 private:
  DiffusionModel& model_;
  Arena arena_;
  Program program_;
};

}  // namespace mantissa
