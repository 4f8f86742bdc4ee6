#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/family.h"

namespace mantissa {

/// Which modules get an adapter. Entries are named sets or glob patterns ('*') on the whole path:
///  - "attention": q, k, v and output projections (SDXL UNet: 560);
///  - "attention+mlp": every Linear and 1x1 convolution inside transformers (UNet: 722), in text
///    encoders also fc1 and fc2;
///  - "linear+conv": the same and the UNet's residual blocks, down- and upsamplers (788). Never
///    time_embedding, add_embedding, conv_in, conv_out; a pattern can name them.
/// The sets are made of the kinds that the family gives its modules (PartFiles::targets).
class AdapterTargets {
 public:
  /// `parts`: the family's.
  AdapterTargets(std::vector<std::string> targets, std::span<const PartFiles> parts)
      : targets_(std::move(targets)), parts_(parts) {}
  /// Whether the module at `path`, of `part`, gets one. Those that the family keeps frozen don't,
  /// whatever the entries say.
  bool matches(Part part, std::string_view path) const;
  /// Whether the family keeps it frozen (PartFiles::frozen).
  bool keeps_frozen(Part part, std::string_view path) const;
  /// The entries, for messages: "attention, *.ff.*".
  std::string describe() const;

 private:
  TargetKind kind_of(Part part, std::string_view path) const;

  std::vector<std::string> targets_;
  std::span<const PartFiles> parts_;
};

}  // namespace mantissa
