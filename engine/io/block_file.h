#pragma once

#include <deque>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/io/block_scales.h"
#include "engine/io/safetensors.h"

namespace mantissa {

/// A safetensors file with weights in blocks, each spread over several tensors: codes, scales and
/// what describes them. Here each such weight is one tensor of its own shape
/// (TensorInfo::block_scales); all other tensors stay as they are. Copies share the mapping.
class BlockFile {
 public:
  /// Weights in blocks, as a format's reader finds them.
  struct Weights {
    std::vector<TensorInfo> tensors;  ///< point to `scales`
    std::deque<BlockScales> scales;
    std::set<std::string> parts;  ///< names of the tensors that they replace
  };
  BlockFile(SafetensorsFile file, Weights weights);

  /// In the order of their names.
  std::span<const TensorInfo> tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return file_.metadata(); }
  const std::string& label() const { return file_.label(); }
  std::filesystem::path path() const { return file_.path(); }

 private:
  SafetensorsFile file_;
  std::vector<TensorInfo> tensors_;
  std::shared_ptr<const std::deque<BlockScales>> scales_;  ///< tensors point to them
};

}  // namespace mantissa
