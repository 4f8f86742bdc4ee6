#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "engine/notify/run_notice.h"

namespace mantissa {

/// Where notices are posted, and in which form.
struct NoticeAddress {
  enum class Form {
    text,  ///< as ntfy takes it: the text, with a title, priority and tags in headers
    json   ///< an object: outcome, run, paths, numbers and the text
  };
  Form form = Form::json;
  std::string url;
};

/// "ntfy:https://host/topic" and https://ntfy.sh/topic get text; every other address by http or
/// https gets JSON. Throws Error, which doesn't repeat the address: it may hold a token.
NoticeAddress parse_notice_address(const std::string& text);

/// How messages become text: English, or another language.
using NoticeWords = std::function<std::string(const Message&)>;

/// Posts a notice, waiting for the answer for at most `patience`. Throws Error, whose sentence
/// shows no more of the address than its host, if it isn't accepted.
void post_notice(const NoticeAddress& address, const RunNotice& notice,
                 const std::function<bool()>& stopped = {}, const NoticeWords& words = {},
                 std::chrono::milliseconds patience = std::chrono::seconds(8));

}  // namespace mantissa
