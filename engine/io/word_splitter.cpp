#include "engine/io/word_splitter.h"

#include <cstdint>
#include <new>

#include "engine/core/error.h"
#include "engine/io/clip_text.h"
#include "engine/io/pcre2_handles.h"
#include "engine/io/word_expression.h"

namespace mantissa {

namespace {

// Per match; the expressions in use need a few steps per character.
constexpr std::uint32_t kMostSteps = 10'000'000;
constexpr std::uint32_t kMostHeapKib = 64 * 1024;
constexpr std::size_t kMostExpressions = 16;

}  // namespace

struct WordSplitter::Expression {
  std::string text, label;
  Pcre2Owned<pcre2_code> code;
  Pcre2Owned<pcre2_match_context> limits;

  Expression(std::string expression, std::string file)
      : text(std::move(expression)), label(std::move(file)) {
    const std::string rewritten = pcre2_expression(text, label);
    const auto context = pcre2_created(pcre2_compile_context_create(nullptr));
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);  // what "." leaves out
    int problem = 0;
    PCRE2_SIZE place = 0;
    code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(rewritten.data()), rewritten.size(),
                             PCRE2_UTF | PCRE2_UCP, &problem, &place, context.get()));
    if (code == nullptr) {
      throw Error(message<"{file}: the regular expression '{expression}' is invalid: {reason}">(
          label, text, pcre2_reason(problem)));
    }
    // Several times as fast; where there is no JIT compiler, or no memory may be executed,
    // pcre2_match interprets.
    pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);
    limits = pcre2_limits(kMostSteps, kMostHeapKib);
  }

  /// Finds the next match in `whole` from `from` on; false if there is none.
  bool next(std::string_view whole, std::size_t from, pcre2_match_data* data) const {
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(whole.data());
    int found = PCRE2_ERROR_JIT_STACKLIMIT;
    for (const std::uint32_t interpreted : {std::uint32_t{0}, std::uint32_t{PCRE2_NO_JIT}}) {
      if (found == PCRE2_ERROR_JIT_STACKLIMIT) {
        found = pcre2_match(code.get(), subject, whole.size(), from,
                            PCRE2_NO_UTF_CHECK | interpreted, data, limits.get());
      }
    }
    if (found == PCRE2_ERROR_NOMEMORY) {
      throw std::bad_alloc();
    }
    if (found < 0 && found != PCRE2_ERROR_NOMATCH) {
      throw Error(
          message<"{file}: the regular expression '{expression}' can't split a text of "
                  "{bytes} bytes: {reason}">(label, text, whole.size(), pcre2_reason(found)));
    }
    return found >= 0;
  }
};

WordSplitter::WordSplitter(const std::vector<std::string>& expressions, const std::string& label) {
  if (expressions.size() > kMostExpressions) {
    throw Error(message<"{file}: text is split by {count} regular expressions; at most {most} are "
                        "allowed">(label, expressions.size(), kMostExpressions));
  }
  for (const std::string& text : expressions) {
    expressions_.push_back(std::make_shared<const Expression>(text, label));
  }
}

void WordSplitter::split(std::string_view text,
                         const std::function<void(std::string_view)>& word) const {
  split_from(0, text, word);
}

void WordSplitter::split_from(std::size_t first, std::string_view text,
                              const std::function<void(std::string_view)>& word) const {
  if (text.empty()) {
    return;
  }
  if (first == expressions_.size()) {
    word(text);
    return;
  }
  const auto data = pcre2_created(pcre2_match_data_create(1, nullptr));
  const PCRE2_SIZE* match = pcre2_get_ovector_pointer(data.get());
  std::size_t done = 0, from = 0;
  while (from < text.size() && expressions_[first]->next(text, from, data.get())) {
    split_from(first + 1, text.substr(done, match[0] - done), word);
    split_from(first + 1, text.substr(match[0], match[1] - match[0]), word);
    done = from = match[1];
    if (match[0] == match[1] && from < text.size()) {  // it only splits; look for one further on
      from += leading_character(text.substr(from)).bytes;
    }
  }
  split_from(first + 1, text.substr(done), word);
}

}  // namespace mantissa
