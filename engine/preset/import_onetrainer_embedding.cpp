// Facts about OneTrainer behind this file: the method EMBEDDING trains the vectors of "embedding",
// every method those of "additional_embeddings" that are trained; each has a placeholder in
// captions, a number of vectors (token_count, 1) and a text that they start from ("*"). Their rate
// is embedding_learning_rate, or learning_rate. With a LoRA they are bundled in its file, unless
// bundle_additional_embeddings is off. With is_output_embedding they replace an encoder's output.

#include "engine/preset/import_families.h"
#include "engine/preset/import_onetrainer_rules.h"

namespace mantissa {
namespace {

/// The word between the angle brackets that placeholders have there by custom.
std::string bare_word(std::string placeholder) {
  if (placeholder.size() > 2 && placeholder.front() == '<' && placeholder.back() == '>') {
    placeholder = placeholder.substr(1, placeholder.size() - 2);
  }
  return placeholder;
}

/// The text that vectors start from. "*" is the default, a token without meaning.
std::string start_text(const std::string& text) {
  return text == "*" ? std::string() : text;
}

void mark_words(OneTrainer& o, const char* key, const Message& note) {
  if (o.find(key) == nullptr) {
    return;
  }
  ImportRow& row = *o.row(key);
  row.fate = note.empty() ? ImportFate::mapped : ImportFate::changed;
  row.note = note;
  row.targets = {"embedding.tokens"};
}

Message brackets_note(const std::string& placeholder) {
  return bare_word(placeholder) == placeholder
             ? Message{}
             : message<"Without its angle brackets: write {word} into captions and prompts.">(
                   bare_word(placeholder));
}

/// Where the words go: into the adapter's file, unless the configuration says otherwise.
void take_bundle(OneTrainer& o, bool alone) {
  if (alone || o.chosen().training.method != TrainingMethod::adapter) {
    return;
  }
  if (ImportRow* row = o.row("bundle_additional_embeddings")) {
    o.take(*row, "output.bundle_embeddings", o.flag("bundle_additional_embeddings"));
  } else {
    o.assume("bundle_additional_embeddings", "output.bundle_embeddings", true,
             message<"Not given: OneTrainer's default.">());
  }
}

/// Vectors that replace what an encoder gives are none here.
void tell_output_embedding(OneTrainer& o) {
  if (ImportRow* row = o.row("embedding.is_output_embedding");
      row != nullptr && o.flag("embedding.is_output_embedding")) {
    o.change(*row, message<"Not offered here: the vectors are what the text encoders read.">());
  }
}

}  // namespace

void finish_onetrainer_embeddings(OneTrainer& o) {
  using Json = ImportContext::Json;
  Json words = Json::array();
  const bool alone = o.text("training_method") == "EMBEDDING";
  if (alone && !family_row(o.chosen().model.family).has_embeddings) {
    refuse_job(o, *o.row("training_method"), kTextualInversion.said());
  }
  if (alone) {
    const std::string given = o.text("embedding.placeholder");
    const std::string placeholder = given.empty() ? "<embedding>" : given;
    words.push_back({{"token", bare_word(placeholder)},
                     {"vectors", o.number("embedding.token_count", 1)},
                     {"init", start_text(o.text("embedding.initial_embedding_text"))}});
    mark_words(o, "embedding.placeholder", brackets_note(placeholder));
    mark_words(o, "embedding.token_count", {});
    mark_words(o, "embedding.initial_embedding_text", {});
    tell_output_embedding(o);
  }
  const Json* more = o.find("additional_embeddings");
  for (const Json& entry : more != nullptr && more->is_array() ? *more : Json::array()) {
    const auto text = [&](const char* key) {
      return entry.is_object() && entry.contains(key) && entry[key].is_string()
                 ? entry[key].get<std::string>()
                 : std::string();
    };
    if (text("placeholder").empty() || (entry.contains("train") && is_off(entry["train"]))) {
      continue;
    }
    const Json count = entry.value("token_count", Json());
    words.push_back({{"token", bare_word(text("placeholder"))},
                     {"vectors", as_number(count).value_or(1)},
                     {"init", start_text(text("initial_embedding_text"))}});
    mark_words(o, "additional_embeddings", brackets_note(text("placeholder")));
  }
  if (words.empty()) {
    return;
  }
  ImportRow scratch;
  Json parts = Json::array(), groups = Json::array();
  if (!alone) {
    for (const Part part : o.chosen().training.parts) {
      parts.push_back(part.name());
    }
  }
  parts.push_back(kEmbeddings.name());
  o.take(scratch, "training.parts", parts);
  o.take(scratch, "embedding.tokens", words);
  take_bundle(o, alone);
  if (o.find("embedding_learning_rate") == nullptr) {
    return;
  }
  ImportRow& rate = *o.row("embedding_learning_rate");
  const double value = o.number("embedding_learning_rate", 0);
  if (alone) {
    o.take(rate, "optimizer.learning_rate", value);
    return;
  }
  for (const OptimizerGroup& group : o.chosen().optimizer.groups) {
    groups.push_back({{"part", group.part.name()}, {"learning_rate", *group.learning_rate}});
  }
  groups.push_back({{"part", kEmbeddings.name()}, {"learning_rate", value}});
  o.take(rate, "optimizer.groups", groups);
}

}  // namespace mantissa
