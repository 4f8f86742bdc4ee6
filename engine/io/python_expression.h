#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace mantissa {

/// A regular expression in the syntax of Python's re, as PEFT's configs have them, matched from the
/// start of a text as re.match does. PCRE2 reads those of module names alike.
class PythonExpression {
 public:
  /// Throws Error that begins with `label` for what isn't a regular expression.
  PythonExpression(const std::string& expression, const std::string& label);
  /// Throws Error if matching takes too long, as expressions made for that do.
  bool matches(std::string_view text) const;

 private:
  std::shared_ptr<void> code_;
  std::string expression_, label_;
};

}  // namespace mantissa
