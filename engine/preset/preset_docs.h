#pragma once
// Documentation derived from the schema table.

#include <string>

namespace mantissa {

/// JSON Schema (draft 2020-12) of the canonical form.
std::string json_schema();

/// Reference of every setting as Markdown.
std::string reference_markdown();

}  // namespace mantissa
