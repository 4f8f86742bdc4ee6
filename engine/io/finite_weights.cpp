#include "engine/io/finite_weights.h"

#include <algorithm>
#include <cstring>

#include "engine/core/error.h"
#include "engine/io/block_views.h"

namespace mantissa {

namespace {

/// Words whose bits under `mask` are all set: the exponent of a NaN or an infinity. Branchless sums
/// of a few thousand words each, which compilers vectorise.
template <typename Word>
std::int64_t count_masked(const std::byte* data, std::int64_t count, Word mask) {
  constexpr std::int64_t kRun = 8192;
  std::int64_t total = 0;
  for (std::int64_t begin = 0; begin < count; begin += kRun) {
    const std::int64_t end = std::min(begin + kRun, count);
    std::uint32_t found = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      Word word;
      std::memcpy(&word, data + static_cast<std::size_t>(i) * sizeof word, sizeof word);
      found += static_cast<Word>(word & mask) == mask ? 1U : 0U;
    }
    total += found;
  }
  return total;
}

/// Empty for a tensor without values, or of a type that isn't known.
std::optional<WeightView> view_of(const TensorInfo& tensor) {
  if (!tensor.type || tensor.count() == 0) {
    return std::nullopt;
  }
  WeightView view;
  view.dtype = *tensor.type;
  view.shape = Shape{tensor.count()};
  view.data = tensor.data;
  view.block_scales = tensor.block_scales;
  return view;
}

}  // namespace

std::int64_t non_finite_values(const WeightView& view) {
  if (is_blocked(view.dtype)) {
    return non_finite_in_blocks(view);
  }
  const std::int64_t count = view.stored();
  switch (view.dtype) {
    case DType::f64:
      return count_masked<std::uint64_t>(view.data, count, 0x7ff0000000000000U);
    case DType::f32:
      return count_masked<std::uint32_t>(view.data, count, 0x7f800000U);
    case DType::f16:
      return count_masked<std::uint16_t>(view.data, count, 0x7c00U);
    case DType::bf16:
      return count_masked<std::uint16_t>(view.data, count, 0x7f80U);
    case DType::f8_e4m3:  // has no infinity, and one NaN of either sign
      return count_masked<std::uint8_t>(view.data, count, 0x7fU);
    case DType::f8_e5m2:
      return count_masked<std::uint8_t>(view.data, count, 0x7cU);
    default:
      return 0;  // whole numbers
  }
}

void require_finite(const WeightView& view, const std::string& file, const std::string& tensor) {
  if (const std::int64_t bad = non_finite_values(view); bad > 0) {
    throw Error(message<"{file}: {count} of {all} values of {tensor} are NaN/Inf, so the file is "
                        "damaged or was saved by a run that had diverged. Get it again, or use an "
                        "earlier save of it">(file, bad, view.stored(), tensor));
  }
}

bool is_finite(const TensorInfo& tensor) {
  const std::optional<WeightView> view = view_of(tensor);
  return !view || non_finite_values(*view) == 0;
}

void require_finite(const TensorInfo& tensor, const std::string& file) {
  if (const std::optional<WeightView> view = view_of(tensor)) {
    require_finite(*view, file, tensor.name);
  }
}

}  // namespace mantissa
