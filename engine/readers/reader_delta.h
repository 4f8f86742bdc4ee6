#pragma once
// The change of a weight as another program would compute it from a file's tensors.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/adapters/adapter_names.h"
#include "engine/io/safetensors.h"
#include "engine/readers/reader.h"

namespace mantissa {

/// The tensors that a reader has taken for one module.
struct ReaderModule {
  std::map<AdapterRole, const TensorInfo*> tensors;
  std::map<BesideRole, const TensorInfo*> beside;

  const TensorInfo* find(AdapterRole role) const {
    const auto it = tensors.find(role);
    return it == tensors.end() ? nullptr : it->second;
  }
  bool has(AdapterRole role) const { return find(role) != nullptr; }
};

/// What keeps a reader from applying a module's tensors to a weight of this shape: the tensor that
/// is missing or doesn't fit. Empty if nothing does.
std::optional<std::string> misfit(const ReaderModule& module, const Shape& weight);

/// W' - W [out, in·kh·kw] of a module that fits, `weight` its values W. `config_scale`: alpha /
/// rank by PEFT's config, if there is one. Empty if the reader's magnitudes don't broadcast over
/// the weight: the program reports an error and leaves the weight as it is.
std::optional<std::vector<float>> reader_delta(const ReaderModule& module, const ReaderForm& form,
                                               std::optional<double> config_scale,
                                               const Shape& shape, std::span<const float> weight,
                                               const std::string& file);

}  // namespace mantissa
