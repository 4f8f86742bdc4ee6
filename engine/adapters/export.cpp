#include "engine/adapters/export.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/adapters/adapter_forms.h"
#include "engine/adapters/file_tensors.h"
#include "engine/adapters/fused_module.h"
#include "engine/adapters/output_names.h"
#include "engine/adapters/parallel_modules.h"
#include "engine/adapters/peft_folder.h"
#include "engine/adapters/resize.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/generation.h"
#include "engine/io/module_path.h"
#include "engine/io/safetensors.h"
#include "engine/precision/run_findings.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

using Metadata = std::map<std::string, std::string>;

/// A DoRA module of the file, or null: all are, or none.
const AdapterModule* dora_module(std::span<const AdapterModule> modules) {
  for (const AdapterModule& m : modules) {
    if (m.dora_axis) {
      return &m;
    }
  }
  return nullptr;
}

/// A LoHa or LoKr of the file, or null: all are, or none.
const ProductModule* product_module(std::span<const AdapterModule> modules) {
  const auto it =
      std::ranges::find_if(modules, [](const auto& m) { return m.product.has_value(); });
  return it == modules.end() ? nullptr : &*it->product;
}

/// Whether the kind of base model can be told: a generation's depends on what the model predicts.
bool knows_kind(const AdapterExport& options) {
  return options.generation == nullptr || !options.prediction.empty();
}

/// The one value all modules share, else "Dynamic", as readers of kohya files expect.
template <typename Get>
std::string common_value(std::span<const AdapterModule> modules, bool wide, Get get) {
  std::set<double> values;
  for (const AdapterModule& m : modules) {
    const bool is_wide = m.down_shape.rank() == 4 && m.down_shape[2] * m.down_shape[3] > 1;
    if (is_wide == wide) {
      values.insert(static_cast<double>(get(m)));
    }
  }
  return values.empty()       ? ""
         : values.size() == 1 ? fmt::format("{:g}", *values.begin())
                              : "Dynamic";
}

Metadata training_metadata(std::span<const AdapterModule> modules, const AdapterExport& options) {
  const std::string conv_dim = common_value(modules, true, file_rank);
  std::string dim = common_value(modules, false, file_rank);
  nlohmann::json args = nlohmann::json::object();
  if (!conv_dim.empty()) {
    args["conv_dim"] = conv_dim;
    args["conv_alpha"] = common_value(modules, true, file_alpha);
  }
  const AdapterModule* dora = dora_module(modules);
  if (dora != nullptr) {
    // LyCORIS's names for these two, from which other readers get the axis.
    args["algo"] = "lora";
    args["dora_wd"] = "True";
    args["wd_on_output"] = *dora->dora_axis == DoraAxis::output ? "True" : "False";
  }
  const ProductModule* product = product_module(modules);
  if (product != nullptr) {
    args["algo"] = enum_name(product->type);
    if (product->type == AdapterType::lokr) {
      args["factor"] = std::to_string(options.lokr_factor);
    }
  }
  const bool lycoris = dora != nullptr || product != nullptr;
  Metadata m{
      {"ss_v2", options.generation != nullptr && options.generation->kohya_v2 ? "True" : "False"},
      {"ss_network_module", lycoris ? "lycoris.kohya" : "networks.lora"},
      {"ss_network_dim", dim.empty() ? conv_dim : dim},
      {"ss_network_alpha", common_value(modules, /*wide=*/dim.empty(), file_alpha)},
      {"ss_network_args", args.dump()}};
  if (knows_kind(options)) {
    m["ss_base_model_version"] =
        kohya_version_of(options.base->family(), options.generation, options.prediction);
  }
  return m;
}

Metadata modelspec(const AdapterExport& options) {
  const Family& family = options.base->family();
  Metadata m{{"modelspec.sai_model_spec", "1.0.1"},
             {"modelspec.implementation", std::string(family.implementation)},
             {"modelspec.title", options.title.empty() ? "LoRA" : options.title}};
  if (knows_kind(options)) {
    m["modelspec.architecture"] =
        std::string(architecture_of(family, options.generation, options.prediction)) + "/lora";
  }
  const auto optional = [&](const char* key, const std::string& value) {
    if (!value.empty()) {
      m[key] = value;
    }
  };
  optional("modelspec.prediction_type", options.prediction);
  optional("modelspec.resolution", options.resolution);
  optional("modelspec.date", options.date);
  optional("modelspec.author", options.author);
  optional("modelspec.description", options.description);
  return m;
}

