#include "engine/preset/settings_rows.h"

namespace mantissa {
namespace {

using value_io::bind;
using P = Preset;

constexpr ItemField kTokenFields[] = {
    {.key = "token",
     .label = "Word",
     .kind = Kind::text,
     .required = true,
     .help = "The word in captions and prompts, such as zorb; the file is named after it."},
    {.key = "vectors",
     .label = "Vectors",
     .kind = Kind::integer,
     .min = 1,
     .max = 75,
     .help = "How many vectors it has, each of which takes the place of a token."},
    {.key = "init",
     .label = "Initial text",
     .kind = Kind::text,
     .help = "Text whose vectors it starts from, repeated or cut to their number, such as a cat."},
    {.key = "deviation",
     .label = "Deviation",
     .kind = Kind::number,
     .min = 0,
     .max = 1,
     .help = "Standard deviation of random vectors, where there is no initial text."},
};

constexpr Setting kEmbedding[] = {
    {.key = "embedding.tokens",
     .label = "Embeddings",
     .kind = Kind::objects,
     .group = Group::training,
     .fields = kTokenFields,
     .text = TextRule::prompt,
     .applies_if = {"training.parts", one_of<"embeddings">},
     .since = 2,
     .families = &FamilyRow::has_embeddings,
     .bind = bind<&P::embedding, &P::Embedding::tokens>(),
     .help = "Words with trained vectors of their own (textual inversion). Captions and sample "
             "prompts must hold each word. More vectors learn more and generalize less; 1 to 4 "
             "are usual. Embeddings need a higher learning rate than adapters, 0.001 to 0.005, see "
             "optimizer.groups."},
};

}  // namespace

std::span<const Setting> embedding_rows() {
  return kEmbedding;
}

}  // namespace mantissa
