#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "engine/core/host_tensor.h"
#include "engine/core/message.h"
#include "engine/data/buckets.h"
#include "kernels/dtype.h"

namespace mantissa {

/// Everything a cached latent depends on.
struct LatentKey {
  std::string content_hash;  ///< of the image file
  Placement placement;
  bool flipped = false;
  std::string fingerprint;  ///< of the VAE's weights, configuration and dtypes
};

/// Everything a cached mask depends on. It is mirrored when it is read.
struct MaskKey {
  std::string content_hash;  ///< of the mask file, or of the image whose alpha it is
  MaskMode mode = MaskMode::files;
  Placement placement;
  int factor = 8;  ///< pixels that a latent is wide
};

/// Everything a cached text encoding depends on.
struct TextKey {
  std::string caption;
  std::string fingerprint;  ///< of the encoders' weights, configurations, dtypes and tokenizers
};

/// 64 hex digits.
std::string cache_key(const LatentKey& key);
std::string cache_key(const MaskKey& key);
std::string cache_key(const TextKey& key);

/// Named FP32 tensors on disk by key: small safetensors files under <folder>/<first two digits>/,
/// each written whole or not at all, with a checksum inside. Latents are stored as `mean` and `std`
/// so that each epoch can draw anew; texts as `context` and `pooled`. Safe to share between
/// processes.
class TensorCache {
 public:
  using Notice = std::function<void(const Message&)>;
  /// Makes the folder when missing. Throws Error naming it when it can't be made or written.
  explicit TensorCache(std::filesystem::path folder, Notice notice = {});

  /// False when there is no usable entry; a damaged one is removed with a notice, to be made anew.
  /// Throws Error(non_finite, "N2") naming `source` (the image or caption) when the entry holds
  /// NaN or infinity.
  bool get(const std::string& key, const std::string& source,
           std::map<std::string, HostTensor>& tensors) const;
  /// Is there an entry as long as its header says? Changed values only `get` finds.
  bool contains(const std::string& key) const;
  /// Throws Error(non_finite, "N2") naming `source` and tensor, before anything is written, when a
  /// value isn't finite; Error(out_of_disk) when the disk is full.
  void put(const std::string& key, const std::string& source,
           const std::map<std::string, HostTensor>& tensors) const;
  std::filesystem::path path_of(const std::string& key) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  Notice notice_;
};

}  // namespace mantissa
