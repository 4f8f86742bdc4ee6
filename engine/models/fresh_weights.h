#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace mantissa {

/// How a tensor's first values are drawn.
struct Draw {
  enum class Kind { constant, uniform, normal } kind = Kind::constant;
  double size = 0;  ///< the constant, the bound, or the deviation
};

/// A tensor of a new network.
struct FreshTensor {
  std::string path;         ///< with its part: "te1.layers.0.mlp.up_proj.weight"
  bool norm = false;        ///< of a norm
  bool bias = false;        ///< its shift, or any other layer's
  std::int64_t fan_in = 0;  ///< inputs of its module's weight; 0 if that is a vector

  /// The module it belongs to.
  std::string module() const { return path.substr(0, path.rfind('.')); }
};
/// How the tensors of a part are drawn.
using FreshRule = std::function<Draw(const FreshTensor&)>;

/// torch's defaults, as diffusers leaves them: weights and biases of linear layers and convolutions
/// uniform within ±1/sqrt(fan_in), norms 1 and 0.
Draw torch_draw(const FreshTensor& tensor);

}  // namespace mantissa
