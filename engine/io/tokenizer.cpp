#include "engine/io/tokenizer.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <zlib.h>

#include "engine/core/error.h"
#include "engine/io/bpe_merges.h"
#include "engine/io/byte_alphabet.h"
#include "engine/io/clip_text.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"
#include "engine/io/mapped_file.h"
#include "engine/io/tokenizer_folder.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kBegin = "<|startoftext|>";
constexpr std::string_view kEnd = "<|endoftext|>";
constexpr std::string_view kTable = "bpe_simple_vocab_16e6.txt.gz";
constexpr std::size_t kTableMerges = 48894;
// SHA-256 of lines 1 to 48894 of the public table, each with its newline.
constexpr std::string_view kTableSha256 =
    "d308b7377a8ceaa9707a21614fe8c831b9196e197b7aeb69833359362907af02";

/// The unpacked text, or its beginning, where that holds the version line and all merges.
std::string inflated(std::span<const std::byte> bytes, const std::string& label) {
  constexpr std::size_t kMost = 64u << 20;
  constexpr auto kLines = static_cast<std::ptrdiff_t>(kTableMerges) + 1;
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) {
    throw Error(message<"{file} can't be unpacked: zlib does not start">(label));
  }
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> owner(&stream, &inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string result;
  std::ptrdiff_t lines = 0;
  int status = Z_OK;
  while (status == Z_OK && lines < kLines && result.size() < kMost) {
    std::array<char, 65536> buffer;
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = inflate(&stream, Z_NO_FLUSH);
    const auto end = buffer.end() - stream.avail_out;
    lines += std::count(buffer.begin(), end, '\n');
    result.append(buffer.begin(), end);
  }
  if (status != Z_STREAM_END && lines < kLines) {
    throw Error(message<"{file} is damaged: it does not unpack; fetch it again">(label));
  }
  return result;
}

/// Throws, naming every folder searched, if the table is nowhere.
fs::path built_in_file() {
  if (const char* chosen = std::getenv("MANTISSA_VOCAB"); chosen != nullptr && *chosen != 0) {
    return path_from_utf8(chosen);
  }
  if (const auto found = find_resource(kTable)) {
    return *found;
  }
  const fs::path configured = path_from_utf8(MANTISSA_VOCAB_FILE);
  return !configured.empty() && fs::exists(configured) ? configured : resource_path(kTable);
}

/// The normalised text of a caption's part, as UTF-8.
std::string normalised(std::string_view text) {
  std::string result;
  for (const char32_t c : clip_normalised(text)) {
    append_utf8(result, static_cast<std::int32_t>(c));
  }
  return result;
}

/// Counts as an added token only if written exactly so.
std::vector<AddedToken> built_in_tokens(std::int32_t bos, std::int32_t eos) {
  return {{std::string(kBegin), bos}, {std::string(kEnd), eos}};
}

/// SDXL's second encoder and SD 2.x pad with "!", id 0, and transformers treats every "!" of a
/// caption as padding. OpenCLIP, with which they were trained, has separate ids for it, as have
/// ComfyUI, A1111 and kohya's scripts. So a symbol of the alphabet is never an added token.
bool is_alphabet_symbol(const AddedToken& token) {
  const auto& symbols = byte_alphabet().symbol;
  return std::find(symbols.begin(), symbols.end(), token.content) != symbols.end();
}

}  // namespace

struct ClipTokenizer::Tables {
  std::vector<std::string> tokens;  // by id
  std::unordered_map<std::string, std::int32_t> ids;
  BpeMerges merges;
  std::array<std::int32_t, 256> byte_id{}, last_byte_id{};
  std::int32_t bos = 0, eos = 0;
  AddedTokens added;

