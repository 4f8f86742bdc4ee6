#include "engine/toolkit/http_client.h"

#include <array>
#include <cstdlib>
#include <curl/curl.h>
#include <exception>
#include <string_view>
#include <thread>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

constexpr int kAttempts = 5;          // without a byte between them
constexpr long kConnectSeconds = 30;  // until a server answers
constexpr long kSilentSeconds = 60;   // until a silent connection counts as cut
constexpr int kPollMilliseconds = 100;
constexpr std::size_t kAppendBytes = std::size_t{1} << 20;

/// How a request ended.
struct Outcome {
  CURLcode code = CURLE_OK;
  long status = 0;
  std::string reason;
};

/// Where an answer goes. `take` may throw: libcurl's own code must not be unwound.
struct Receiver {
  std::function<void(std::string_view)> take;
  std::exception_ptr failure;
};

std::size_t receive(char* data, std::size_t size, std::size_t count, void* receiver) {
  auto& to = *static_cast<Receiver*>(receiver);
  try {
    to.take({data, size * count});
    return size * count;
  } catch (...) {
    to.failure = std::current_exception();
    return 0;
  }
}

#ifndef _WIN32
/// The system's trusted certificates: libcurl knows only the place of the distribution that it was
/// built for.
std::string certificate_file() {
  for (const char* variable : {"SSL_CERT_FILE", "CURL_CA_BUNDLE"}) {
    if (const char* file = std::getenv(variable); file != nullptr && *file != 0) {
      return file;
    }
  }
  for (const char* file : {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
                           "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"}) {
    std::error_code ignored;
    if (fs::exists(file, ignored)) {
      return file;
    }
  }
  return {};
}
#endif

bool is_final(const Outcome& outcome) {
  const bool refused = outcome.code == CURLE_HTTP_RETURNED_ERROR && outcome.status < 500;
  return refused || outcome.code == CURLE_PEER_FAILED_VERIFICATION ||
         outcome.code == CURLE_SSL_CACERT_BADFILE || outcome.code == CURLE_UNSUPPORTED_PROTOCOL ||
         outcome.code == CURLE_URL_MALFORMAT;
}

[[noreturn]] void fail(const std::string& url, const Outcome& outcome) {
  throw Error(message<"could not download {url}: {reason}">(url, outcome.reason));
}

}  // namespace

struct HttpClient::Connection {
  CURLM* multi = curl_multi_init();
  CURL* easy = curl_easy_init();
  std::array<char, CURL_ERROR_SIZE> reason{};

  Connection() {
    if (multi == nullptr || easy == nullptr) {
      throw Error(message<"libcurl can't be started: the system has no memory for it">());
    }
  }
  ~Connection() {
    curl_easy_cleanup(easy);
    curl_multi_cleanup(multi);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void prepare(const std::string& url, Receiver& receiver) {
    curl_easy_reset(easy);  // keeps connections
    reason.front() = 0;
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR,
                     url.starts_with("http://") ? "http,https" : "https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(easy, CURLOPT_MAXREDIRS, 10L);
    curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, kSilentSeconds);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "mantissa");
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, reason.data());
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &receiver);
#ifdef _WIN32
    // Windows' own TLS: a server of revocation lists that can't be reached is no reason to refuse.
    curl_easy_setopt(easy, CURLOPT_SSL_OPTIONS, static_cast<long>(CURLSSLOPT_REVOKE_BEST_EFFORT));
#else
    if (const std::string file = certificate_file(); !file.empty()) {
      curl_easy_setopt(easy, CURLOPT_CAINFO, file.c_str());
    }
#endif
  }

  /// Runs the prepared request. Looks at `stop` ten times a second.
  Outcome run(Receiver& receiver, const std::stop_token& stop) {
    curl_multi_add_handle(multi, easy);
    int running = 1;
    while (running > 0 && !stop.stop_requested()) {
      if (curl_multi_perform(multi, &running) != CURLM_OK) {
        break;
      }
      if (running > 0) {
        curl_multi_poll(multi, nullptr, 0, kPollMilliseconds, nullptr);
      }
    }
    Outcome outcome{CURLE_ABORTED_BY_CALLBACK, 0, {}};
    int left = 0;
    while (const CURLMsg* told = curl_multi_info_read(multi, &left)) {
      outcome.code = told->data.result;
    }
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &outcome.status);
    curl_multi_remove_handle(multi, easy);
    require_not_stopped(stop);
    if (receiver.failure) {
      std::rethrow_exception(receiver.failure);
    }
    outcome.reason = reason.front() != 0 ? reason.data() : curl_easy_strerror(outcome.code);
    return outcome;
  }
};

