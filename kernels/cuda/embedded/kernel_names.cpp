#include "kernels/cuda/embedded/kernel_names.h"

#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace mantissa::cuda {
namespace {

std::string demangled(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  return text != nullptr ? text.get() : mangled;
}

/// 64-bit integers are `long` on Linux and `long long` on Windows, literals 4l and 4ll.
std::string with_one_long(std::string text) {
  for (std::size_t at = 0; (at = text.find("long long", at)) != std::string::npos;) {
    text.erase(at, std::string("long ").size());
  }
  for (std::size_t at = 0; (at = text.find("ll", at)) != std::string::npos; ++at) {
    std::size_t digit = at;
    if (digit > 0 && text[digit - 1] == 'u') {
      --digit;
    }
    const bool ends =
        at + 2 == text.size() || std::isalnum(static_cast<unsigned char>(text[at + 2])) == 0;
    if (digit > 0 && std::isdigit(static_cast<unsigned char>(text[digit - 1])) != 0 && ends) {
      text.erase(at, 1);
    }
  }
  return text;
}

/// Without its parameters, whose parentheses are the last ones.
std::string without_parameters(const std::string& text) {
  int depth = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    depth += text[at] == ')' ? 1 : text[at] == '(' ? -1 : 0;
    if (depth == 0) {
      return text[at] == '(' ? text.substr(0, at) : text;
    }
  }
  return text;
}

}  // namespace

std::string kernel_named(const char* mangled) {
  // Only names of templates begin with the result's type. Others are written without parameters
  // where they are arguments of a template.
  const std::string text = demangled(mangled);
  return with_one_long(text.starts_with("void ") ? text : without_parameters(text));
}

std::string kernel_of_type(const char* mangled) {
  // KernelName<&name> or KernelName<&(void name<arguments>(parameters))>
  std::string text = demangled(mangled);
  const std::size_t begin = text.find("<&");
  if (begin == std::string::npos || !text.ends_with('>')) {
    return text;
  }
  text = text.substr(begin + 2, text.size() - begin - 3);
  if (text.starts_with("(void ")) {
    text = text.substr(1, text.size() - 2);
  }
  return with_one_long(text);
}

}  // namespace mantissa::cuda
