#include "engine/io/weight_convert.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "engine/core/error.h"
#include "engine/io/block_views.h"
#include "kernels/rotation.h"

namespace mantissa {

namespace {

template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

template <typename To, typename From>
To converted(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<To, double> || std::is_same_v<To, float>) {
    if constexpr (std::is_same_v<From, double> || std::is_same_v<From, float>) {
      return static_cast<To>(value);
    } else {
      return static_cast<To>(static_cast<float>(value));
    }
  } else {
    return To(static_cast<float>(value));
  }
}

template <typename From, typename To>
void copy(const WeightView& view, To* out, const Message& label) {
  const std::int64_t count = view.shape.count();
  if (std::is_same_v<From, To> && view.straight() && view.scales.empty()) {
    if (count != 0) {
      std::memcpy(out, view.data, static_cast<std::size_t>(count) * sizeof(To));
    }
    return;
  }
  const std::int64_t rows = view.transposed ? view.shape[0] : 1;
  const std::int64_t cols = view.transposed ? view.shape[1] : count;
  const std::int64_t half = view.swapped ? count / 2 : 0;
  const std::int64_t per_scale =
      view.scales.empty() ? 0 : std::max<std::int64_t>(view.stored() / std::ssize(view.scales), 1);
  const std::int64_t frame = view.frames > 1 ? view.shape[-2] * view.shape[-1] : 1;
  const auto stored_at = [&](std::int64_t r, std::int64_t c) {
    if (view.frames > 1) {
      return (c / frame * view.frames + view.frames - 1) * frame + c % frame;
    }
    return view.transposed ? c * rows + r : c < half ? c + half : c - half;
  };
  bool overflow = false;
  const auto place = [&]<typename Value>(Value value, std::int64_t to) {
    const To result = converted<To>(value);
    if constexpr (std::is_same_v<To, float16> && !std::is_same_v<Value, float16>) {
      overflow |= std::isinf(static_cast<float>(result)) && std::isfinite(converted<float>(value));
    }
    out[to] = result;
  };
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < cols; ++c) {
      const std::int64_t from = stored_at(r, c);
      const From value = load<From>(view.data + static_cast<std::size_t>(from) * sizeof(From));
      if (per_scale == 0) {
        place(value, r * cols + c);
      } else {
        place(converted<float>(value) * view.scales[static_cast<std::size_t>(from / per_scale)],
              r * cols + c);
      }
    }
  }
  if (overflow) {
    throw Error(message<"{weight} holds values above 65504, which fp16 can't represent; choose "
                        "bf16 or fp32 for this part (precision.weights)">(label));
  }
}

/// The values that rotated codes stand for, in the order of the bytes.
std::vector<float> unrotated(const WeightView& view, const Message& label) {
  WeightView codes = view;
  codes.shape = {view.stored()};
  codes.transposed = codes.swapped = false;
  codes.rotation = 0;
  codes.dtype = DType::i8;
  std::vector<float> values(static_cast<std::size_t>(view.stored()));
  convert_weight(codes, DType::f32, values.data(), label);
  rotate_groups(values.data(), view.stored(), view.rotation);
  return values;
}

/// A packed weight from its values, in the order of its bytes.
void convert_values(const WeightView& view, const std::vector<float>& values, DType dtype,
                    void* out, const Message& label) {
  WeightView plain = view;
  plain.dtype = DType::f32;
  plain.block_scales = nullptr;
  plain.scales = {};
  plain.rotation = 0;
  plain.data = reinterpret_cast<const std::byte*>(values.data());
  convert_weight(plain, dtype, out, label);
}

}  // namespace

void convert_weight(const WeightView& view, DType dtype, void* out, const Message& label) {
  if (view.rotation > 0) {
    convert_values(view, unrotated(view, label), dtype, out, label);
    return;
  }
  if (is_blocked(view.dtype)) {
    convert_values(view, decoded(view), dtype, out, label);
    return;
  }
  dispatch_float(dtype, [&]<typename To>() {
    auto* to = static_cast<To*>(out);
    switch (view.dtype) {
      case DType::f64:
        return copy<double>(view, to, label);
      case DType::f32:
        return copy<float>(view, to, label);
      case DType::f16:
        return copy<float16>(view, to, label);
      case DType::bf16:
        return copy<bfloat16>(view, to, label);
      case DType::f8_e4m3:
        return copy<float8_e4m3>(view, to, label);
      case DType::f8_e5m2:
        return copy<float8_e5m2>(view, to, label);
      case DType::i8:
        if (!view.scales.empty()) {
          return copy<int8_code>(view, to, label);
        }
        [[fallthrough]];
      default:
        throw Error(message<"{weight} is stored as {type}; a floating-point type is expected">(
            label, dtype_name(view.dtype)));
    }
  });
}

}  // namespace mantissa
