#include "kernels/cuda/algorithm_cache.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>

namespace mantissa::cuda {
namespace {

std::filesystem::path utf8_path(const std::string& text) {
  return {std::u8string(text.begin(), text.end())};
}

/// A name valid on every file system.
std::string plain(std::string name) {
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      c = '-';
    }
  }
  return name;
}

}  // namespace

AlgorithmCache::AlgorithmCache(const std::string& folder, const std::string& name) {
  if (folder.empty()) {
    return;
  }
  file_ = folder + "/gemm-" + plain(name) + ".txt";
  std::ifstream in(utf8_path(file_));
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string shape;
    Algorithm algorithm{};
    words >> shape >> std::hex;
    for (std::uint64_t& word : algorithm) {
      words >> word;
    }
    if (std::string rest; words && !(words >> rest)) {  // else two were written into one
      known_[shape] = algorithm;
    }
  }
}

std::optional<AlgorithmCache::Algorithm> AlgorithmCache::find(const std::string& shape) const {
  const auto it = known_.find(shape);
  return it == known_.end() ? std::nullopt : std::optional(it->second);
}

void AlgorithmCache::keep(const std::string& shape, const Algorithm& algorithm) {
  known_[shape] = algorithm;
  if (file_.empty()) {
    return;
  }
  std::error_code ignored;
  std::filesystem::create_directories(utf8_path(file_).parent_path(), ignored);
  std::ostringstream line;
  line << shape << std::hex;
  for (const std::uint64_t word : algorithm) {
    line << ' ' << word;
  }
  line << '\n';
  // At once: cards of one name share the file, in this process and in others.
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  std::ofstream(utf8_path(file_), std::ios::app) << line.str();
}

}  // namespace mantissa::cuda
