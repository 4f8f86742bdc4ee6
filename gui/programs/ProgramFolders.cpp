#include "gui/programs/ProgramFolders.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <QSet>
#include <QStandardPaths>
#include <array>
#include <utility>

#include "gui/programs/ExtraModelPaths.h"

namespace mantissa::gui {
namespace {

constexpr int kMostFolders = 2000;  ///< of a parent: a folder with more holds no programs

/// A program's folders of models, below its own.
struct Layout {
  Program program;
  const char* mark;  ///< what tells its folder from others
  std::array<const char*, 4> bases;
  const char* adapters;
};
// InvokeAI lists what was imported into it, so that a file copied there isn't found.
constexpr Layout kLayouts[] = {
    {Program::comfyui,
     "models/checkpoints",
     {"models/checkpoints", "models/diffusion_models", "models/unet", "models/diffusers"},
     "models/loras"},
    {Program::webui, "models/Stable-diffusion", {"models/Stable-diffusion"}, "models/Lora"},
    {Program::invokeai, "invokeai.yaml", {"models"}, nullptr},
    {Program::invokeai, "databases/invokeai.db", {"models"}, nullptr},
};

/// Folders, however they are reached: each with base models once, and each with adapters once for
/// every program that reads it.
class Collector {
 public:
  explicit Collector(ProgramFolders& found) : found_(found) {}
  void add_bases(Program program, const QString& path) {
    add(found_.bases, program, path, QString());
  }
  void add_adapters(Program program, const QString& path) {
    add(found_.adapters, program, path, QString::number(static_cast<int>(program)));
  }

 private:
  void add(std::vector<ProgramFolder>& to, Program program, const QString& path,
           const QString& whose) {
    const QString real = QFileInfo(path).canonicalFilePath();
    if (!real.isEmpty() && QFileInfo(real).isDir() && !seen_.contains({&to, whose + real})) {
      seen_.insert({&to, whose + real});
      to.push_back({program, QDir::cleanPath(QDir(path).absolutePath())});
    }
  }