  std::int32_t id_or(const std::string& token, std::int32_t fallback) const {
    const auto at = ids.find(token);
    return at == ids.end() ? fallback : at->second;
  }
  /// Room for a table of this many tokens and merges.
  void reserve(std::size_t token_count, std::size_t merge_count) {
    tokens.reserve(token_count);
    ids.reserve(token_count);
    merges.reserve(merge_count);
  }
  /// Returns the id that the token's text stands for: that of its first place.
  std::int32_t set_token(std::int32_t id, std::string token) {
    if (static_cast<std::size_t>(id) >= tokens.size()) {
      tokens.resize(static_cast<std::size_t>(id) + 1);
    }
    tokens[static_cast<std::size_t>(id)] = token;
    return ids.emplace(std::move(token), id).first->second;
  }
  void add_merge(const std::pair<std::string, std::string>& pair, std::int32_t rank,
                 std::int32_t both, const std::string& label) {
    const std::int32_t a = id_or(pair.first, -1), b = id_or(pair.second, -1);
    if (a < 0 || b < 0 || both < 0) {
      throw Error(message<"{file}: the merge '{merge}' uses a token that the vocabulary lacks; the "
                          "tokenizer's files don't belong together">(
          label, pair.first + " " + pair.second));
    }
    merges.add(a, b, rank, both);
  }
  void finish(const std::string& label) {
    bos = id_or(std::string(kBegin), -1);
    eos = id_or(std::string(kEnd), -1);
    if (bos < 0 || eos < 0) {
      throw Error(message<"{file}: the vocabulary lacks <|startoftext|> or <|endoftext|>; it is no "
                          "CLIP tokenizer">(label));
    }
    for (std::size_t b = 0; b < 256; ++b) {
      const std::string& symbol = byte_alphabet().symbol[b];
      byte_id[b] = id_or(symbol, eos);  // unknown bytes become the end token
      last_byte_id[b] = id_or(symbol + "</w>", eos);
    }
  }
  void encode_piece(std::u32string_view piece, std::vector<std::int32_t>& out) const;
  void encode_text(std::string_view text, std::vector<std::int32_t>& out) const;
};

void ClipTokenizer::Tables::encode_piece(std::u32string_view piece,
                                         std::vector<std::int32_t>& out) const {
  std::string bytes;
  for (char32_t c : piece) {
    append_utf8(bytes, static_cast<std::int32_t>(c));
  }
  std::vector<std::int32_t> symbols;
  for (const char byte : bytes) {
    symbols.push_back(byte_id[static_cast<unsigned char>(byte)]);
  }
  if (!bytes.empty()) {
    symbols.back() = last_byte_id[static_cast<unsigned char>(bytes.back())];
  }
  merges.apply(symbols);
  out.insert(out.end(), symbols.begin(), symbols.end());
}

void ClipTokenizer::Tables::encode_text(std::string_view text,
                                        std::vector<std::int32_t>& out) const {
  const std::u32string clean = code_points(text);
  for (std::u32string_view piece : clip_pieces(clean)) {
    encode_piece(piece, out);
  }
}

ClipTokenizer ClipTokenizer::with_words(NewWords words) const {
  ClipTokenizer result = *this;
  result.words_ = std::move(words);
  return result;
}

ClipTokenizer ClipTokenizer::from_folder(const fs::path& folder) {
  auto tables = std::make_shared<Tables>();
  const BpeFiles files = read_bpe_folder(folder);
  tables->reserve(files.vocab.size(), files.merges.size());
  for (const auto& [token, id] : files.vocab.items()) {
    tables->set_token(id.get<std::int32_t>(), token);
  }
  for (std::size_t i = 0; i < files.merges.size(); ++i) {
    const auto& merge = files.merges[i];
    tables->add_merge(merge, static_cast<std::int32_t>(i),
                      tables->id_or(merge.first + merge.second, -1), files.label);
  }
  for (const auto& [role, token] : files.notes.roles) {
    const std::string_view usual = role == "bos_token" ? kBegin : kEnd;
    if (role != "pad_token" && token.text != usual) {
      throw Error(
          message<"{file}: {role} is '{found}'; CLIP's is '{expected}', and no other is supported">(
              token.label, role, token.text, usual));
    }
  }
  tables->finish(files.label);
  std::vector<AddedToken> added = built_in_tokens(tables->bos, tables->eos);
  for (const AddedToken& token : files.notes.added) {
    std::erase_if(added, [&](const AddedToken& t) { return t.content == token.content; });
    tables->set_token(token.id, token.content);
    if (!is_alphabet_symbol(token)) {
      added.push_back(token);
    }
  }
  tables->added = AddedTokens(std::move(added), normalised);
  ClipTokenizer tokenizer;
  tokenizer.tables_ = std::move(tables);
  return tokenizer;
}

