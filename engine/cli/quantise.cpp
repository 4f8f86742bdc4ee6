#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <set>

#include "engine/adapters/adapter_file.h"
#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/model_out.h"
#include "engine/cli/option_values.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/block_scales.h"
#include "engine/io/module_path.h"
#include "engine/io/weights.h"
#include "engine/precision/dtypes.h"
#include "engine/precision/rules.h"
#include "engine/preset/names.h"
#include "kernels/rotation.h"

namespace mantissa {
namespace {

struct QuantiseOptions {
  ModelOutOptions model;
  std::string weights;
};

struct WrittenWeight {
  std::string name;
  double sqnr = 0;  ///< dB
};

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

void tell_done(CommandSession& session, const QuantiseOptions& o,
               std::vector<WrittenWeight> written) {
  std::ranges::sort(written, {}, &WrittenWeight::sqnr);
  if (session.json) {
    write_event(session.out(), {{"event", "done"},
                                {"path", o.model.out},
                                {"weights", written.size()},
                                {"least_sqnr", written.front().sqnr},
                                {"least", written.front().name}});
  } else if (session.level() <= LogLevel::info) {
    session.out() << fmt::format(
                         "{} layers as {}, signal to rounding noise {:.1f} dB in the median, at "
                         "least {:.1f} dB ({}): {}",
                         written.size(), o.weights, written[written.size() / 2].sqnr,
                         written.front().sqnr, printable(written.front().name),
                         printable(o.model.out))
                  << std::endl;
  }
}

int quantise(CommandSession& session, const QuantiseOptions& o) {
  const WeightSource source = open_base_of(o.model);
  ModelContents model = contents_of(source, o.model);
  if (choose_codes(model, source, *enum_from_name<StorageType>(o.weights)) == 0) {
    throw Error(message<"'{file}' has no linear layers to quantise">(path_to_utf8(source.path())));
  }
  std::vector<WrittenWeight> written;
  model.codes_written = [&](const std::string& name, double sqnr) {
    written.push_back({name, sqnr});
    if (session.json) {
      write_event(session.out(), {{"event", "weight"}, {"name", name}, {"sqnr", sqnr}});
    }
  };
  write_model_out(o.model, source, model, {});
  tell_done(session, o, std::move(written));
  return 0;
}

}  // namespace

void add_quantise(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand(
      "quantise", "Write a base model with 8-bit or 4-bit weights, for training and for ComfyUI");
  const auto o = std::make_shared<QuantiseOptions>();
  add_model_out(*command, o->model, "Type of all other weights; without it, the base model's",
                "What to write: a .safetensors file");
  command
      ->add_option(
          "--weights", o->weights,
          "Type of the denoiser's linear layers; entries, exits, timestep layers, and with "
          "mxfp8 and nvfp4 those whose rows blocks don't fill, stay as they are")
      ->type_name("TYPE")
      ->check(
          one_of(std::vector<std::string>{"fp8_e4m3", "int8", "int8_convrot", "mxfp8", "nvfp4"}))
      ->required();
  command->callback(
      [&session, &action, o] { action = [&session, o] { return quantise(session, *o); }; });
}

}  // namespace mantissa
