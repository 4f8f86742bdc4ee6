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

/// What of an ELF file makes memory errors harder to use.
struct ElfProtections {
  bool relocatable = false;                 ///< loaded at any address
  bool binds_now = false;                   ///< its function table is filled at start
  bool read_only_after_relocation = false;  ///< and can't be written afterwards
  bool executable_stack = true;
  bool writable_code = false;
  std::size_t landing_pads = 0;      ///< ENDBR64, where an indirect jump may arrive
  std::vector<std::string> symbols;  ///< imported and exported
};

/// Protections of a 64-bit ELF file as in read_dynamic_section.
inline std::optional<ElfProtections> read_protections(const std::filesystem::path& path) {
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
  ElfProtections elf;
  elf.relocatable = header.e_type == ET_DYN;
  std::vector<Elf64_Phdr> segments;
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    segments.push_back(at(header.e_phoff + i * sizeof(Elf64_Phdr), Elf64_Phdr{}));
    const Elf64_Phdr& s = segments.back();
    const bool executable = (s.p_flags & PF_X) != 0;
    elf.read_only_after_relocation |= s.p_type == PT_GNU_RELRO;
    elf.executable_stack = s.p_type == PT_GNU_STACK ? executable : elf.executable_stack;
    if (s.p_type == PT_LOAD && executable) {
      elf.writable_code |= (s.p_flags & PF_W) != 0;
      const std::string_view code = bytes.substr(s.p_offset, s.p_filesz);
      constexpr std::string_view kEndBranch = "\xf3\x0f\x1e\xfa";
      for (std::size_t p = code.find(kEndBranch); p != std::string_view::npos;
           p = code.find(kEndBranch, p + 1)) {
        ++elf.landing_pads;
      }
    }
  }
  std::size_t names = 0, names_size = 0;
  for (const Elf64_Phdr& s : segments) {
    for (std::size_t i = 0; s.p_type == PT_DYNAMIC && i < s.p_filesz / sizeof(Elf64_Dyn); ++i) {
      const auto entry = at(s.p_offset + i * sizeof(Elf64_Dyn), Elf64_Dyn{});
      const auto value = entry.d_un.d_val;
      elf.binds_now |= entry.d_tag == DT_BIND_NOW ||
                       (entry.d_tag == DT_FLAGS && (value & DF_BIND_NOW) != 0) ||
                       (entry.d_tag == DT_FLAGS_1 && (value & DF_1_NOW) != 0);
      names_size = entry.d_tag == DT_STRSZ ? value : names_size;
      for (const Elf64_Phdr& load : segments) {
        if (entry.d_tag == DT_STRTAB && load.p_type == PT_LOAD && value >= load.p_vaddr &&
            value < load.p_vaddr + load.p_filesz) {
          names = value - load.p_vaddr + load.p_offset;
        }
      }
    }
  }
  elf.symbols = split_at(std::string(bytes.substr(names, names_size)), '\0');
  return elf;
}

}  // namespace mantissa
