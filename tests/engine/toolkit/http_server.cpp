#ifndef _WIN32
#include "tests/engine/toolkit/http_server.h"

#include <algorithm>
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace mantissa::test {
namespace {

constexpr std::size_t kPiece = 16384;

bool is_readable(int socket) {
  pollfd wanted{socket, POLLIN, 0};
  return poll(&wanted, 1, 20) > 0;
}

}  // namespace

HttpServer::HttpServer(std::map<std::string, std::string> files, HttpBehaviour behaviour)
    : files_(std::move(files)),
      behaviour_(behaviour),
      socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(place);
  bind(socket_, reinterpret_cast<sockaddr*>(&place), size);
  listen(socket_, 8);
  getsockname(socket_, reinterpret_cast<sockaddr*>(&place), &size);
  port_ = ntohs(place.sin_port);
  thread_ = std::thread([this] { serve(); });
}

HttpServer::~HttpServer() {
  ends_ = true;
  thread_.join();
  close(socket_);
}

std::string HttpServer::address() const {
  return "http://127.0.0.1:" + std::to_string(port_);
}

void HttpServer::behave(const HttpBehaviour& behaviour) {
  const std::lock_guard lock(mutex_);
  behaviour_ = behaviour;
}

std::vector<std::string> HttpServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void HttpServer::serve() {
  while (!ends_) {
    if (is_readable(socket_)) {
      const int connection = accept(socket_, nullptr, nullptr);
      answer(connection);
      close(connection);
    }
  }
}

void HttpServer::answer(int connection) {
  std::string request;
  char buffer[4096];
  while (!ends_ && request.find("\r\n\r\n") == std::string::npos) {
    if (is_readable(connection)) {
      const ssize_t count = recv(connection, buffer, sizeof(buffer), 0);
      if (count <= 0) {
        return;
      }
      request.append(buffer, static_cast<std::size_t>(count));
    }
  }
  HttpBehaviour behaviour;
  const std::string path = request.substr(4, request.find(' ', 4) - 4);
  const std::size_t range = request.find("Range: bytes=");
  std::size_t from = range == std::string::npos ? 0 : std::stoul(request.substr(range + 13));
  {
    const std::lock_guard lock(mutex_);
    behaviour = behaviour_;
    requests_.push_back("GET " + path + (from > 0 ? " from " + std::to_string(from) : ""));
  }
  const auto file = files_.find(path);
  if (behaviour.refuse != 0 || file == files_.end()) {
    const int status = behaviour.refuse != 0 ? behaviour.refuse : 404;
    send_all(connection,
             "HTTP/1.1 " + std::to_string(status) +
                 " Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
             {});
    return;
  }
  const std::string& content = file->second;
  from = behaviour.ranges ? std::min(from, content.size()) : 0;
  std::string head = from > 0
                         ? "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes " +
                               std::to_string(from) + "-" + std::to_string(content.size() - 1) +
                               "/" + std::to_string(content.size()) + "\r\n"
                         : std::string("HTTP/1.1 200 OK\r\n");
  head +=
      "Content-Length: " + std::to_string(content.size() - from) + "\r\nConnection: close\r\n\r\n";
  send_all(connection, head, {});
  sent_ -= head.size();
  send_all(connection, content.substr(from), behaviour);
}

void HttpServer::send_all(int connection, const std::string& text, const HttpBehaviour& behaviour) {
  for (std::size_t at = 0; at < text.size() && !ends_;) {
    std::size_t count = std::min(kPiece, text.size() - at);
    if (behaviour.cut_after > 0) {
      if (at >= behaviour.cut_after) {
        return;
      }
      count = std::min(count, behaviour.cut_after - at);
    }
    if (behaviour.silent_after > 0 && at >= behaviour.silent_after) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      char byte = 0;
      if (recv(connection, &byte, 1, MSG_DONTWAIT) == 0) {
        return;  // the client has gone
      }
      continue;
    }
    const ssize_t done = send(connection, text.data() + at, count, MSG_NOSIGNAL);
    if (done <= 0) {
      return;
    }
    at += static_cast<std::size_t>(done);
    sent_ += static_cast<std::uint64_t>(done);
  }
}

}  // namespace mantissa::test
#endif
