#include "engine/io/coded_tensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/core/error.h"
#include "engine/io/block_scaled.h"
#include "engine/io/block_scales.h"
#include "engine/io/block_views.h"
#include "kernels/block_codes.h"
#include "kernels/rotation.h"
#include "kernels/statistics.h"
#include "kernels/weight_codes.h"

namespace mantissa {
namespace {

/// Signal and rounding noise, summed.
class Noise {
 public:
  void add(float exact, float stored) {
    const double rest = double{exact} - double{stored};
    signal_ += double{exact} * exact;
    noise_ += rest * rest;
  }
  double decibels() const {
    return noise_ > 0 ? 10 * std::log10(signal_ / noise_) : std::numeric_limits<double>::infinity();
  }

 private:
  double signal_ = 0, noise_ = 0;
};

/// The fp32 values of a weight that is to be written. Throws Error if one isn't finite.
std::vector<float> finite_values(const TensorToWrite& weight) {
  const auto count = static_cast<std::size_t>(weight.shape.count());
  std::vector<std::byte> bytes(count * dtype_size(weight.dtype));
  weight.fill(bytes);
  std::vector<float> values(count);
  dispatch_float(weight.dtype, [&]<typename T>() {
    for (std::size_t i = 0; i < count; ++i) {
      T value;
      std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
      values[i] = static_cast<float>(value);
    }
  });
  if (!std::ranges::all_of(values, [](float x) { return std::isfinite(x); })) {
    throw Error(message<"{tensor} holds NaN or infinity, which codes can't; repair the model, or "
                        "leave it as it is">(weight.name));
  }
  return values;
}

class Coder {
 public:
  Coder(TensorToWrite weight, DType codes, CodesWritten told)
      : weight_(std::move(weight)), codes_(codes), told_(std::move(told)) {}

  /// fp32, one a row with int8, else one.
  void fill_scales(std::span<std::byte> out) const {
    const std::vector<float> scales = scales_of(values());
    std::memcpy(out.data(), scales.data(), out.size());
  }

  void fill_codes(std::span<std::byte> out) const {
    const std::vector<float> x = values();
    const std::vector<float> scales = scales_of(x);
    Noise noise;
    dispatch_codes(codes_, [&]<typename F>() {
      const auto cols = static_cast<std::size_t>(weight_.shape.cols());
      for (std::size_t i = 0; i < x.size(); ++i) {
        const float scale = scales[is_int8(codes_) ? i / cols : 0];
        const std::uint8_t code = CodeFormat<F>::encode(x[i] * (1.0F / scale));
        out[i] = static_cast<std::byte>(code);
        F stored;
        std::memcpy(&stored, &code, sizeof code);
        noise.add(x[i], static_cast<float>(stored) * scale);
      }
    });
    if (told_) {
      told_(weight_.name, noise.decibels());
    }
  }

 private:
  /// What the codes stand for: with rotated codes, the rotated rows.
  std::vector<float> values() const {
    std::vector<float> values = finite_values(weight_);
    if (codes_ == DType::i8_rotated) {
      rotate_groups(values.data(), weight_.shape.count(), rotation_group(weight_.shape.cols()));
    }
    return values;
  }

  std::vector<float> scales_of(const std::vector<float>& values) const {
    const auto cols = static_cast<std::size_t>(weight_.shape.cols());
    const std::size_t share = is_int8(codes_) ? cols : values.size();
    std::vector<float> scales;
    for (std::size_t begin = 0; begin < values.size(); begin += share) {
      float largest = 0;
      for (std::size_t i = begin; i < begin + share; ++i) {
        largest = std::max(largest, std::fabs(values[i]));
      }
      scales.push_back(code_scale(largest, static_cast<float>(float_format(codes_).max)));
    }
    return scales;
  }

  TensorToWrite weight_;
  DType codes_;
  CodesWritten told_;
};

/// MXFP8 or NVFP4.
class BlockCoder {
 public:
  BlockCoder(TensorToWrite weight, DType codes, CodesWritten told)
      : weight_(std::move(weight)), codes_(codes), told_(std::move(told)) {}

  void fill_codes(std::span<std::byte> out) const {
    const std::vector<float> x = finite_values(weight_);
    const Encoded encoded = encode(x);
    std::copy_n(encoded.bytes.begin(), out.size(), out.begin());
    if (told_) {
      const std::vector<float> back = values_of(encoded);
      Noise noise;
      for (std::size_t i = 0; i < x.size(); ++i) {
        noise.add(x[i], back[i]);
      }
      told_(weight_.name, noise.decibels());
    }
  }
  void fill_scales(std::span<std::byte> out) const {
    const Encoded encoded = encode(finite_values(weight_));
    std::ranges::fill(out, std::byte{0});
    for (std::int64_t r = 0; r < rows(); ++r) {
      for (std::int64_t b = 0; b < blocks(); ++b) {
        out[tiled_place(r, b, blocks())] =
            encoded.bytes[encoded.layout.scales + static_cast<std::size_t>(r * blocks() + b)];
      }
    }
  }
  void fill_factor(std::span<std::byte> out) const {
    const Encoded encoded = encode(finite_values(weight_));
    std::memcpy(out.data(), encoded.bytes.data() + encoded.layout.factor, sizeof(float));
  }

