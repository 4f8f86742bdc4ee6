#include "engine/plan/word_embeddings.h"

#include <algorithm>
#include <functional>

#include "engine/core/ascii.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/random.h"
#include "engine/io/new_words.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

using Values = std::vector<float>;

/// Rows of the table, repeated or cut to `count`.
Values values_of_text(const Values& table, std::span<const std::int32_t> ids, int count,
                      std::int64_t width) {
  Values values;
  for (int i = 0; i < count; ++i) {
    const auto id = static_cast<std::int64_t>(ids[static_cast<std::size_t>(i) % ids.size()]);
    const auto row = table.begin() + static_cast<std::ptrdiff_t>(id * width);
    values.insert(values.end(), row, row + static_cast<std::ptrdiff_t>(width));
  }
  return values;
}

/// Normal values of a deviation, of a word's own draw in each text encoder.
Values random_values(const Preset& preset, std::size_t word, Part part, std::size_t count) {
  const RandomKey key = random_key(static_cast<std::uint64_t>(preset.training.seed),
                                   RandomStream::init, 1 + word, stream_of(part));
  const auto deviation = static_cast<float>(preset.embedding.tokens[word].deviation);
  Values values;
  for (std::uint32_t block = 0; values.size() < count; ++block) {
    const auto bits = random_block(key, block);
    for (const float x : normal_pair(bits[0], bits[1])) {
      values.push_back(deviation * x);
    }
  }
  values.resize(count);
  return values;
}

/// A word's first values in one text encoder, of which `table` gives the rows of tokens.
Values first_values(const Preset& preset, std::size_t word, const TrainedWords& words,
                    DiffusionModel& model, const std::function<const Values&()>& table) {
  const EmbeddingToken& own = preset.embedding.tokens[word];
  const std::int64_t width = words.vectors.shape[1];
  if (own.init.empty()) {
    return random_values(preset, word, words.part, static_cast<std::size_t>(own.vectors * width));
  }
  return values_of_text(table(), model.word_ids(own.init).at(words.part), own.vectors, width);
}

/// A continued word's values in one text encoder.
const Values& continued_values(const WordEmbeddings& file, const TrainedWords& words) {
  const auto found = std::ranges::find(file.encoders, words.part, &WordVectors::part);
  if (found == file.encoders.end() || found->width != words.vectors.shape[1]) {
    throw Error(message<"the embedding of {word} to continue from has vectors of {given} values, "
                        "but {part} of the base model takes {wanted}. Was it made for another base "
                        "model?">(file.word, file.encoders.front().width, words.part.name(),
                                  words.vectors.shape[1]));
  }
  return found->values;
}

/// Throws Error if the words have no place in an adapter's file.
void require_bundle(const Preset& preset) {
  const bool adapter =
      preset.training.method == TrainingMethod::adapter && preset.training.parts.size() > 1;
  if (!adapter) {
    throw Error(message<"output.bundle_embeddings is for the file of an adapter, and this run "
                        "writes none. Turn it off">());
  }
  if (preset.output.format == OutputFormat::diffusers ||
      preset.output.format == OutputFormat::peft) {
    throw Error(message<"output.bundle_embeddings is on, and output.format is {format}, whose "
                        "readers refuse an adapter with words in it. Turn it off, or choose "
                        "kohya">(enum_name(preset.output.format)));
  }
}

void require_start_text(const EmbeddingToken& word, DiffusionModel& model) {
  for (const auto& [part, ids] : model.word_ids(word.init)) {
    if (ids.empty()) {
      throw Error(message<"embedding.tokens: init of {word} holds no token to start from. Leave it "
                          "empty for random vectors, or write a word">(word.token));
    }
  }
}

}  // namespace

void check_embeddings(const JobSpec& job, const WeightSource& source) {
  const Preset& preset = job.preset;
  if (!trains_embeddings(preset)) {
    return;
  }
  if (!source.family().row.has_embeddings) {
    throw Error(
        message<"training.parts has embeddings, and the text encoders of {model} read none "
                "here. Take them out, or choose another base model">(source.family().title()));
  }
  if (preset.embedding.tokens.empty()) {
    throw Error(message<"training.parts has embeddings, and embedding.tokens names no word. Add "
                        "one, or take embeddings out">());
  }
  if (preset.training.method == TrainingMethod::full && preset.training.parts.size() == 1) {
    throw Error(message<"training.method is full, and training.parts has embeddings alone: no "
                        "weight of the model changes. Set training.method to adapter">());
  }
  for (const EmbeddingToken& word : preset.embedding.tokens) {
    if (lower_ascii(word.token) == lower_ascii(preset.output.name)) {
      throw Error(
          message<"output.name and a word of embedding.tokens are both {name}, and so would "
                  "their files be. Change output.name">(word.token));
    }
  }
  if (preset.output.bundle_embeddings) {
    require_bundle(preset);
  }
  const auto model = DiffusionModel::open_planning(source);
  for (const EmbeddingToken& word : preset.embedding.tokens) {
    if (!word.init.empty()) {
      require_start_text(word, *model);
    }
  }
  model->set_text_options(TextOptions::of(preset));
  require_free_words(*model);
}

