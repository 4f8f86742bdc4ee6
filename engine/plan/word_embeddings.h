#pragma once
// Embeddings of a run (textual inversion): what they need, and what they start from.

#include <optional>
#include <span>
#include <vector>

#include "engine/adapters/embedding_file.h"
#include "engine/adapters/trained_set.h"
#include "engine/data/dataset.h"
#include "engine/models/diffusion_model.h"
#include "engine/plan/job.h"

namespace mantissa {

/// Throws Error if the base model reads no embeddings, no word is named, its text holds nothing to
/// start from, or its file would replace the run's other result.
void check_embeddings(const JobSpec& job, const WeightSource& source);
/// Throws Error if a trained word is in no caption: nothing would train it.
void require_words(const Preset& preset, const Dataset& dataset);

/// Throws Error naming a word of TextOptions::words that is in what the model puts around every
/// text.
void require_free_words(DiffusionModel& model);

/// What the trained words start from, by JobSpec::continue_from: it is an embedding's file, or an
/// adapter's with those of words bundled or beside it. None of a word without one. Throws Error for
/// a file that can't be continued with this preset.
std::vector<std::optional<WordEmbeddings>> continued_words(const JobSpec& job,
                                                           const WeightSource& source);

/// Throws Error if the adapter to continue from has a bundled word that the run doesn't train: its
/// file would no longer have it.
void require_continued_words(const JobSpec& job, const WeightSource& source);
/// Throws Error if continued vectors have another width than the model's.
void require_widths(const TrainedSet& set,
                    std::span<const std::optional<WordEmbeddings>> continued);
/// Gives the words of a finalized set their first values: those of files, of a text's tokens in the
/// model's own table, or random ones. Throws as require_widths.
void start_words(TrainedSet& set, DiffusionModel& model, const Preset& preset,
                 std::span<const std::optional<WordEmbeddings>> continued = {});

/// The trained words with their values, as in files; `flat` as in TrainedSet::snapshot.
std::vector<WordEmbeddings> trained_words(const TrainedSet& set, const Preset& preset,
                                          const FlatValues& flat);

}  // namespace mantissa
