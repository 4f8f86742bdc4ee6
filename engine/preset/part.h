#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace mantissa {

/// A network of a model, by name: "denoiser" and "vae", which every family has, and text encoders
/// as the family numbers them: "te1", "te2". Small and plain, so that records may hold it.
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

/// Is it one of the text encoders?
constexpr bool is_text(Part part) {
  return part != kDenoiser && part != kVae;
}

/// The part that a name stands for: its own, or what families call their denoiser: "unet",
/// "transformer".
constexpr Part part_called(std::string_view name) {
  return name == "unet" || name == "transformer" ? kDenoiser : Part(name);
}

/// The part that a weight's path begins with: "unet.conv_in.weight", "te1", "vae.encoder".
constexpr Part part_of_path(std::string_view path) {
  return part_called(path.substr(0, path.find('.')));
}

/// A number of each part for its own draws: 0 for the denoiser, a text encoder's own, and 3 for the
/// VAE, which is never trained beside others.
constexpr std::uint32_t stream_of(Part part) {
  const std::string_view name = part.name();
  const bool numbered = name.size() == 3 && name.substr(0, 2) == "te";
  return part == kVae ? 3 : numbered ? static_cast<std::uint32_t>(name[2] - '0') : 0;
}

}  // namespace mantissa
