#pragma once
// The server of tests to which is posted; none on Windows, where a test that needs it is skipped.

#ifdef _WIN32
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#define NEEDS_SERVER QSKIP("the server of tests is POSIX alone")
namespace mantissa::test {
struct HttpBehaviour {
  int refuse = 0;
  std::chrono::milliseconds wait{0};
};
struct HttpPosted {
  std::string path, body;
  std::string header(const std::string&) const { return {}; }
};
struct HttpReply {
  int status = 200;
  std::string text;
};
struct HttpServer {
  explicit HttpServer(const std::map<std::string, std::string>&) {}
  std::string address() const { return {}; }
  void behave(const HttpBehaviour&) {}
  void reply(const std::function<HttpReply(const HttpPosted&)>&) {}
  std::vector<HttpPosted> posted() const { return {}; }
};
}  // namespace mantissa::test
#else
#define NEEDS_SERVER
#include "tests/engine/http/http_server.h"
#endif
