#include "engine/io/coded_tensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/core/error.h"
#include "kernels/rotation.h"
#include "kernels/statistics.h"
#include "kernels/weight_codes.h"

namespace mantissa {
namespace {

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
    double signal = 0, noise = 0;
    dispatch_codes(codes_, [&]<typename F>() {
      const auto cols = static_cast<std::size_t>(weight_.shape.cols());
      for (std::size_t i = 0; i < x.size(); ++i) {
        const float scale = scales[is_int8(codes_) ? i / cols : 0];
        const std::uint8_t code = CodeFormat<F>::encode(x[i] * (1.0F / scale));
        out[i] = static_cast<std::byte>(code);
        F stored;
        std::memcpy(&stored, &code, sizeof code);
        const double rest = double{x[i]} - static_cast<float>(stored) * scale;
        signal += double{x[i]} * x[i];
        noise += rest * rest;
      }
    });
    if (told_) {
      told_(weight_.name,
            noise > 0 ? 10 * std::log10(signal / noise) : std::numeric_limits<double>::infinity());
    }
  }

 private:
  /// What the codes stand for: with rotated codes, the rotated rows.
  std::vector<float> values() const {
    const auto count = static_cast<std::size_t>(weight_.shape.count());
    std::vector<std::byte> bytes(count * dtype_size(weight_.dtype));
    weight_.fill(bytes);
    std::vector<float> values(count);
    dispatch_float(weight_.dtype, [&]<typename T>() {
      for (std::size_t i = 0; i < count; ++i) {
        T value;
        std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
        values[i] = static_cast<float>(value);
      }
    });
    if (!std::ranges::all_of(values, [](float x) { return std::isfinite(x); })) {
      throw Error(message<"{tensor} holds NaN or infinity, which codes can't; repair the model, or "
                          "leave it as it is">(weight_.name));
    }
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

nlohmann::json description_of(const TensorToWrite& weight, DType codes) {
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
  const auto coder = std::make_shared<const Coder>(weight, codes, told);
  const auto text = description_of(weight, codes).dump();
  return {
      {weight.name, is_int8(codes) ? DType::i8 : codes, weight.shape, nullptr,
       [coder](std::span<std::byte> out) { coder->fill_codes(out); }},
      {module + ".weight_scale", DType::f32, is_int8(codes) ? Shape{weight.shape[0], 1} : Shape{},
       nullptr, [coder](std::span<std::byte> out) { coder->fill_scales(out); }},
      {module + ".comfy_quant", DType::u8, Shape{std::ssize(text)}, nullptr,
       [text](std::span<std::byte> out) { std::memcpy(out.data(), text.data(), out.size()); }}};
}

}  // namespace mantissa