void require_free_words(DiffusionModel& model) {
  const TextOptions options = model.text_options();
  const auto surroundings = [&](const std::vector<TextWord>& words) {
    TextOptions some = options;
    some.words = words;
    model.set_text_options(some);
    return model.tokenize_beside("", std::max<std::size_t>(options.references, 1)).ids;
  };
  for (const TextWord& word : options.words) {
    if (surroundings({word}) != surroundings({})) {
      model.set_text_options(options);
      throw Error(message<"the word {word} is in what {model} puts around every text, where it "
                          "would become its vectors too. Choose another word">(
          word.text, model.family().title()));
    }
  }
  model.set_text_options(options);
}

void require_words(const Preset& preset, const Dataset& dataset) {
  if (!trains_embeddings(preset)) {
    return;
  }
  for (const EmbeddingToken& word : preset.embedding.tokens) {
    if (std::ranges::none_of(dataset.items, [&](const ImageItem& item) {
          return NewWords::holds(item.caption, word.token);
        })) {
      throw Error(
          message<"embedding.tokens: no caption contains {word}, so nothing would train its "
                  "vectors. Write it into the captions, or correct the setting">(word.token));
    }
  }
}

std::vector<std::optional<WordEmbeddings>> continued_words(const JobSpec& job,
                                                           const WeightSource& source) {
  const std::vector<EmbeddingToken>& words = job.preset.embedding.tokens;
  std::vector<std::optional<WordEmbeddings>> continued(words.size());
  if (!job.continue_from || !trains_embeddings(job.preset)) {
    return continued;
  }
  const fs::path& given = *job.continue_from;
  const bool embedding = is_embedding_file(given);
  const std::vector<WordEmbeddings> bundled =
      embedding ? std::vector<WordEmbeddings>() : read_bundled(given, source.family());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto own = std::ranges::find(bundled, words[i].token, &WordEmbeddings::word);
    const fs::path file = own != bundled.end() || (embedding && words.size() == 1)
                              ? given
                              : embedding_path(given.parent_path(), words[i].token);
    if (own != bundled.end()) {
      continued[i] = *own;
    } else if (is_embedding_file(file)) {
      continued[i] = read_embedding(file, source.family(), words[i].token);
    } else {
      continue;  // an adapter without this word
    }
    if (continued[i]->vectors() != words[i].vectors) {
      throw Error(message<"{file} holds {given} vectors, but embedding.tokens says {wanted} for "
                          "{word}. Set vectors to {given}">(path_to_utf8(file.filename()),
                                                            continued[i]->vectors(),
                                                            words[i].vectors, words[i].token));
    }
  }
  return continued;
}

void require_continued_words(const JobSpec& job, const WeightSource& source) {
  for (const WordEmbeddings& word : read_bundled(*job.continue_from, source.family())) {
    const bool trained =
        trains_embeddings(job.preset) &&
        std::ranges::find(job.preset.embedding.tokens, word.word, &EmbeddingToken::token) !=
            job.preset.embedding.tokens.end();
    if (!trained) {
      throw Error(message<"{file} bundles the embedding of {word}, which this run doesn't train: "
                          "what it writes would lack it. Add embeddings to training.parts, and the "
                          "word to embedding.tokens">(path_to_utf8(job.continue_from->filename()),
                                                      word.word));
    }
  }
}

void start_words(TrainedSet& set, DiffusionModel& model, const Preset& preset,
                 std::span<const std::optional<WordEmbeddings>> continued) {
  for (const TrainedWords& words : set.words()) {
    Values table, all;
    const auto rows = [&]() -> const Values& {
      if (table.empty()) {
        table = model.weights().values(words.table + ".weight");
      }
      return table;
    };
    for (std::size_t i = 0; i < preset.embedding.tokens.size(); ++i) {
      const Values own = i < continued.size() && continued[i]
                             ? continued_values(*continued[i], words)
                             : first_values(preset, i, words, model, rows);
      all.insert(all.end(), own.begin(), own.end());
    }
    set.set_words(words, all);
  }
}

void require_widths(const TrainedSet& set,
                    std::span<const std::optional<WordEmbeddings>> continued) {
  for (const TrainedWords& words : set.words()) {
    for (const std::optional<WordEmbeddings>& word : continued) {
      if (word) {
        continued_values(*word, words);
      }
    }
  }
}

std::vector<WordEmbeddings> trained_words(const TrainedSet& set, const Preset& preset,
                                          const FlatValues& flat) {
  std::vector<WordEmbeddings> all;
  for (const EmbeddingToken& word : preset.embedding.tokens) {
    all.push_back({word.token, {}});
  }
  for (const TrainedWords& words : set.words()) {
    const Values values = set.word_values(words, flat);
    const std::int64_t width = words.vectors.shape[1];
    auto from = values.begin();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto to =
          from + static_cast<std::ptrdiff_t>(preset.embedding.tokens[i].vectors * width);
      all[i].encoders.push_back({words.part, width, Values(from, to)});
      from = to;
    }
  }
  return set.words().empty() ? std::vector<WordEmbeddings>() : all;
}

}  // namespace mantissa
