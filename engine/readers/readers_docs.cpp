#include "engine/readers/readers_docs.h"

#include <fmt/format.h>

#include "engine/io/family.h"
#include "engine/readers/reader.h"

namespace mantissa {
namespace {

/// Characters of a commit that are shown.
constexpr std::size_t kShownCommit = 12;

/// Titles of a reader's families.
std::string family_list(const Reader& reader) {
  std::string list;
  for (const Family* family : registered_families()) {
    if (has_word(reader.families, family->id().name())) {
      list += fmt::format("{}{}", list.empty() ? "" : ", ", family->title());
    }
  }
  return list;
}

/// What the reader looks for, of any form.
bool looks_for(const Reader& reader, AdapterRole role) {
  for (const ReaderForm& form : reader.forms) {
    for (const TensorRule& rule : form.tensors) {
      if (rule.beside == BesideRole::none && rule.role == role) {
        return true;
      }
    }
  }
  return false;
}

std::string dora_text(const Reader& reader) {
  ReaderDora dora = ReaderDora::none;
  for (const ReaderForm& form : reader.forms) {
    dora = form.dora != ReaderDora::none ? form.dora : dora;
  }
  switch (dora) {
    case ReaderDora::none:
      return "no: loads as a plain LoRA";
    case ReaderDora::exact:
      return "yes";
    case ReaderDora::base_norms:
      return "per input";
    case ReaderDora::per_input:
      return "per input";
    case ReaderDora::per_output:
      return "PEFT's, per output";
  }
  return {};
}

std::string source_rows(const Reader& reader) {
  std::string rows;
  for (const ReaderSource& source : reader.sources) {
    rows += fmt::format("| {} | `{}` | `{}` |\n", reader.title, source.file,
                        source.version.substr(0, kShownCommit));
  }
  return rows;
}

}  // namespace

std::string readers_markdown() {
  std::string text =
      "# Programs that read adapters\n\n"
      "`mantissa inspect FILE --base BASE --for PROGRAM` reads any adapter file by the rules of "
      "one of these programs. It reports which tensors the program finds, whether they fit the "
      "base model, and whether a layer's change, recomputed by those rules, matches the file. "
      "`mantissa convert --for PROGRAM` writes a format that the program reads in full. The rules "
      "are those of the versions below; newer versions may read more. This page is written by "
      "`mantissa help --reference readers`.\n\n"
      "| `--for` | program | base models | LoHa | LoKr | DoRA |\n|---|---|---|---|---|---|\n";
  for (const Reader* reader : readers()) {
    text +=
        fmt::format("| `{}` | [{}](https://{}) | {} | {} | {} | {} |\n", reader->key, reader->title,
                    reader->project, family_list(*reader),
                    looks_for(*reader, AdapterRole::hada_w1_a) ? "yes" : "no",
                    looks_for(*reader, AdapterRole::lokr_w1) ? "yes" : "no", dora_text(*reader));
  }
  text += "\n## Versions of the rules\n\n| program | file | commit or release |\n|---|---|---|\n";
  for (const Reader* reader : readers()) {
    text += source_rows(*reader);
  }
  return text;
}

}  // namespace mantissa
