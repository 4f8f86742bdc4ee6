#include "engine/adapters/file_tensors.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>

#include "engine/adapters/output_names.h"
#include "engine/adapters/peft_names.h"
#include "engine/core/error.h"
#include "engine/precision/dtypes.h"

namespace mantissa {
namespace {

/// Calls f(value, as the file holds it) for each value.
template <typename F>
void round_each(std::span<const float> values, DType dtype, F&& f) {
  dispatch_float(dtype, [&]<typename T>() {
    for (float value : values) {
      const T narrow = static_cast<T>(value);
      f(value, narrow);
    }
  });
}

class FileWriter {
 public:
  FileWriter(DType dtype, ValueLosses& losses) : dtype_(dtype), losses_(losses) {}

  /// One factor of a LoRA, in the file's dtype.
  void matrix(const std::string& name, const Shape& shape, std::span<const float> values) {
    FileTensor& out = add(name, dtype_, shape);
    std::byte* to = out.bytes.data();
    round_each(values, dtype_, [&](float value, auto narrow) {
      const float stored = static_cast<float>(narrow);
      if (!std::isfinite(value)) {
        throw Error(message<"{tensor} would be written with Inf/NaN: what it is made of is beyond "
                            "what FP32 holds. Nothing was written">(name));
      }
      if (!std::isfinite(stored)) {
        throw Error(
            message<
                "{tensor}: {type} can't hold the value {value}; set output.dtype to bf16 or fp32">(
                name, dtype_name(dtype_), fmt::format("{:g}", value)));
      }
      ++losses_.values;
      losses_.to_zero += value != 0.0F && stored == 0.0F ? 1 : 0;
      std::memcpy(to, &narrow, sizeof narrow);
      to += sizeof narrow;
    });
  }
  /// alpha and magnitudes: few but important numbers.
  void exact(const std::string& name, const Shape& shape, std::span<const float> values) {
    FileTensor& out = add(name, DType::f32, shape);
    std::memcpy(out.bytes.data(), values.data(), out.bytes.size());
  }
  std::vector<FileTensor> take() { return std::move(tensors_); }