/// Hashes by which other programs identify a file: over the tensor bytes, and the legacy one over
/// 64 KiB at 1 MiB of the file written with ss_ metadata only.
void add_hashes(Metadata& metadata, std::span<const TensorToWrite> tensors) {
  Metadata training_only;
  for (const auto& [key, value] : metadata) {
    if (key.starts_with("ss_")) {
      training_only[key] = value;
    }
  }
  const std::vector<std::byte> file = serialize_safetensors(tensors, training_only);
  std::uint64_t header = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    header |= static_cast<std::uint64_t>(file[i]) << (8 * i);
  }
  const std::span<const std::byte> bytes(file);
  const std::string body = sha256_hex(bytes.subspan(8 + header));
  constexpr std::size_t kLegacyOffset = 0x100000, kLegacyBytes = 0x10000;
  const std::size_t begin = std::min(kLegacyOffset, bytes.size());
  const std::size_t count = std::min(kLegacyBytes, bytes.size() - begin);
  metadata["sshs_model_hash"] = body;
  metadata["sshs_legacy_hash"] = sha256_hex(bytes.subspan(begin, count)).substr(0, 8);
  metadata["modelspec.hash_sha256"] = "0x" + body;
}

/// Inputs of the module's weight, with a convolution's area.
std::size_t columns_of(const AdapterModule& m) {
  Shape row = m.down_shape;
  row[0] = 1;
  return static_cast<std::size_t>(row.count());
}

/// Every module as plain LoRA; notes rank and error.
std::vector<AdapterModule> plain_modules(std::span<const AdapterModule> modules,
                                         const AdapterExport& options, WrittenAdapter& written) {
  std::vector<PlainLora> plain(modules.size());
  std::mutex weights;  // a backend serves one thread at a time
  for_each_module(modules.size(), [&](std::size_t i) {
    AdapterModule m = expanded(modules[i]);
    if (m.product && !m.dora_axis) {
      const std::vector<float> none(static_cast<std::size_t>(m.up_shape[0]) * columns_of(m), 0.0F);
      plain[i] = options.plain_rank > 0 && options.plain_rank < m.rank
                     ? resized(m, options.plain_rank)
                     : plain_lora(m, none, options.plain_rank);
      plain[i].module.product.reset();
      return;
    }
    m.product.reset();
    if (!m.dora_axis) {
      plain[i].module = m;
      return;
    }
    if (!options.base_weight) {
      throw Error(message<"{module}: a DoRA becomes plain LoRA only beside its base model's "
                          "weights; set output.format to kohya or diffusers">(m.path));
    }
    std::vector<float> weight;
    {
      const std::lock_guard lock(weights);
      weight = options.base_weight(m.path);
    }
    plain[i] = plain_lora(m, weight, options.plain_rank);
  });
  std::vector<AdapterModule> result;
  for (PlainLora& p : plain) {
    written.plain_error = std::max(written.plain_error, p.error);
    written.plain_rank = std::max(written.plain_rank, p.module.rank);
    result.push_back(std::move(p.module));
  }
  return result;
}

/// Notice of programs that don't apply this DoRA as trained. `product`: of a LoHa or LoKr.
/// `text`: it has modules of text encoders.
Message dora_notice(DoraAxis axis, OutputFormat format, bool product, bool text) {
  const Message plain = message<"; for them write another file with output.format plain_lora">();
  if (product && axis == DoraAxis::output) {
    return message<
        "ComfyUI divides magnitudes per output by the norm of the base weight alone and doesn't "
        "render this file as trained{advice}">(
        message<"{advice}, or train with adapter.dora_axis input for ComfyUI">(plain));
  }
  if (product) {
    return message<
        "LyCORIS loads files with magnitudes per output only, and this file's are per "
        "input{advice}">(plain);
  }
  if (format == OutputFormat::diffusers || format == OutputFormat::peft) {
    if (axis == DoraAxis::input) {
      return message<
          "PEFT and diffusers know DoRA per output only and can't load this file{advice}">(plain);
    }
    if (text) {
      return message<
          "PEFT renders this file as trained; diffusers leaves out the magnitudes of text "
          "encoders, "
          "and programs that look for dora_scale, such as ComfyUI, all of them{advice}">(plain);
    }
    return message<
        "diffusers and PEFT render this file as trained; programs that look for dora_scale, such "
        "as ComfyUI, don't{advice}">(plain);
  }
  if (axis == DoraAxis::output) {
    return message<
        "ComfyUI divides a DoRA per output by the norm of the base weight alone, and diffusers' "
        "SDXL loader leaves dora_scale out: neither renders this file as trained{advice}">(
        message<"{advice}, or train with adapter.dora_axis input for ComfyUI">(plain));
  }
  return message<
      "diffusers' SDXL loader leaves dora_scale out and renders this file as plain LoRA, unlike it "
      "was trained{advice}">(plain);
}

/// Equivalent modules with alpha = rank, for files without an alpha.
std::vector<AdapterModule> alpha_folded(std::span<const AdapterModule> modules) {
  std::vector<AdapterModule> result(modules.begin(), modules.end());
  for (AdapterModule& m : result) {
    if (m.product) {
      throw Error(message<"{module}: {format} files have no names for a {form}; set output.format "
                          "to kohya, peft or plain_lora">(m.path, "diffusers",
                                                          adapter_title(m.product->type)));
    }
    const auto scale = static_cast<float>(m.alpha / m.rank);
    for (float& x : m.up) {
      x *= scale;
    }
    m.alpha = m.rank;
  }
  return result;
}

