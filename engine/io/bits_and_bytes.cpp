#include "engine/io/bits_and_bytes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/core/error.h"
#include "engine/io/json_file.h"
#include "kernels/nf4.h"

namespace mantissa {
namespace {

using nlohmann::json;

constexpr std::string_view kState = ".quant_state.bitsandbytes__";
constexpr std::string_view kEndings[] = {".absmax", ".quant_map", ".nested_absmax",
                                         ".nested_quant_map"};

/// The weight whose state this tensor is; empty if it is none.
std::string_view weight_with_state(std::string_view tensor) {
  const std::size_t at = tensor.rfind(kState);
  return at == std::string_view::npos ? std::string_view() : tensor.substr(0, at);
}

/// Reads one weight.
class Reader {
 public:
  Reader(const SafetensorsFile& file, const TensorInfo& state)
      : file_(file), state_(state), weight_(weight_with_state(state.name)) {}

  /// The weight as one tensor; its scales are added to `all`.
  TensorInfo read(std::deque<BlockScales>& all) const {
    const json config = parse_json_or_discard(text());
    check_format(config);
    TensorInfo tensor;
    tensor.name = weight_;
    tensor.dtype = "NF4";
    tensor.dims = dims(config);
    const std::int64_t count = tensor.count();
    const TensorInfo& codes =
        part("", "U8", (count + 1) / 2, message<"the codes of {count} values">(count));
    BlockScales& scales = all.emplace_back();
    scales.count = count;
    const TensorInfo* absmax = file_.find(weight_ + ".absmax");
    scales.dtype = absmax != nullptr && absmax->dtype == "U8" ? DType::nf4 : DType::nf4_fp32;
    const Nf4Layout layout = nf4_layout(scales.dtype, count);
    scales.bytes.resize(layout.bytes - layout.scales);
    check_map();
    if (scales.dtype == DType::nf4) {
      read_nested(config, scales, layout);
    } else {
      copy(".absmax", "F32", nf4_blocks(count), scales.bytes.data());
    }
    tensor.type = scales.dtype;
    tensor.block_scales = &scales;
    tensor.data = codes.data;
    tensor.bytes = codes.bytes + scales.bytes.size();
    return tensor;
  }

 private:
  [[noreturn]] void fail(const Message& problem) const {
    throw Error(
        message<"'{file}': the weight '{tensor}', quantised by bitsandbytes, {problem}; get "
                "the model again, or in BF16">(file_.label(), weight_, problem));
  }
  std::string_view text() const {
    return {reinterpret_cast<const char*>(state_.data), static_cast<std::size_t>(state_.bytes)};
  }

  void check_format(const json& config) const {
    if (!config.is_object()) {
      fail(message<"has a state that is no JSON object">());
    }
    const std::string named = state_.name.substr(weight_.size() + kState.size());
    const json type = config.value("quant_type", json(named));
    if (named != "nf4" || type != "nf4") {
      fail(message<"is stored as {format}; only nf4 can be read">(named != "nf4" ? named
                                                                                 : type.dump()));
    }
    const json size = config.value("blocksize", json());
    if (size != kNf4Block) {
      fail(message<"has blocks of {size} values; only those of {wanted} can be read">(size.dump(),
                                                                                      kNf4Block));
    }
  }

  std::vector<std::int64_t> dims(const json& config) const {
    std::vector<std::int64_t> list;
    std::int64_t count = 1;
    for (const json& side : config.value("shape", json::array())) {
      constexpr std::int64_t kMost = std::int64_t{1} << 40;
      if (!side.is_number_integer() || side.get<std::int64_t>() < 1 ||
          side.get<std::int64_t>() > kMost / count) {
        list.clear();
        break;
      }
      list.push_back(side.get<std::int64_t>());
      count *= list.back();
    }
    if (list.empty() || list.size() > Shape::kMaxRank) {
      fail(message<"has no shape">());
    }
    return list;
  }

