#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/core/host_tensor.h"
#include "engine/core/message.h"
#include "engine/data/buckets.h"
#include "engine/io/color_change.h"
#include "kernels/dtype.h"

namespace mantissa {

/// Everything a cached latent depends on.
struct LatentKey {
  std::string content_hash;  ///< of the image file
  Placement placement;
  bool flipped = false;
  std::string fingerprint;  ///< of the VAE's weights, configuration and dtypes
  ColorChange color{};
};

/// Everything a cached mask depends on. It is mirrored when it is read.
struct MaskKey {
  std::string content_hash;  ///< of the mask file, or of the image whose alpha it is
  MaskMode mode = MaskMode::files;
  Placement placement;
  int factor = 8;  ///< pixels per latent side
};

/// Everything a cached text encoding depends on.
struct TextKey {
  std::string caption;
  std::string fingerprint;  ///< of the encoders' weights, configurations, dtypes and tokenizers
  std::vector<LatentKey> references{};  ///< that the encoders see with it, without fingerprints
};

/// 64 hex digits.
std::string cache_key(const LatentKey& key);
std::string cache_key(const MaskKey& key);
std::string cache_key(const TextKey& key);

/// How an entry is written, and what it is told by.
struct EntryForm {
  /// BF16 or FP16 for tensors that are rounded to that type wherever they are read: half the bytes,
  /// the same results. FP32 for all others, and for a tensor with a value beyond the type's range.
  std::map<std::string, DType> types;
  std::string kind;  ///< "text", "latents" or "mask"
  std::string base;  ///< the base model's path
};

/// Named tensors on disk by key, FP32 in memory: small safetensors files under <folder>/<first two
/// digits>/, each written whole or not at all, with a checksum inside. Latents are stored as `mean`
/// and `std` so that each epoch can draw new latents; texts as `context` and `pooled`. Entries of
/// earlier versions, all FP32 and without kind and base, are read as well. An entry's time of
/// change is when it was last used, to the day. Safe to share between processes.
class TensorCache {
 public:
  using Notice = std::function<void(const Message&)>;
  /// Creates the folder if missing. Throws Error naming it if it can't be created or written.
  explicit TensorCache(std::filesystem::path folder, Notice notice = {});

  /// False if there is no usable entry; a damaged one is removed with a notice, to be recomputed.
  /// One with NaN or infinity is damaged. `source`: the image or caption, for the notice.
  bool get(const std::string& key, const std::string& source,
           std::map<std::string, HostTensor>& tensors) const;
  /// Whether there is an entry of the length in its header. Only `get` detects changed values.
  bool contains(const std::string& key) const;
  /// Throws Error(out_of_disk) if the disk is full. The values must be finite (require_finite).
  void put(const std::string& key, const std::string& source,
           const std::map<std::string, HostTensor>& tensors, const EntryForm& form = {}) const;
  std::filesystem::path path_of(const std::string& key) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  Notice notice_;
};

}  // namespace mantissa
