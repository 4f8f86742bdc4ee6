#include "engine/http/http_client.h"

#include <array>
#include <cstdlib>
#include <curl/curl.h>
#include <exception>
#include <fmt/format.h>
#include <string_view>
#include <thread>
#include <utility>

#include "engine/core/paths.h"
#include "engine/http/http_address.h"
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

bool is_unreachable(CURLcode code) {
  return code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST ||
         code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_URL_MALFORMAT ||
         code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_PEER_FAILED_VERIFICATION;
}

/// Header lines as libcurl takes them.
class HeaderLines {
 public:
  explicit HeaderLines(const std::vector<std::pair<std::string, std::string>>& headers) {
    for (const auto& [name, value] : headers) {
      list_ = curl_slist_append(list_, (name + ": " + value).c_str());
    }
    list_ = curl_slist_append(list_, "Expect:");  // no waiting for leave to send
  }
  ~HeaderLines() { curl_slist_free_all(list_); }
  HeaderLines(const HeaderLines&) = delete;
  HeaderLines& operator=(const HeaderLines&) = delete;
  curl_slist* list() const { return list_; }

 private:
  curl_slist* list_ = nullptr;
};

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
    if (is_this_machine(url)) {
      curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    }
    curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT,
                     1L);  // a name that is being looked up can be given up
#endif
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

  /// Runs the prepared request. Asks `stopped` ten times a second.
  Outcome run(Receiver& receiver, const std::function<bool()>& stopped) {
    curl_multi_add_handle(multi, easy);
    int running = 1;
    while (running > 0 && !(stopped && stopped())) {
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
    if (receiver.failure) {
      std::rethrow_exception(receiver.failure);
    }
    outcome.reason = reason.front() != 0 ? reason.data() : curl_easy_strerror(outcome.code);
    return outcome;
  }
};

HttpClient::HttpClient(std::function<bool()> stopped)
    : stopped_(std::move(stopped)), connection_(std::make_unique<Connection>()) {}

HttpClient::~HttpClient() = default;

void HttpClient::wait() const {
  const auto end = std::chrono::steady_clock::now() + pause_;
  while (std::chrono::steady_clock::now() < end) {
    require_wanted();
    std::this_thread::sleep_for(std::min(pause_, std::chrono::milliseconds(kPollMilliseconds)));
  }
}

void HttpClient::require_wanted() const {
  if (stopped_ && stopped_()) {
    throw Error(ErrorKind::interrupted,
                message<"cancelled; what was downloaded is kept for the next time">());
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
    const Outcome outcome = connection_->run(receiver, stopped_);
    require_wanted();
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
      outcome = connection_->run(receiver, stopped_);
      require_wanted();
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

HttpAnswer HttpClient::post(const HttpPost& post) {
  HttpAnswer answer;
  Receiver receiver{[&](std::string_view part) {
                      if (answer.text.size() + part.size() > post.most) {
                        throw Error(message<"{address}: {reason}">(
                            shown_address(post.url),
                            message<"the answer is longer than {bytes} bytes">(post.most)));
                      }
                      answer.text += part;
                    },
                    {}};
  connection_->prepare(post.url, receiver);
  const HeaderLines lines(post.headers);
  CURL* const easy = connection_->easy;
  curl_easy_setopt(easy, CURLOPT_FAILONERROR, 0L);
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, lines.list());
  curl_easy_setopt(easy, CURLOPT_POST, 1L);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, post.body.data());
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(post.body.size()));
  curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, 0L);  // a model thinks before it speaks
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(post.patience.count()));
  const Outcome outcome = connection_->run(receiver, stopped_);
  if (stopped_ && stopped_()) {
    throw Error(ErrorKind::interrupted, message<"the request was cancelled">());
  }
  if (outcome.code == CURLE_OPERATION_TIMEDOUT) {
    throw Error(message<"{address} did not answer within {seconds} seconds">(
        shown_address(post.url),
        fmt::format("{:g}", std::chrono::duration<double>(post.patience).count())));
  }
  if (outcome.code != CURLE_OK) {
    Message text = message<"{address}: {reason}">(shown_address(post.url), outcome.reason);
    if (is_unreachable(outcome.code)) {
      throw HttpUnreachable(std::move(text));
    }
    throw Error(std::move(text));
  }
  answer.status = outcome.status;
  return answer;
}

}  // namespace mantissa
