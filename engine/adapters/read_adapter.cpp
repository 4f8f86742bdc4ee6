#include "engine/adapters/read_adapter.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "engine/adapters/adapter.h"
#include "engine/adapters/adapter_forms.h"
#include "engine/adapters/delta.h"
#include "engine/adapters/fused_module.h"
#include "engine/adapters/low_rank.h"
#include "engine/adapters/merge.h"
#include "engine/adapters/module_weight.h"
#include "engine/adapters/parallel_modules.h"
#include "engine/core/ascii.h"
#include "engine/core/error.h"
#include "engine/io/bundled_name.h"
#include "engine/io/json_file.h"
#include "engine/io/module_path.h"
#include "engine/io/name_parts.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// The axis from the shape of a module's magnitudes, if unambiguous: dora_scale is shaped to
/// broadcast over the weight, PEFT's vector is [out] or [1, out, 1, 1], AI Toolkit's [out]. Throws
/// Error if it fits neither.
std::optional<DoraAxis> axis_by_shape(const TensorInfo& tensor, const AdapterModule& module,
                                      const std::string& file) {
  const Shape shape = tensor.shape();
  const std::int64_t out = module.up_shape[0], in = module.down_shape[1];
  // A LoHa's or LoKr's flat factors don't tell a convolution's inputs from its kernel.
  const bool flat = shape.rank() == 4 && module.down_shape.rank() == 2;
  const bool peft = tensor.name.find("lora_magnitude_vector") != std::string::npos ||
                    tensor.name.ends_with(".magnitude");
  const std::int64_t first = shape.rank() > 0 ? shape[0] : 1;
  const std::int64_t second = shape.rank() > 1 ? shape[1] : 1;
  bool per_output, per_input;
  if (shape.rank() == 1) {
    per_output = first == out;
    per_input = first == in && !peft;
    // One dimension broadcasts over inputs but is meant for outputs: only PEFT's name resolves it.
    if (!peft && (per_output || per_input)) {
      return std::nullopt;
    }
  } else {
    per_output =
        (first == out && second == 1) || (peft && shape.rank() == 4 && first == 1 && second == out);
    per_input = first == 1 && (second == in || (flat && second > 0 && in % second == 0));
  }
  if (shape.count() != first * second || (!per_output && !per_input)) {
    throw Error(
        message<"{file}: {tensor} is {shape}, which fits neither the outputs nor the inputs of a "
                "weight [{outputs}, {inputs}, …]">(file, tensor.name, shape.str(), out, in));
  }
  if (per_output && per_input) {
    return std::nullopt;
  }
  return per_output ? DoraAxis::output : DoraAxis::input;
}

/// The axis from a file's metadata: ours, or LyCORIS's.
std::optional<DoraAxis> axis_by_metadata(const std::map<std::string, std::string>& metadata) {
  if (const auto it = metadata.find("mantissa.dora_axis"); it != metadata.end()) {
    return it->second == "input" ? DoraAxis::input : DoraAxis::output;
  }
  if (const auto it = metadata.find("ss_network_args"); it != metadata.end()) {
    const auto args = parse_json_or_discard(it->second);
    if (args.is_object() && args.contains("wd_on_output")) {
      // LyCORIS takes any text but "false" for true, in any case; sd-scripts writes text.
      const auto& given = args["wd_on_output"];
      const std::string text = given.is_string() ? given.get<std::string>() : given.dump();
      return lower_ascii(text) == "false" ? DoraAxis::input : DoraAxis::output;
    }
  }
  return std::nullopt;
}

/// Determines the axis of every DoRA module: by its own shape, else by the metadata, else as in the
/// file's other modules.
void settle_axes(std::vector<AdapterModule>& modules, const AdapterFile& found,
                 std::optional<DoraAxis> answer) {
  const std::string& file = found.label;
  std::optional<DoraAxis> hint = answer ? answer : axis_by_metadata(found.metadata);
  if (!hint && !found.peft.empty()) {
    hint = DoraAxis::output;  // PEFT knows no other
  }
  std::optional<DoraAxis> seen;
  bool mixed = false;
  std::vector<AdapterModule*> open;
  for (AdapterModule& module : modules) {
    const TensorInfo* tensor = found.modules.at(module.path).find(AdapterRole::magnitude);
    if (tensor == nullptr) {
      continue;
    }
    module.magnitude = tensor_floats(*tensor, file);
    module.dora_axis = axis_by_shape(*tensor, module, file);
    if (!module.dora_axis) {
      open.push_back(&module);
    } else {
      mixed = mixed || (seen && *seen != *module.dora_axis);
      seen = module.dora_axis;
    }
  }
  if (!hint && !mixed) {
    hint = seen;
  }
  for (AdapterModule* module : open) {
    const TensorInfo& tensor = *found.modules.at(module->path).find(AdapterRole::magnitude);
    if (!hint) {
      throw Error(
          message<"{file}: {tensor} is {shape}, which may be per output or per input, and nothing "
                  "in the file tells. Which program made it? Answer with --dora-axis output (PEFT, "
                  "LyCORIS) or --dora-axis input (OneTrainer's default)">(file, tensor.name,
                                                                          tensor.shape().str()));
    }
    const std::int64_t channels =
        *hint == DoraAxis::output ? module->up_shape[0] : module->down_shape[1];
    if (static_cast<std::int64_t>(module->magnitude.size()) != channels) {
      throw Error(message<"{file}: {tensor} is {shape}, but the file says its magnitudes are per "
                          "{axis}, {count} of them">(file, tensor.name, tensor.shape().str(),
                                                     enum_name(*hint), channels));
    }
    module->dora_axis = hint;
  }
}