ClipTokenizer ClipTokenizer::from_merges(const fs::path& path) {
  const std::string label = "'" + path_to_utf8(path) + "'";
  const std::string text = with_mapped(path, [&](std::span<const std::byte> bytes) {
    const bool packed =
        bytes.size() > 2 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b};
    return packed ? inflated(bytes, label)
                  : std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  auto tables = std::make_shared<Tables>();
  tables->reserve(2 * 256 + kTableMerges + 2, kTableMerges);
  const ByteAlphabet& alphabet = byte_alphabet();
  for (const char* ending : {"", "</w>"}) {
    for (std::size_t i = 0; i < 256; ++i) {
      const auto byte = static_cast<std::size_t>(alphabet.byte_at[i]);
      tables->set_token(static_cast<std::int32_t>(tables->tokens.size()),
                        alphabet.symbol[byte] + ending);
    }
  }
  std::size_t start = std::min(text.find('\n'), text.size() - 1) + 1;  // the version line
  Sha256 hash;
  for (std::size_t i = 0; i < kTableMerges; ++i) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(std::min(start, text.size()), end - std::min(start, end));
    start = end + 1;
    const auto merge = merge_of(line);
    if (!merge) {
      throw Error(
          message<"{file}, line {line}: two symbols with one space between them are expected; the "
                  "table is cut off or another file, fetch it again (packaging/fetch_vocab.sh)">(
              label, i + 2));
    }
    hash.update(line + "\n");
    const std::int32_t both = tables->set_token(static_cast<std::int32_t>(tables->tokens.size()),
                                                merge->first + merge->second);
    tables->add_merge(*merge, static_cast<std::int32_t>(i), both, label);
  }
  if (const std::string found = hash.hex(); found != kTableSha256) {
    throw Error(
        message<"{file} is not CLIP's merges table: SHA-256 of its lines is {found}, {expected} is "
                "expected; fetch it again (packaging/fetch_vocab.sh)">(label, found, kTableSha256));
  }
  for (std::string_view special : {kBegin, kEnd}) {
    tables->set_token(static_cast<std::int32_t>(tables->tokens.size()), std::string(special));
  }
  tables->finish(label);
  tables->added = AddedTokens(built_in_tokens(tables->bos, tables->eos), normalised);
  ClipTokenizer tokenizer;
  tokenizer.tables_ = std::move(tables);
  return tokenizer;
}

ClipTokenizer ClipTokenizer::built_in() {
  // Kept for each file: every model of a run, and every check of the studio, asks for it.
  static std::mutex mutex;
  static std::map<fs::path, ClipTokenizer> read;
  const fs::path file = built_in_file();
  const std::lock_guard lock(mutex);
  const auto known = read.find(file);
  return known != read.end() ? known->second : read.emplace(file, from_merges(file)).first->second;
}

std::vector<std::int32_t> ClipTokenizer::encode(std::string_view raw) const {
  std::vector<std::int32_t> ids;
  words_.encode(repaired_utf8(raw), ids, [&](std::string_view rest) {
    tables_->added.split(
        rest, normalised, [&](std::int32_t id) { ids.push_back(id); },
        [&](std::string_view part) { tables_->encode_text(part, ids); });
  });
  return ids;
}

std::vector<std::int32_t> ClipTokenizer::encode_padded(std::string_view text, int length,
                                                       int pad_id) const {
  if (length < 2) {
    throw Error(message<"a caption needs room for at least the begin and the end token; the length "
                        "is {length}">(length));
  }
  std::vector<std::int32_t> ids = encode(text);
  const auto room = static_cast<std::size_t>(length) - 2;
  ids.resize(std::min(ids.size(), room));
  ids.insert(ids.begin(), tables_->bos);
  ids.push_back(tables_->eos);
  ids.resize(static_cast<std::size_t>(length), pad_id);
  return ids;
}

std::int32_t ClipTokenizer::bos_id() const {
  return tables_->bos;
}
std::int32_t ClipTokenizer::eos_id() const {
  return tables_->eos;
}
int ClipTokenizer::vocab_size() const {
  return static_cast<int>(tables_->tokens.size());
}
std::string ClipTokenizer::token(std::int32_t id) const {
  return id >= 0 && static_cast<std::size_t>(id) < tables_->tokens.size()
             ? tables_->tokens[static_cast<std::size_t>(id)]
             : std::string();
}

}  // namespace mantissa
