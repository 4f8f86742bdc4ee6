#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "engine/toolkit/library_table.h"

namespace mantissa {

struct InstallRequest {
  LibraryTable table;
  std::filesystem::path root;  ///< see installed.h
  /// A folder of wheels in place of the index; empty: download them.
  std::filesystem::path wheels{};
  std::chrono::milliseconds retry_pause{1000};  ///< after a cut connection
};

struct InstallProgress {
  enum class Stage { downloading, checking, unpacking };
  Stage stage = Stage::downloading;
  std::string package;                ///< "nvidia-cublas"
  std::uint64_t done = 0, total = 0;  ///< bytes of the stage, of all packages
  double share = 0;                   ///< of all that is to be done
};

/// Installs the libraries: downloads the wheels, compares each file's SHA-256, unpacks what is
/// needed and gives the folder its name when it is complete. What an interrupted installation
/// downloaded or unpacked is used by the next. Returns the folder.
///
/// Throws Error: a file that is another than expected, a connection that can't be made, a folder of
/// wheels that lacks some, another program that installs; DiskFull before anything is downloaded,
/// if the space for all of it is missing; Error(interrupted) within a second after `stop` is
/// requested.
std::filesystem::path install_libraries(
    const InstallRequest& request, const std::stop_token& stop,
    const std::function<void(const InstallProgress&)>& progress);

/// The address of a file in a package's page of the index (PEP 503); empty if the page lacks it.
std::string linked_file(const std::string& html, const std::string& page_url,
                        const std::string& file);

/// "NVIDIA CUDA Toolkit EULA and NVIDIA cuDNN …".
std::string licence_titles(const LibraryTable& table);

}  // namespace mantissa
