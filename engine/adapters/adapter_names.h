#pragma once
// What a tensor of an adapter file is, by its name.

#include <optional>
#include <string_view>

#include "engine/adapters/tensor_names.h"

namespace mantissa {

/// A tensor beside those that make up the change of a module's weight.
enum class BesideRole {
  none,
  bias_change,  ///< W' - W of the module's bias
  up_bias,      ///< PEFT's lora_bias: times the scale, a change of the module's bias
  scalar,       ///< LyCORIS's use_scalar: a factor of the whole change
};

struct AdapterName {
  std::string_view module;
  AdapterRole role = AdapterRole::alpha;  ///< if `beside` is none
  BesideRole beside = BesideRole::none;
  TensorNames names = TensorNames::kohya;
  /// The adapter's name in PEFT, which its state dicts have and its files leave out:
  /// "x.lora_A.default.weight".
  std::string_view adapter;
};
/// Parses a tensor's name; empty if it isn't an adapter's.
std::optional<AdapterName> adapter_name(std::string_view name);

/// The form of adapter that a tensor of this name belongs to, of those that aren't read: "OFT",
/// "GLoRA"; empty for others.
std::string_view unread_form(std::string_view name);
/// Whether the tensor is an embedding (textual inversion) that a file has beside an adapter, or
/// alone.
bool is_embedding(std::string_view name);

}  // namespace mantissa
