#pragma once

#include <filesystem>
#include <vector>

namespace mantissa {

/// Folders of the CUDA Toolkit and cuDNN besides the system's: those of MANTISSA_CUDA_FOLDERS, of
/// CUDA_PATH and CUDA_HOME, of NVIDIA's own installers, and on Windows of PATH. Absolute ones only.
std::vector<std::filesystem::path> toolkit_folders();

/// Where NVIDIA's installers for Windows put the libraries of CUDA 13 and cuDNN 9 below `programs`,
/// "C:\Program Files". The newest version first.
std::vector<std::filesystem::path> windows_installer_folders(const std::filesystem::path& programs);

/// Where the CUDA Toolkit 13 is below `root`, "/". The newest version first.
std::vector<std::filesystem::path> linux_installer_folders(const std::filesystem::path& root);

}  // namespace mantissa
