#include "engine/caption/vision_language.h"

#include <algorithm>
#include <string>

#include "engine/core/error.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr std::int64_t kRoomStep = 64;

PrecisionRules rules_of(ComputeType type) {
  Preset::Precision settings;
  settings.compute = type;
  settings.weights.text_encoders =
      type == ComputeType::bf16 ? StorageType::bf16 : StorageType::fp32;
  return PrecisionRules(settings);
}

std::string keys_of(std::size_t layer) {
  return "keys" + std::to_string(layer);
}
std::string values_of(std::size_t layer) {
  return "values" + std::to_string(layer);
}

}  // namespace

void VisionLanguage::Program::prepare(Kernels& kernels, Arena& arena) {
  plan = make_plan(graph);
  executor = std::make_unique<Executor>(graph, plan, kernels, arena);
}

VisionLanguage::VisionLanguage(Kernels& kernels, const WeightSource& source, ComputeType type,
                               const Progress& progress)
    : kernels_(kernels),
      source_(source),
      rules_(rules_of(type)),
      weights_(kernels, source_),
      text_config_(qwen3_config(source_, kTe1, kQwen3VlTheta)),
      vision_config_(qwen3_vision_config(source_, kTe1)),
      question_arena_(kernels),
      token_arena_(kernels) {
  if (vision_config_.out != text_config_.hidden) {
    throw Error(message<"the vision tower gives tokens of {width} channels, the language model "
                        "takes {wanted}; get the model's whole folder again">(vision_config_.out,
                                                                              text_config_.hidden));
  }
  load(progress);
  bind(weights_);
  learned_ = weights_.values("te1.visual.pos_embed.weight");
}

void VisionLanguage::load(const Progress& progress) {
  // A store that loads nothing tells which weights these are, so that they can be counted.
  WeightStore planned = WeightStore::planning(source_);
  bind(planned);
  std::vector<const Tensor*> wanted;
  planned.each(
      [&](Part, std::string_view, const Tensor& tensor, bool) { wanted.push_back(&tensor); });
  std::int64_t done = 0;
  for (const Tensor* tensor : wanted) {
    if (progress) {
      progress(RunPhase::loading, done++, std::ssize(wanted));
    }
    weights_.frozen(tensor->name, tensor->shape, tensor->dtype);
  }
}

void VisionLanguage::bind(WeightStore& weights) {
  const Scope root(weights, nullptr, kTe1, &rules_);
  vision_.emplace(vision_config_, root / "visual");
  text_.emplace(text_config_, root, std::vector{text_config_.layers});
  const bool own = source_.contains(kTe1, "lm_head.weight");
  head_.emplace(root / (own ? "lm_head" : "model.embed_tokens"), text_config_.hidden,
                text_config_.vocab, false);
}

std::int64_t VisionLanguage::image_tokens(const Layout& layout) const {
  return std::int64_t{layout.rows} * layout.columns / (vision_config_.merge * vision_config_.merge);
}

Value VisionLanguage::scores_of(Value states) const {
  const std::int64_t tokens = states.shape()[1];
  const Value last = take_tokens(states, tokens - 1, 1);
  return cast((*head_)(cast(last, rules_.activations("te1"))), DType::f32);
}

void VisionLanguage::keep(Graph& graph, const Qwen3Beside& beside) {
  for (std::size_t layer = 0; layer < beside.own.size(); ++layer) {
    graph.output(keys_of(layer), beside.own[layer].keys);
    graph.output(values_of(layer), beside.own[layer].values);
  }
}

void VisionLanguage::record_question(const Layout& layout) {
  if (question_ && layout == layout_) {
    return;
  }
  question_ = std::make_unique<Program>();
  layout_ = layout;
  Graph& graph = question_->graph;
  const std::int64_t patches = std::int64_t{layout.rows} * layout.columns;
  const std::int64_t words = layout.before + layout.after;
  const std::int64_t tokens = words + image_tokens(layout);
  const Shape turns{1, patches, vision_config_.head_dim() / 2};
  const SeenImage seen = vision_->forward(
      graph,
      {.patches = graph.input("patches", DType::f32, {1, patches, vision_config_.patch_values()}),
       .positions = graph.input("positions", DType::f32, {1, patches, vision_config_.hidden}),
       .cos = graph.input("image_cos", DType::f32, turns),
       .sin = graph.input("image_sin", DType::f32, turns)});
  const Value text = text_->embed(graph.input("ids", DType::i32, {1, words}));
  const auto framed = [&](Value before, Value image, Value after) {
    return join_tokens(join_tokens(before, image), after);
  };
  Qwen3Beside beside;
  const auto nothing = [&](std::int64_t count) {
    return constant(graph, text.dtype(), {1, count, text_config_.hidden}, 0);
  };
  for (const Value deep : seen.deep) {
    beside.added.push_back(framed(nothing(layout.before), deep, nothing(layout.after)));
  }
  const Shape table{1, tokens, text_config_.head_dim / 2};
  const Value states = text_->forward(
      framed(take_tokens(text, 0, layout.before), seen.tokens,
             take_tokens(text, layout.before, layout.after)),
      {.cos = graph.input("cos", DType::f32, table), .sin = graph.input("sin", DType::f32, table)},
      &beside);
  graph.output("scores", scores_of(states));
  keep(graph, beside);
  question_->prepare(kernels_, question_arena_);
}

