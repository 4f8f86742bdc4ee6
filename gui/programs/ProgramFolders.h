#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <vector>

namespace mantissa::gui {

/// Programs of others that keep models on this machine.
enum class Program { comfyui, webui, invokeai, hugging_face };
/// "ComfyUI", "A1111/Forge", …
QString program_title(Program program);
/// As in the settings file: "comfyui".
QString program_key(Program program);

/// Where programs are looked for.
struct ProgramRoots {
  QStringList parents;   ///< folders whose subfolders may be programs
  QStringList programs;  ///< folders that may be programs themselves
  QStringList configs;   ///< files as ComfyUI's extra_model_paths.yaml
  QStringList hubs;      ///< caches of the Hugging Face hub

  /// By the usual places and the programs' own variables of the environment.
  static ProgramRoots of_this_machine();
};
using FindRoots = std::function<ProgramRoots()>;

/// A folder in which a program keeps models of one kind.
struct ProgramFolder {
  Program program = Program::comfyui;
  QString path;  ///< absolute
};

/// Folders that exist, each once.
struct ProgramFolders {
  std::vector<ProgramFolder> bases;     ///< with base models
  std::vector<ProgramFolder> adapters;  ///< whose LoRA files a program offers

  /// Paths of a program's adapter folders.
  QStringList adapters_of(Program program) const;
};

/// Looks for them. Reads the disk, so not on the window's thread.
ProgramFolders find_program_folders(const ProgramRoots& roots);

/// The folder of a program's LoRA files for a folder that the user chose: that of the program's own
/// folder, or else the chosen one.
QString adapter_folder_in(Program program, const QString& chosen);

}  // namespace mantissa::gui
