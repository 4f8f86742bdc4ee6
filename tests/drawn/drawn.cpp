#include "tests/drawn/drawn.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <stdexcept>
#include <zlib.h>

namespace mantissa::test {
namespace fs = std::filesystem;

namespace {

/// Box-Muller of 16 outputs: eight radii, eight angles.
void draw_group(std::mt19937& generator, double* values) {
  double uniform[16];
  for (double& u : uniform) {
    u = (generator() & 0xFFFFFF) / 16777216.0;
  }
  for (int i = 0; i < 8; ++i) {
    const double radius = std::sqrt(-2 * std::log(1 - uniform[i]));
    const float angle = 6.2831855F * static_cast<float>(uniform[i + 8]);  // as PyTorch rounds it
    values[i] = radius * std::cos(static_cast<double>(angle));
    values[i + 8] = radius * std::sin(static_cast<double>(angle));
  }
}

/// A line of a packed file: at type count seed first scale shift fix...
struct Stretch {
  explicit Stretch(const std::string& line) : fields(line) {
    fields >> at >> type >> count >> seed >> first >> scale >> shift;
    if (!fields || (type != "F16" && type != "BF16" && type != "F32") || count < 16) {
      throw std::runtime_error("not a stretch: " + line);
    }
  }

  /// Bytes that stand at the stretch's place.
  std::size_t step_bytes() const { return type == "F32" ? count : 0; }

  std::string bytes(const std::string& steps) { return type == "F32" ? single(steps) : half(); }

  std::string half() {
    const bool fp16 = type == "F16";
    std::vector<std::uint16_t> patterns;
    for (const double z : drawn_normal(seed, first, count)) {
      patterns.push_back(nearest_pattern(shift + scale * z, fp16 ? 10 : 7, fp16 ? -14 : -126));
    }
    return fixed(patterns);
  }

  std::string single(const std::string& steps) {
    std::vector<std::uint32_t> patterns;
    for (const double z : drawn_normal(seed, first, count)) {
      const auto step = static_cast<std::int8_t>(steps.at(patterns.size()));
      patterns.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(shift + scale * z)) +
                         static_cast<std::uint32_t>(step));
    }
    return fixed(patterns);
  }

  /// Bytes of the patterns, of which some are replaced.
  template <typename Pattern>
  std::string fixed(std::vector<Pattern>& patterns) {
    std::size_t i = 0;
    Pattern pattern = 0;
    for (char colon = 0; fields >> std::dec >> i >> colon >> std::hex >> pattern;) {
      patterns.at(i) = pattern;
    }
    std::string out(sizeof(Pattern) * count, '\0');
    std::memcpy(out.data(), patterns.data(), out.size());
    return out;
  }

  std::istringstream fields;
  std::size_t at = 0, count = 0, first = 0;
  std::uint32_t seed = 0;
  std::string type;
  double scale = 0, shift = 0;
};

void unpack_file(const fs::path& packed, const fs::path& whole) {
  try {
    std::ifstream in(packed, std::ios::binary);
    const std::string bytes = unpack_drawn({std::istreambuf_iterator<char>(in), {}});
    std::ofstream out(whole, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) {
      throw std::runtime_error("can't be written whole");
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(packed.string() + ": " + error.what());
  }
}

}  // namespace

std::vector<double> drawn_normal(std::uint32_t seed, std::size_t first, std::size_t count) {
  std::mt19937 generator(seed);
  generator.discard(first);
  std::vector<double> values(count);
  for (std::size_t i = 0; i + 16 <= count; i += 16) {
    draw_group(generator, &values[i]);
  }
  if (count % 16 != 0) {
    generator.discard(count % 16);
    draw_group(generator, &values[count - 16]);
  }
  return values;
}

std::uint16_t nearest_pattern(double value, int bits, int least) {
  const double size = std::abs(value);
  const int exponent = size > 0 ? std::max(std::ilogb(size), least) : least;
  // The mantissa's leading 1 counts as a step of the exponent; without it the value is subnormal.
  const long steps = std::lrint(std::ldexp(size, bits - exponent));
  return static_cast<std::uint16_t>((std::signbit(value) ? 0x8000 : 0) +
                                    ((exponent - least) << bits) + steps);
}

std::string unpack_drawn(const std::string& packed) {
  const std::size_t head_end = packed.find('\n');
  std::istringstream head(packed.substr(0, head_end));
  std::string drawn;
  std::size_t size = 0, checksum = 0, inside_size = 0;
  head >> drawn >> size >> std::hex >> checksum >> std::dec >> inside_size;
  if (!head || drawn != "drawn" || head_end == std::string::npos) {
    throw std::runtime_error("not a packed file");
  }
  std::string inside(inside_size, '\0');
  uLongf got = static_cast<uLongf>(inside_size);
  const auto* from = reinterpret_cast<const Bytef*>(packed.data() + head_end + 1);
  if (uncompress(reinterpret_cast<Bytef*>(inside.data()), &got, from,
                 static_cast<uLong>(packed.size() - head_end - 1)) != Z_OK ||
      got != inside_size) {
    throw std::runtime_error("damaged");
  }
  std::istringstream lines(inside);
  std::size_t rest = inside.starts_with('\n') ? 1 : inside.find("\n\n") + 2;
  std::string out;
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    Stretch stretch(line);
    const std::size_t gap = stretch.at - out.size();
    out += inside.substr(rest, gap);
    rest += gap;
    out += stretch.bytes(inside.substr(rest, stretch.step_bytes()));
    rest += stretch.step_bytes();
  }
  out += inside.substr(rest);
  const auto* bytes = reinterpret_cast<const Bytef*>(out.data());
  if (out.size() != size || crc32(0, bytes, static_cast<uInt>(size)) != checksum) {
    throw std::runtime_error("other bytes than were packed");
  }
  return out;
}

void copy_whole(const fs::path& source, const fs::path& target) {
  fs::create_directories(target);
  for (const fs::directory_entry& entry : fs::directory_iterator(source)) {
    const fs::path to = target / entry.path().filename();
    if (entry.is_directory()) {
      if (to.filename() != "__pycache__") {
        copy_whole(entry.path(), to);
      }
    } else if (to.extension() == ".drawn") {
      unpack_file(entry.path(), target / to.stem());
    } else if (to.extension() == ".same") {
      std::string other;
      std::getline(std::ifstream(entry.path()), other);
      fs::copy_file(source / other, target / to.stem(), fs::copy_options::overwrite_existing);
    } else {
      fs::copy_file(entry.path(), to, fs::copy_options::overwrite_existing);
    }
  }
}

}  // namespace mantissa::test
