#include "engine/io/stored_nf4.h"

#include <algorithm>
#include <cstring>

#include "kernels/block_codes.h"

namespace mantissa {
namespace {

/// Of the whole tensor in the file; it is only read.
Nf4Codes codes_of(const WeightView& view) {
  const Nf4Scales& scales = *view.nf4;
  const Nf4Layout layout = nf4_layout(scales.dtype, scales.count);
  auto* bytes = reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(scales.bytes.data()));
  auto* codes = reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(view.data));
  return {codes - view.first / 2, reinterpret_cast<float*>(bytes),
          scales.dtype == DType::nf4 ? bytes + (layout.block_codes - layout.scales) : nullptr};
}

}  // namespace

DType kept_dtype(const WeightView& view) {
  return view.stored() == view.nf4->count ? view.nf4->dtype : DType::nf4_fp32;
}

void write_kept(const WeightView& view, std::byte* out) {
  const std::int64_t count = view.stored();
  const DType dtype = kept_dtype(view);
  const Nf4Layout layout = nf4_layout(dtype, count);
  std::fill_n(out, layout.bytes, std::byte{0});
  std::copy_n(view.data, view.bytes(), out);
  if (count == view.nf4->count) {
    std::ranges::copy(view.nf4->bytes, out + layout.scales);
    return;
  }
  const Nf4Codes from = codes_of(view);
  auto* scales = reinterpret_cast<float*>(out + layout.scales);
  for (std::int64_t b = 0; b < nf4_blocks(count); ++b) {
    scales[b] = from.scale(view.first / kNf4Block + b);
  }
}

std::vector<float> decoded(const WeightView& view) {
  const Nf4Codes from = codes_of(view);
  std::vector<float> values(static_cast<std::size_t>(view.stored()));
  float scale = 0;
  for (std::int64_t i = 0; i < view.stored(); ++i) {
    const std::int64_t at = view.first + i;
    if (i == 0 || at % kNf4Block == 0) {
      scale = from.scale(at / kNf4Block);
    }
    values[static_cast<std::size_t>(i)] = nf4_value(from.code(at)) * scale;
  }
  return values;
}

}  // namespace mantissa
