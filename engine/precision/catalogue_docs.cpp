// The reference of the catalogue.

#include <fmt/format.h>

#include "engine/precision/catalogue.h"

namespace mantissa {
namespace {

std::string verdict_words(std::string_view letters) {
  std::string words;
  for (const char letter : letters) {
    const std::string_view word = letter == 'W'   ? "works"
                                  : letter == 'A' ? "adjusted"
                                  : letter == 'N' ? "warning"
                                                  : "refused";
    words += fmt::format("{}{}", words.empty() ? "" : " or ", word);
  }
  return words;
}

void write_entry(std::string& text, const CatalogueEntry& e) {
  text += fmt::format("\n### {} · {}\n\n{}\n\n", e.id, verdict_words(e.verdicts), e.title);
  text += fmt::format("- **Cause.** {}\n- **Here.** {}\n", e.cause, e.here);
  // A message consisting of one value has no text until it is filled in.
  const bool only_value = e.message.starts_with('{') && e.message.find('}') + 1 == e.message.size();
  if (!e.message.empty() && !only_value) {
    text += fmt::format("- **Says.** \"{}\"\n", e.message);
  }
  if (!e.refusal.empty()) {
    text += fmt::format("- **Refuses with.** \"{}\"\n", e.refusal);
  }
  if (!e.fix.empty()) {
    text += fmt::format("- **Fix.** {}\n", e.fix);
  }
  std::string fields;
  for (const std::string_view field : e.fields) {
    fields += field.empty() ? "" : fmt::format("{}`{}`", fields.empty() ? "" : ", ", field);
  }
  if (!fields.empty()) {
    text += fmt::format("- **Settings.** {}\n", fields);
  }
  if (e.verdicts != "W") {
    text += fmt::format("- **Found** {}{}{}\n", found_at_text(e.when),
                        e.unreachable.empty() ? "." : ": ", e.unreachable);
  }
}

}  // namespace

std::string catalogue_markdown() {
  std::string text =
      "# Catalogue of precision conflicts\n\n"
      "What goes wrong with numbers in training programs, and what Mantissa does about it. Every "
      "entry has one of four verdicts:\n\n"
      "- **works**: nothing to do; `mantissa check --explain` says how for your preset.\n"
      "- **adjusted**: the run differs from the preset in what the notice says.\n"
      "- **warning**: it trains as asked, and you should know.\n"
      "- **refused**: it does not start until it is fixed. `mantissa check PRESET --apply-fixes "
      "FILE` writes the corrected preset.\n\n"
      "This page is written by `mantissa check --catalogue`. Words in {braces} are filled in.\n";
  const CatalogueEntry* before = nullptr;
  for (const CatalogueEntry& entry : catalogue()) {
    if (before == nullptr || before->area != entry.area) {
      text += fmt::format("\n## {}\n", area_title(entry.area));
    }
    write_entry(text, entry);
    before = &entry;
  }
  return text;
}

}  // namespace mantissa
