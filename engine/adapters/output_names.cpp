#include "engine/adapters/output_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

WrittenKind kind_of(const Preset::Adapter& adapter) {
  return {is_product(adapter.type),
          has_magnitudes(adapter) ? std::optional(adapter.dora_axis) : std::nullopt};
}

/// Those of `paths` that a format's file has no name for.
std::vector<std::string> without_name(std::span<const std::string> paths, OutputFormat format,
                                      const WrittenKind& kind, const ModelNames& base) {
  const FileForm form = written_form(format, kind, base.family()).form;
  const bool product = kind.product && !form.plain;
  std::vector<std::string> unnamed;
  for (const std::string& path : paths) {
    // Shares of a fused module are joined and halves exchanged; a LoHa's or LoKr's can't be.
    const bool joins = !product && (written_within(path, *form.dialect, base) ||
                                    written_swapped(path, *form.dialect, base));
    if (!joins && !written_name(path, false, product, *form.dialect, base)) {
      unnamed.push_back(path);
    }
  }
  return unnamed;
}

/// The formats in which all of the run can be written.
std::vector<Message> usable_formats(std::span<const std::string> paths, const Preset& preset,
                                    const ModelNames& base) {
  const WrittenKind kind = kind_of(preset.adapter);
  std::vector<Message> usable;
  for (std::size_t i = 0; i < enum_names<OutputFormat>().size(); ++i) {
    Preset other = preset;
    other.output.format = static_cast<OutputFormat>(i);
    const bool works = std::ranges::all_of(
        std::array{other.output.format, checkpoint_format(other)}, [&](OutputFormat format) {
          return form_holds(written_form(format, kind, base.family()).form, kind) &&
                 without_name(paths, format, kind, base).empty();
        });
    if (works) {
      usable.push_back(Message::verbatim(std::string(enum_name(other.output.format))));
    }
  }
  return usable;
}

}  // namespace

bool form_holds(const FileForm& form, const WrittenKind& kind) {
  const bool product = kind.product && !form.plain;
  const bool dora = kind.dora.has_value() && !form.plain;
  if (form.dialect->is_folder) {
    return !dora || (!product && kind.dora == DoraAxis::output);
  }
  return form.dialect->keeps_alpha || !product;
}

WrittenForm written_form(OutputFormat format, const WrittenKind& kind, const Family& family) {
  WrittenForm written{format, file_form(format, kind.dora, &family)};
  FileForm& form = written.form;
  form.plain = form.plain || (kind.product && format == OutputFormat::plain_lora);
  const bool unnamed = form.dialect->tensors == TensorNames::kohya && !family.has_kohya_names();
  if (unnamed && kind.product && !form.plain) {
    form.dialect = &kLycorisDialect;
  } else if (unnamed) {
    written.format = OutputFormat::diffusers;
    form.dialect = &kDiffusersDialect;
  }
  return written;
}

std::optional<std::string> written_name(std::string_view path, bool in_original, bool product,
                                        const Dialect& dialect, const ModelNames& base) {
  auto name = module_name(path, dialect, base, in_original);
  return !name && product ? module_name(path, kLycorisDialect, base) : name;
}

OutputFormat checkpoint_format(const Preset& preset) {
  if (preset.output.format != OutputFormat::peft) {
    return preset.output.format;
  }
  return is_product(preset.adapter.type) ? OutputFormat::kohya : OutputFormat::diffusers;
}

void require_written_names(std::span<const std::string> paths, const Preset& preset,
                           const ModelNames& base) {
  const WrittenKind kind = kind_of(preset.adapter);
  const std::string chosen(enum_name(preset.output.format));
  for (const OutputFormat format : {preset.output.format, checkpoint_format(preset)}) {
    const auto unnamed = without_name(paths, format, kind, base);
    const bool held = form_holds(written_form(format, kind, base.family()).form, kind);
    if (held && unnamed.empty()) {
      continue;
    }
    std::vector<Message> usable = usable_formats(paths, preset, base);
    if (!held && !usable.empty()) {
      throw Error(message<"output.format {format} can't hold this {form}: the result couldn't be "
                          "written. Set output.format to {formats}">(
          chosen, adapter_title(preset.adapter.type), joined<" or ">(std::move(usable))));
    }
    if (usable.empty()) {
      throw Error(message<"no output.format can hold the adapters of all layers that "
                          "adapter.targets name: the result couldn't be written. Choose other "
                          "adapter.targets, or another adapter.type">());
    }
    throw Error(
        message<"output.format {format} has no name for {module}, one of {count} such layers that "
                "adapter.targets name: the result couldn't be written. Set output.format to "
                "{formats}, or choose adapter.targets without them">(
            chosen, unnamed.front(), unnamed.size(), joined<" or ">(std::move(usable))));
  }
}

}  // namespace mantissa
