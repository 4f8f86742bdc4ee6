#include "engine/io/block_scaled.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/io/quant_formats.h"
#include "kernels/block_codes.h"

namespace mantissa {
namespace {

constexpr std::string_view kScale = ".weight_scale", kFactor = ".weight_scale_2";
/// Parts of a module that are read, or of activations.
constexpr std::string_view kModuleParts[] = {kWeightEnding, kScale, kFactor, ".input_scale",
                                             kFormatEnding};

std::optional<DType> block_dtype(const nlohmann::json& description) {
  const std::string name = format_name(description);
  return name == "mxfp8"   ? std::optional(DType::mxfp8)
         : name == "nvfp4" ? std::optional(DType::nvfp4)
                           : std::nullopt;
}

/// Reads one weight.
class BlockScaledReader {
 public:
  BlockScaledReader(const SafetensorsFile& file, std::string module, DType dtype)
      : file_(file), module_(std::move(module)), dtype_(dtype) {}

  /// The weight as one tensor; its scales are added to `all`.
  TensorInfo read(std::deque<BlockScales>& all) const {
    if (file_.find(module_ + ".pre_quant_scale") != nullptr) {
      fail(message<"scales its inputs first (pre_quant_scale), which can't be read">());
    }
    const bool pairs = dtype_ == DType::nvfp4;
    const TensorInfo& codes = part(kWeightEnding, {pairs ? "U8" : "F8_E4M3"});
    if (codes.dims.size() != 2 || codes.dims[0] < 1 || codes.dims[1] < 1) {
      fail(message<"isn't a matrix">());
    }
    TensorInfo tensor = codes;
    tensor.dtype = pairs ? "NVFP4" : "MXFP8";
    tensor.type = dtype_;
    tensor.dims[1] = codes.dims[1] * (pairs ? 2 : 1);
    const int size = block_layout(dtype_, 0).values;
    if (tensor.dims[1] % size != 0) {
      fail(message<"has rows of {count} values, which blocks of {size} can't hold">(tensor.dims[1],
                                                                                    size));
    }
    BlockScales& scales = all.emplace_back();
    scales.dtype = dtype_;
    scales.count = tensor.count();
    const BlockLayout layout = block_layout(dtype_, scales.count);
    scales.bytes.resize(layout.bytes - layout.factor);
    const float factor = pairs ? factor_of() : 1.0F;
    std::memcpy(scales.bytes.data(), &factor, sizeof factor);
    read_scales(tensor.dims[0], tensor.dims[1] / size, scales.bytes.data() + sizeof factor);
    tensor.block_scales = &scales;
    tensor.bytes = codes.bytes + scales.bytes.size();
    return tensor;
  }

 private:
  [[noreturn]] void fail(const Message& problem) const {
    throw Error(message<"'{file}': the weight '{tensor}', in {format}, {problem}; get the model "
                        "again, or in BF16">(file_.label(), module_ + std::string(kWeightEnding),
                                             dtype_name(dtype_), problem));
  }

  const TensorInfo& part(std::string_view ending, std::vector<std::string_view> types) const {
    const std::string name = module_ + std::string(ending);
    const TensorInfo* found = file_.find(name);
    if (found == nullptr) {
      fail(message<"lacks '{part}'">(name));
    }
    if (std::ranges::find(types, found->dtype) == types.end()) {
      fail(message<"has '{part}' as {type}; {wanted} is expected">(name, found->dtype, types[0]));
    }
    return *found;
  }

  float factor_of() const {
    const TensorInfo& tensor = part(kFactor, {"F32"});
    float factor = 0;
    if (tensor.count() == 1) {
      std::memcpy(&factor, tensor.data, sizeof factor);
    }
    if (tensor.count() != 1 || !std::isfinite(factor)) {
      fail(message<"has no finite number as '{part}'">(tensor.name));
    }
    return factor;
  }

  /// Copies the scales out of their tiles.
  void read_scales(std::int64_t rows, std::int64_t blocks, std::byte* to) const {
    const TensorInfo& tiled =
        dtype_ == DType::nvfp4 ? part(kScale, {"F8_E4M3", "U8"}) : part(kScale, {"F8_E8M0", "U8"});
    if (tiled.bytes != tiled_bytes(rows, blocks)) {
      fail(message<
           "has '{part}' of {count} bytes; its {rows} rows of {blocks} blocks need {wanted}, "
           "in tiles of 128 x 4">(tiled.name, tiled.bytes, rows, blocks,
                                  tiled_bytes(rows, blocks)));
    }
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t b = 0; b < blocks; ++b) {
        to[r * blocks + b] = tiled.data[tiled_place(r, b, blocks)];
      }
    }
  }

  const SafetensorsFile& file_;
  std::string module_;
  DType dtype_;
};

/// The modules in blocks, with their format.
std::vector<std::pair<std::string, DType>> modules_in_blocks(const SafetensorsFile& file) {
  std::vector<std::pair<std::string, DType>> list;
  const QuantFormats formats = QuantFormats::read(file.tensors(), file.metadata(), file.label());
  for (const auto& [module, description] : formats.of_module) {
    if (const auto dtype = block_dtype(description);
        dtype && file.find(module + std::string(kWeightEnding)) != nullptr) {
      list.emplace_back(module, *dtype);
    }
  }
  return list;
}

}  // namespace

bool has_block_scaled(const SafetensorsFile& file) {
  return !modules_in_blocks(file).empty();
}

BlockFile read_block_scaled(SafetensorsFile file) {
  BlockFile::Weights weights;
  for (const auto& [module, dtype] : modules_in_blocks(file)) {
    weights.tensors.push_back(BlockScaledReader(file, module, dtype).read(weights.scales));
    for (const std::string_view ending : kModuleParts) {
      weights.parts.insert(module + std::string(ending));
    }
  }
  return {std::move(file), std::move(weights)};
}

}  // namespace mantissa
