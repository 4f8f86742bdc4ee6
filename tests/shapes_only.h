#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/test_util.h"

namespace mantissa::test {

/// A checkpoint with the names and shapes of key tables, without weights.
class ShapesOnly {
 public:
  void add_table(const char* file, std::size_t shape_column) {
    for (const auto& row : key_table(file)) {
      add(row[0], row[shape_column]);
    }
  }
  void add(const std::string& name, const std::string& dims) {
    std::vector<std::int64_t> shape;
    std::istringstream numbers(dims);
    for (std::string d; std::getline(numbers, d, ',');) {
      shape.push_back(std::stoll(d));
    }
    tensors_.emplace_back(name, std::move(shape));
  }
  /// The whole of SDXL, as a single file has it.
  void add_sdxl() {
    for (const char* table :
         {"sdxl_unet.tsv", "vae.tsv", "te1_clip_l.tsv", "te2_openclip_bigg.tsv"}) {
      add_table(table, 2);
    }
    add("conditioner.embedders.0.transformer.text_model.embeddings.position_ids", "1,77");
  }
  /// The header of the real file over a sparse data part: gigabytes that take no disk space.
  void write_sparse(const std::filesystem::path& path) const {
    nlohmann::ordered_json header;
    std::uint64_t at = 0;
    for (const auto& [name, shape] : tensors_) {
      std::uint64_t bytes = 2;
      for (const std::int64_t d : shape) {
        bytes *= static_cast<std::uint64_t>(d);
      }
      header[name] = {{"dtype", "F16"}, {"shape", shape}, {"data_offsets", {at, at + bytes}}};
      at += bytes;
    }
    const std::string text = header.dump();
    std::string start;
    for (int i = 0; i < 8; ++i) {
      start += static_cast<char>(text.size() >> (8 * i) & 0xff);
    }
    write_file(path, start + text);
    std::filesystem::resize_file(path, start.size() + text.size() + at);
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> tensors_;
};

}  // namespace mantissa::test
