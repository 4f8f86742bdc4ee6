#pragma once
// The tiny models of tests/golden/models, by family.

#include <string>
#include <vector>

#include "engine/io/family.h"

namespace mantissa::test {

/// Folders of tests/golden/models with whole models, one of each family whose denoiser is a
/// transformer: they are named after the family.
inline std::vector<std::string> transformer_models() {
  std::vector<std::string> names;
  for (const FamilyRow* row : family_rows()) {
    if (!row->has_unet) {
      names.emplace_back(row->id.name());
    }
  }
  return names;
}

/// Folders of the models that are rectified flows.
inline std::vector<std::string> flow_models() {
  std::vector<std::string> names;
  for (const FamilyRow* row : family_rows()) {
    if (row->has_flow) {
      names.emplace_back(row->id.name());
    }
  }
  return names;
}

/// `first`, then `others`.
inline std::vector<std::string> together(std::vector<std::string> first,
                                         const std::vector<std::string>& others) {
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

}  // namespace mantissa::test
