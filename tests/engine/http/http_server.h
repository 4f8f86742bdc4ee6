#pragma once
// A server on this machine that sends a few files and answers what is posted, and can misbehave.
// POSIX alone.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace mantissa::test {

struct HttpBehaviour {
  bool ranges = true;                 ///< it sends parts of files
  std::size_t cut_after = 0;          ///< each connection is closed after so many bytes; 0: never
  std::size_t silent_after = 0;       ///< it sends no more after so many bytes; 0: never
  int refuse = 0;                     ///< status of each answer, in place of files
  std::chrono::milliseconds wait{0};  ///< before each answer, while the client is there
};

/// What was posted.
struct HttpPosted {
  std::string path, head, body;  ///< head: its lines, as they came

  /// Value of a line of the head, without its name; empty if there is none.
  std::string header(const std::string& name) const;
};
struct HttpReply {
  int status = 200;
  std::string text;
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
  /// What is posted is answered by this; without it by an empty text.
  void reply(std::function<HttpReply(const HttpPosted&)> reply);
  /// "GET /file", with " from 100" where a part was asked for; "POST /path".
  std::vector<std::string> requests() const;
  std::vector<HttpPosted> posted() const;
  /// Bytes of files sent.
  std::uint64_t sent() const { return sent_; }

 private:
  void serve();
  void answer(int connection);
  void answer_post(int connection, const HttpPosted& posted);
  void send_status(int connection, int status, const std::string& text);
  /// The head of a request and what came behind it; empty if the client has gone.
  std::string read_head(int connection);
  void read_more(int connection, std::string& text, std::size_t bytes);
  void pause(int connection, std::chrono::milliseconds wait);
  void send_all(int connection, const std::string& text, const HttpBehaviour& behaviour);

  const std::map<std::string, std::string> files_;
  HttpBehaviour behaviour_;
  mutable std::mutex mutex_;
  std::function<HttpReply(const HttpPosted&)> reply_;
  std::vector<std::string> requests_;
  std::vector<HttpPosted> posted_;
  std::atomic<std::uint64_t> sent_{0};
  std::atomic<bool> ends_{false};
  int socket_ = -1, port_ = 0;
  std::thread thread_;
};

}  // namespace mantissa::test
