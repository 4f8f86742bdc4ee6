// Facts about sd-scripts and kohya_ss behind this file: a script of textual inversion trains the
// vectors of one word, token_string, which start from the tokens of init_word; its text encoders
// have one rate, learning_rate. Without num_vectors_per_token there is one vector.

#include "engine/preset/import_kohya_rules.h"

namespace mantissa {
namespace {

void mark_word(Kohya& k, const char* key) {
  if (k.find(key) == nullptr) {
    return;
  }
  ImportRow& row = *k.row(key);
  row.fate = ImportFate::mapped;
  row.note = {};
  row.targets = {"embedding.tokens"};
}

}  // namespace

void finish_kohya_embedding(Kohya& k) {
  ImportRow scratch;
  k.take(scratch, "training.parts", ImportContext::Json{"embeddings"});
  ImportContext::Json word{{"token", k.text("token_string")},
                           {"vectors", k.number("num_vectors_per_token", 1)}};
  if (const std::string init = k.text("init_word"); !init.empty()) {
    word["init"] = init;
  }
  if (k.text("token_string").empty()) {
    k.differ("token_string", "",
             message<"Not given: name the word in embedding.tokens before training.">());
  } else if (k.take(scratch, "embedding.tokens", ImportContext::Json::array({word}))) {
    for (const char* key : {"token_string", "init_word", "num_vectors_per_token"}) {
      mark_word(k, key);
    }
  } else {
    k.refuse(*k.row("token_string"), scratch.note);
  }
  if (ImportRow* rate = k.find("learning_rate") == nullptr ? nullptr : k.row("learning_rate")) {
    k.take(*rate, "optimizer.learning_rate", k.number("learning_rate", 2e-6));
  } else {
    k.assume("learning_rate", "optimizer.learning_rate", 2e-6,
             message<"The default of sd-scripts.">());
  }
}

}  // namespace mantissa