 private:
  FileTensor& add(const std::string& name, DType dtype, const Shape& shape) {
    const std::size_t bytes = static_cast<std::size_t>(shape.count()) * dtype_size(dtype);
    return tensors_.emplace_back(FileTensor{name, dtype, shape, std::vector<std::byte>(bytes)});
  }
  DType dtype_;
  ValueLosses& losses_;
  std::vector<FileTensor> tensors_;
};

/// [out, 1(, 1, 1)] or [1, in(, 1, 1)]: the magnitudes as they broadcast over the weight.
Shape broadcast_shape(const AdapterModule& m) {
  const auto n = static_cast<std::int64_t>(m.magnitude.size());
  Shape shape = *m.dora_axis == DoraAxis::output ? Shape{n, 1} : Shape{1, n};
  for (int i = 2; i < m.down_shape.rank(); ++i) {
    shape.push_back(1);
  }
  return shape;
}

/// PEFT uses [out] for a matrix and [1, out, 1, 1] for a convolution.
Shape peft_shape(const AdapterModule& m) {
  const auto n = static_cast<std::int64_t>(m.magnitude.size());
  if (*m.dora_axis == DoraAxis::input) {
    return broadcast_shape(m);
  }
  return m.down_shape.rank() == 4 ? Shape{1, n, 1, 1} : Shape{n};
}

}  // namespace

Message unnamed_change(const std::string& weight, const AdapterExport& options, bool in_peft) {
  const bool kohya =
      options.base->family().has_kohya_names() &&
      module_name(weight.substr(0, weight.rfind('.')), kKohyaDialect, *options.base).has_value();
  const bool peft = in_peft && peft_weight(weight, *options.base).has_value();
  if (!kohya && !peft) {
    return message<
        "{weight}: the adapter changes this weight, for which no file of an adapter has "
        "a name. Merge the adapter into a model (`mantissa merge`)">(weight);
  }
  return message<
      "{weight}: the adapter changes this weight, for which these files have no name. "
      "Write it in the format {formats}, or merge the adapter into a model (`mantissa "
      "merge`)">(weight, !peft   ? "kohya"
                         : kohya ? "kohya or peft"
                                 : "peft");
}

namespace {

/// LyCORIS's name for the change of a norm's or a bias's weight.
std::string change_name(const std::string& weight, const AdapterExport& options,
                        const FileForm& form) {
  const std::size_t dot = weight.rfind('.');
  const std::string_view member = std::string_view(weight).substr(dot);
  const bool has_names =
      form.dialect->tensors == TensorNames::kohya && (member == ".weight" || member == ".bias");
  const auto module =
      has_names ? module_name(weight.substr(0, dot), *form.dialect, *options.base) : std::nullopt;
  if (!module) {
    throw Error(unnamed_change(weight, options, true));
  }
  return *module + (member == ".bias" ? ".diff_b" : ".diff");
}

}  // namespace

std::vector<FileTensor> file_tensors(std::span<const AdapterModule> modules,
                                     const AdapterExport& options, const FileForm& form,
                                     ValueLosses& losses) {
  FileWriter file(dtype_of(options.dtype), losses);
  const auto suffix = [&](AdapterRole role) {
    return std::string(tensor_suffix(role, form.dialect->tensors));
  };
  for (const AdapterModule& m : modules) {
    if (m.rank == 0 && !m.product) {
      const bool kohya = form.dialect->tensors == TensorNames::kohya;  // which a rename would write
      throw Error(message<"{module}: its change has the weight's full rank, as a LoKr's mostly "
                          "has, and what is "
                          "written here are changes of a lower rank. {way}">(
          m.path,
          !options.resize_command.empty()
              ? message<"Rank {rank} holds every change of this file: `{command}`. A lower one "
                        "leaves some of them out, and the command tells how much">(
                    options.sufficient_rank, options.resize_command)
          : kohya ? message<"Give it a rank with `mantissa resize`, or merge it into a model">()
                  : message<"Convert a file of it with --format kohya, give it a rank with "
                            "`mantissa resize`, or merge it into a model">()));
    }
    const auto name =
        written_name(m.path, m.in_original, m.product.has_value(), *form.dialect, *options.base);
    if (!name) {
      throw Error(message<"the module path '{path}' has no name in this key format; set "
                          "output.format to diffusers">(m.path));
    }
    const bool peft = form.dialect->tensors == TensorNames::peft;
    if (m.product) {
      for (const ProductModule::Member& member : m.product->members) {
        // PEFT has LyCORIS's names for these.
        file.matrix(*name + std::string(tensor_suffix(member.role, TensorNames::kohya)),
                    member.shape, member.values);
      }
    } else {
      file.matrix(*name + suffix(AdapterRole::down), m.down_shape, m.down);
      file.matrix(*name + suffix(AdapterRole::up), m.up_shape, m.up);
    }
    if (!peft) {
      const auto alpha = static_cast<float>(m.product ? m.product->alpha : m.alpha);
      file.exact(*name + suffix(AdapterRole::alpha), {}, {&alpha, 1});
    }
    if (m.dora_axis) {
      file.exact(*name + suffix(AdapterRole::magnitude), peft ? peft_shape(m) : broadcast_shape(m),
                 m.magnitude);
    }
  }
  for (const WeightChange& change : options.changes) {
    file.matrix(change_name(change.path, options, form),
                {static_cast<std::int64_t>(change.values.size())}, change.values);
  }
  return file.take();
}

TensorToWrite unchanged(const TensorInfo& tensor) {
  if (!tensor.type) {
    throw Error(message<"{tensor} has the type {type}, in which no tensors are written">(
        tensor.name, tensor.dtype));
  }
  return {tensor.name, *tensor.type, tensor.shape(), tensor.data, {}};
}

}  // namespace mantissa
