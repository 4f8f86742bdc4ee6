#pragma once
// Requests over HTTP and HTTPS, by libcurl. Only this folder includes its headers.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.h"

namespace mantissa {

/// An answer that fits in memory.
struct HttpText {
  std::string text;
  std::string url;  ///< after redirections
};

/// What is sent to an address.
struct HttpPost {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;  ///< each a line without line ends
  std::string body;
  std::chrono::milliseconds patience{10000};  ///< until the whole answer is there
  std::size_t most = std::size_t{1} << 20;    ///< bytes of the answer
};
struct HttpAnswer {
  long status = 0;  ///< 200, 404, …
  std::string text;
};

/// There is nobody at an address who could answer.
class HttpUnreachable : public Error {
 public:
  using Error::Error;
};

/// Certificates are checked. Proxies are those of the environment (https_proxy, all_proxy,
/// no_proxy), except to this machine. Every call throws Error(interrupted) within a fraction of a
/// second after `stopped` tells true, and Error with the address and the reason if it fails.
class HttpClient {
 public:
  explicit HttpClient(std::function<bool()> stopped);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  /// At most `most` bytes.
  HttpText text(const std::string& url, std::size_t most);
  /// Appends what `file` lacks of the `bytes` at `url`, over several connections if some are cut.
  /// A server that sends no ranges sends it from the beginning. `progress` is told the file's size.
  void file(const std::string& url, const std::filesystem::path& file, std::uint64_t bytes,
            const std::function<void(std::uint64_t done)>& progress);
  /// Sends it once and returns the answer, of whatever status; redirections aren't followed. Throws
  /// HttpUnreachable if no connection is made, else Error; both name the address as shown_address
  /// does.
  HttpAnswer post(const HttpPost& post);

  /// Between a cut connection and the next; for tests.
  void set_retry_pause(std::chrono::milliseconds pause) { pause_ = pause; }

 private:
  struct Connection;
  void wait() const;
  void require_wanted() const;

  std::function<bool()> stopped_;
  std::unique_ptr<Connection> connection_;
  std::chrono::milliseconds pause_{1000};
};

}  // namespace mantissa
