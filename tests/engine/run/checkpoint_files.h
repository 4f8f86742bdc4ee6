#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/io/file.h"

namespace mantissa::testing_support {

/// Rewrites the manifest, so that modified files pass as intact.
inline void rehash(const std::filesystem::path& checkpoint) {
  namespace fs = std::filesystem;
  std::vector<fs::path> members;
  for (const auto& entry : fs::directory_iterator(checkpoint)) {
    if (entry.path().filename() != "manifest.json") {
      members.push_back(entry.path());
    }
  }
  std::sort(members.begin(), members.end());
  nlohmann::json files = nlohmann::json::array();
  for (const fs::path& member : members) {
    files.push_back({{"name", member.filename().string()},
                     {"bytes", fs::file_size(member)},
                     {"sha256", sha256_file(member)}});
  }
  nlohmann::json manifest{{"step", 0}, {"files", files}};
  manifest["checksum"] = sha256_hex(manifest.dump());
  std::ofstream(checkpoint / "manifest.json") << manifest.dump(1);
}

/// Changes state.json, and the manifest with it.
inline void edit_state(const std::filesystem::path& checkpoint,
                       const std::function<void(nlohmann::json&)>& edit) {
  nlohmann::json state = nlohmann::json::parse(read_text(checkpoint / "state.json"));
  edit(state);
  std::ofstream(checkpoint / "state.json") << state.dump(1);
  rehash(checkpoint);
}

}  // namespace mantissa::testing_support
