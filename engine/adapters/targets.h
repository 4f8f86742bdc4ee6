#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/preset/preset.h"
#include "kernels/view.h"

namespace mantissa {

/// Which modules get an adapter. Entries are named sets or glob patterns ('*') on the whole path:
///  - "attention": q, k, v and output projections (SDXL UNet: 560);
///  - "attention+mlp": every Linear and 1x1 convolution inside transformers (UNet: 722), in text
///    encoders also fc1 and fc2;
///  - "linear+conv": the same and the UNet's residual blocks, down- and upsamplers (788). Never
///    time_embedding, add_embedding, conv_in, conv_out; a pattern can name them.
class AdapterTargets {
 public:
  explicit AdapterTargets(std::vector<std::string> targets) : targets_(std::move(targets)) {}
  /// `path` begins with part_folder(part).
  bool matches(Part part, std::string_view path) const;
  /// The entries, for messages: "attention, *.ff.*".
  std::string describe() const;

 private:
  std::vector<std::string> targets_;
};

}  // namespace mantissa
