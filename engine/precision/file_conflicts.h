#pragma once
// Conditions of the catalogue on the types in the base model's own file.

#include "engine/precision/catalogue_rules.h"

namespace mantissa {

/// The denoiser keeps the file's own codes: NF4, a micro-scaled type, or GGUF's blocks.
bool keeps_the_files_nf4(const PrecisionFacts& f);
bool keeps_the_files_micro(const PrecisionFacts& f);
bool keeps_the_files_gguf(const PrecisionFacts& f);

/// 8-bit products of a base model that its file has quantised otherwise.
MaybeConflict quantised_twice(const PrecisionFacts& f);
/// A quantised file stored in a type that isn't quantised.
MaybeConflict wider_than_its_file(const PrecisionFacts& f);
/// A quantised file stored in another quantised type.
MaybeConflict rounded_again(const PrecisionFacts& f);
/// Rotated INT8 that must be decoded, stored in a quantised type.
MaybeConflict rotated_rounded_again(const PrecisionFacts& f);
/// Parts, or pinned layers, kept as a GGUF file's blocks, of a base model that isn't one.
MaybeConflict blocks_of_no_gguf(const PrecisionFacts& f);

}  // namespace mantissa
