#include "engine/cli/model_out.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/cli/option_values.h"
#include "engine/core/ascii.h"
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
      ->check(one_of(std::vector<std::string>{"fp32", "bf16", "fp16"}));
  command.add_option("--out", options.out, out_help)->type_name("PATH")->required();
  add_overwrite(command, options.overwrite);
}

bool is_model_file(const std::filesystem::path& out) {
  constexpr std::array<std::string_view, 6> kOthers{".ckpt", ".pt",  ".pth",
                                                    ".bin",  ".sft", ".gguf"};
  const std::string extension = lower_ascii(path_to_utf8(out.extension()));
  if (std::find(kOthers.begin(), kOthers.end(), extension) != kOthers.end()) {
    throw Error(message<"--out {file}: a model is written as a .safetensors file or as a diffusers "
                        "folder, not as {extension}">(path_to_utf8(out), extension));
  }
  return extension == ".safetensors";
}

void require_model_out(const std::string& out, bool overwrite) {
  const std::filesystem::path path = path_from_utf8(out);
  require_output(path, is_model_file(path) ? OutputKind::file : OutputKind::folder, overwrite);
}

void require_model_space(const std::string& out, const ModelContents& model) {
  require_space(path_from_utf8(out), least_bytes(model));
}

WeightSource open_base_of(const ModelOutOptions& options,
                          std::vector<std::filesystem::path> inputs) {
  const std::filesystem::path path = resolve_base(path_from_utf8(options.base));
  const std::filesystem::path out = path_from_utf8(options.out);
  inputs.push_back(path);
  refuse_input(out, inputs);
  require_model_out(options.out, options.overwrite);
  WeightSource source = WeightSource::open(path);
  refuse_input(out, source.files());  // those that a .json lists
  return source;
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
  std::map<std::string, std::string> metadata = carried_metadata(source);
  for (const auto& [key, text] : added) {
    metadata[key] = text;
  }
  require_model_space(options.out, model);
  write_model(path_from_utf8(options.out), model, metadata);
}

}  // namespace mantissa