HttpClient::HttpClient(std::stop_token stop)
    : stop_(std::move(stop)), connection_(std::make_unique<Connection>()) {}

HttpClient::~HttpClient() = default;

void HttpClient::wait() const {
  const auto end = std::chrono::steady_clock::now() + pause_;
  while (std::chrono::steady_clock::now() < end) {
    require_not_stopped(stop_);
    std::this_thread::sleep_for(std::min(pause_, std::chrono::milliseconds(kPollMilliseconds)));
  }
}

HttpText HttpClient::text(const std::string& url, std::size_t most) {
  for (int attempt = 1;; ++attempt) {
    HttpText answer;
    Receiver receiver{[&](std::string_view part) {
                        if (answer.text.size() + part.size() > most) {
                          throw Error(message<"could not download {url}: {reason}">(
                              url, message<"the answer is longer than {bytes} bytes">(most)));
                        }
                        answer.text += part;
                      },
                      {}};
    connection_->prepare(url, receiver);
    const Outcome outcome = connection_->run(receiver, stop_);
    if (outcome.code == CURLE_OK) {
      const char* last = nullptr;
      curl_easy_getinfo(connection_->easy, CURLINFO_EFFECTIVE_URL, &last);
      answer.url = last != nullptr ? last : url;
      return answer;
    }
    if (is_final(outcome) || attempt == kAttempts) {
      fail(url, outcome);
    }
    wait();
  }
}

void HttpClient::file(const std::string& url, const fs::path& file, std::uint64_t bytes,
                      const std::function<void(std::uint64_t done)>& progress) {
  const auto present = [&]() -> std::uint64_t {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    return error ? 0 : size;
  };
  std::error_code ignored;
  if (present() > bytes) {
    fs::remove(file, ignored);
  }
  for (int attempt = 1; present() < bytes;) {
    const std::uint64_t before = present();
    std::string waiting;
    std::uint64_t done = before;
    const auto append = [&] {
      append_text(file, waiting);
      waiting.clear();
    };
    Receiver receiver{[&](std::string_view part) {
                        if (done + part.size() > bytes) {
                          throw Error(message<"could not download {url}: {reason}">(
                              url, message<"the file is longer than {bytes} bytes">(bytes)));
                        }
                        waiting += part;
                        done += part.size();
                        if (waiting.size() >= kAppendBytes) {
                          append();
                        }
                        progress(done);
                      },
                      {}};
    connection_->prepare(url, receiver);
    curl_easy_setopt(connection_->easy, CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(before));
    Outcome outcome;
    try {
      outcome = connection_->run(receiver, stop_);
    } catch (const Error& e) {
      if (e.kind() == ErrorKind::interrupted) {
        append();
      }
      throw;
    }
    append();
    if (outcome.code == CURLE_RANGE_ERROR) {
      fs::remove(file, ignored);  // of a server that knows no ranges
      continue;
    }
    if (outcome.code == CURLE_OK && done < bytes) {
      outcome.code = CURLE_PARTIAL_FILE;
      outcome.reason = curl_easy_strerror(outcome.code);
    }
    if (outcome.code != CURLE_OK) {
      attempt = done > before ? 1 : attempt + 1;
      if (is_final(outcome) || attempt > kAttempts) {
        fail(url, outcome);
      }
      wait();
    }
  }
}

void require_not_stopped(const std::stop_token& stop) {
  if (stop.stop_requested()) {
    throw Error(ErrorKind::interrupted,
                message<"cancelled; what was downloaded is kept for the next time">());
  }
}

std::string resolved_url(const std::string& page, const std::string& reference) {
  CURLU* const url = curl_url();
  char* text = nullptr;
  std::string resolved;
  if (url != nullptr && curl_url_set(url, CURLUPART_URL, page.c_str(), 0) == CURLUE_OK &&
      curl_url_set(url, CURLUPART_URL, reference.c_str(), 0) == CURLUE_OK &&
      curl_url_get(url, CURLUPART_URL, &text, 0) == CURLUE_OK) {
    resolved = text;
  }
  curl_free(text);
  curl_url_cleanup(url);
  if (resolved.empty()) {
    throw Error(message<"{page} links to {reference}, which is no address">(page, reference));
  }
  return resolved;
}

}  // namespace mantissa
