#include "engine/readers/file_readings.h"

#include <algorithm>
#include <fmt/format.h>
#include <random>

#include "engine/adapters/dialect.h"
#include "engine/adapters/export.h"
#include "engine/adapters/merge.h"
#include "engine/adapters/module_weight.h"
#include "engine/adapters/read_adapter.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/bundled_name.h"

namespace mantissa {
namespace fs = std::filesystem;

namespace {

/// A module of the same form and rank 1: of a larger one the first row and column.
AdapterModule thin(const AdapterModule& module) {
  AdapterModule small = module;
  small.product.reset();
  if (module.rank > 1) {
    const auto rank = static_cast<std::size_t>(module.rank);
    const std::size_t rows = module.up.size() / rank;
    small.down.resize(module.down.size() / rank);
    small.up.resize(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      small.up[i] = module.up[i * rank];
    }
    small.alpha = module.alpha / module.rank;
    small.rank = 1;
    small.down_shape[0] = 1;
    small.up_shape[1] = 1;
  }
  return small;
}

/// As the modules that a format's file has: where it makes plain LoRAs of DoRAs, without
/// magnitudes. Which factors those have is of no account here.
std::vector<AdapterModule> in_format(std::vector<AdapterModule> modules, OutputFormat format) {
  for (AdapterModule& module : modules) {
    if (module.dora_axis && file_form(format, module.dora_axis).plain) {
      module.dora_axis.reset();
      module.magnitude.clear();
    }
  }
  return modules;
}

/// A file that is removed at the end.
class ScratchFile {
 public:
  ScratchFile() {
    std::random_device random;
    path_ = fs::temp_directory_path() /
            fmt::format("mantissa-{:08x}{:08x}.safetensors", random(), random());
  }
  ~ScratchFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

FileReadings read_file_as(const fs::path& file, const WeightSource& base,
                          std::span<const Reader* const> as, std::optional<DoraAxis> axis) {
  if (fs::is_directory(file)) {
    throw Error(
        message<"{path} is a folder of PEFT's, which PeftModel.from_pretrained loads; other "
                "programs read single files. Write one with `mantissa convert`">(
            path_to_utf8(file)));
  }
  FileReadings result;
  const SafetensorsFile open = SafetensorsFile::open(file);
  result.bundles_words = std::ranges::any_of(open.tensors(), [](const TensorInfo& tensor) {
    return bundled_name(tensor.name).has_value();
  });
  PeftConfig config;
  try {
    config = PeftConfig::of_metadata(open.metadata(), open.label());
    result.modules = read_adapter(file, base, axis, EmbeddingsBeside::read_apart).modules;
  } catch (const Error& e) {
    result.unknown = e.message();
  }
  for (const Reader* reader : as) {
    result.verdicts.push_back(
        read_as(*reader, open.tensors(), config, base, meaning_of(result.modules)));
  }
  return result;
}

std::optional<OutputFormat> format_for(const Reader& reader, std::span<const AdapterModule> modules,
                                       const WeightSource& base) {
  std::vector<AdapterModule> small;
  for (const AdapterModule& module : modules) {
    small.push_back(thin(module));
  }
  for (const OutputFormat format :
       {OutputFormat::comfyui, OutputFormat::kohya, OutputFormat::diffusers,
        OutputFormat::onetrainer, OutputFormat::plain_lora}) {
    AdapterExport options;
    options.format = format;
    options.base = base.model_names();
    options.base_weight = [&](std::string_view path) {
      const auto [part, name] = weight_of_module(path);
      std::vector<float> values(static_cast<std::size_t>(base.shape(part, name).count()));
      base.read_f32(part, name, values);
      return values;
    };
    const ScratchFile file;
    try {
      write_adapter_file(file.path(), in_format(small, format), options);
    } catch (const Error&) {
      continue;  // the format has no names for them
    }
    const SafetensorsFile open = SafetensorsFile::open(file.path());
    const PeftConfig config = PeftConfig::of_metadata(open.metadata(), open.label());
    const std::vector<AdapterModule> written = read_adapter(file.path(), base).modules;
    if (read_as(reader, open.tensors(), config, base, meaning_of(written)).works()) {
      return format;
    }
  }
  return std::nullopt;
}

}  // namespace mantissa
