#include "engine/models/flux1/flux1_blocks.h"

#include <cmath>

#include "engine/graph/ops.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr double kFlux1NormEps = 1e-6;
constexpr Projections::Run kFlux1Qkv{0, 3};

struct Flux1Heads {
  Value q, k, v;
};

Projections flux1_qkv(const Flux1Widths& w, const Scope& attention,
                      const std::array<const char*, 3>& names) {
  return {attention,
          {Linear(attention / names[0], w.width(), w.width()),
           Linear(attention / names[1], w.width(), w.width()),
           Linear(attention / names[2], w.width(), w.width())},
          {kFlux1Qkv}};
}

Flux1Heads flux1_heads(const Projections& projections, const RmsNorm& norm_q, const RmsNorm& norm_k,
                       Value x) {
  const std::vector<Value> qkv = projections(x, kFlux1Qkv);
  return {norm_q.of_heads(packed(qkv[0])), norm_k.of_heads(packed(qkv[1])), packed(qkv[2])};
}

/// What `run(tokens, modulation)` makes of a stream's tokens, those behind the image apart.
template <typename F>
Value flux1_modulated(const std::vector<Value>& x, const Flux1Modulation& m,
                      const Flux1Behind& behind, F&& run) {
  if (behind.modulation.empty()) {
    return run(x, m);
  }
  const auto part = [&](std::int64_t begin, std::int64_t count) {
    std::vector<Value> taken;
    for (const Value v : x) {
      taken.push_back(take_tokens(v, begin, count));
    }
    return taken;
  };
  const std::int64_t rest = x.front().shape()[1] - behind.patches;
  return join_tokens(run(part(0, behind.patches), m),
                     run(part(behind.patches, rest), behind.modulation));
}

/// The norm before attention, or with `first` 3 before the feed-forward.
Value flux1_normed_stream(Value x, const Flux1Modulation& m, std::size_t first,
                          const Flux1Behind& behind) {
  return flux1_modulated({x}, m, behind,
                         [&](const std::vector<Value>& v, const Flux1Modulation& own) {
                           return flux1_normed(v[0], own[first], own[first + 1]);
                         });
}

Value flux1_attend(const Flux1Heads& x, int heads, const Flux1Attended& to) {
  const RopeOptions turn{.heads = heads};
  AttentionOptions options;
  options.heads = heads;
  options.scale = static_cast<float>(
      1.0 / std::sqrt(static_cast<double>(x.q.shape()[2]) / static_cast<double>(heads)));
  return attention(rope(x.q, to.cos, to.sin, turn), rope(x.k, to.cos, to.sin, turn), x.v, options,
                   {.keys = to.keys});
}

}  // namespace

Value flux1_normed(Value x, Value shift, Value scale) {
  return modulate(layer_norm(x, {}, {}, static_cast<float>(kFlux1NormEps)), scale, shift);
}

const Flux1DoubleBlock::Names Flux1DoubleBlock::kImageNames{
    {"to_q", "to_k", "to_v"}, "norm_q", "norm_k", "to_out.0"};
const Flux1DoubleBlock::Names Flux1DoubleBlock::kTextNames{
    {"add_q_proj", "add_k_proj", "add_v_proj"}, "norm_added_q", "norm_added_k", "to_add_out"};

Flux1DoubleBlock::Stream::Stream(const Flux1Widths& w, const Scope& scope, const Names& names,
                                 const char* feed_forward)
    : qkv(flux1_qkv(w, scope / "attn", names.qkv)),
      norm_q(scope / "attn" / names.norm_q, w.head_dim, kFlux1NormEps),
      norm_k(scope / "attn" / names.norm_k, w.head_dim, kFlux1NormEps),
      out(scope / "attn" / names.out, w.width(), w.width()),
      feed_in(scope / feed_forward / "0.proj", w.width(), w.hidden()),
      feed_out(scope / feed_forward / "2", w.hidden(), w.width()) {}

