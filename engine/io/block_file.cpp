#include "engine/io/block_file.h"

#include <algorithm>
#include <utility>

namespace mantissa {

BlockFile::BlockFile(SafetensorsFile file, Weights weights)
    : file_(std::move(file)),
      tensors_(std::move(weights.tensors)),
      scales_(std::make_shared<const std::deque<BlockScales>>(std::move(weights.scales))) {
  for (const TensorInfo& tensor : file_.tensors()) {
    if (!weights.parts.contains(tensor.name)) {
      tensors_.push_back(tensor);
    }
  }
  std::ranges::sort(tensors_, {}, &TensorInfo::name);
}

}  // namespace mantissa
