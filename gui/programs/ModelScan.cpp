#include "gui/programs/ModelScan.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QSet>
#include <exception>
#include <utility>

#include "engine/io/inspect.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

constexpr int kDeepest = 6;       ///< levels of folders below one that is looked through
constexpr int kMostFiles = 5000;  ///< of all folders: a wrong choice, such as a whole disk, ends
constexpr int kTellMs = 100;

QString types_of(const ModelSummary& summary) {
  // By number of tensors, the most frequent first; a few odd ones aren't worth a word.
  QString most;
  std::int64_t count = 0, all = 0;
  for (const auto& [type, tensors] : summary.dtypes) {
    all += tensors;
    if (tensors > count) {
      count = tensors;
      most = to_qstring(type);
    }
  }
  return count == all ? most : ModelScan::tr("%1, mixed").arg(most);
}

}  // namespace

/// One look through all folders.
class ModelScan::Walk {
 public:
  Walk(ModelScan* scan, quint64 generation) : scan_(scan), generation_(generation) {
    told_.start();
  }

  void look(const ProgramFolder& folder) {
    place_ = program_title(folder.program);
    if (folder.program == Program::hugging_face) {
      look_in_hub(folder.path);
    } else {
      look_in(folder.path, folder.path, 0);
    }
  }
  void look_in_further(const QString& folder) {
    place_ = QDir::toNativeSeparators(folder);
    if (is_diffusers(folder)) {
      take(folder, QFileInfo(folder).fileName());
    } else {
      look_in(folder, folder, 0);
    }
  }
  void tell() {
    if (!models_.isEmpty()) {
      post([scan = scan_, models = std::exchange(models_, {})] { emit scan->found(models); });
    }
    told_.restart();
  }
  void finish(std::vector<ProgramFolder> folders) {
    tell();
    post([scan = scan_, folders = std::move(folders), others = others_] {
      scan->busy_ = false;
      emit scan->finished(folders, others);
    });
  }

 private:
  bool is_over() const { return scan_->generation_ != generation_ || files_ >= kMostFiles; }
  template <typename Say>
  void post(Say say) {
    QMetaObject::invokeMethod(
        scan_,
        [scan = scan_, generation = generation_, say = std::move(say)] {
          if (scan->generation_ == generation) {
            say();
          }
        },
        Qt::QueuedConnection);
  }
  static bool is_diffusers(const QString& folder) {
    return QFileInfo::exists(QDir(folder).filePath(QStringLiteral("model_index.json")));
  }

  /// `top`: of the folder, which names are told below.
  void look_in(const QString& folder, const QString& top, int depth) {
    QFileInfoList entries = QDir(folder).entryInfoList(
        {QStringLiteral("*.safetensors"), QStringLiteral("*.gguf")}, QDir::Files, QDir::Name);
    for (const QFileInfo& file : entries) {
      if (is_over()) {
        return;
      }
      take(file.absoluteFilePath(), QDir(top).relativeFilePath(file.absoluteFilePath()));
    }
    if (depth == kDeepest) {
      return;
    }
    entries = QDir(folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    for (const QFileInfo& below : entries) {
      const QString path = below.absoluteFilePath();
      const QString real = below.canonicalFilePath();
      if (is_over() || real.isEmpty() || folders_.contains(real)) {
        continue;  // a link may lead upwards
      }
      folders_.insert(real);
      if (is_diffusers(path)) {
        take(path, QDir(top).relativeFilePath(path));
      } else {
        look_in(path, top, depth + 1);
      }
    }
  }

  /// A cache of the hub: models--OWNER--NAME/snapshots/COMMIT.
  void look_in_hub(const QString& hub) {
    const QStringList models =
        QDir(hub).entryList({QStringLiteral("models--*")}, QDir::Dirs, QDir::Name);
    for (const QString& entry : models) {
      if (is_over()) {
        return;
      }
      const QDir snapshots(QDir(hub).filePath(entry + QStringLiteral("/snapshots")));
      const QStringList newest = snapshots.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time);
      if (newest.isEmpty()) {
        continue;
      }
      const QString name =
          entry.mid(8).replace(QStringLiteral("--"), QStringLiteral("/"));  // after "models--"
      const QString snapshot = snapshots.filePath(newest.front());
      if (is_diffusers(snapshot)) {
        take(snapshot, name);
      }
      const QFileInfoList files = QDir(snapshot).entryInfoList(
          {QStringLiteral("*.safetensors"), QStringLiteral("*.gguf")}, QDir::Files, QDir::Name);
      for (const QFileInfo& file : files) {
        if (!is_over()) {
          take(file.absoluteFilePath(), QStringLiteral("%1/%2").arg(name, file.fileName()));
        }
      }
    }
  }

  void take(const QString& path, const QString& name) {
    const QFileInfo info(path);
    const QString real = info.canonicalFilePath();
    if (real.isEmpty() || seen_.contains(real)) {
      return;
    }
    seen_.insert(real);
    ++files_;
    const qint64 time = info.lastModified().toMSecsSinceEpoch();
    Known& known = scan_->known_[path];
    if (known.time != time || known.size != info.size()) {
      known = read(path);
      known.time = time;
      known.size = info.size();
    }
    if (!known.is_base) {
      ++others_;
      return;
    }
    known.model.path = QDir::toNativeSeparators(path);
    known.model.name = name;
    known.model.place = place_;
    models_ << known.model;
    if (told_.elapsed() >= kTellMs) {
      tell();
    }
  }

  static Known read(const QString& path) {
    Known known;
    try {
      const ModelSummary summary = inspect(to_path(path));
      known.is_base = summary.kind == ModelSummary::Kind::checkpoint && summary.family != "unknown";
      known.model.family = summary.family;
      known.model.variant = summary.variant == "unknown" ? std::string() : summary.variant;
      known.model.distilled = summary.distilled;
      known.model.alone = summary.parts.size() - summary.parts.count("other") == 1;
      known.model.types = types_of(summary);
      known.model.bytes = summary.bytes;
      if (summary.licence) {
        known.model.licence = to_qstring(summary.licence->text());
      }
    } catch (const std::exception&) {
      // Not a model, or one that can't be read: counted with the others.
    }
    return known;
  }

  ModelScan* scan_;
  quint64 generation_;
  QString place_;
  QSet<QString> seen_, folders_;
  QVector<FoundModel> models_;
  int files_ = 0, others_ = 0;
  QElapsedTimer told_;
};

ModelScan::ModelScan(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(1);
}

ModelScan::~ModelScan() {
  ++generation_;
  pool_.clear();
  pool_.waitForDone();
}

void ModelScan::cancel() {
  ++generation_;
  busy_ = false;
}

void ModelScan::start(const FindRoots& roots, const QStringList& further) {
  const quint64 generation = ++generation_;
  busy_ = true;
  pool_.clear();
  pool_.start([this, generation, roots, further] {
    Walk walk(this, generation);
    std::vector<ProgramFolder> folders = find_program_folders(roots()).bases;
    for (const ProgramFolder& folder : folders) {
      walk.look(folder);
    }
    for (const QString& folder : further) {
      walk.look_in_further(folder);
    }
    walk.finish(std::move(folders));
  });
}

}  // namespace mantissa::gui
