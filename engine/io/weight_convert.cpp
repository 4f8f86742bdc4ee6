#include "engine/io/weight_convert.h"

#include <cmath>
#include <cstring>

#include "engine/core/error.h"

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
  if (std::is_same_v<From, To> && !view.transposed) {
    if (count != 0) {
      std::memcpy(out, view.data, static_cast<std::size_t>(count) * sizeof(To));
    }
    return;
  }
  const std::int64_t rows = view.transposed ? view.shape[0] : 1;
  const std::int64_t cols = view.transposed ? view.shape[1] : count;
  bool overflow = false;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < cols; ++c) {
      const std::int64_t from = view.transposed ? c * rows + r : c;
      const From value = load<From>(view.data + static_cast<std::size_t>(from) * sizeof(From));
      const To result = converted<To>(value);
      if constexpr (std::is_same_v<To, float16> && !std::is_same_v<From, float16>) {
        overflow |=
            std::isinf(static_cast<float>(result)) && std::isfinite(converted<float>(value));
      }
      out[r * cols + c] = result;
    }
  }
  if (overflow) {
    throw Error(message<"{weight} holds values above 65504, which fp16 can't represent; choose "
                        "bf16 or fp32 for this part (precision.weights)">(label));
  }
}

}  // namespace

void convert_weight(const WeightView& view, DType dtype, void* out, const Message& label) {
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
      default:
        throw Error(message<"{weight} is stored as {type}; a floating-point type is expected">(
            label, dtype_name(view.dtype)));
    }
  });
}

}  // namespace mantissa