void VisionLanguage::make_room(std::int64_t tokens) {
  if (tokens <= capacity_) {
    return;
  }
  token_.reset();
  kept_.clear();
  memory_.clear();
  capacity_ = (tokens + kRoomStep - 1) / kRoomStep * kRoomStep;
  const Shape shape{1, capacity_, std::int64_t{text_config_.key_heads} * text_config_.head_dim};
  for (int i = 0; i < 2 * text_config_.layers; ++i) {
    Tensor& tensor = kept_.emplace_back();
    tensor.name = "kept." + std::to_string(i);
    tensor.dtype = rules_.activations("te1");
    tensor.shape = shape;
    tensor.data = memory_.emplace_back(kernels_, shape, tensor.dtype).view().data;
  }
  record_token();
}

void VisionLanguage::record_token() {
  token_ = std::make_unique<Program>();
  Graph& graph = token_->graph;
  Qwen3Beside beside;
  for (std::size_t i = 0; i < kept_.size(); i += 2) {
    beside.before.push_back({graph.use(kept_[i]), graph.use(kept_[i + 1])});
  }
  const Shape table{1, 1, text_config_.head_dim / 2};
  const Value states = text_->forward(text_->embed(graph.input("ids", DType::i32, {1, 1})),
                                      {.keys = graph.input("keys", DType::f32, {1, capacity_ + 1}),
                                       .cos = graph.input("cos", DType::f32, table),
                                       .sin = graph.input("sin", DType::f32, table)},
                                      &beside);
  graph.output("scores", scores_of(states));
  keep(graph, beside);
  token_->prepare(kernels_, token_arena_);
}

void VisionLanguage::take(const Executor& executor, std::int64_t tokens) {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    View room = kept_[i].view();
    room.data = static_cast<std::byte*>(room.data) +
                static_cast<std::size_t>(held_ * room.shape[2]) * dtype_size(room.dtype);
    const View fresh = executor.output(i % 2 == 0 ? keys_of(i / 2) : values_of(i / 2));
    kernels_.copy(fresh, View(room.data, room.dtype, {1, tokens, room.shape[2]}));
  }
  held_ += tokens;
}

void VisionLanguage::run(Executor& executor) {
  stopped_ = stop_ && stop_();
  if (!stopped_) {
    // On a card, ops that are watched aren't launched together.
    if (stop_ && kernels_.host_memory()) {
      executor.set_watch([this](const OpCall&) {
        stopped_ = stop_();
        return !stopped_;
      });
    }
    executor.run({});
    executor.set_watch({});
  }
  if (stopped_) {
    throw Error(ErrorKind::interrupted, message<"captioning was stopped">());
  }
}

void VisionLanguage::feed_tables(const Executor& executor, std::span<const double> places) const {
  const RotaryTables tables = multimodal_tables(text_config_, vision_config_, places);
  executor.feed("cos", tables.cos);
  executor.feed("sin", tables.sin);
}

std::vector<float> VisionLanguage::read(const ImageQuestion& question, std::int64_t room) {
  const PatchedImage& image = question.image;
  const Layout layout{std::ssize(question.before), std::ssize(question.after), image.rows,
                      image.columns};
  const std::int64_t seen = image_tokens(layout);
  const std::int64_t tokens = layout.before + seen + layout.after;
  make_room(tokens + room);
  record_question(layout);
  Executor& executor = *question_->executor;
  const RotaryTables turns = vision_tables(image.rows, image.columns, vision_config_);
  std::vector<std::int32_t> ids = question.before;
  ids.insert(ids.end(), question.after.begin(), question.after.end());
  const int merge = vision_config_.merge;
  const TokenRun runs[] = {
      {layout.before}, {seen, image.rows / merge, image.columns / merge}, {layout.after}};
  const RunPositions positions = run_positions(runs);
  executor.feed("patches", image.patches);
  executor.feed("positions", vision_positions(learned_, image.rows, image.columns, vision_config_));
  executor.feed("image_cos", turns.cos);
  executor.feed("image_sin", turns.sin);
  executor.feed("ids", ids);
  feed_tables(executor, positions.places);
  run(executor);
  held_ = 0;
  take(executor, tokens);
  next_ = positions.next;
  return executor.read("scores");
}

std::vector<float> VisionLanguage::read(std::int32_t token) {
  if (held_ + 1 > capacity_) {
    throw Error(Message::verbatim("[VisionLanguage] no room was asked for another token"));
  }
  const Executor& executor = *token_->executor;
  std::vector<float> keys(static_cast<std::size_t>(capacity_ + 1), kMaskedKey);
  std::fill_n(keys.begin(), held_, 0.0F);
  keys.back() = 0;  // its own
  executor.feed("ids", std::vector{token});
  executor.feed("keys", keys);
  feed_tables(executor, std::vector{next_, next_, next_});
  run(*token_->executor);
  take(executor, 1);
  ++next_;
  return executor.read("scores");
}

}  // namespace mantissa
