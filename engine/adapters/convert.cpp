#include "engine/adapters/convert.h"

#include <algorithm>
#include <cstring>

#include "engine/adapters/adapter_file.h"
#include "engine/adapters/adapter_forms.h"
#include "engine/adapters/file_tensors.h"
#include "engine/adapters/finite_change.h"
#include "engine/adapters/kept_factors.h"
#include "engine/adapters/merge.h"
#include "engine/adapters/module_weight.h"
#include "engine/adapters/read_adapter.h"
#include "engine/adapters/resize.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/generation.h"
#include "engine/io/overwrite.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// The file's most common type among the writable ones.
MasterType file_dtype(const AdapterFile& file) {
  for (const auto& [path, tensors] : file.modules) {
    for (const auto& [role, tensor] : tensors.by_role) {
      if (role != AdapterRole::alpha && role != AdapterRole::magnitude && tensor->type) {
        return *tensor->type == DType::bf16  ? MasterType::bf16
               : *tensor->type == DType::f16 ? MasterType::fp16
                                             : MasterType::fp32;
      }
    }
  }
  return MasterType::fp32;
}

bool has_any(const AdapterFile& file, AdapterRole role) {
  return std::any_of(file.modules.begin(), file.modules.end(),
                     [&](const auto& m) { return m.second.has(role); });
}

/// A tensor of these values, in fp32.
TensorToWrite filled(const std::string& name, const Shape& shape, std::vector<float> values) {
  return {name, DType::f32, shape, nullptr, [values = std::move(values)](std::span<std::byte> out) {
            std::memcpy(out.data(), values.data(), out.size());
          }};
}

/// The tensors as they are, under new module names. Empty where a name has no counterpart, and for
/// fused modules where the dialect has their slices apart.
std::optional<std::vector<TensorToWrite>> renamed_tensors(const AdapterFile& file,
                                                          const Dialect& dialect,
                                                          const ModelNames& base) {
  std::vector<TensorToWrite> list;
  for (const auto& [path, tensors] : file.modules) {
    const bool fused = !tensors.slices.empty();
    const auto name = &dialect == file.dialect ? std::optional<std::string>(tensors.name)
                                               : module_name(path, dialect, base, fused);
    if (!name || (tensors.swapped && &dialect != file.dialect) ||
        (fused && !written_within(tensors.slices.front(), dialect, base))) {
      return std::nullopt;
    }
    // No reader of these files but LyCORIS applies a scalar: it becomes a part of alpha, or of the
    // first factor where alpha doesn't count.
    const TensorInfo* scalar = tensors.find(BesideRole::scalar);
    const TensorInfo* multiplied = nullptr;
    const auto is_written_new = [&](AdapterRole role, const TensorInfo* tensor) {
      return scalar != nullptr &&
             (multiplied != nullptr ? tensor == multiplied : role == AdapterRole::alpha);
    };
    if (scalar != nullptr) {
      if (const std::optional<double> alpha = alpha_with_scalar(tensors, file.label)) {
        list.push_back(filled(*name + ".alpha", Shape{}, {static_cast<float>(*alpha)}));
      } else if (multiplied = tensors.find(AdapterRole::lokr_w1); multiplied != nullptr) {
        std::vector<float> values = tensor_floats(*multiplied, file.label);
        const float factor = tensor_floats(*scalar, file.label).at(0);
        std::ranges::for_each(values, [&](float& x) { x *= factor; });
        list.push_back(filled(*name + multiplied->name.substr(tensors.name.size()),
                              multiplied->shape(), std::move(values)));
      } else {
        return std::nullopt;
      }
    }
    std::vector<const TensorInfo*> own;
    for (const auto& [role, tensor] : tensors.by_role) {
      if (!is_written_new(role, tensor)) {
        own.push_back(tensor);
      }
    }
    for (const auto& [role, tensor] : tensors.beside) {
      if (role != BesideRole::scalar) {
        own.push_back(tensor);
      }
    }
    for (const TensorInfo* tensor : own) {
      if (!tensor->type) {
        return std::nullopt;
      }
      const std::string suffix = tensor->name.substr(tensors.name.size());
      list.push_back({*name + suffix, *tensor->type, tensor->shape(), tensor->data, {}});
    }
  }
  for (const TensorInfo* embedding : file.embeddings) {
    if (!embedding->type) {
      return std::nullopt;
    }
    list.push_back(unchanged(*embedding));
  }
  return list;
}