Flux1DoubleBlock::Flux1DoubleBlock(const Flux1Widths& w, const Scope& scope,
                                   const Flux1FeedForwards& names)
    : path_(scope.path()),
      heads_(w.heads),
      image_(w, scope, kImageNames, names.image),
      text_(w, scope, kTextNames, names.text) {}

/// A stream's residuals: what attention gave it, then its feed-forward.
Value Flux1DoubleBlock::leave(const Stream& stream, Value x, Value attended,
                              const Flux1Modulation& m, const Flux1Behind& behind) const {
  Graph& graph = x.graph();
  const auto gated = [&](Value y, std::size_t gate) {
    graph.set_path(path_);
    return flux1_modulated({x, y}, m, behind,
                           [&](const std::vector<Value>& v, const Flux1Modulation& own) {
                             return gated_add(v[0], v[1], own[gate]);
                           });
  };
  x = gated(stream.out(attended), 2);
  const Segment feed_forward(graph, SegmentScope::feed_forward);
  const Value inner = stream.feed_in(flux1_normed_stream(x, m, 3, behind));
  graph.set_path(path_);
  return gated(stream.feed_out(unary(Unary::gelu_tanh, inner)), 5);
}

Flux1Streams Flux1DoubleBlock::operator()(const Flux1Streams& x, const Flux1Modulation& image,
                                          const Flux1Modulation& text, const Flux1Attended& to,
                                          const Flux1Behind& behind) const {
  Graph& graph = x.image.graph();
  const auto heads_of = [&](const Stream& stream, Value tokens, const Flux1Modulation& m,
                            const Flux1Behind& apart) {
    graph.set_path(path_);
    return flux1_heads(stream.qkv, stream.norm_q, stream.norm_k,
                       flux1_normed_stream(tokens, m, 0, apart));
  };
  const Flux1Heads of_text = heads_of(text_, x.text, text, {});
  const Flux1Heads of_image = heads_of(image_, x.image, image, behind);
  graph.set_path(path_ + ".attn");
  const Flux1Heads joint{join_tokens(of_text.q, of_image.q), join_tokens(of_text.k, of_image.k),
                         join_tokens(of_text.v, of_image.v)};
  const Value attended = flux1_attend(joint, heads_, to);
  const std::int64_t tokens = x.text.shape()[1], patches = x.image.shape()[1];
  const Value to_text = take_tokens(attended, 0, tokens);
  const Value to_image = take_tokens(attended, tokens, patches);
  return {leave(image_, x.image, to_image, image, behind), leave(text_, x.text, to_text, text, {})};
}

Flux1SingleBlock::Flux1SingleBlock(const Flux1Widths& w, const Scope& scope)
    : path_(scope.path()),
      heads_(w.heads),
      qkv_(flux1_qkv(w, scope / "attn", {"to_q", "to_k", "to_v"})),
      norm_q_(scope / "attn.norm_q", w.head_dim, kFlux1NormEps),
      norm_k_(scope / "attn.norm_k", w.head_dim, kFlux1NormEps),
      feed_in_(scope / "proj_mlp", w.width(), w.hidden()),
      out_(scope / "proj_out", w.width() + w.hidden(), w.width()) {}

Value Flux1SingleBlock::operator()(Value x, const Flux1Modulation& m,
                                   const Flux1Attended& to) const {
  Graph& graph = x.graph();
  graph.set_path(path_);
  const Value normed = flux1_normed(x, m[0], m[1]);
  const Flux1Heads heads = flux1_heads(qkv_, norm_q_, norm_k_, normed);
  graph.set_path(path_ + ".attn");
  const Value attended = flux1_attend(heads, heads_, to);
  const Value inner = feed_in_(normed);
  graph.set_path(path_);
  const Value out = out_(join_channels({attended, unary(Unary::gelu_tanh, inner)}));
  graph.set_path(path_);
  return gated_add(x, out, m[2]);
}

}  // namespace mantissa
