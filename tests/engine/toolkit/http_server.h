#pragma once
// A server on this machine that sends a few files, and can misbehave. POSIX alone.

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace mantissa::test {

struct HttpBehaviour {
  bool ranges = true;            ///< it sends parts of files
  std::size_t cut_after = 0;     ///< each connection is closed after so many bytes; 0: never
  std::size_t silent_after = 0;  ///< it sends no more after so many bytes; 0: never
  int refuse = 0;                ///< status of each answer, in place of files
};

class HttpServer {
 public:
  explicit HttpServer(std::map<std::string, std::string> files, HttpBehaviour behaviour = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// "http://127.0.0.1:1234"
  std::string address() const;
  void behave(const HttpBehaviour& behaviour);
  /// "GET /file", with " from 100" where a part was asked for.
  std::vector<std::string> requests() const;
  /// Bytes of files sent.
  std::uint64_t sent() const { return sent_; }

 private:
  void serve();
  void answer(int connection);
  void send_all(int connection, const std::string& text, const HttpBehaviour& behaviour);

  const std::map<std::string, std::string> files_;
  HttpBehaviour behaviour_;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::atomic<std::uint64_t> sent_{0};
  std::atomic<bool> ends_{false};
  int socket_ = -1, port_ = 0;
  std::thread thread_;
};

}  // namespace mantissa::test
