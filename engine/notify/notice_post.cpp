#include "engine/notify/notice_post.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/ascii.h"
#include "engine/core/error.h"
#include "engine/core/printable.h"
#include "engine/http/http_address.h"
#include "engine/http/http_client.h"

namespace mantissa {
namespace {

using Form = NoticeAddress::Form;
constexpr std::string_view kText = "ntfy:";

std::string words_of(const Message& message, const NoticeWords& words) {
  return words ? words(message) : message.text();
}

std::string body_text(const RunNotice& notice, const NoticeWords& words) {
  std::string text;
  for (const Message& line : notice_lines(notice)) {
    text += (text.empty() ? "" : "\n") + printable_lines(words_of(line, words));
  }
  return text;
}

std::string body_json(const RunNotice& notice, const std::string& title, const std::string& text) {
  const std::string all = title + (text.empty() ? "" : "\n" + text);
  nlohmann::ordered_json object{{"event", "run_ended"},
                                {"state", outcome_name(notice.outcome)},
                                {"name", notice.name},
                                {"run", notice.run_id},
                                {"folder", notice.folder},
                                {"adapter", notice.adapter},
                                {"steps", notice.steps},
                                {"loss", nullptr},
                                {"message", notice.reason.text()}};
  if (std::isfinite(notice.loss)) {
    object["loss"] = notice.loss;
  }
  // The names under which chat programs look for what they show.
  object["text"] = all;
  object["content"] = all;
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

HttpPost to_post(const NoticeAddress& address, const RunNotice& notice, const NoticeWords& words) {
  const std::string title = printable(words_of(notice_title(notice), words));
  const std::string text = body_text(notice, words);
  if (address.form == Form::json) {
    return {.url = address.url,
            .headers = {{"Content-Type", "application/json"}},
            .body = body_json(notice, title, text)};
  }
  const bool good = notice.outcome == RunOutcome::finished;
  const bool chosen = notice.outcome == RunOutcome::stopped;
  return {.url = address.url,
          .headers = {{"Content-Type", "text/plain; charset=utf-8"},
                      {"Title", title},
                      {"Priority", good || chosen ? "default" : "high"},
                      {"Tags", good     ? "white_check_mark"
                               : chosen ? "stop_button"
                                        : "warning"}},
          .body = text.empty() ? title : text};
}

}  // namespace

NoticeAddress parse_notice_address(const std::string& text) {
  const std::string given(trimmed(text));
  const bool is_text = lower_ascii(given).starts_with(kText);
  NoticeAddress address{is_text ? Form::text : Form::json,
                        is_text ? given.substr(kText.size()) : given};
  require_http_address(address.url);
  if (address_host(address.url) == "ntfy.sh") {
    address.form = Form::text;
  }
  return address;
}

void post_notice(const NoticeAddress& address, const RunNotice& notice,
                 const std::function<bool()>& stopped, const NoticeWords& words,
                 std::chrono::milliseconds patience) {
  HttpPost post = to_post(address, notice, words);
  post.patience = patience;
  HttpAnswer answer;
  try {
    answer = HttpClient(stopped).post(post);
  } catch (const Error& e) {
    throw Error(e.kind(), message<"the notice was not delivered: {reason}">(e.message()));
  }
  if (answer.status < 200 || answer.status >= 300) {
    throw Error(message<"the notice was not delivered: {address} answered with status {status}">(
        shown_address(address.url), answer.status));
  }
}

}  // namespace mantissa