  /// A tensor beside the weight, or with an empty ending its codes.
  const TensorInfo& part(std::string_view ending, std::string_view dtype, std::int64_t count,
                         const Message& what) const {
    const std::string name = weight_ + std::string(ending);
    const TensorInfo* found = file_.find(name);
    if (found == nullptr) {
      fail(message<"lacks '{part}', {what}">(name, what));
    }
    if (found->dtype != dtype || found->count() != count) {
      fail(message<"has '{part}' as {type} {shape}; expected {what}: {count} of {wanted}">(
          name, found->dtype, dims_text(*found), what, count, dtype));
    }
    return *found;
  }
  static std::string dims_text(const TensorInfo& tensor) {
    return tensor.dims.size() <= Shape::kMaxRank ? tensor.shape().str() : "of many dimensions";
  }

  /// Copies a part of `count` elements, which must be finite.
  void copy(std::string_view ending, std::string_view dtype, std::int64_t count, void* to) const {
    const TensorInfo& from = part(ending, dtype, count, message<"its scales">());
    std::memcpy(to, from.data, static_cast<std::size_t>(from.bytes));
    const auto* numbers = static_cast<const float*>(to);
    if (dtype == "F32" &&
        !std::all_of(numbers, numbers + count, [](float x) { return std::isfinite(x); })) {
      fail(message<"has a scale that is not finite, in '{part}'">(weight_ + std::string(ending)));
    }
  }

  void check_map() const {
    const auto size = static_cast<std::int64_t>(kNf4Values.size());
    const TensorInfo& map = part(".quant_map", "F32", size, message<"the numbers of its codes">());
    if (std::memcmp(map.data, kNf4Values.data(), sizeof(kNf4Values)) != 0) {
      fail(message<"has other numbers for its codes than NF4">());
    }
  }

  void read_nested(const json& config, BlockScales& scales, const Nf4Layout& layout) const {
    const json size = config.value("nested_blocksize", json());
    if (size != kNf4Group) {
      fail(message<"has scales in groups of {size}; only those of {wanted} can be read">(
          size.dump(), kNf4Group));
    }
    const json offset = config.value("nested_offset", json());
    if (!offset.is_number() || !std::isfinite(offset.get<float>())) {
      fail(message<"has no number as \"nested_offset\"">());
    }
    auto* floats = reinterpret_cast<float*>(scales.bytes.data());
    copy(".nested_quant_map", "F32", kNf4Map, floats);
    floats[kNf4Map] = offset.get<float>();
    copy(".nested_absmax", "F32", nf4_groups(scales.count), floats + kNf4Map + 1);
    copy(".absmax", "U8", nf4_blocks(scales.count),
         scales.bytes.data() + (layout.block_codes - layout.scales));
  }

  const SafetensorsFile& file_;
  const TensorInfo& state_;
  std::string weight_;
};

}  // namespace

bool has_bits_and_bytes(const SafetensorsFile& file) {
  return std::ranges::any_of(
      file.tensors(), [](const TensorInfo& t) { return !weight_with_state(t.name).empty(); });
}

BlockFile read_bits_and_bytes(SafetensorsFile file) {
  BlockFile::Weights weights;
  for (const TensorInfo& state : file.tensors()) {
    const std::string weight(weight_with_state(state.name));
    if (weight.empty()) {
      continue;
    }
    if (weights.parts.contains(weight)) {
      throw Error(message<"'{file}': the weight '{tensor}' is quantised twice (one is '{part}')">(
          file.label(), weight, state.name));
    }
    weights.tensors.push_back(Reader(file, state).read(weights.scales));
    weights.parts.insert({weight, state.name});
    for (const std::string_view ending : kEndings) {
      weights.parts.insert(weight + std::string(ending));
    }
  }
  return {std::move(file), std::move(weights)};
}

}  // namespace mantissa
