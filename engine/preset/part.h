#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace mantissa {

/// A network of a model, by name: "denoiser" and "vae" in every family, and text encoders as
/// numbered by the family: "te1", "te2". Small and trivially copyable, for use in records.
class Part {
 public:
  static constexpr std::size_t kLongest = 15;

  constexpr Part() : Part("denoiser") {}
  /// Throws std::length_error for a name of more than kLongest characters.
  constexpr explicit Part(std::string_view name) {
    if (name.size() > kLongest) {
      throw std::length_error("a part's name has at most 15 characters");
    }
    for (std::size_t i = 0; i < name.size(); ++i) {
      name_[i] = name[i];
    }
  }
  constexpr std::string_view name() const { return name_.data(); }
  constexpr auto operator<=>(const Part&) const = default;

 private:
  std::array<char, kLongest + 1> name_{};
};

inline constexpr Part kDenoiser{"denoiser"}, kVae{"vae"};
/// Text encoders as most families number them; for code of one family.
inline constexpr Part kTe1{"te1"}, kTe2{"te2"};
/// No network: the vectors of new words, which all text encoders read beside their own table's.
inline constexpr Part kEmbeddings{"embeddings"};

/// Whether it is a text encoder.
constexpr bool is_text(Part part) {
  return part != kDenoiser && part != kVae && part != kEmbeddings;
}

/// The part with this name: its own, or a family's name for its denoiser: "unet", "transformer".
constexpr Part part_called(std::string_view name) {
  return name == "unet" || name == "transformer" ? kDenoiser : Part(name);
}

/// Each part's random stream: 0 for the denoiser, a text encoder's number, 3 for the VAE, which is
/// never trained with others, and 10 for embeddings.
constexpr std::uint32_t stream_of(Part part) {
  const std::string_view name = part.name();
  const bool numbered = name.size() == 3 && name.substr(0, 2) == "te";
  return part == kVae          ? 3
         : part == kEmbeddings ? 10
         : numbered            ? static_cast<std::uint32_t>(name[2] - '0')
                               : 0;
}

}  // namespace mantissa
