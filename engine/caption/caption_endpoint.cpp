#include "engine/caption/caption_endpoint.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/caption/caption_text.h"
#include "engine/core/ascii.h"
#include "engine/core/error.h"
#include "engine/core/printable.h"
#include "engine/http/http_address.h"
#include "engine/io/png.h"
#include "engine/io/resample.h"

namespace mantissa {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestReason = 300;
constexpr std::string_view kCompletions = "/chat/completions";

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? kLetters[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

/// The image as a data URL, its longer side at most `largest` pixels.
std::string data_url(const Image& image, int largest) {
  const int longer = std::max(image.width, image.height);
  const auto scaled = [&](int side) {
    return longer <= largest
               ? side
               : std::max(1,
                          static_cast<int>((std::int64_t{side} * largest + longer / 2) / longer));
  };
  const int width = scaled(image.width), height = scaled(image.height);
  const Image sent =
      longer <= largest ? image : resize_crop(image, width, height, 0, 0, width, height);
  return "data:image/png;base64," + base64(png_bytes(sent.pixels, width, height));
}

std::string request_of(const EndpointOptions& options, const Image& image) {
  json request{{"messages",
                {{{"role", "user"},
                  {"content",
                   {{{"type", "text"}, {"text", options.prompt}},
                    {{"type", "image_url"},
                     {"image_url", {{"url", data_url(image, options.largest_side)}}}}}}}}},
               {"max_tokens", options.most_tokens},
               {"stream", false}};
  if (!options.model.empty()) {
    request["model"] = options.model;
  }
  return request.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string shortened(const std::string& text) {
  std::size_t end = kLongestReason;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
    --end;  // not within a character
  }
  return end >= text.size() ? text : text.substr(0, end) + "…";
}

/// What a server says about a request that it doesn't fulfil: {"error": {"message": …}} or
/// {"error": …}; else the beginning of its text.
std::string error_of(const HttpAnswer& answer) {
  const json object = json::parse(answer.text, nullptr, false);
  std::string said;
  if (object.is_object() && object.contains("error")) {
    const json& error = object["error"];
    said = error.is_string() ? error.get<std::string>()
           : error.is_object() && error.contains("message") && error["message"].is_string()
               ? error["message"].get<std::string>()
               : error.dump();
  } else if (object.is_discarded()) {
    said = answer.text;
  }
  return shortened(printable(trimmed(said)));
}

/// The text of a message's content: a string, or parts of which some are text.
std::string text_of(const json& content) {
  if (content.is_string()) {
    return content;
  }
  std::string text;
  for (const json& part : content.is_array() ? content : json::array()) {
    if (part.is_object() && part.contains("text") && part["text"].is_string()) {
      text += part["text"].get<std::string>();
    }
  }
  return text;
}

}  // namespace

std::string completions_url(const std::string& address) {
  std::string url(trimmed(address));
  require_http_address(url);
  while (url.ends_with('/')) {
    url.pop_back();
  }
  if (url.ends_with(kCompletions)) {
    return url;
  }
  const bool has_path = url.find('/', url.find("://") + 3) != std::string::npos;
  return url + (has_path ? "" : "/v1") + std::string(kCompletions);
}

std::string endpoint_key() {
  const char* key = std::getenv("MANTISSA_ENDPOINT_KEY");
  return key == nullptr ? std::string() : key;
}

std::string answered_caption(const HttpAnswer& answer, int most_tokens) {
  if (answer.status != 200) {
    const std::string said = error_of(answer);
    throw CaptionError(said.empty() ? message<"status {status}">(answer.status)
                                    : message<"status {status}: {reason}">(answer.status, said));
  }
  const json object = json::parse(answer.text, nullptr, false);
  if (object.is_discarded()) {
    throw CaptionError(message<"the answer is no JSON">());
  }
  const json::json_pointer choice("/choices/0"), content("/choices/0/message/content");
  if (!object.contains(content)) {
    const std::string said = error_of(answer);
    throw CaptionError(said.empty() ? message<"the answer holds no text">()
                                    : message<"the answer is an error: {reason}">(said));
  }
  const bool cut = object[choice].value("finish_reason", json()) == "length";
  return caption_in(text_of(object[content]), cut, most_tokens);
}

Describe describe_by_endpoint(const EndpointOptions& options, std::function<bool()> stopped) {
  const std::string url = completions_url(options.address);
  const auto client = std::make_shared<HttpClient>(std::move(stopped));
  return [client, url, options](const Image& image) -> std::vector<std::string> {
    HttpPost post{.url = url,
                  .headers = {{"Content-Type", "application/json"}},
                  .body = request_of(options, image),
                  .patience = options.patience};
    if (!options.key.empty()) {
      post.headers.emplace_back("Authorization", "Bearer " + options.key);
    }
    try {
      return {answered_caption(client->post(post), options.most_tokens)};
    } catch (const HttpUnreachable& e) {
      throw Error(message<"no program answers there: {reason}. Start it, or give its address">(
          e.message()));
    } catch (const CaptionError&) {
      throw;
    } catch (const Error& e) {
      if (e.kind() == ErrorKind::interrupted) {
        throw;
      }
      throw CaptionError(e.message());
    }
  };
}

}  // namespace mantissa
