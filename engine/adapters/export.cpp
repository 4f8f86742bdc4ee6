#include "engine/adapters/export.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <utility>

#include "engine/adapters/adapter_forms.h"
#include "engine/adapters/export_metadata.h"
#include "engine/adapters/file_tensors.h"
#include "engine/adapters/fused_module.h"
#include "engine/adapters/output_names.h"
#include "engine/adapters/parallel_modules.h"
#include "engine/adapters/peft_folder.h"
#include "engine/adapters/resize.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/module_path.h"
#include "engine/io/safetensors.h"
#include "engine/precision/run_findings.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// Of a DoRA: all modules are of one, or none.
std::optional<DoraAxis> dora_axis_of(std::span<const AdapterModule> modules) {
  for (const AdapterModule& m : modules) {
    if (m.dora_axis) {
      return m.dora_axis;
    }
  }
  return std::nullopt;
}

/// Of a LoHa or LoKr: all modules are of one, or none.
std::optional<AdapterType> product_type_of(std::span<const AdapterModule> modules) {
  for (const AdapterModule& m : modules) {
    if (m.product) {
      return m.product->type;
    }
  }
  return std::nullopt;
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

/// An adapter on its way into a file: its modules take the form of the format step by step.
class Exported {
 public:
  Exported(const std::filesystem::path& path, std::span<const AdapterModule> modules,
           const AdapterExport& options)
      : path_(path),
        options_(options),
        modules_(modules),
        axis_(dora_axis_of(modules)),
        product_(product_type_of(modules)),
        named_(
            written_form(options.format, {product_.has_value(), axis_}, options.base->family())) {}

  WrittenAdapter write() {
    tell_other_form();
    Joining joins = joining(modules_, dialect(), *options_.base);
    if (!form().plain && joins == Joining::of_plain_ones) {
      tell_joined();
    }
    if (form().plain) {
      make_plain();
      joins = product_ ? joining(modules_, dialect(), *options_.base) : joins;
    } else if (axis_) {
      tell_dora();
    }
    if (joins != Joining::none) {
      take(join_outputs(modules_, dialect(), *options_.base));
    }
    if (!dialect().keeps_alpha) {
      take(alpha_folded(modules_));  // without alpha, readers assume alpha = rank
    }
    add_metadata();
    if (dialect().is_folder) {
      write_folder();
    } else {
      write_file();
    }
    tell_losses(written_, options_, path_);
    return std::move(written_);
  }

 private:
  FileForm& form() { return named_.form; }
  const Dialect& dialect() { return *form().dialect; }
  void take(std::vector<AdapterModule> changed) {
    own_ = std::move(changed);
    modules_ = own_;
  }
  void tell(Message notice) { written_.notices.push_back(std::move(notice)); }

  void tell_other_form() {
    const std::string wanted(enum_name(options_.format)), family(options_.base->family().title());
    if (&dialect() == &kLycorisDialect) {
      tell(
          message<"output.format is {format}, which has no names for {family}: this file has those "
                  "of the LyCORIS library">(wanted, family));
    } else if (named_.format != options_.format) {
      tell(
          message<"output.format is {format}, which has no names for {family}: this file has those "
                  "of diffusers, which diffusers, PEFT and ComfyUI read">(wanted, family));
    }
  }

  void tell_joined() {
    form().plain = true;
    tell(
        message<"output.format {format} has q, k and v as one layer here, for which a DoRA must be "
                "per output and on all three: the file holds the plain LoRA nearest to it">(
            enum_name(named_.format)));
  }

  void make_plain() {
    const AdapterType of = product_.value_or(AdapterType::dora);
    take(plain_modules(modules_, options_, written_));
    const std::string error = fmt::format("{:.3g}", written_.plain_error);
    metadata_["mantissa.plain_lora_of"] = enum_name(of);
    metadata_["mantissa.plain_lora_rank"] = std::to_string(written_.plain_rank);
    metadata_["mantissa.plain_lora_error"] = error;
    tell(message<"the plain LoRA differs from the {form} by at most {share}% of a weight's change, "
                 "at ranks up to {rank}">(
        adapter_title(of), fmt::format("{:.2g}", 100 * written_.plain_error), written_.plain_rank));
  }

  void tell_dora() {
    metadata_["mantissa.dora_axis"] = enum_name(*axis_);
    const bool text = std::ranges::any_of(modules_, [](const AdapterModule& m) {
      return m.dora_axis && split_path(m.path).part != kDenoiser;
    });
    tell(dora_notice(*axis_, named_.format, product_.has_value(), text));
  }

  void add_metadata() {
    metadata_.merge(adapter_metadata(modules_, options_));
    for (const auto& [key, value] : options_.metadata) {
      metadata_[key] = value;
    }
  }

  void write_folder() {
    write_peft_folders(path_, modules_, options_, form(), written_.losses, metadata_);
    if (!options_.extras.empty()) {
      tell(message<"{tensor} and {count} tensors like it are left out: a PEFT folder has no place "
                   "for embeddings">(options_.extras.front()->name, options_.extras.size() - 1));
    }
  }

  void write_file() {
    if (named_.format == OutputFormat::onetrainer && !options_.changes.empty()) {
      tell(
          message<"the file changes norms or biases, which OneTrainer refuses to load; ComfyUI and "
                  "A1111 read it">());
    }
    const std::vector<FileTensor> stored =
        file_tensors(modules_, options_, form(), written_.losses);
    std::vector<TensorToWrite> tensors;
    tensors.reserve(stored.size());
    for (const FileTensor& s : stored) {
      tensors.push_back({s.name, s.dtype, s.shape, s.bytes.data(), {}});
    }
    for (const TensorInfo* extra : options_.extras) {
      tensors.push_back(unchanged(*extra));
    }
    add_hashes(metadata_, tensors);
    write_safetensors(path_, tensors, metadata_);
  }

  const std::filesystem::path& path_;
  const AdapterExport& options_;
  std::span<const AdapterModule> modules_;
  std::vector<AdapterModule> own_;  ///< once they are others than were given
  std::optional<DoraAxis> axis_;    ///< of a DoRA, as the modules were given
  std::optional<AdapterType> product_;
  WrittenForm named_;
  AdapterMetadata metadata_{{"format", "pt"}};
  WrittenAdapter written_;
};

}  // namespace

WrittenAdapter write_adapter_file(const std::filesystem::path& path,
                                  std::span<const AdapterModule> modules,
                                  const AdapterExport& options) {
  if (modules.empty() && options.changes.empty()) {
    throw Error(message<"{path}: there is no adapter to write">(path_to_utf8(path)));
  }
  return Exported(path, modules, options).write();
}

}  // namespace mantissa