/// Finding D8, of values that become zero in the file.
void tell_losses(WrittenAdapter& written, const AdapterExport& options,
                 const std::filesystem::path& path) {
  const ValueLosses& losses = written.losses;
  if (losses.to_zero > 0) {
    const double share = static_cast<double>(losses.to_zero) / static_cast<double>(losses.values);
    written.notices.push_back(
        finding_text(rounded_to_zero(options.dtype, share, path_to_utf8(path.filename()))));
  }
}

}  // namespace

WrittenAdapter write_adapter_file(const std::filesystem::path& path,
                                  std::span<const AdapterModule> modules,
                                  const AdapterExport& options) {
  if (modules.empty() && options.changes.empty()) {
    throw Error(message<"{path}: there is no adapter to write">(path_to_utf8(path)));
  }
  WrittenAdapter written;
  std::vector<AdapterModule> plain;
  const AdapterModule* dora = dora_module(modules);
  const ProductModule* product = product_module(modules);
  Metadata metadata{{"format", "pt"}};
  const Family& family = options.base->family();
  WrittenForm named = written_form(
      options.format,
      {product != nullptr, dora != nullptr ? dora->dora_axis : std::optional<DoraAxis>{}}, family);
  const OutputFormat format = named.format;
  FileForm& form = named.form;
  if (form.dialect == &kLycorisDialect) {
    written.notices.push_back(
        message<"output.format is {format}, which has no names for {family}: this file has those "
                "of the LyCORIS library">(enum_name(options.format), family.title()));
  } else if (format != options.format) {
    written.notices.push_back(
        message<"output.format is {format}, which has no names for {family}: this file has those "
                "of diffusers, which diffusers, PEFT and ComfyUI read">(enum_name(options.format),
                                                                        family.title()));
  }
  Joining joins = joining(modules, *form.dialect, *options.base);
  if (!form.plain && joins == Joining::of_plain_ones) {
    form.plain = true;
    written.notices.push_back(
        message<"output.format {format} has q, k and v as one layer here, for which a DoRA must be "
                "per output and on all three: the file holds the plain LoRA nearest to it">(
            enum_name(format)));
  }
  if (form.plain) {
    const AdapterType of = product != nullptr ? product->type : AdapterType::dora;
    metadata["mantissa.plain_lora_of"] = enum_name(of);
    plain = plain_modules(modules, options, written);
    modules = plain;
    joins = product != nullptr ? joining(modules, *form.dialect, *options.base) : joins;
    metadata["mantissa.plain_lora_rank"] = std::to_string(written.plain_rank);
    metadata["mantissa.plain_lora_error"] = fmt::format("{:.3g}", written.plain_error);
    written.notices.push_back(message<"the plain LoRA differs from the {form} by at most {share}% "
                                      "of a weight's change, at ranks up to {rank}">(
        adapter_title(of), fmt::format("{:.2g}", 100 * written.plain_error), written.plain_rank));
  } else if (dora != nullptr) {
    metadata["mantissa.dora_axis"] = enum_name(*dora->dora_axis);
    const bool text = std::ranges::any_of(modules, [](const AdapterModule& m) {
      return m.dora_axis && split_path(m.path).part != kDenoiser;
    });
    written.notices.push_back(dora_notice(*dora->dora_axis, format, product != nullptr, text));
  }
  std::vector<AdapterModule> whole, folded;
  if (joins != Joining::none) {
    whole = join_outputs(modules, *form.dialect, *options.base);
    modules = whole;
  }
  if (!form.dialect->keeps_alpha) {
    folded = alpha_folded(modules);  // without alpha, readers assume alpha = rank
    modules = folded;
  }
  metadata.merge(training_metadata(modules, options));
  metadata.merge(modelspec(options));
  if (!options.preset_json.empty()) {
    metadata["mantissa.preset"] = options.preset_json;
  }
  for (const auto& [key, value] : options.metadata) {
    metadata[key] = value;
  }
  if (form.dialect->is_folder) {
    write_peft_folders(path, modules, options, form, written.losses, metadata);
    tell_losses(written, options, path);
    if (!options.extras.empty()) {
      written.notices.push_back(
          message<
              "{tensor} and {count} tensors like it are left out: a PEFT folder has no place for "
              "embeddings">(options.extras.front()->name, options.extras.size() - 1));
    }
    return written;
  }
  if (format == OutputFormat::onetrainer && !options.changes.empty()) {
    written.notices.push_back(
        message<"the file changes norms or biases, which OneTrainer refuses to load; ComfyUI and "
                "A1111 read it">());
  }
  const std::vector<FileTensor> stored = file_tensors(modules, options, form, written.losses);
  std::vector<TensorToWrite> tensors;
  tensors.reserve(stored.size());
  for (const FileTensor& s : stored) {
    tensors.push_back({s.name, s.dtype, s.shape, s.bytes.data(), {}});
  }
  for (const TensorInfo* extra : options.extras) {
    tensors.push_back(unchanged(*extra));
  }
  add_hashes(metadata, tensors);
  write_safetensors(path, tensors, metadata);
  tell_losses(written, options, path);
  return written;
}

}  // namespace mantissa
