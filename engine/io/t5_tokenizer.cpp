#include "engine/io/t5_tokenizer.h"

#include <algorithm>
#include <sentencepiece_processor.h>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"

namespace mantissa {

struct T5Tokenizer::Model {
  sentencepiece::SentencePieceProcessor processor;
};

T5Tokenizer T5Tokenizer::from_folder(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "spiece.model";
  const std::string name = "'" + path_to_utf8(file) + "'";
  if (!std::filesystem::exists(file)) {
    throw Error("the T5 tokenizer " + name +
                " is missing; put the model's tokenizer folder beside its weights");
  }
  const std::string bytes = read_text(file);
  const auto model = std::make_shared<Model>();
  if (const auto status = model->processor.LoadFromSerializedProto(bytes); !status.ok()) {
    throw Error(name + " is no SentencePiece model (" + status.ToString() +
                "); get the model's tokenizer folder again");
  }
  T5Tokenizer tokenizer;
  tokenizer.model_ = model;
  return tokenizer;
}

std::vector<std::int32_t> T5Tokenizer::encode(std::string_view text) const {
  std::vector<int> ids;
  const auto status = model_->processor.Encode({text.data(), text.size()}, &ids);
  if (!status.ok()) {
    throw Error("the T5 tokenizer can't read the text (" + status.ToString() + ")");
  }
  return {ids.begin(), ids.end()};
}

std::vector<std::int32_t> T5Tokenizer::encode_padded(std::string_view text, int length, int pad_id,
                                                     int eos_id) const {
  std::vector<std::int32_t> ids = encode(text);
  const auto most = static_cast<std::size_t>(length - 1);
  ids.resize(std::min(ids.size(), most));
  ids.push_back(eos_id);
  ids.resize(static_cast<std::size_t>(length), pad_id);
  return ids;
}

int T5Tokenizer::vocab_size() const {
  return model_->processor.GetPieceSize();
}

}  // namespace mantissa