/// Refuses a conversion for whose tensors the disk has no room, before anything is computed.
void require_tensor_space(const std::filesystem::path& out,
                          std::span<const TensorToWrite> tensors) {
  std::uint64_t bytes = 0;
  for (const TensorToWrite& tensor : tensors) {
    bytes += stored_bytes(tensor.dtype, tensor.shape.count());
  }
  require_space(out, bytes);
}

/// What the base model of an adapter's file predicts, as in modelspec.prediction_type; empty if
/// the file doesn't say.
std::string recorded_prediction(const std::map<std::string, std::string>& metadata) {
  const auto value = [&](const char* key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : found->second;
  };
  const std::string told = value("modelspec.prediction_type");
  const std::string version = value("ss_base_model_version");
  const bool v = value("ss_v_parameterization") == "True" || version.ends_with("_v");
  return !told.empty() ? told : v ? "v" : version.starts_with("sd_v") ? "epsilon" : "";
}

/// Whether the new file's tensors are those of the old one under other names.
bool keeps_tensors(const ConvertRequest& request, const AdapterFile& file, const FileForm& form,
                   const Family& family) {
  const bool same_type = !request.dtype || *request.dtype == file_dtype(file);
  const bool judges_dora = has_any(file, AdapterRole::magnitude) &&
                           request.format != OutputFormat::kohya &&
                           request.format != OutputFormat::onetrainer;
  const bool loses_alpha = !form.dialect->keeps_alpha && has_any(file, AdapterRole::alpha);
  const bool folder = form.dialect->is_folder || file.dialect->is_folder;
  return request.rank == 0 && same_type && !folder && family.has_kohya_names() && !judges_dora &&
         !loses_alpha && form.dialect->tensors == file.tensors && file.whole.empty();
}

/// The adapter as plain LoRA, of a smaller rank if one is asked for.
void flatten(AdapterContents& lora, const ConvertRequest& request, ConvertResult& result) {
  std::int64_t done = 0;
  for (AdapterModule& module : lora.modules) {
    if (request.progress) {
      request.progress(done++, result.modules);
    }
    module.product.reset();
    if (request.rank > 0) {
      PlainLora smaller = resized(module, request.rank, request.energy);
      result.error = std::max(result.error, smaller.error);
      module = std::move(smaller.module);
    }
    result.rank = std::max(result.rank, module.rank);
  }
}

/// A rank that holds all of a module's change, as its shapes tell: that of a Kronecker product is
/// the product of its factors' ranks.
std::int64_t sufficient_rank(const AdapterModule& module) {
  if (module.rank > 0) {
    return module.rank;
  }
  const auto least_side = [](const Shape& shape) {
    return std::min(shape[0], shape.count() / shape[0]);
  };
  Shape weight = module.down_shape;
  weight[0] = module.up_shape[0];
  const std::int64_t most = least_side(weight);
  if (!module.product || module.product->type != AdapterType::lokr) {
    return most;
  }
  std::int64_t first = most, second = most;
  for (const ProductModule::Member& member : module.product->members) {
    std::int64_t& rank = member.role == AdapterRole::lokr_w1 ? first : second;
    rank = std::min(rank, least_side(member.shape));
  }
  return std::min(most, first * second);
}

void tell_sufficient_rank(AdapterExport& options, const ConvertRequest& request,
                          std::span<const AdapterModule> modules) {
  for (const AdapterModule& m : modules) {
    options.sufficient_rank = std::max(options.sufficient_rank, sufficient_rank(m));
  }
  options.resize_command = request.resize_command(options.sufficient_rank);
}

