#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/io/family.h"
#include "engine/io/model_contents.h"

namespace mantissa {

/// A single file's tensors: each under its original name, in its shape there.
class OriginalTensors {
 public:
  explicit OriginalTensors(const ModelContents& model);

  /// Adds a weight, which must outlive this. Throws Error for one without a name in a single file.
  void add(Part part, const ModelTensor& tensor);
  /// All of them, once. Throws Error if some of those that are one tensor there are missing.
  std::vector<TensorToWrite> take();

 private:
  void put(TensorToWrite tensor, std::optional<DType> codes);

  OriginalName name_of_;
  CodesWritten told_;
  std::vector<TensorToWrite> list_;
  std::map<std::string, std::vector<const ModelTensor*>> fused_;
};

}  // namespace mantissa
