#include <algorithm>
#include <array>

#include "engine/adapters/dialect.h"
#include "engine/io/module_path.h"
#include "engine/io/name_parts.h"
#include "engine/io/part_names.h"
#include "engine/preset/names.h"

namespace mantissa {

extern const Dialect kLdmDialect, kBareDialect, kProcessorsDialect, kOneTrainerDialect;

namespace {

constexpr std::array kDialects{
    &kDiffusersDialect, &kKohyaDialect,      &kLdmDialect,        &kLycorisDialect,
    &kBareDialect,      &kProcessorsDialect, &kOneTrainerDialect, &kPeftDialect,
};

/// When a DoRA is written as a plain LoRA.
enum class Plain { never, always, per_output };

struct FormatRow {
  OutputFormat format;
  const Dialect* dialect;
  Plain plain = Plain::never;
};

constexpr FormatRow kFormats[] = {
    {OutputFormat::kohya, &kKohyaDialect},
    {OutputFormat::plain_lora, &kKohyaDialect, Plain::always},
    {OutputFormat::comfyui, &kKohyaDialect, Plain::per_output},
    {OutputFormat::a1111, &kKohyaDialect, Plain::per_output},
    {OutputFormat::onetrainer, &kOneTrainerDialect},
    {OutputFormat::diffusers, &kDiffusersDialect},
    {OutputFormat::peft, &kPeftDialect},
};
static_assert(std::size(kFormats) == kEnumNames<OutputFormat>.size(), "a row for each format");

constexpr std::string_view kPeft = "base_model.model.";

std::optional<ModuleToName> module_of(std::string_view path, const ModelNames& base) {
  const auto [part, name] = split_path(path);
  if (name.empty() || part == kVae) {
    return std::nullopt;
  }
  return ModuleToName{part, name, base};
}

/// The modules of original checkpoints that hold several of these, all of whose slices are there.
std::vector<NamedModule> fused_modules(std::span<const std::string> paths, const ModelNames& base) {
  std::map<std::string, std::vector<std::string>> slices;
  for (const std::string& path : paths) {
    const auto module = module_of(path, base);
    if (const auto fused = module ? base.fused(module->part, module->path) : std::nullopt) {
      auto& list = slices[module_path(module->part, fused->path)];
      list.resize(static_cast<std::size_t>(fused->slices));
      std::fill_n(list.begin() + fused->slice, fused->span, path);
    }
  }
  std::vector<NamedModule> modules;
  for (auto& [path, list] : slices) {
    if (std::none_of(list.begin(), list.end(), [](const auto& slice) { return slice.empty(); })) {
      modules.push_back({path, &kDiffusersDialect, std::move(list)});
    }
  }
  return modules;
}

}  // namespace

std::span<const Dialect* const> dialects() {
  return kDialects;
}

FileForm file_form(OutputFormat format, std::optional<DoraAxis> dora, const Family* family) {
  const auto row = std::find_if(std::begin(kFormats), std::end(kFormats),
                                [&](const FormatRow& r) { return r.format == format; });
  const bool plain = row->plain == Plain::always       ? dora.has_value()
                     : row->plain == Plain::per_output ? dora == DoraAxis::output
                                                       : false;
  const bool own = format == OutputFormat::comfyui && family != nullptr &&
                   family->has_kohya_names() && !family->comfyui_reads_kohya;
  return {own ? &kLdmDialect : row->dialect, plain};
}

std::string underscored(std::string_view head, std::string_view path) {
  std::string name(head);
  name += path;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::vector<std::string> listed(std::optional<std::string> name) {
  return name ? std::vector{std::move(*name)} : std::vector<std::string>{};
}

std::optional<std::string> module_name(std::string_view path, const Dialect& dialect,
                                       const ModelNames& base, bool in_original) {
  std::optional<ModuleToName> module = module_of(path, base);
  if (module) {
    module->in_original = in_original;
  }
  return module ? dialect.name_of(*module) : std::nullopt;
}

std::optional<FusedModule> written_within(std::string_view path, const Dialect& dialect,
                                          const ModelNames& base) {
  const auto module = module_of(path, base);
  auto fused = module ? base.fused(module->part, module->path) : std::nullopt;
  if (!fused || module_name(path, dialect, base)) {
    return std::nullopt;
  }
  fused->path = module_path(module->part, fused->path);
  return module_name(fused->path, dialect, base, true) ? fused : std::nullopt;
}

std::optional<std::string> written_swapped(std::string_view path, const Dialect& dialect,
                                           const ModelNames& base) {
  const auto module = module_of(path, base);
  auto original = module ? base.swapped(module->part, module->path) : std::nullopt;
  if (!original || module_name(path, dialect, base)) {
    return std::nullopt;
  }
  original->insert(0, path.substr(0, path.find('.') + 1));
  return module_name(*original, dialect, base, true) ? original : std::nullopt;
}

ModuleTable::ModuleTable(std::span<const std::string> module_paths, const ModelNames& base) {
  std::vector<NamedModule> modules = fused_modules(module_paths, base);
  for (const std::string& path : module_paths) {
    modules.push_back({path});
  }
  const auto add = [&](auto&& names_of) {
    for (const NamedModule& named : modules) {
      auto module = module_of(named.path, base);
      for (const Dialect* dialect : dialects()) {
        if (!module || dialect->is_folder) {
          continue;  // folders: see find
        }
        module->in_original = !named.slices.empty();
        for (const std::string& name : names_of(*dialect, *module)) {
          table_.emplace(name, NamedModule{named.path, dialect, named.slices});
        }
        const auto original = base.swapped(module->part, module->path);
        if (!original) {
          continue;
        }
        for (const std::string& name :
             names_of(*dialect, ModuleToName{module->part, *original, base, true})) {
          table_.emplace(name, NamedModule{named.path, dialect, {}, true});
        }
      }
    }
  };
  add([](const Dialect& dialect, const ModuleToName& module) {
    return dialect.read_names != nullptr ? dialect.read_names(module)
                                         : listed(dialect.name_of(module));
  });
  // What is written is read as well, under whatever head a family has.
  add([](const Dialect& dialect, const ModuleToName& module) {
    return listed(dialect.name_of(module));
  });
  // Last, the authors' paths without a head, of which diffusers' own could be another's.
  add([](const Dialect& dialect, const ModuleToName& module) {
    return &dialect == &kBareDialect && module.is_denoiser() ? listed(module.original())
                                                             : std::vector<std::string>{};
  });
}

const NamedModule* ModuleTable::find(std::string_view name, std::string_view folder) const {
  if (const auto it = table_.find(name); it != table_.end()) {
    return &it->second;
  }
  if (name.starts_with("lora_")) {
    // diffusers' older exports leave dots in a DoRA's: lora_unet_mid_block_…_attn1.to_q
    const auto it = table_.find(underscored({}, name));
    return it == table_.end() ? nullptr : &it->second;
  }
  std::string_view rest = name;
  if (!take(rest, kPeft)) {
    return nullptr;
  }
  for (const std::string& guess : {std::string(rest), std::string(folder) + "." + std::string(rest),
                                   part_folder(kDenoiser) + "." + std::string(rest)}) {
    // Without its folder only the denoiser's names are unambiguous: text encoders share theirs.
    if (const auto it = table_.find(guess);
        it != table_.end() && it->second.dialect == &kDiffusersDialect) {
      return &it->second;
    }
  }
  // The authors' paths, as PEFT has them around their own code.
  const bool of_denoiser = folder.empty() || part_of_folder(folder) == kDenoiser;
  const auto it = of_denoiser ? table_.find("diffusion_model." + std::string(rest)) : table_.end();
  return it == table_.end() ? nullptr : &it->second;
}

}  // namespace mantissa
