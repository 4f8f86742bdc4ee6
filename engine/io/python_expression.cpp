#include "engine/io/python_expression.h"

#include <cstdint>

#include "engine/core/error.h"
#include "engine/io/pcre2_handles.h"

namespace mantissa {

namespace {

// Per match: module names need a few hundred.
constexpr std::uint32_t kMostMatchSteps = 1'000'000;
constexpr std::uint32_t kMostMatchHeapKib = 16 * 1024;
constexpr std::size_t kMostPatternBytes = 4096;

}  // namespace

PythonExpression::PythonExpression(const std::string& expression, const std::string& label)
    : expression_(expression), label_(label) {
  if (expression.size() > kMostPatternBytes) {
    throw Error(
        message<"{file}: a regular expression has {bytes} bytes; at most {most} are allowed">(
            label, expression.size(), kMostPatternBytes));
  }
  int problem = 0;
  PCRE2_SIZE place = 0;
  pcre2_code* code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(),
                    PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED, &problem, &place, nullptr);
  if (code == nullptr) {
    throw Error(message<"{file}: the regular expression '{expression}' is invalid: {reason}">(
        label, expression, pcre2_reason(problem)));
  }
  code_ =
      std::shared_ptr<void>(code, [](void* p) { pcre2_code_free(static_cast<pcre2_code*>(p)); });
}

bool PythonExpression::matches(std::string_view text) const {
  const auto* code = static_cast<const pcre2_code*>(code_.get());
  const auto limits = pcre2_limits(kMostMatchSteps, kMostMatchHeapKib);
  const auto data = pcre2_created(pcre2_match_data_create_from_pattern(code, nullptr));
  const int found = pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, 0,
                                data.get(), limits.get());
  if (found < 0 && found != PCRE2_ERROR_NOMATCH) {
    throw Error(
        message<"{file}: the regular expression '{expression}' takes too many steps on "
                "'{name}'; write it without nested repetitions">(label_, expression_, text));
  }
  return found > 0;
}

}  // namespace mantissa