  /// Blocks of a row.
  std::int64_t blocks() const { return weight_.shape.cols() / block_layout(codes_, 0).values; }
  std::int64_t rows() const { return weight_.shape.rows(); }

 private:
  struct Encoded {
    BlockLayout layout;
    std::vector<std::byte> bytes;
  };
  Encoded encode(const std::vector<float>& x) const {
    Encoded encoded{block_layout(codes_, weight_.shape.count()), {}};
    encoded.bytes.resize(encoded.layout.bytes);
    encode_blocks(codes_, x, encoded.bytes.data());
    return encoded;
  }
  std::vector<float> values_of(const Encoded& encoded) const {
    const BlockScales scales{
        codes_,
        weight_.shape.count(),
        {encoded.bytes.begin() + static_cast<std::ptrdiff_t>(encoded.layout.factor),
         encoded.bytes.end()}};
    WeightView view;
    view.dtype = codes_;
    view.shape = weight_.shape;
    view.data = encoded.bytes.data();
    view.block_scales = &scales;
    return decoded(view);
  }

  TensorToWrite weight_;
  DType codes_;
  CodesWritten told_;
};

std::vector<TensorToWrite> block_tensors(const TensorToWrite& weight, DType codes,
                                         const std::string& module, const CodesWritten& told) {
  const auto coder = std::make_shared<const BlockCoder>(weight, codes, told);
  const bool pairs = codes == DType::nvfp4;
  const std::int64_t cols = weight.shape.cols();
  const std::int64_t down = (coder->rows() + 127) / 128 * 128,
                     across = (coder->blocks() + 3) / 4 * 4;
  std::vector<TensorToWrite> list{
      {weight.name, pairs ? DType::u8 : DType::f8_e4m3,
       Shape{weight.shape[0], pairs ? cols / 2 : cols}, nullptr,
       [coder](std::span<std::byte> out) { coder->fill_codes(out); }},
      {module + ".weight_scale", pairs ? DType::f8_e4m3 : DType::u8, Shape{down, across}, nullptr,
       [coder](std::span<std::byte> out) { coder->fill_scales(out); }}};
  if (pairs) {
    list.push_back({module + ".weight_scale_2", DType::f32, Shape{}, nullptr,
                    [coder](std::span<std::byte> out) { coder->fill_factor(out); }});
  }
  return list;
}

nlohmann::json description_of(const TensorToWrite& weight, DType codes) {
  if (is_blocked(codes)) {
    return {{"format", dtype_name(codes)}};
  }
  if (!is_int8(codes)) {
    return {{"format", "float8_e4m3fn"}};
  }
  nlohmann::json text{{"format", "int8_tensorwise"}, {"per_row", true}};
  if (codes == DType::i8_rotated) {
    text["convrot"] = true;
    text["convrot_groupsize"] = rotation_group(weight.shape.cols());
  }
  return text;
}

}  // namespace

std::vector<TensorToWrite> coded_tensors(const TensorToWrite& weight, DType codes,
                                         const CodesWritten& told) {
  constexpr std::string_view kWeight = ".weight";
  const std::string module = weight.name.substr(0, weight.name.size() - kWeight.size());
  const auto text = description_of(weight, codes).dump();
  const TensorToWrite description{
      module + ".comfy_quant", DType::u8, Shape{std::ssize(text)}, nullptr,
      [text](std::span<std::byte> out) { std::memcpy(out.data(), text.data(), out.size()); }};
  if (is_blocked(codes)) {
    std::vector<TensorToWrite> list = block_tensors(weight, codes, module, told);
    list.push_back(description);
    return list;
  }
  const auto coder = std::make_shared<const Coder>(weight, codes, told);
  return {
      {weight.name, is_int8(codes) ? DType::i8 : codes, weight.shape, nullptr,
       [coder](std::span<std::byte> out) { coder->fill_codes(out); }},
      {module + ".weight_scale", DType::f32, is_int8(codes) ? Shape{weight.shape[0], 1} : Shape{},
       nullptr, [coder](std::span<std::byte> out) { coder->fill_scales(out); }},
      description};
}

}  // namespace mantissa
