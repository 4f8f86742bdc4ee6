#pragma once

#include <string>

#include "engine/models/diffusion_model.h"
#include "engine/programs/program.h"

namespace mantissa {

/// Bytes of activations that encoding one caption takes.
std::size_t text_arena_bytes(DiffusionModel& model);

/// Runs a model's text encoders on one caption at a time, with its adapters where it has any.
class TextEncoder {
 public:
  /// `arena`: where activations live, shared with programs that take turns; null: one of its own.
  TextEncoder(Kernels& kernels, DiffusionModel& model, Arena* arena = nullptr);
  TextEncoding encode(const std::string& caption);

 private:
  DiffusionModel& model_;
  Arena own_;
  Program program_;
};

}  // namespace mantissa
