#include <algorithm>
#include <array>

#ifdef _WIN32
#include <windows.h>
// bcrypt.h needs windows.h first
#include <bcrypt.h>
#else
#include <openssl/evp.h>
#endif

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/io/mapped_file.h"

namespace mantissa {

namespace {

using Sha256Digest = std::array<unsigned char, 32>;

void require_sha256(bool offered, std::string_view library) {
  if (!offered) {
    throw Error(message<"{library} offers no SHA-256; reinstall the program's libraries">(library));
  }
}

}  // namespace

#ifdef _WIN32

struct Sha256::State {
  BCRYPT_ALG_HANDLE provider = nullptr;
  BCRYPT_HASH_HANDLE hash = nullptr;
  State() {
    BCryptOpenAlgorithmProvider(&provider, BCRYPT_SHA256_ALGORITHM, nullptr, 0);
    if (provider != nullptr) {
      BCryptCreateHash(provider, &hash, nullptr, 0, nullptr, 0, 0);
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (hash != nullptr) {
      BCryptDestroyHash(hash);
    }
    if (provider != nullptr) {
      BCryptCloseAlgorithmProvider(provider, 0);
    }
  }
  void require_usable() const { require_sha256(hash != nullptr, "Windows"); }
  void update(std::span<const std::byte> bytes) {
    constexpr std::size_t kMost = std::size_t{1} << 30;  // a length has 32 bits
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(kMost, bytes.size()))) {
      // The parameter is not const, but only read.
      auto* data = reinterpret_cast<PUCHAR>(const_cast<std::byte*>(bytes.data()));
      BCryptHashData(hash, data, static_cast<ULONG>(std::min(kMost, bytes.size())), 0);
    }
  }
  void finish(Sha256Digest& digest) {
    BCryptFinishHash(hash, digest.data(), static_cast<ULONG>(digest.size()), 0);
  }
};

#else

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { EVP_MD_CTX_free(context); }
  void require_usable() const {
    require_sha256(context != nullptr && EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1,
                   "OpenSSL");
  }
  void update(std::span<const std::byte> bytes) {
    EVP_DigestUpdate(context, bytes.data(), bytes.size());
  }
  void finish(Sha256Digest& digest) { EVP_DigestFinal_ex(context, digest.data(), nullptr); }
};

#endif

Sha256::Sha256() : state_(std::make_unique<State>()) {
  state_->require_usable();
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes) {
  state_->update(bytes);
}

std::string Sha256::hex() {
  Sha256Digest digest{};
  state_->finish(digest);
  std::string text;
  text.reserve(64);
  for (unsigned char byte : digest) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string sha256_hex(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}

std::string sha256_hex(std::string_view text) {
  return sha256_hex(std::as_bytes(std::span(text)));
}

std::string sha256_file(const std::filesystem::path& path) {
  return with_mapped(path, [](std::span<const std::byte> bytes) { return sha256_hex(bytes); });
}

}  // namespace mantissa
