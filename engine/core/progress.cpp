#include "engine/core/progress.h"

namespace mantissa {

Message phase_words(RunPhase phase) {
  switch (phase) {
    case RunPhase::loading:
      return message<"loading the base model">();
    case RunPhase::scanning:
      return message<"looking for images">();
    case RunPhase::hashing:
      return message<"checking the base model's files">();
    case RunPhase::caching:
      return message<"preparing images">();
    case RunPhase::caching_text:
      return message<"preparing captions">();
    case RunPhase::reading:
      return message<"reading images">();
    case RunPhase::training:
      return message<"training">();
    case RunPhase::validating:
      return message<"computing the validation loss">();
    case RunPhase::measuring:
      return message<"measuring training images">();
    case RunPhase::sampling:
      return message<"rendering samples">();
    case RunPhase::probing:
      return message<"comparing with FP32">();
  }
  return {};
}

}  // namespace mantissa
