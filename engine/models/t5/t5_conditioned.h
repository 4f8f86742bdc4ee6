#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/io/t5_tokenizer.h"
#include "engine/models/diffusion_model.h"
#include "engine/models/t5/t5.h"

namespace mantissa {

/// A model conditioned on the states of a T5: the text encoder and its tokenizer. Its inputs are
/// "te1_ids" and "te1_buckets", by the name of the part that it is.
class T5Reader : public DiffusionModel {
 public:
  /// Only if has(text_part()).
  const T5Config& t5_config() const { return t5_config_; }
  T5Encoder& t5();
  std::map<Part, std::vector<std::int32_t>> word_ids(const std::string& text) override;
  /// Reach of T5 alone.
  std::vector<TextReach> text_reach(const std::string& caption) override;
  TokenIds tokenize(const std::string& caption) override;

 protected:
  using DiffusionModel::DiffusionModel;
  /// Call it before anything else here: reads the T5's config, if there is one.
  void read_text_config(Part part = kTe1);
  Part text_part() const { return part_; }
  /// Throws Error if the states don't have the width of the denoiser's input.
  void require_text_width(int width) const;
  /// With the words of the text options. Throws Error if the model has none.
  T5Tokenizer t5_tokenizer();
  /// A caption as the model was trained to read it.
  virtual std::string prepared(const std::string& caption) const { return caption; }
  /// The most tokens of any caption, that of its end among them.
  virtual std::int64_t most_tokens() const { return text_tokens(); }
  /// The states [batch, tokens, hidden]; no `mask`: the rows of padding are read too.
  Value t5_states(Graph& graph, std::int64_t batch, std::int64_t tokens, Value mask);
  void feed_t5(Executor& executor, std::span<const TokenIds> batch) const;
  void bind_text() { t5(); }
  void drop_text() { t5_.reset(); }

 private:
  std::string input(const char* tail) const { return std::string(part_.name()) + tail; }
  const T5Tokenizer& own_t5_tokenizer();

  Part part_ = kTe1;
  T5Config t5_config_;
  std::unique_ptr<T5Encoder> t5_;
  std::optional<T5Tokenizer> t5_tokenizer_;
};

}  // namespace mantissa
