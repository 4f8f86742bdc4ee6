#pragma once

#include <cstring>
#include <elf.h>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/mapped_file.h"

namespace mantissa {

/// An ELF file's entries for the dynamic loader.
struct DynamicSection {
  std::vector<std::string> needed;    ///< names of libraries (DT_NEEDED)
  std::vector<std::string> searched;  ///< entries of DT_RUNPATH and DT_RPATH, empty ones too
};

/// Text between separators: "" has one empty entry, as the loader sees it.
inline std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// The dynamic section of a 64-bit ELF file of this machine's byte order; none if the file is
/// something else or is linked statically.
inline std::optional<DynamicSection> read_dynamic_section(const std::filesystem::path& path) {
  if (std::filesystem::file_size(path) == 0) {
    return std::nullopt;
  }
  // With debugging information it may have a gigabyte.
  const MappedFile file(path, false);
  const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
  const auto at = [&]<typename T>(std::size_t offset, T value) {
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
  };
  if (bytes.size() < sizeof(Elf64_Ehdr) || bytes.compare(0, SELFMAG, ELFMAG) != 0) {
    return std::nullopt;
  }
  const auto header = at(0, Elf64_Ehdr{});
  std::vector<Elf64_Phdr> loads;
  std::optional<Elf64_Phdr> dynamic;
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = at(header.e_phoff + i * sizeof(Elf64_Phdr), Elf64_Phdr{});
    if (segment.p_type == PT_LOAD) {
      loads.push_back(segment);
    } else if (segment.p_type == PT_DYNAMIC) {
      dynamic = segment;
    }
  }
  if (!dynamic) {
    return std::nullopt;
  }
  std::vector<Elf64_Dyn> entries;
  std::size_t strings = 0;
  for (std::size_t i = 0; i < dynamic->p_filesz / sizeof(Elf64_Dyn); ++i) {
    entries.push_back(at(dynamic->p_offset + i * sizeof(Elf64_Dyn), Elf64_Dyn{}));
    if (entries.back().d_tag == DT_STRTAB) {
      const std::uint64_t address = entries.back().d_un.d_ptr;
      for (const Elf64_Phdr& load : loads) {
        if (address >= load.p_vaddr && address < load.p_vaddr + load.p_filesz) {
          strings = address - load.p_vaddr + load.p_offset;
        }
      }
    }
  }
  DynamicSection result;
  for (const Elf64_Dyn& entry : entries) {
    const char* text = bytes.data() + strings + entry.d_un.d_val;
    if (entry.d_tag == DT_NEEDED) {
      result.needed.emplace_back(text);
    } else if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH) {
      for (std::string& part : split_at(text, ':')) {
        result.searched.push_back(std::move(part));
      }
    }
  }
  return result;
}

}  // namespace mantissa