/// The modules of the base model by path: the slices of fused ones instead of these, and halves in
/// the model's order.
std::vector<AdapterModule> without_fused(std::vector<AdapterModule> modules,
                                         const AdapterFile& file) {
  std::vector<AdapterModule> list;
  for (AdapterModule& module : modules) {
    const ModuleTensors& tensors = file.modules.at(module.path);
    const std::vector<std::string>& slices = tensors.slices;
    if (tensors.swapped) {
      list.push_back(with_halves_swapped(std::move(module), file.label));
      continue;
    }
    if (slices.empty()) {
      list.push_back(std::move(module));
      continue;
    }
    for (AdapterModule& slice : split_outputs(module, slices, file.label)) {
      list.push_back(std::move(slice));
    }
  }
  std::sort(list.begin(), list.end(),
            [](const AdapterModule& a, const AdapterModule& b) { return a.path < b.path; });
  return list;
}

/// PEFT's scaling of a module; empty without its config.
std::optional<double> peft_scale(const AdapterFile& file, const std::string& path,
                                 const ModuleTensors& tensors) {
  std::string_view name = tensors.name;
  if (!take(name, "base_model.model.")) {
    name.remove_prefix(std::min(name.find('.') + 1, name.size()));  // unet., transformer.
  }
  const TensorInfo* down = tensors.find(AdapterRole::down);
  const int rank = down != nullptr && !down->dims.empty() ? static_cast<int>(down->dims[0]) : 1;
  return file.peft.scale(split_path(path).part, name, rank);
}

std::vector<float> base_values(const WeightSource& base, Part part, const std::string& name) {
  std::vector<float> values(static_cast<std::size_t>(base.shape(part, name).count()));
  base.read_f32(part, name, values);
  return values;
}

/// Subtracts from the module's change the start that PEFT subtracted from the base weight.
void subtract_start(AdapterModule& module, PeftStart start, const WeightSource& base) {
  const auto [part, name] = weight_of_module(module.path);
  const std::vector<float> weight = base_values(base, part, name);
  const double scale = module.alpha / module.rank;
  const std::int64_t rows = base.shape(part, name)[0];
  const std::int64_t cols = static_cast<std::int64_t>(weight.size()) / rows;
  const PissaSplit split = start == PeftStart::pissa ? pissa_start(weight, rows, cols, module.rank,
                                                                   static_cast<float>(scale))
                                                     : olora_start(weight, rows, cols, module.rank);
  append_factors(module, split.down, split.up, module.rank, -1.0F);
  module.alpha = scale * module.rank;
}

void subtract_starts(std::vector<AdapterModule>& modules, const AdapterFile& file,
                     const WeightSource& base) {
  for_each_module(modules.size(), [&](std::size_t i) {
    const PeftStart start = file.peft.start(split_path(modules[i].path).part);
    if (start != PeftStart::none && modules[i].rank > 0 && !modules[i].product) {
      subtract_start(modules[i], start, base);
    }
  });
}

/// Collects the changes of weights that no adapter multiplies.
class Changes {
 public:
  Changes(const AdapterFile& file, const WeightSource& base) : file_(file), base_(base) {}

  /// `values`: of "<path>.weight" or "<path>.bias", or of those of its slices in order.
  void add(const std::string& path, const ModuleTensors& tensors, const TensorInfo& tensor,
           const char* member, float scale) {
    std::vector<float> values = tensor_floats(tensor, file_.label);
    for (float& x : values) {
      x *= scale;
    }
    if (tensors.swapped) {
      exchange_halves(values);
    }
    if (tensors.slices.empty()) {
      put(path, member, tensor, std::move(values));
      return;
    }
    for (const OutputShare& share : output_shares(tensors.slices)) {
      put(*share.path, member, tensor, share.of(values));
    }
  }
  std::vector<WeightChange> take() { return std::move(list_); }

 private:
  void put(const std::string& path, const char* member, const TensorInfo& tensor,
           std::vector<float> values) {
    const std::string weight = path + member;
    const auto [part, name] = part_and_weight(weight);
    if (!base_.contains(part, name)) {
      if (std::all_of(values.begin(), values.end(), [](float x) { return x == 0.0F; })) {
        return;  // changes nothing
      }
      throw Error(
          message<"{file}: {tensor} changes {weight}, which the base model lacks: the layer has "
                  "none. Was the file made for another base model? Otherwise train it without "
                  "biases where it was made">(file_.label, tensor.name, weight));
    }
    const std::int64_t count = base_.shape(part, name).count();
    if (std::ssize(values) != count) {
      throw Error(message<"{file}: {tensor} holds {count} values for {weight}, which has {wanted}. "
                          "Was the file made for another base model?">(
          file_.label, tensor.name, values.size(), weight, count));
    }
    list_.push_back({weight, std::move(values)});
  }

