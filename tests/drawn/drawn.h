#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Weights as PyTorch draws them from a seed. The larger files of tests/golden are packed: in the
// place of drawn weights they have the seeds, so that a megabyte takes 30 KB. tests/golden/drawn.py
// packs them and describes the form; the build unpacks them for the tests.
namespace mantissa::test {

/// Values of torch.randn on the CPU, at least 16: from a generator seeded with `seed` that has
/// given `first` outputs of 32 bits. Exact but for PyTorch's rounding to FP32 on its way.
std::vector<double> drawn_normal(std::uint32_t seed, std::size_t first, std::size_t count);

/// Pattern nearest to a finite value, ties to even, in a type of 16 bits: `bits` of the mantissa
/// and the least exponent; 10 and -14 are FP16, 7 and -126 BF16.
std::uint16_t nearest_pattern(double value, int bits, int least);

/// Bytes of the file that a packed one stands for. std::runtime_error if they aren't those packed.
std::string unpack_drawn(const std::string& packed);

/// Copies a folder; packed files, NAME.drawn, become whole ones, NAME. NAME.same holds the path,
/// from its folder, of the file that NAME is a copy of.
void copy_whole(const std::filesystem::path& source, const std::filesystem::path& target);

}  // namespace mantissa::test
