#include "engine/preset/family_table.h"

#include "engine/core/error.h"

namespace mantissa {
namespace {

/// The row of a base model that isn't known yet: whatever any family may have.
constexpr FamilyRow kAnyFamily{.id = ModelFamily::automatic,
                               .title = "auto",
                               .has_flow = true,
                               .has_vp = true,
                               .has_clip = true,
                               .has_unet = true,
                               .text_encoders = 2,
                               .has_embeddings = true};

}  // namespace

const FamilyRow* find_family_row(std::string_view name) {
  for (const FamilyRow* row : family_rows()) {
    if (row->id.name() == name) {
      return row;
    }
  }
  return nullptr;
}

const FamilyRow& family_row(ModelFamily id) {
  if (id == ModelFamily::automatic) {
    return kAnyFamily;
  }
  if (const FamilyRow* row = find_family_row(id.name())) {
    return *row;
  }
  throw Error(
      Message::verbatim("nothing is known of the model family '" + std::string(id.name()) + "'"));
}

std::vector<std::string_view> family_names() {
  std::vector<std::string_view> names{ModelFamily::automatic.name()};
  for (const FamilyRow* row : family_rows()) {
    names.push_back(row->id.name());
  }
  return names;
}

std::vector<std::string_view> family_titles() {
  std::vector<std::string_view> titles;
  for (const FamilyRow* row : family_rows()) {
    titles.push_back(row->title);
    for (const FamilyGeneration& generation : row->generations) {
      titles.push_back(generation.title);
    }
  }
  return titles;
}

std::string family_models(const FamilyRow& row) {
  if (!row.models.empty()) {
    return std::string(row.models);
  }
  std::string models(row.title);
  for (const FamilyGeneration& generation : row.generations) {
    models += ", " + std::string(generation.title);
  }
  return models;
}

std::vector<std::string_view> first_goals() {
  std::vector<std::string_view> goals;
  for (const FamilyRow* row : family_rows()) {
    if (!row->demo.name.empty()) {
      goals.push_back(row->demo.name);
    }
  }
  for (const FamilyRow* row : family_rows()) {
    goals.insert(goals.end(), row->goals.begin(), row->goals.end());
  }
  return goals;
}

}  // namespace mantissa
