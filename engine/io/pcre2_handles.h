#pragma once
// PCRE2's objects as handles that free themselves, and its errors as text.

#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace mantissa {

struct Pcre2Free {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
  void operator()(pcre2_compile_context* context) const { pcre2_compile_context_free(context); }
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
template <typename Handle>
using Pcre2Owned = std::unique_ptr<Handle, Pcre2Free>;

/// Ownership of what PCRE2 has created. Throws std::bad_alloc if that is null.
template <typename Handle>
Pcre2Owned<Handle> pcre2_created(Handle* handle) {
  if (handle == nullptr) {
    throw std::bad_alloc();
  }
  return Pcre2Owned<Handle>(handle);
}

/// Limits of one match, which end expressions that backtrack without bound.
inline Pcre2Owned<pcre2_match_context> pcre2_limits(std::uint32_t steps, std::uint32_t heap_kib) {
  auto limits = pcre2_created(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(limits.get(), steps);
  pcre2_set_heap_limit(limits.get(), heap_kib);
  return limits;
}

/// PCRE2's text for an error of its own.
inline std::string pcre2_reason(int error) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(error, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

}  // namespace mantissa
