#pragma once

#include <string_view>

#include "engine/core/message.h"

namespace mantissa {

/// Which of a family's variants a base model is. All have the same network, so that only names and
/// configs tell them apart.
struct ModelVariant {
  std::string_view name;   ///< "Turbo"; empty: nothing in the files tells
  bool distilled = false;  ///< made for a few steps without guidance, by training on another model
  Message evidence;        ///< what tells: "it is called 'z_image_turbo.safetensors'"
};

/// How the pipeline of a variant samples it, where that is peculiar to the variant.
struct VariantSampling {
  std::string_view variant;  ///< its name
  int steps = 0;
  double guidance = 1;  ///< 1: none
};

}  // namespace mantissa
