#include "engine/io/python_expression.h"

#include <array>
#include <new>

#include "engine/core/error.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace mantissa {

namespace {

// Per match: module names need a few hundred. They end expressions that backtrack without bound.
constexpr std::uint32_t kMostMatchSteps = 1'000'000;
constexpr std::uint32_t kMostMatchHeapKib = 16 * 1024;
constexpr std::size_t kMostPatternBytes = 4096;

template <typename Handle>
Handle* allocated(Handle* handle) {
  if (handle == nullptr) {
    throw std::bad_alloc();
  }
  return handle;
}

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
    std::array<PCRE2_UCHAR, 256> reason{};
    pcre2_get_error_message(problem, reason.data(), reason.size());
    throw Error(message<"{file}: the regular expression '{expression}' is invalid: {reason}">(
        label, expression, reinterpret_cast<const char*>(reason.data())));
  }
  code_ =
      std::shared_ptr<void>(code, [](void* p) { pcre2_code_free(static_cast<pcre2_code*>(p)); });
}

bool PythonExpression::matches(std::string_view text) const {
  const auto* code = static_cast<const pcre2_code*>(code_.get());
  const std::unique_ptr<pcre2_match_context, decltype(&pcre2_match_context_free)> limits(
      allocated(pcre2_match_context_create(nullptr)), &pcre2_match_context_free);
  pcre2_set_match_limit(limits.get(), kMostMatchSteps);
  pcre2_set_heap_limit(limits.get(), kMostMatchHeapKib);
  const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> data(
      allocated(pcre2_match_data_create_from_pattern(code, nullptr)), &pcre2_match_data_free);
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