  ProgramFolders& found_;
  QSet<std::pair<const void*, QString>> seen_;
};

void add_program(const QString& folder, Collector& collect) {
  const QDir dir(folder);
  for (const Layout& layout : kLayouts) {
    if (!QFileInfo::exists(dir.filePath(QLatin1String(layout.mark)))) {
      continue;
    }
    for (const char* below : layout.bases) {
      if (below != nullptr) {
        collect.add_bases(layout.program, dir.filePath(QLatin1String(below)));
      }
    }
    if (layout.adapters != nullptr) {
      collect.add_adapters(layout.program, dir.filePath(QLatin1String(layout.adapters)));
    }
    const QString extra = dir.filePath(QStringLiteral("extra_model_paths.yaml"));
    if (layout.program == Program::comfyui && QFileInfo::exists(extra)) {
      const ExtraModelPaths paths = read_extra_model_paths(extra);
      for (const QString& path : paths.bases) {
        collect.add_bases(Program::comfyui, path);
      }
      for (const QString& path : paths.adapters) {
        collect.add_adapters(Program::comfyui, path);
      }
    }
  }
}

}  // namespace

QString program_title(Program program) {
  switch (program) {
    case Program::comfyui:
      return QStringLiteral("ComfyUI");
    case Program::webui:
      return QStringLiteral("A1111/Forge");
    case Program::invokeai:
      return QStringLiteral("InvokeAI");
    case Program::hugging_face:
      return QStringLiteral("Hugging Face");
  }
  return {};
}

QString program_key(Program program) {
  switch (program) {
    case Program::comfyui:
      return QStringLiteral("comfyui");
    case Program::webui:
      return QStringLiteral("webui");
    case Program::invokeai:
      return QStringLiteral("invokeai");
    case Program::hugging_face:
      return QStringLiteral("hugging_face");
  }
  return {};
}

ProgramRoots ProgramRoots::of_this_machine() {
  const QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
  const QDir home = QDir::home();
  ProgramRoots roots;
  roots.parents << home.absolutePath();
  for (const char* below : {"Documents", "Downloads", "Desktop", "AI", "ai", "apps", "git", "src",
                            "repos", "projects", "Pinokio/api", "StabilityMatrix/Packages"}) {
    roots.parents << home.filePath(QLatin1String(below));
  }
  roots.parents << QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
#ifdef Q_OS_WIN
  for (const QFileInfo& drive : QDir::drives()) {
    roots.parents << drive.absoluteFilePath();
    for (const char* below : {"AI", "ComfyUI_windows_portable", "StabilityMatrix/Packages"}) {
      roots.parents << QDir(drive.absoluteFilePath()).filePath(QLatin1String(below));
    }
  }
#else
  roots.parents << QStringLiteral("/opt") << QStringLiteral("/workspace");
#endif
  if (const QString invoke = env.value(QStringLiteral("INVOKEAI_ROOT")); !invoke.isEmpty()) {
    roots.programs << invoke;
  }
  // ComfyUI's desktop program keeps the same file with its own settings.
  const QDir settings(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation));
  const QDir roaming(env.value(QStringLiteral("APPDATA"), settings.absolutePath()));
  roots.configs << roaming.filePath(QStringLiteral("ComfyUI/extra_models_config.yaml"));
  const QString cache =
      env.value(QStringLiteral("XDG_CACHE_HOME"), home.filePath(QStringLiteral(".cache")));
  const QString hf_home =
      env.value(QStringLiteral("HF_HOME"), QDir(cache).filePath(QStringLiteral("huggingface")));
  for (const char* name : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"}) {
    if (const QString hub = env.value(QLatin1String(name)); !hub.isEmpty()) {
      roots.hubs << hub;
    }
  }
  if (roots.hubs.isEmpty()) {
    roots.hubs << QDir(hf_home).filePath(QStringLiteral("hub"));
  }
  return roots;
}

QStringList ProgramFolders::adapters_of(Program program) const {
  QStringList paths;
  for (const ProgramFolder& folder : adapters) {
    if (folder.program == program) {
      paths << folder.path;
    }
  }
  return paths;
}

ProgramFolders find_program_folders(const ProgramRoots& roots) {
  ProgramFolders found;
  Collector collect(found);
  for (const QString& program : roots.programs) {
    add_program(program, collect);
  }
  for (const QString& parent : roots.parents) {
    const QStringList below =
        QDir(parent).entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::Readable, QDir::Name);
    for (const QString& name : below.mid(0, kMostFolders)) {
      const QString folder = QDir(parent).filePath(name);
      add_program(folder, collect);
      // Its portable package holds it one level further down.
      add_program(QDir(folder).filePath(QStringLiteral("ComfyUI")), collect);
    }
  }
  for (const QString& config : roots.configs) {
    const ExtraModelPaths paths = read_extra_model_paths(config);
    for (const QString& path : paths.bases) {
      collect.add_bases(Program::comfyui, path);
    }
    for (const QString& path : paths.adapters) {
      collect.add_adapters(Program::comfyui, path);
    }
  }
  for (const QString& hub : roots.hubs) {
    collect.add_bases(Program::hugging_face, hub);
  }
  return found;
}

QString adapter_folder_in(Program program, const QString& chosen) {
  for (const Layout& layout : kLayouts) {
    if (layout.program == program && layout.adapters != nullptr) {
      const QString inside = QDir(chosen).filePath(QLatin1String(layout.adapters));
      const QString below =
          QDir(chosen).filePath(QString::fromLatin1(layout.adapters).section(QLatin1Char('/'), -1));
      return QFileInfo(inside).isDir()  ? inside
             : QFileInfo(below).isDir() ? below  // of the folder "models"
                                        : chosen;
    }
  }
  return chosen;
}

}  // namespace mantissa::gui
