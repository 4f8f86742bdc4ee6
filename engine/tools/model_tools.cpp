// Tools that write a base model.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "engine/adapters/adapter_file.h"
#include "engine/adapters/export.h"
#include "engine/adapters/merge.h"
#include "engine/adapters/read_adapter.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/block_scales.h"
#include "engine/io/module_path.h"
#include "engine/io/weights.h"
#include "engine/precision/dtypes.h"
#include "engine/precision/rules.h"
#include "engine/preset/names.h"
#include "engine/tools/model_out.h"
#include "engine/tools/tool_work.h"
#include "kernels/rotation.h"

namespace mantissa {
namespace {

/// Gives the weights that a run with `type` keeps as codes, those codes. Returns how many.
std::size_t choose_codes(ModelContents& model, const WeightSource& source, StorageType type) {
  Preset preset;
  preset.precision.compute = ComputeType::bf16;
  preset.precision.weights.denoiser = type;
  const PrecisionRules rules(preset, source.family().id());
  const std::vector<std::string> layers = adaptable_modules(source);
  const std::set<std::string> known(layers.begin(), layers.end());
  constexpr std::string_view kWeight = ".weight";
  std::size_t chosen = 0;
  for (ModelTensor& tensor : model.parts[kDenoiser]) {
    if (tensor.shape.rank() != 2 || !tensor.name.ends_with(kWeight)) {
      continue;
    }
    const std::string path = module_path(
        kDenoiser, std::string_view(tensor.name).substr(0, tensor.name.size() - kWeight.size()));
    const DType stored = rules.of(path, ModuleKind::linear).storage;
    const bool fits =
        is_coded(stored) || (is_blocked(stored) && tensor.shape[1] % block_values(stored) == 0);
    if (!known.contains(path) || !fits) {
      continue;
    }
    const WeightView view = source.view(kDenoiser, tensor.name);
    if (!view.scales.empty() || is_quantized(view.dtype)) {
      throw Error(message<"'{file}': {weight} is quantised already; rounding it again loses more. "
                          "Quantise the model in BF16, F16 or F32">(path_to_utf8(source.path()),
                                                                    tensor.name));
    }
    const bool rotates = rotation_group(tensor.shape[1]) > 1;
    tensor.codes = stored == DType::i8_rotated && !rotates ? DType::i8 : stored;
    ++chosen;
  }
  return chosen;
}

}  // namespace

ToolResult merge_models(const ToolRequest& request, const ToolWatch& watch) {
  std::vector<std::filesystem::path> inputs;
  for (const WeightedFile& adapter : request.adapters) {
    inputs.push_back(adapter.file);
  }
  const WeightSource source = open_base_of(request, inputs);
  ToolResult result;
  std::vector<AdapterContents> files;
  std::string names;  // as --adapter takes them
  std::vector<Message> told;
  for (const WeightedFile& adapter : request.adapters) {
    files.push_back(read_adapter(adapter.file, source, enum_from_name<DoraAxis>(request.axis)));
    const std::vector<Message>& notices = files.back().notices;
    result.notices.insert(result.notices.end(), notices.begin(), notices.end());
    names += fmt::format("{}{}:{:g}", names.empty() ? "" : ", ",
                         path_to_utf8(adapter.file.filename()), adapter.weight);
    told.push_back(message<"{file} at strength {weight}">(path_to_utf8(adapter.file.filename()),
                                                          fmt::format("{:g}", adapter.weight)));
  }
  std::vector<WeightedAdapter> adapters;
  std::vector<WeightedChanges> changes;
  std::set<std::string> changed;  // modules that several adapters change are one each
  for (std::size_t i = 0; i < files.size(); ++i) {
    adapters.push_back(
        {&files[i].modules, request.adapters[i].weight, path_to_utf8(request.adapters[i].file)});
    changes.push_back({&files[i].changes, request.adapters[i].weight});
    for (const AdapterModule& module : files[i].modules) {
      changed.insert(module.path);
    }
    for (const WeightChange& change : files[i].changes) {
      changed.insert(change.path.substr(0, change.path.rfind('.')));
    }
  }
  result.modules = std::ssize(changed);
  ModelContents model = contents_of(source, request);
  merge_adapters(model, source, adapters);
  merge_changes(model, source, changes);
  write_model_out(request, source, std::move(model), {{"mantissa.merged", names}}, watch);
  result.path = request.out;
  result.summary =
      message<"Merged {adapters} ({count} modules)">(joined<", ">(std::move(told)), result.modules);
  return result;
}

ToolResult quantise_model(const ToolRequest& request, const ToolWatch& watch) {
  const WeightSource source = open_base_of(request);
  ModelContents model = contents_of(source, request);
  if (choose_codes(model, source, *enum_from_name<StorageType>(request.weights)) == 0) {
    throw Error(message<"'{file}' has no linear layers to quantise">(path_to_utf8(source.path())));
  }
  ToolResult result;
  std::vector<CodedWeight>& written = result.weights;
  model.codes_written = [&](const std::string& name, double sqnr) {
    written.push_back({name, sqnr});
    if (watch.coded) {
      watch.coded(name, sqnr);
    }
  };
  write_model_out(request, source, std::move(model), {}, watch);
  std::ranges::sort(written, {}, &CodedWeight::sqnr);
  result.path = request.out;
  result.summary = message<
      "{count} layers as {type}, signal to rounding noise {median} dB in the median, at "
      "least {least} dB ({layer})">(
      written.size(), request.weights, fmt::format("{:.1f}", written[written.size() / 2].sqnr),
      fmt::format("{:.1f}", written.front().sqnr), written.front().name);
  return result;
}

}  // namespace mantissa
