#pragma once

#include <string>
#include <string_view>

namespace mantissa {

/// A regular expression of a tokenizer.json, in the syntax of Oniguruma (which the tokenizers
/// library uses), rewritten so that PCRE2 with Unicode properties finds the same. Throws Error that
/// begins with `label` and names the place for everything that the two read differently.
std::string pcre2_expression(std::string_view expression, const std::string& label);

}  // namespace mantissa
