#pragma once
// Families whose adapters have the module names of another family's (AdapterMarks::own_module).

#include <map>
#include <optional>
#include <span>
#include <string>

#include "engine/core/message.h"
#include "engine/io/safetensors.h"

namespace mantissa {

struct Family;

struct AdapterOrigin {
  const Family* family;
  Message evidence;  ///< what tells: "its ss_base_model_version is '…'"
};

/// The family that an adapter with these tensors and metadata was made for, if it is surely one of
/// these: by a module that only it has, or by what its trainer wrote.
std::optional<AdapterOrigin> adapter_origin(std::span<const TensorInfo> tensors,
                                            const std::map<std::string, std::string>& metadata);

}  // namespace mantissa
