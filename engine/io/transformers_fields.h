#pragma once

#include <array>
#include <span>
#include <string_view>

#include "engine/io/config_fields.h"

namespace mantissa {

/// Fields that transformers writes for all models and that don't affect a text encoder: the file's
/// type, text generation, classifier classes.
inline constexpr std::array<std::string_view, 61> kTransformersFields{
    "architectures",
    "dtype",
    "torch_dtype",
    "transformers_version",
    "attn_implementation",
    "output_hidden_states",
    "output_attentions",
    "return_dict",
    "use_return_dict",
    "torchscript",
    "use_bfloat16",
    "tf_legacy_loss",
    "use_cache",
    "chunk_size_feed_forward",
    "tie_word_embeddings",
    "tie_encoder_decoder",
    "is_encoder_decoder",
    "output_past",
    "decoder_start_token_id",
    "sep_token_id",
    "cls_token_id",
    "mask_token_id",
    "tokenizer_class",
    "prefix",
    "problem_type",
    "finetuning_task",
    "task_specific_params",
    "id2label",
    "label2id",
    "num_labels",
    "max_length",
    "min_length",
    "do_sample",
    "early_stopping",
    "num_beams",
    "num_beam_groups",
    "diversity_penalty",
    "temperature",
    "top_k",
    "top_p",
    "typical_p",
    "repetition_penalty",
    "length_penalty",
    "no_repeat_ngram_size",
    "encoder_no_repeat_ngram_size",
    "bad_words_ids",
    "num_return_sequences",
    "output_scores",
    "return_dict_in_generate",
    "forced_bos_token_id",
    "forced_eos_token_id",
    "remove_invalid_values",
    "exponential_decay_length_penalty",
    "suppress_tokens",
    "begin_suppress_tokens",
    "n_positions",
    "num_decoder_layers",
    "classifier_dropout",
    "gradient_checkpointing",
    "cross_attention_hidden_size",
    "use_stable_embedding"};

/// ConfigFields::refuse_others for a config of transformers.
inline void refuse_other_fields(const ConfigFields& fields,
                                std::span<const std::string_view> harmless) {
  fields.only("is_decoder", false);
  fields.only("add_cross_attention", false);
  fields.only("pruned_heads", nlohmann::json::object());
  std::vector<std::string_view> all(kTransformersFields.begin(), kTransformersFields.end());
  all.insert(all.end(), harmless.begin(), harmless.end());
  fields.refuse_others(all);
}

}  // namespace mantissa
