#include "engine/io/block_views.h"

#include <algorithm>
#include <cmath>

#include "engine/io/block_scales.h"
#include "kernels/block_codes.h"

namespace mantissa {
namespace {

/// Where the scales begin in memory.
std::size_t scales_at(DType dtype, std::int64_t count) {
  return is_nf4(dtype) ? nf4_layout(dtype, count).scales : block_layout(dtype, count).factor;
}

bool is_whole(const WeightView& view) {
  return view.block_scales == nullptr || view.stored() == view.block_scales->count;
}

std::uint8_t* bytes_of(const std::byte* data) {
  return reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(data));  // only read
}

/// Codes of the whole tensor in the file.
Nf4Codes nf4_of(const WeightView& view) {
  const BlockScales& scales = *view.block_scales;
  const Nf4Layout layout = nf4_layout(scales.dtype, scales.count);
  std::uint8_t* bytes = bytes_of(scales.bytes.data());
  return {bytes_of(view.data) - view.first / 2, reinterpret_cast<float*>(bytes),
          scales.dtype == DType::nf4 ? bytes + (layout.block_codes - layout.scales) : nullptr};
}

/// Blocks of the view alone.
BlockTensor blocks_of(const WeightView& view) {
  if (view.block_scales == nullptr) {
    return {bytes_of(view.data), nullptr, nullptr};
  }
  std::uint8_t* factor = bytes_of(view.block_scales->bytes.data());
  return {bytes_of(view.data), factor + sizeof(float) + view.first / block_values(view.dtype),
          reinterpret_cast<float*>(factor)};
}

void write_nf4_share(const WeightView& view, std::byte* out) {
  const Nf4Codes from = nf4_of(view);
  const std::int64_t count = view.stored();
  auto* scales = reinterpret_cast<float*>(out + nf4_layout(DType::nf4_fp32, count).scales);
  for (std::int64_t b = 0; b < nf4_blocks(count); ++b) {
    scales[b] = from.scale(view.first / kNf4Block + b);
  }
}

}  // namespace

DType kept_dtype(const WeightView& view) {
  return is_nf4(view.dtype) && !is_whole(view) ? DType::nf4_fp32 : view.dtype;
}

void write_kept(const WeightView& view, std::byte* out) {
  const std::int64_t count = view.stored();
  const DType dtype = kept_dtype(view);
  std::fill_n(out, stored_bytes(dtype, count), std::byte{0});
  std::copy_n(view.data, view.bytes(), out);
  if (is_whole(view)) {
    if (view.block_scales != nullptr) {
      std::ranges::copy(view.block_scales->bytes, out + scales_at(dtype, count));
    }
  } else if (is_nf4(dtype)) {
    write_nf4_share(view, out);
  } else {
    const BlockTensor from = blocks_of(view), to = block_tensor(out, dtype, count);
    *to.factor = *from.factor;
    std::copy_n(from.scales, block_layout(dtype, count).blocks, to.scales);
  }
}

void encode_blocks(DType dtype, std::span<const float> values, std::byte* out) {
  const auto count = std::ssize(values);
  std::fill_n(out, stored_bytes(dtype, count), std::byte{0});
  const BlockTensor to = block_tensor(out, dtype, count);
  const auto encode = [&](const auto& codec) {
    for (std::int64_t b = 0; b < count / codec.kValues; ++b) {
      encode_block(codec, values.data() + b * codec.kValues, to, b);
    }
  };
  *to.factor =
      dtype == DType::nvfp4 ? nvfp4_factor(largest_magnitude(values.data(), count).value) : 1.0F;
  if (dtype == DType::nvfp4) {
    encode(BlockCodec<DType::nvfp4>());
  } else {
    encode(BlockCodec<DType::mxfp8>());
  }
}

std::vector<float> decoded(const WeightView& view) {
  std::vector<float> values(static_cast<std::size_t>(view.stored()));
  if (is_nf4(view.dtype)) {
    const Nf4Codes from = nf4_of(view);
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
  const BlockTensor from = blocks_of(view);
  dispatch_blocks(view.dtype, [&]<typename Codec>() {
    for (std::int64_t i = 0; i < view.stored(); ++i) {
      const BlockAt block = from.at<Codec>(i / Codec::kValues);
      const auto place = static_cast<int>(i % Codec::kValues);
      values[static_cast<std::size_t>(i)] =
          block_value(Codec::step(block, place / Codec::kRun), Codec::code(block, place));
    }
  });
  return values;
}

std::int64_t non_finite_in_blocks(const WeightView& view) {
  const std::int64_t count = view.stored();
  std::int64_t bad = 0;
  if (is_nf4(view.dtype)) {
    const Nf4Codes from = nf4_of(view);
    for (std::int64_t i = 0; i < count;) {
      const std::int64_t at = view.first + i;
      const std::int64_t run = std::min(kNf4Block - at % kNf4Block, count - i);
      bad += std::isfinite(from.scale(at / kNf4Block)) ? 0 : run;
      i += run;
    }
    return bad;
  }
  const BlockTensor from = blocks_of(view);
  dispatch_blocks(view.dtype, [&]<typename Codec>() {
    for (std::int64_t i = 0; i < count; i += Codec::kRun) {
      const BlockAt block = from.at<Codec>(i / Codec::kValues);
      const auto place = static_cast<int>(i % Codec::kValues);
      const BlockStep step = Codec::step(block, place / Codec::kRun);
      const auto run = static_cast<int>(std::min<std::int64_t>(Codec::kRun, count - i));
      if (!std::isfinite(step.scale) || !std::isfinite(step.below)) {
        bad += run;
      } else if (Codec::kBytes == Codec::kValues) {  // codes of a byte: E4M3 has a NaN
        for (int j = 0; j < run; ++j) {
          bad += std::isfinite(Codec::code(block, place + j)) ? 0 : 1;
        }
      }
    }
  });
  return bad;
}

}  // namespace mantissa
