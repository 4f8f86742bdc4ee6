#pragma once
// Models that aren't supported, whose adapters have the module names of a family that is.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/message.h"
#include "engine/io/safetensors.h"

namespace mantissa {

struct OtherModel {
  std::string_view title;  ///< "Chroma"
  Message evidence;        ///< what tells: "its ss_base_model_version is 'chroma'"
};

/// The model that an adapter with these tensors and metadata was made for, if it is surely one of
/// these: by a module that only it has, or by what its trainer wrote.
std::optional<OtherModel> other_model(std::span<const TensorInfo> tensors,
                                      const std::map<std::string, std::string>& metadata);

}  // namespace mantissa
