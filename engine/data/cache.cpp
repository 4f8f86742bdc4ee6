#include "engine/data/cache.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/core/disk_full.h"
#include "engine/core/paths.h"
#include "engine/core/system_message.h"
#include "engine/io/file.h"
#include "engine/io/safetensors.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

// Part of every key: raise it when the meaning of an entry changes.
constexpr const char* kFormat = "mantissa-cache-2";

// Joins fields unambiguously.
std::string hash_fields(std::initializer_list<std::string> fields) {
  Sha256 hash;
  hash.update(std::string_view(kFormat));
  for (const std::string& field : fields) {
    hash.update(std::to_string(field.size()) + ":");
    hash.update(field);
  }
  return hash.hex();
}

std::string checksum(const std::map<std::string, HostTensor>& tensors) {
  Sha256 hash;
  for (const auto& [name, tensor] : tensors) {
    hash.update(name + tensor.shape.str());
    hash.update(std::as_bytes(std::span(tensor.data)));
  }
  return hash.hex();
}

void check_finite(const std::map<std::string, HostTensor>& tensors, const std::string& source,
                  const Message& what) {
  for (const auto& [name, tensor] : tensors) {
    for (const float v : tensor.data) {
      if (!std::isfinite(v)) {
        throw Error(ErrorKind::non_finite,
                    message<"{what} \"{name}\" of {source} holds {value}; encode it again in FP32 "
                            "(precision.weights.vae or .text_encoders fp32)">(
                        what, name, source,
                        std::isnan(v) ? Message::verbatim("NaN") : message<"infinity">()),
                    "N2");
      }
    }
  }
}

// The entry's tensors; throws Error if anything about the file is wrong.
std::map<std::string, HostTensor> read_entry(const fs::path& path) {
  const SafetensorsFile file = SafetensorsFile::open(path);
  std::map<std::string, HostTensor> tensors;
  for (const TensorInfo& info : file.tensors()) {
    if (info.type != DType::f32) {
      throw Error(message<"tensor {tensor} is {type} instead of F32">(info.name, info.dtype));
    }
    HostTensor tensor{info.shape(), std::vector<float>(static_cast<std::size_t>(info.count()))};
    if (!tensor.data.empty()) {
      std::memcpy(tensor.data.data(), info.data, info.bytes);
    }
    tensors.emplace(info.name, std::move(tensor));
  }
  const auto sum = file.metadata().find("checksum");
  if (sum == file.metadata().end() || sum->second != checksum(tensors)) {
    throw Error(message<"its checksum doesn't fit its content">());
  }
  return tensors;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    const Message why = message<
        "the cache folder {folder} can't be made: {reason}; make room or choose another with "
        "MANTISSA_HOME">(path_to_utf8(folder), system_message(error));
    if (error == std::errc::no_space_on_device) {
      throw DiskFull(folder, 0, why);
    }
    throw Error(why);
  }
}

std::string numbers_of(const Placement& p, int last) {
  std::string numbers;
  for (const int n : {p.original_width, p.original_height, p.scaled_width, p.scaled_height, p.left,
                      p.top, p.bucket.width, p.bucket.height, last}) {
    numbers += std::to_string(n) + ",";
  }
  // Only where there is one: the keys of everything else stay as they were.
  if (p.angle != 0) {
    numbers += fmt::format("angle {}", p.angle);
  }
  return numbers;
}

std::string colors_of(const ColorChange& c) {
  return c == ColorChange{}
             ? ""
             : fmt::format("color {},{},{},{}", c.brightness, c.contrast, c.saturation, c.hue);
}

}  // namespace

std::string cache_key(const LatentKey& key) {
  return hash_fields(
      {"latent", key.content_hash,
       numbers_of(key.placement, static_cast<int>(key.flipped)) + colors_of(key.color),
       key.fingerprint});
}

std::string cache_key(const MaskKey& key) {
  return hash_fields({key.mode == MaskMode::alpha ? "alpha mask" : "mask", key.content_hash,
                      numbers_of(key.placement, key.factor)});
}

std::string cache_key(const TextKey& key) {
  return hash_fields({"text", key.caption, key.fingerprint});
}

TensorCache::TensorCache(fs::path folder, Notice notice)
    : folder_(std::move(folder)), notice_(std::move(notice)) {
  make_folder(folder_);
}

fs::path TensorCache::path_of(const std::string& key) const {
  return folder_ / path_from_utf8(key.substr(0, 2)) / path_from_utf8(key + ".safetensors");
}

bool TensorCache::contains(const std::string& key) const {
  const fs::path path = path_of(key);
  try {
    return is_file(path) && SafetensorsFile::open(path).metadata().contains("checksum");
  } catch (const Error&) {
    return false;
  }
}

bool TensorCache::get(const std::string& key, const std::string& source,
                      std::map<std::string, HostTensor>& tensors) const {
  const fs::path path = path_of(key);
  if (!is_file(path)) {
    return false;
  }
  std::map<std::string, HostTensor> found;
  try {
    found = read_entry(path);
  } catch (const Error& e) {
    std::error_code ignored;
    fs::remove(path, ignored);
    if (notice_) {
      notice_(message<"the cached encoding of {source} ({file}) is damaged and will be recomputed: "
                      "{reason}">(source, path_to_utf8(path), message_of(e)));
    }
    return false;
  }
  check_finite(found, source, message<"the cached tensor">());
  tensors = std::move(found);
  return true;
}

void TensorCache::put(const std::string& key, const std::string& source,
                      const std::map<std::string, HostTensor>& tensors) const {
  check_finite(tensors, source, message<"the encoded tensor">());
  std::vector<TensorToWrite> list;
  for (const auto& [name, tensor] : tensors) {
    if (static_cast<std::size_t>(tensor.shape.count()) != tensor.data.size()) {
      throw Error(Message::verbatim(
          fmt::format("the encoded tensor \"{}\" of {} has shape {} but {} values", name, source,
                      tensor.shape.str(), tensor.data.size())));
    }
    list.push_back({name, DType::f32, tensor.shape, tensor.data.data(), {}});
  }
  const fs::path path = path_of(key);
  make_folder(path.parent_path());
  write_safetensors(path, list, {{"checksum", checksum(tensors)}});
}

}  // namespace mantissa
