#include "engine/io/t5_tokenizer.h"

#include <algorithm>
#include <array>
#include <sentencepiece_processor.h>
#include <utf8proc.h>

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

std::string lower_trimmed(std::string_view text) {
  constexpr const char* kSpace = " \t\n\r\f\v";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) {
    return {};
  }
  text = text.substr(first, text.find_last_not_of(kSpace) - first + 1);
  std::string lower;
  while (!text.empty()) {
    utf8proc_int32_t code = 0;
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
    const auto read = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &code);
    constexpr utf8proc_int32_t kReplacement = 0xFFFD;
    std::array<utf8proc_uint8_t, 4> out{};
    const auto written =
        utf8proc_encode_char(read > 0 ? utf8proc_tolower(code) : kReplacement, out.data());
    lower.append(reinterpret_cast<const char*>(out.data()), static_cast<std::size_t>(written));
    text.remove_prefix(read > 0 ? static_cast<std::size_t>(read) : 1);
  }
  return lower;
}

int T5Tokenizer::vocab_size() const {
  return model_->processor.GetPieceSize();
}

}  // namespace mantissa