/// Options that keep what the file says of itself, but for its own tensors. `base` must outlive
/// them.
AdapterExport export_of(const ConvertRequest& request, const WeightSource& base,
                        const AdapterContents& lora, const AdapterFile& file, MasterType dtype) {
  AdapterExport options;
  options.format = request.format;
  options.dtype = dtype;
  options.base = base.model_names();
  options.generation = generation_of(base);
  options.prediction = recorded_prediction(lora.metadata);
  options.title = path_to_utf8(request.out.stem());
  options.metadata = lora.metadata;
  options.changes = lora.changes;
  options.extras = file.embeddings;
  for (const char* stale :
       {"ss_network_dim", "ss_network_alpha", "ss_network_args", "ss_network_module",
        "sshs_model_hash", "sshs_legacy_hash", "modelspec.hash_sha256", "lora_adapter_metadata",
        "mantissa.dora_axis", "modelspec.title"}) {
    options.metadata.erase(stale);
  }
  options.base_weight = [&base](std::string_view path) {
    const auto [part, name] = weight_of_module(path);
    std::vector<float> values(static_cast<std::size_t>(base.shape(part, name).count()));
    base.read_f32(part, name, values);
    return values;
  };
  options.base_tensor = [&base](std::string_view path) {
    const auto [part, name] = part_and_weight(path);
    BaseTensor tensor{base.shape(part, name), {}};
    tensor.values.resize(static_cast<std::size_t>(tensor.shape.count()));
    base.read_f32(part, name, tensor.values);
    return tensor;
  };
  return options;
}

}  // namespace

std::uint64_t least_factor_bytes(std::span<const AdapterModule> modules, int rank, double energy,
                                 MasterType dtype) {
  std::uint64_t bytes = 0;
  for (const AdapterModule& m : modules) {
    const std::int64_t rows = m.up_shape[0];
    Shape row = m.down_shape;
    row[0] = 1;
    const std::int64_t most = std::min<std::int64_t>(rows, row.count());
    const std::int64_t had = m.rank > 0 ? m.rank : most;
    // By energy a module may need a single one of its singular values.
    const std::int64_t kept = rank == 0    ? m.rank
                              : energy < 1 ? 1
                                           : std::min<std::int64_t>(rank, had);
    bytes += static_cast<std::uint64_t>(kept * (rows + row.count())) * dtype_size(dtype_of(dtype));
  }
  return bytes;
}

ConvertResult convert_adapter(const ConvertRequest& request, const WeightSource& base) {
  const AdapterFile file = AdapterFile::open(request.file, base);
  ConvertResult result;
  result.notices = file.notices;
  result.modules = static_cast<std::int64_t>(file.modules.size());
  const FileForm form = file_form(request.format, {}, &base.family());
  if (keeps_tensors(request, file, form, base.family())) {
    if (const auto tensors = renamed_tensors(file, *form.dialect, *base.model_names())) {
      require_tensor_space(request.out, *tensors);
      write_safetensors(request.out, *tensors, file.metadata);
      result.renamed = true;
      return result;
    }
  }
  AdapterContents lora = adapter_modules(file, base, request.dora_axis);
  result.modules = static_cast<std::int64_t>(lora.modules.size());
  const MasterType dtype = request.dtype.value_or(file_dtype(file));
  require_space(request.out, least_factor_bytes(lora.modules, request.rank, request.energy, dtype));
  const auto is_product = [](const AdapterModule& m) { return m.product.has_value(); };
  const auto product = std::ranges::find_if(lora.modules, is_product);
  const std::string_view form_of_product =
      product != lora.modules.end() ? adapter_title(product->product->type) : "";
  AdapterExport options = export_of(request, base, lora, file, dtype);
  if (request.rank == 0 && request.resize_command) {
    tell_sufficient_rank(options, request, lora.modules);
  }
  require_finite_changes(lora.modules, file.label, options.base_weight);
  std::optional<KeptFactors> kept =
      request.rank == 0 ? kept_factors(lora.modules, request.format, *base.model_names())
                        : std::nullopt;
  if (kept) {
    lora.modules = std::move(kept->modules);
    options.lokr_factor = kept->lokr_factor;
  } else {
    flatten(lora, request, result);
  }
  const WrittenAdapter written = write_adapter_file(request.out, lora.modules, options);
  result.notices.insert(result.notices.end(), written.notices.begin(), written.notices.end());
  if (request.rank == 0 && !kept && !form_of_product.empty()) {
    result.notices.push_back(
        message<
            "the file holds a plain LoRA that changes each weight as the {form} does, at ranks up "
            "to {rank}: its own factors have no place in this format">(form_of_product,
                                                                       result.rank));
  }
  return result;
}

}  // namespace mantissa
