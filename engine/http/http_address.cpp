#include "engine/http/http_address.h"

#include <curl/curl.h>

#include "engine/core/ascii.h"
#include "engine/core/error.h"

namespace mantissa {
namespace {

/// An address taken apart.
class ParsedUrl {
 public:
  explicit ParsedUrl(const std::string& url) : url_(curl_url()) { set(url); }
  ~ParsedUrl() { curl_url_cleanup(url_); }
  ParsedUrl(const ParsedUrl&) = delete;
  ParsedUrl& operator=(const ParsedUrl&) = delete;

  /// Relative to what it was before.
  void set(const std::string& url) {
    valid_ = url_ != nullptr && curl_url_set(url_, CURLUPART_URL, url.c_str(), 0) == CURLUE_OK;
  }
  /// Empty if it has none.
  std::string part(CURLUPart which) const {
    char* text = nullptr;
    std::string part;
    if (valid_ && curl_url_get(url_, which, &text, 0) == CURLUE_OK) {
      part = text;
    }
    curl_free(text);
    return part;
  }

 private:
  CURLU* url_;
  bool valid_ = false;
};

}  // namespace

std::string resolved_url(const std::string& page, const std::string& reference) {
  ParsedUrl url(page);
  url.set(reference);
  const std::string resolved = url.part(CURLUPART_URL);
  if (resolved.empty()) {
    throw Error(message<"{page} links to {reference}, which is no address">(page, reference));
  }
  return resolved;
}

std::string shown_address(const std::string& url) {
  const ParsedUrl parts(url);
  const std::string host = parts.part(CURLUPART_HOST), port = parts.part(CURLUPART_PORT);
  if (host.empty()) {
    return "the address";
  }
  const bool more = parts.part(CURLUPART_PATH).size() > 1 || !parts.part(CURLUPART_QUERY).empty();
  return parts.part(CURLUPART_SCHEME) + "://" + host + (port.empty() ? "" : ":" + port) +
         (more ? "/…" : "");
}

std::string address_host(const std::string& url) {
  return lower_ascii(ParsedUrl(url).part(CURLUPART_HOST));
}

void require_http_address(const std::string& url) {
  const ParsedUrl parts(url);
  const std::string scheme = lower_ascii(parts.part(CURLUPART_SCHEME));
  if ((scheme != "http" && scheme != "https") || parts.part(CURLUPART_HOST).empty()) {
    throw Error(message<"this is no address by http or https, such as https://ntfy.sh/my-topic or "
                        "http://127.0.0.1:8080">());
  }
}

bool is_this_machine(const std::string& url) {
  const std::string host = address_host(url);
  return host == "localhost" || host.ends_with(".localhost") || host == "[::1]" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos);
}

}  // namespace mantissa
