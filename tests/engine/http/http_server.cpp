#ifndef _WIN32
#include "tests/engine/http/http_server.h"

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

std::string HttpPosted::header(const std::string& name) const {
  const std::size_t at = head.find("\r\n" + name + ": ");
  if (at == std::string::npos) {
    return {};
  }
  const std::size_t begin = at + name.size() + 4;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

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

std::vector<HttpPosted> HttpServer::posted() const {
  const std::lock_guard lock(mutex_);
  return posted_;
}

void HttpServer::reply(std::function<HttpReply(const HttpPosted&)> reply) {
  const std::lock_guard lock(mutex_);
  reply_ = std::move(reply);
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

std::string HttpServer::read_head(int connection) {
  std::string request;
  while (!ends_ && request.find("\r\n\r\n") == std::string::npos) {
    const std::size_t before = request.size();
    read_more(connection, request, before + 1);
    if (request.size() == before) {
      return {};
    }
  }
  return request;
}

void HttpServer::read_more(int connection, std::string& text, std::size_t bytes) {
  char buffer[4096];
  while (!ends_ && text.size() < bytes) {
    if (is_readable(connection)) {
      const ssize_t count = recv(connection, buffer, sizeof(buffer), 0);
      if (count <= 0) {
        return;
      }
      text.append(buffer, static_cast<std::size_t>(count));
    }
  }
}

void HttpServer::pause(int connection, std::chrono::milliseconds wait) {
  const auto end = std::chrono::steady_clock::now() + wait;
  char byte = 0;
  while (!ends_ && std::chrono::steady_clock::now() < end &&
         recv(connection, &byte, 1, MSG_DONTWAIT | MSG_PEEK) != 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void HttpServer::send_status(int connection, int status, const std::string& text) {
  send_all(connection,
           "HTTP/1.1 " + std::to_string(status) + (status < 300 ? " OK" : " Refused") +
               "\r\nContent-Length: " + std::to_string(text.size()) +
               "\r\nConnection: close\r\n\r\n" + text,
           {});
}

void HttpServer::answer(int connection) {
  std::string request = read_head(connection);
  if (request.empty()) {
    return;
  }
  const std::size_t head = request.find("\r\n\r\n") + 4, first = request.find(' ') + 1;
  const std::string path = request.substr(first, request.find(' ', first) - first);
  if (request.starts_with("POST ")) {
    HttpPosted posted{path, request.substr(0, head), request.substr(head)};
    read_more(connection, posted.body, std::stoul(posted.header("Content-Length")));
    answer_post(connection, posted);
    return;
  }
  HttpBehaviour behaviour;
  const std::size_t range = request.find("Range: bytes=");
  std::size_t from = range == std::string::npos ? 0 : std::stoul(request.substr(range + 13));
  {
    const std::lock_guard lock(mutex_);
    behaviour = behaviour_;
    requests_.push_back("GET " + path + (from > 0 ? " from " + std::to_string(from) : ""));
  }
  const auto file = files_.find(path);
  if (behaviour.refuse != 0 || file == files_.end()) {
    send_status(connection, behaviour.refuse != 0 ? behaviour.refuse : 404, "");
    return;
  }
  const std::string& content = file->second;
  from = behaviour.ranges ? std::min(from, content.size()) : 0;
  std::string lines = from > 0
                          ? "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes " +
                                std::to_string(from) + "-" + std::to_string(content.size() - 1) +
                                "/" + std::to_string(content.size()) + "\r\n"
                          : std::string("HTTP/1.1 200 OK\r\n");
  lines +=
      "Content-Length: " + std::to_string(content.size() - from) + "\r\nConnection: close\r\n\r\n";
  send_all(connection, lines, {});
  sent_ -= lines.size();
  send_all(connection, content.substr(from), behaviour);
}

void HttpServer::answer_post(int connection, const HttpPosted& posted) {
  std::function<HttpReply(const HttpPosted&)> reply;
  HttpBehaviour behaviour;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back("POST " + posted.path);
    posted_.push_back(posted);
    reply = reply_;
    behaviour = behaviour_;
  }
  pause(connection, behaviour.wait);
  const HttpReply answer = reply ? reply(posted) : HttpReply{};
  send_status(connection, behaviour.refuse != 0 ? behaviour.refuse : answer.status, answer.text);
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
