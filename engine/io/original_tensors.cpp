#include "engine/io/original_tensors.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include "engine/core/error.h"
#include "engine/io/coded_tensors.h"

namespace mantissa {
namespace {

/// Transposes a matrix.
std::function<void(std::span<std::byte>)> turned_fill(const ModelTensor& tensor) {
  return [tensor](std::span<std::byte> out) {
    std::vector<std::byte> straight(out.size());
    tensor.fill(straight);
    const std::size_t size = dtype_size(tensor.dtype);
    const auto rows = static_cast<std::size_t>(tensor.shape[1]);
    const auto cols = static_cast<std::size_t>(tensor.shape[0]);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < cols; ++c) {
        std::memcpy(out.data() + (r * cols + c) * size, straight.data() + (c * rows + r) * size,
                    size);
      }
    }
  };
}

/// Puts the second half of the rows first.
std::function<void(std::span<std::byte>)> swapped_fill(const ModelTensor& tensor) {
  return [tensor](std::span<std::byte> out) {
    tensor.fill(out);
    std::rotate(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(out.size() / 2), out.end());
  };
}

/// q, k and v stacked by rows; one with several shares stands in each of them.
TensorToWrite stacked_rows(const std::string& name, const std::vector<const ModelTensor*>& shares) {
  for (const ModelTensor* share : shares) {
    if (share == nullptr || shares[0] == nullptr || share->dtype != shares[0]->dtype ||
        share->codes != shares[0]->codes) {
      throw Error(message<"{tensor}: q, k and v must be there all three, in one type, to be "
                          "written as one tensor">(name));
    }
  }
  Shape shape = shares[0]->shape;
  shape[0] *= static_cast<std::int64_t>(
      shares.size() / static_cast<std::size_t>(std::ranges::count(shares, shares[0])));
  return {name, shares[0]->dtype, shape, nullptr, [shares](std::span<std::byte> out) {
            const std::size_t bytes = out.size() / shares.size();
            for (auto first = shares.begin(); first != shares.end();) {
              const auto end = std::find_if(first, shares.end(),
                                            [&](const auto* other) { return other != *first; });
              (*first)->fill(out.subspan(static_cast<std::size_t>(first - shares.begin()) * bytes,
                                         static_cast<std::size_t>(end - first) * bytes));
              first = end;
            }
          }};
}

}  // namespace

OriginalTensors::OriginalTensors(const ModelContents& model)
    : name_of_(model.family->original_names(model)), told_(model.codes_written) {}

void OriginalTensors::add(Part part, const ModelTensor& tensor) {
  const auto to = name_of_(part, tensor.name);
  if (!to) {
    throw Error(message<"the {part} weight '{weight}' has no name in a single file; write a "
                        "diffusers folder instead">(part.name(), tensor.name));
  }
  if (to->transform == NameTransform::split_rows) {
    auto& shares = fused_[to->name];
    shares.resize(static_cast<std::size_t>(to->slices), nullptr);
    std::fill_n(shares.begin() + to->slice, to->span, &tensor);
    return;
  }
  Shape shape = tensor.shape;
  if (to->transform == NameTransform::squeeze && shape.rank() == 2) {
    shape = {shape[0], shape[1], 1, 1};
  }
  if (to->transform == NameTransform::six_rows) {
    shape = Shape{shape.count()};
  }
  const bool turned = to->transform == NameTransform::transpose;
  if (turned) {
    shape = {shape[1], shape[0]};
  }
  const bool swapped = to->transform == NameTransform::swap_halves;
  put({to->name, tensor.dtype, shape, nullptr,
       turned    ? turned_fill(tensor)
       : swapped ? swapped_fill(tensor)
                 : tensor.fill},
      turned ? std::nullopt : tensor.codes);  // codes are of rows
}

std::vector<TensorToWrite> OriginalTensors::take() {
  for (const auto& [name, shares] : fused_) {
    put(stacked_rows(name, shares), shares[0]->codes);
  }
  return std::move(list_);
}

void OriginalTensors::put(TensorToWrite tensor, std::optional<DType> codes) {
  if (!codes) {
    list_.push_back(std::move(tensor));
    return;
  }
  std::ranges::move(coded_tensors(tensor, *codes, told_), std::back_inserter(list_));
}

}  // namespace mantissa
