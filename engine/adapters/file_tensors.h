#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/adapters/dialect.h"
#include "engine/adapters/export_options.h"

namespace mantissa {

/// One tensor of an adapter file with its own bytes.
struct FileTensor {
  std::string name;
  DType dtype;
  Shape shape;
  std::vector<std::byte> bytes;
};

/// Every tensor of a file in this form, in options.dtype, with options.changes; alpha and
/// magnitudes in fp32. Adds to `losses`. Throws Error for changes of weights that the form has no
/// names for. Throws Error naming the first tensor with a value that the dtype can't hold.
std::vector<FileTensor> file_tensors(std::span<const AdapterModule> modules,
                                     const AdapterExport& options, const FileForm& form,
                                     ValueLosses& losses);

/// The refusal of a weight's change in a file that has no name for it: says which files have one.
/// `in_peft`: PEFT's folders may be one of them.
Message unnamed_change(const std::string& weight, const AdapterExport& options, bool in_peft);

/// A tensor of another file, which must stay open, as it is.
TensorToWrite unchanged(const TensorInfo& tensor);

}  // namespace mantissa
