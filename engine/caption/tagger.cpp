#include "engine/caption/tagger.h"

#include <cmath>

#include "engine/caption/tagger_network.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/finite_weights.h"
#include "engine/io/weight_convert.h"

namespace mantissa {

Tagger::Tagger(Kernels& kernels, const std::filesystem::path& folder, const Progress& progress)
    : kernels_(kernels), arena_(kernels) {
  const std::filesystem::path file = tagger_weights(folder);
  const SafetensorsFile weights = SafetensorsFile::open(file);
  config_ = tagger_config(weights);
  const std::filesystem::path list = file.parent_path() / "selected_tags.csv";
  tags_ = read_tag_list(list);
  if (std::ssize(tags_) != config_.tags) {
    throw Error(message<"'{list}' lists {tags} tags, but the network of '{file}' tells {outputs}; "
                        "take both from the same tagger">(path_to_utf8(list), tags_.size(),
                                                          path_to_utf8(file), config_.tags));
  }
  load(weights, progress);
  record();
}

void Tagger::load(const SafetensorsFile& weights, const Progress& progress) {
  std::int64_t done = 0;
  for (const TensorInfo& info : weights.tensors()) {
    if (!info.type || !is_float(*info.type)) {
      throw Error(message<"'{file}': the tagger's weight {weight} is of type {type}; F32, BF16 and "
                          "F16 are read">(weights.label(), info.name, info.dtype));
    }
    if (progress) {
      progress(RunPhase::loading, done++, std::ssize(weights.tensors()));
    }
    require_finite(info, weights.label());
    std::vector<float> values(static_cast<std::size_t>(info.count()));
    convert_weight({.dtype = *info.type, .shape = info.shape(), .data = info.data}, DType::f32,
                   values.data(), message_value(info.name));
    Tensor tensor;
    tensor.name = tensor.module = info.name;
    tensor.shape = info.shape();
    tensor.data = memory_.emplace_back(kernels_, values, tensor.shape).view().data;
    tensor.constant_id = reinterpret_cast<std::uintptr_t>(tensor.data);
    weights_.emplace(info.name, std::move(tensor));
  }
}

void Tagger::record() {
  record_tagger(graph_, config_, weights_);
  plan_ = make_plan(graph_);
  executor_ = std::make_unique<Executor>(graph_, plan_, kernels_, arena_);
  if (config_.eva) {
    tagger_rotation(config_, cos_, sin_);
  }
}

void Tagger::set_stop(std::function<bool()> stop) {
  stopped_ = false;
  if (!stop) {
    executor_->set_watch({});
    return;
  }
  executor_->set_watch([this, stop = std::move(stop)](const OpCall&) {
    stopped_ = stop();
    return !stopped_;
  });
}

std::vector<float> Tagger::logits(std::span<const float> input) {
  executor_->feed("image", input);
  if (config_.eva) {
    executor_->feed("cos", cos_);
    executor_->feed("sin", sin_);
  }
  executor_->run({});
  if (stopped_) {
    throw Error(ErrorKind::interrupted, message<"captioning was stopped">());
  }
  return executor_->read("logits");
}

std::vector<float> Tagger::scores(const Image& image) {
  std::vector<float> scores =
      logits(tagger_input(square_image(image, config_.side), config_.input));
  for (float& score : scores) {
    score = 1.0F / (1.0F + std::exp(-score));
  }
  return scores;
}

}  // namespace mantissa
