#pragma once
// Downloads over HTTP and HTTPS, by libcurl. Only http_client.cpp includes its headers.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace mantissa {

/// An answer that fits in memory.
struct HttpText {
  std::string text;
  std::string url;  ///< after redirections
};

/// Certificates are checked. Proxies are those of the environment: https_proxy, all_proxy,
/// no_proxy. Every call throws Error(interrupted) soon after `stop` is requested, and Error with
/// the address and the reason if it fails.
class HttpClient {
 public:
  explicit HttpClient(std::stop_token stop);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  /// At most `most` bytes.
  HttpText text(const std::string& url, std::size_t most);
  /// Appends what `file` lacks of the `bytes` at `url`, over several connections if some are cut.
  /// A server that sends no ranges sends it from the beginning. `progress` is told the file's size.
  void file(const std::string& url, const std::filesystem::path& file, std::uint64_t bytes,
            const std::function<void(std::uint64_t done)>& progress);

  /// Between a cut connection and the next; for tests.
  void set_retry_pause(std::chrono::milliseconds pause) { pause_ = pause; }

 private:
  struct Connection;
  void wait() const;

  std::stop_token stop_;
  std::unique_ptr<Connection> connection_;
  std::chrono::milliseconds pause_{1000};
};

/// Throws Error(interrupted) if `stop` is requested.
void require_not_stopped(const std::stop_token& stop);

/// `reference`, relative to the address of the page that has it.
std::string resolved_url(const std::string& page, const std::string& reference);

}  // namespace mantissa
