#include "engine/adapters/trained_set.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/precision/dtypes.h"
#include "engine/precision/rules.h"

namespace mantissa {
namespace {

std::int64_t kernel_area(const Shape& weight) {
  return weight.rank() == 4 ? weight[2] * weight[3] : 1;
}

int vectors_of(const Preset& preset) {
  int count = 0;
  for (const EmbeddingToken& word : preset.embedding.tokens) {
    count += word.vectors;
  }
  return trains_embeddings(preset) ? count : 0;
}

}  // namespace

TrainedSet::TrainedSet(Kernels* kernels, const Preset& preset, const Family& family)
    : AdapterSet(kernels, {dtype_of(preset.precision.adapter), dtype_of(preset.precision.gradients),
                           activation_dtype(preset.precision.compute)}),
      options_(preset.adapter),
      targets_(preset.adapter.targets, family.parts),
      training_(preset.training),
      word_vectors_(vectors_of(preset)),
      helped_parts_(helped_parts(preset, family)) {
  if (options_.rank < 1 || options_.conv_rank < 0) {
    throw Error(message<"adapter.rank is {rank} and adapter.conv_rank {conv_rank}; the rank must "
                        "be at least 1">(options_.rank, options_.conv_rank));
  }
  if (is_product(options_.type) && options_.init == AdapterInit::pissa) {
    throw Error(Message::verbatim("adapter.init pissa is LoRA's; the catalogue's D12 refuses it"));
  }
}

TrainedSet::TrainedSet(Kernels& kernels, const Preset& preset, const Family& family)
    : TrainedSet(&kernels, preset, family) {}

TrainedSet TrainedSet::planning(const Preset& preset, const Family& family) {
  return TrainedSet(nullptr, preset, family);
}

std::optional<AdapterSize> TrainedSet::size_on(const std::string& path, Part part,
                                               const Shape& shape, const Tensor* weight) {
  const auto& parts = training_.parts;
  const bool trained = std::find(parts.begin(), parts.end(), part) != parts.end();
  const AdapterSize size = adapter_size(options_, path, kernel_area(shape) > 1);
  if (!trained || training_.method == TrainingMethod::full || size.rank == 0 ||
      !targets_.matches(part, path)) {
    return std::nullopt;
  }
  return size;
}

void TrainedSet::furnish(Adapter& adapter, const AdapterSize& size) {
  const bool product = is_product(options_.type);
  if (!product) {
    add_tensor(adapter, adapter.down, ".lora_A.weight", down_shape(adapter.shape, size.rank));
    add_tensor(adapter, adapter.up, ".lora_B.weight", up_shape(adapter.shape, size.rank),
               options_.lora_plus_ratio);
  }
  adapter.alpha = static_cast<float>(size.alpha);
  const double divisor = options_.scaling == AdapterScaling::rslora
                             ? std::sqrt(static_cast<double>(size.rank))
                             : size.rank;
  adapter.scale = static_cast<float>(size.alpha / divisor);
  adapter.dropout = static_cast<float>(options_.dropout);
  if (product) {
    add_product(adapter);
  }
  if (has_magnitudes(options_)) {
    add_magnitudes(adapter);
  }
}

void TrainedSet::add_magnitudes(Adapter& adapter) {
  DoraAdapter& dora = adapter.dora.emplace();
  dora.axis = options_.dora_axis;
  add_tensor(adapter, dora.magnitude, ".lora_magnitude_vector",
             {dora_channels(adapter.shape, options_.dora_axis)});
  dora.squares.name = adapter.path + ".squares";
  dora.squares.shape = dora.magnitude.shape;
  dora.squares.device = adapter.device;
  if (!adapter.product) {
    DoraBatch& batch = dora_batch(adapter.part, adapter.device);
    dora.batch = &batch;
    dora.place = batch.adapters.size();
    batch.adapters.push_back(&adapter);
  }
}

Tensor* TrainedSet::request_weight(const std::string& module, const std::string& path, Part part,
                                   const Shape& shape) {
  if (!moves_weights(training_, module) || targets_.keeps_frozen(part, module)) {
    return nullptr;
  }
  if (const auto it = weights_by_path_.find(path); it != weights_by_path_.end()) {
    return &it->second->master;
  }
  if (is_laid_out()) {
    throw Error(Message::verbatim(
        path + ": bound after the trained weights were laid out; bind every part first"));
  }
  TrainedWeight& weight = weights_.emplace_back();
  weight.path = path;
  weight.part = part;
  weights_by_path_[path] = &weight;
  Tensor& tensor = weight.master;
  tensor.name = path;
  tensor.module = module;
  tensor.shape = shape;
  tensor.device = device_of(path);
  add(tensor, {.part = part, .rounded_together = false});
  return &tensor;
}

Tensor* TrainedSet::request_words(const std::string& path, Part part, std::int64_t width) {
  if (word_vectors_ == 0) {
    return nullptr;
  }
  const auto known = std::ranges::find(words_, path, &TrainedWords::table);
  if (known != words_.end()) {
    return &known->vectors;
  }
  TrainedWords& words = words_.emplace_back();
  words.table = path;
  words.part = part;
  Tensor& tensor = words.vectors;
  tensor.name = path + ".words";
  tensor.module = path;
  tensor.shape = {word_vectors_, width};
  tensor.device = device_of(path);
  add(tensor, {.part = kEmbeddings, .rounded_together = false});
  return &tensor;
}

void TrainedSet::accompany(std::shared_ptr<const TrainingAdapterFiles> files) {
  if (files && !files->empty()) {
    set_training_adapters(std::make_unique<TrainingAdapters>(std::move(files), helped_parts_));
  }
}

void TrainedSet::require_bound() const {
  if (training_adapters() != nullptr) {
    training_adapters()->require_bound();
  }
  const bool full = training_.method == TrainingMethod::full;
  for (Part part : training_.parts) {
    if (has_matrices(part)) {
      continue;
    }
    const std::string where(part.name());
    if (full) {
      throw Error(message<"training.weights name no module of {part}; use \"*\", or patterns such "
                          "as \"{part}.*\"">(where));
    }
    if (!options_.ranks.empty()) {
      throw Error(
          message<"{part} is trained, but no module of it has an adapter by adapter.targets "
                  "{targets} and adapter.ranks; take {part} from training.parts, or leave "
                  "fewer of its modules out">(where, "[" + targets_.describe() + "]"));
    }
    throw Error(message<"adapter.targets {targets} name no module of {part}; use \"attention\", "
                        "\"attention+mlp\", \"linear+conv\" or patterns such as \"*.attn1.to_q\"">(
        "[" + targets_.describe() + "]", where));
  }
}

void TrainedSet::finalize(std::uint64_t seed, const ReplaceWeight& replace,
                          const ReadWeight& read) {
  require_bound();
  lay_out();
  allocate_squares();
  initialise(seed);
  for (TrainedWeight& weight : weights_) {
    if (!read) {
      throw Error(Message::verbatim(weight.path +
                                    ": a weight is trained from the base model's values, and this "
                                    "caller has none"));
    }
    set(weight.master, read(weight.path));
  }
  for (const TrainedWords& words : words_) {
    set(words.vectors, std::vector<float>(static_cast<std::size_t>(words.vectors.shape.count())));
  }
  finalize_training_adapters();
  if (options_.init == AdapterInit::pissa) {
    start_pissa(replace);
  }
  for (Adapter& adapter : all()) {
    if (adapter.dora) {
      start_dora(adapter);
    }
  }
}

void TrainedSet::allocate_squares() {
  for (Adapter& adapter : all()) {
    if (adapter.dora) {
      Tensor& squares = adapter.dora->squares;
      const bool wide = adapter.weight != nullptr && adapter.weight->dtype == DType::f64;
      squares.dtype = wide ? DType::f64 : DType::f32;
      squares.data = own(adapter.device, static_cast<std::size_t>(squares.shape.count()) *
                                             dtype_size(squares.dtype));
    }
  }
}

void TrainedSet::renew_magnitudes(std::string_view path) {
  if (Adapter* adapter = find_adapter(path); adapter != nullptr && adapter->dora) {
    start_dora(*adapter);
  }
}

void TrainedSet::load(const std::map<std::string, std::vector<float>>& state) {
  if (!is_laid_out()) {
    throw Error(
        Message::verbatim("the adapters have no memory yet; finalize them before loading values"));
  }
  for (const auto& [name, values] : state) {
    const AdapterTensor* entry = find(name);
    if (entry == nullptr) {
      throw Error(
          message<"{tensor}: the model has no adapter tensor of that name; are adapter.targets and "
                  "training.parts those the values were saved with?">(name));
    }
    if (static_cast<std::int64_t>(values.size()) != entry->tensor->shape.count()) {
      throw Error(
          message<"{tensor}: expected {shape}, got {count} values; is adapter.rank the same?">(
              name, entry->tensor->shape.str(), values.size()));
    }
  }
  for (const AdapterTensor& entry : tensors()) {
    const auto it = state.find(entry.name);
    if (it == state.end()) {
      throw Error(message<"{tensor}: missing in the values to load; are adapter.targets and "
                          "training.parts those they were saved with?">(entry.name));
    }
    set(*entry.tensor, it->second);
  }
}

}  // namespace mantissa
