#include "engine/models/transformer_inputs.h"

#include <string>

#include "engine/graph/op_check.h"

namespace mantissa {

void check_transformer_inputs(const char* transformer, Value latents, Value text,
                              std::int64_t latent_channels, std::int64_t text_channels,
                              std::int64_t patch) {
  const Shape s = latents.shape(), t = text.shape();
  check_op(
      s.rank() == 4 && s[3] == latent_channels && s[1] % patch == 0 && s[2] % patch == 0,
      transformer, latents, [&] {
        return "latents must be [batch, height, width, " + std::to_string(latent_channels) + "]" +
               (patch > 1 ? " with sides that are multiples of " + std::to_string(patch) : "") +
               "; got " + describe(latents);
      });
  check_op(t.rank() == 3 && t[0] == s[0] && t[2] == text_channels, transformer, text, [&] {
    return "text must be [batch, tokens, " + std::to_string(text_channels) + "]; got " +
           describe(text);
  });
}

}  // namespace mantissa
