#include "engine/cli/reader_options.h"

#include <algorithm>

#include "engine/cli/option_values.h"

namespace mantissa {
namespace {

constexpr const char* kAll = "all";

std::vector<std::string> reader_keys() {
  std::vector<std::string> keys;
  for (const Reader* reader : readers()) {
    keys.emplace_back(reader->key);
  }
  return keys;
}

}  // namespace

void add_readers(CLI::App& command, std::vector<std::string>& keys) {
  std::vector<std::string> words = reader_keys();
  words.emplace_back(kAll);
  command
      .add_option("--for", keys, "Check how this program would read the adapter; may be repeated")
      ->type_name("PROGRAM")
      ->delimiter(',')
      ->check(one_of(std::move(words)));
}

void add_reader(CLI::App& command, std::string& key, const std::string& help) {
  command.add_option("--for", key, help)->type_name("PROGRAM")->check(one_of(reader_keys()));
}

std::vector<const Reader*> readers_of(const std::vector<std::string>& keys) {
  std::vector<const Reader*> list;
  for (const Reader* reader : readers()) {
    if (std::ranges::find(keys, kAll) != keys.end() ||
        std::ranges::find(keys, reader->key) != keys.end()) {
      list.push_back(reader);
    }
  }
  return list;
}

}  // namespace mantissa
