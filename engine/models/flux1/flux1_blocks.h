#pragma once
// The blocks of FLUX.1, and of models made from it, which compute their modulations otherwise.

#include <array>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/projections.h"
#include "engine/nn/rotary.h"
#include "engine/nn/scope.h"

namespace mantissa {

inline constexpr int kFlux1Patch = 2;  ///< side of a token in latents

/// Widths of the blocks.
struct Flux1Widths {
  int heads = 0, head_dim = 0;

  std::int64_t width() const { return std::int64_t{heads} * head_dim; }
  /// Inner width of a feed-forward: four times as wide in every released model.
  std::int64_t hidden() const { return 4 * width(); }
};

/// What attention reads beside its tokens.
struct Flux1Attended {
  Value cos, sin;  ///< [1, tokens of text and image, head_dim/2]
  Value keys;      ///< [b, tokens] added to the scores of each key; may be absent
};

/// shift, scale and gate, [b, width] each; twice in double blocks: for attention, then for the
/// feed-forward.
using Flux1Modulation = std::vector<Value>;

/// A double block's tokens [b, tokens, width].
struct Flux1Streams {
  Value image, text;
};

/// References behind an image's tokens, where they have a modulation of their own.
struct Flux1Behind {
  std::int64_t patches = 0;      ///< tokens of the image before them
  Flux1Modulation modulation{};  ///< [1, width] each; empty: theirs is the image's
};

/// What a double block calls the feed-forwards of its streams.
struct Flux1FeedForwards {
  const char *image = "ff.net", *text = "ff_context.net";
};

/// A block in which text and image have weights of their own and meet in attention (MM-DiT, arXiv
/// 2403.03206). One checkpointing segment is the caller's.
class Flux1DoubleBlock {
 public:
  Flux1DoubleBlock(const Flux1Widths& widths, const Scope& scope,
                   const Flux1FeedForwards& names = {});
  Flux1Streams operator()(const Flux1Streams& x, const Flux1Modulation& image,
                          const Flux1Modulation& text, const Flux1Attended& to,
                          const Flux1Behind& behind = {}) const;
  const std::string& path() const { return path_; }

 private:
  /// The block's names for one of its streams.
  struct Names {
    std::array<const char*, 3> qkv;
    const char *norm_q, *norm_k, *out;
  };
  struct Stream {
    Projections qkv;
    RmsNorm norm_q, norm_k;
    Linear out, feed_in, feed_out;
    Stream(const Flux1Widths& widths, const Scope& scope, const Names& names,
           const char* feed_forward);
  };
  static const Names kImageNames, kTextNames;
  Value leave(const Stream& stream, Value x, Value attended, const Flux1Modulation& m,
              const Flux1Behind& behind) const;

  std::string path_;
  int heads_;
  Stream image_, text_;
};

/// A block where attention and feed-forward run side by side (arXiv 2302.05442).
class Flux1SingleBlock {
 public:
  Flux1SingleBlock(const Flux1Widths& widths, const Scope& scope);
  /// x [b, tokens of text and image, width] -> the same shape.
  Value operator()(Value x, const Flux1Modulation& modulation, const Flux1Attended& to) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int heads_;
  Projections qkv_;
  RmsNorm norm_q_, norm_k_;
  Linear feed_in_, out_;
};

/// LayerNorm without affine, then `scale` and `shift`.
Value flux1_normed(Value x, Value shift, Value scale);

}  // namespace mantissa
