#include "engine/cli/model_out.h"

#include <optional>

#include "engine/cli/option_values.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/overwrite.h"
#include "engine/plan/job_paths.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"

namespace mantissa {

void add_model_out(CLI::App& command, ModelOutOptions& options, const std::string& dtype_help,
                   const std::string& out_help) {
  command
      .add_option("--base", options.base,
                  "Base model: .safetensors, diffusers folder, demo or demo-z-image")
      ->type_name("PATH")
      ->required();
  command.add_option("--dtype", options.dtype, dtype_help)
      ->type_name("TYPE")
      ->check(CLI::IsMember({"fp32", "bf16", "fp16"}));
  command.add_option("--out", options.out, out_help)->type_name("PATH")->required();
  add_overwrite(command, options.overwrite);
}

WeightSource open_base_of(const ModelOutOptions& options) {
  const std::filesystem::path path = resolve_base(path_from_utf8(options.base));
  const std::filesystem::path out = path_from_utf8(options.out);
  if (std::filesystem::exists(out) && std::filesystem::equivalent(path, out)) {
    throw Error(
        message<"--out {file} is the base model itself; write the result elsewhere">(options.out));
  }
  refuse_overwrite(out, options.overwrite);
  return WeightSource::open(path);
}

ModelContents contents_of(const WeightSource& source, const ModelOutOptions& options) {
  std::optional<DType> dtype;
  if (!options.dtype.empty()) {
    dtype = dtype_of(*enum_from_name<MasterType>(options.dtype));
  }
  return model_contents(source, dtype);
}

void write_model_out(const ModelOutOptions& options, const WeightSource& source,
                     const ModelContents& model, const std::map<std::string, std::string>& added) {
  std::map<std::string, std::string> metadata = source.metadata();
  for (const char* stale : {"modelspec.hash_sha256", "_quantization_metadata"}) {
    metadata.erase(stale);
  }
  for (const auto& [key, text] : added) {
    metadata[key] = text;
  }
  write_model(path_from_utf8(options.out), model, metadata);
}

}  // namespace mantissa
