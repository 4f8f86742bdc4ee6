#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace mantissa {

struct CommandSession;

/// What --recode takes: the encodings, and "list".
std::vector<std::string> recode_words();

/// `mantissa caption --recode`: the captions in `folders` that aren't UTF-8 are rewritten from the
/// encoding `word`, or with "list" shown as each encoding reads them. Returns the exit status.
int recode_captions(CommandSession& session, std::span<const std::filesystem::path> folders,
                    const std::string& word, bool dry_run);

}  // namespace mantissa