  const AdapterFile& file_;
  const WeightSource& base_;
  std::vector<WeightChange> list_;
};

/// Adds the weights that replace the base model's, as what they change.
void add_whole(AdapterContents& result, const AdapterFile& file, const WeightSource& base,
               const std::set<std::string>& adaptable) {
  for (const auto& [weight, tensor] : file.whole) {
    const auto [part, name] = part_and_weight(weight);
    std::vector<float> change = tensor_floats(*tensor, file.label);
    const std::vector<float> from = base_values(base, part, name);
    if (change.size() != from.size()) {
      throw Error(message<"{file}: {tensor} holds {count} values for {weight}, which has {wanted}. "
                          "Was the file made for another base model?">(
          file.label, tensor->name, change.size(), weight, from.size()));
    }
    std::transform(change.begin(), change.end(), from.begin(), change.begin(), std::minus<>());
    constexpr std::string_view kWeight = ".weight";
    const std::string path =
        weight.ends_with(kWeight) ? weight.substr(0, weight.size() - kWeight.size()) : weight;
    if (!adaptable.contains(path)) {
      result.changes.push_back({weight, std::move(change)});
      continue;
    }
    AdapterModule module{.path = path};
    module.down_shape = module.up_shape = base.shape(part, name);
    module.down_shape[0] = 0;
    module.up_shape = up_shape(base.shape(part, name), 0);
    module.dense = std::move(change);
    result.modules.push_back(std::move(module));
  }
}

}  // namespace

void fit_shapes(std::vector<AdapterModule>& modules, const WeightSource& base) {
  for (AdapterModule& m : modules) {
    const auto [part, name] = weight_of_module(m.path);
    if (!base.contains(part, name)) {
      continue;
    }
    const Shape weight = base.shape(part, name);
    if (weight.rank() == 4 && m.down_shape.rank() == 2 && m.up_shape[0] == weight[0] &&
        m.down_shape[1] == weight.count() / weight[0]) {
      m.down_shape = {m.rank, weight[1], weight[2], weight[3]};
      m.up_shape = {weight[0], m.rank, 1, 1};
    }
  }
}

AdapterContents adapter_modules(const AdapterFile& file, const WeightSource& base,
                                std::optional<DoraAxis> axis) {
  const std::vector<std::string> paths = adaptable_modules(base);
  const std::set<std::string> adaptable(paths.begin(), paths.end());
  AdapterContents result;
  result.metadata = file.metadata;
  result.notices = file.notices;
  Changes changes(file, base);
  for (const auto& [path, tensors] : file.modules) {
    const std::optional<double> scale = peft_scale(file, path, tensors);
    const TensorInfo* diff = tensors.find(AdapterRole::diff);
    const bool multiplied = !tensors.slices.empty() || adaptable.contains(path);
    if (diff != nullptr && !multiplied) {
      changes.add(path, tensors, *diff, ".weight", 1);
    } else if (!tensors.by_role.empty()) {
      result.modules.push_back(adapter_module(path, tensors, scale, file.label));
    }
    if (const TensorInfo* bias = tensors.find(BesideRole::bias_change)) {
      changes.add(path, tensors, *bias, ".bias", 1);
    }
    if (const TensorInfo* bias = tensors.find(BesideRole::up_bias);
        bias != nullptr && !tensors.by_role.empty()) {
      const AdapterModule& m = result.modules.back();
      changes.add(path, tensors, *bias, ".bias", static_cast<float>(m.alpha / m.rank));
    }
  }
  fit_shapes(result.modules, base);
  settle_axes(result.modules, file, axis);
  result.modules = without_fused(std::move(result.modules), file);
  subtract_starts(result.modules, file, base);
  result.changes = changes.take();
  add_whole(result, file, base, adaptable);
  std::sort(result.modules.begin(), result.modules.end(),
            [](const AdapterModule& a, const AdapterModule& b) { return a.path < b.path; });
  return result;
}

AdapterContents read_adapter(const std::filesystem::path& path, const WeightSource& base,
                             std::optional<DoraAxis> axis, EmbeddingsBeside embeddings) {
  const AdapterFile file = AdapterFile::open(path, base);
  for (const TensorInfo* tensor : file.embeddings) {
    if (embeddings == EmbeddingsBeside::refused || !bundled_name(tensor->name)) {
      throw Error(
          message<"{file}: {tensor} is an embedding (textual inversion) beside the adapter, "
                  "which isn't applied: words that stand for it would mean nothing. Save the "
                  "adapter without embeddings where it was made">(file.label, tensor->name));
    }
  }
  return adapter_modules(file, base, axis);
}

}  // namespace mantissa
