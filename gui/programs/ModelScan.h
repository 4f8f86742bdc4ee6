#pragma once

#include <QHash>
#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <QVector>
#include <atomic>
#include <string>

#include "gui/programs/ProgramFolders.h"

namespace mantissa::gui {

/// A base model on this machine.
struct FoundModel {
  QString path;            ///< of a file or a diffusers folder
  QString name;            ///< as shown: below its folder, or "owner/model" of a hub
  QString place;           ///< the program, or the user's folder
  std::string family;      ///< key (family_badge.h)
  std::string variant;     ///< "Turbo"; empty if the family has none or it is unknown
  bool distilled = false;  ///< by its variant
  bool alone = false;      ///< the denoiser without text encoders and VAE
  QString types;           ///< "BF16", "BF16, F32"
  quint64 bytes = 0;
  QString licence;  ///< as its files state it: "apache-2.0 (README.md)"; empty if they don't
};

/// Looks through the folders of programs, and further ones, for base models: by headers alone, on a
/// thread of its own. What was read stays known while files don't change.
class ModelScan : public QObject {
  Q_OBJECT

 public:
  explicit ModelScan(QObject* parent = nullptr);
  /// Waits for the header that is being read.
  ~ModelScan() override;

  /// Begins again. `roots` is called on the scan's thread.
  void start(const FindRoots& roots, const QStringList& further);
  void cancel();
  bool is_busy() const { return busy_; }

 signals:
  /// More models, in the order of places.
  void found(const QVector<FoundModel>& models);
  /// Everything was seen. `folders`: those looked through; `others`: model files that are no base
  /// model that is known here.
  void finished(const std::vector<mantissa::gui::ProgramFolder>& folders, int others);

 private:
  class Walk;
  struct Known {
    qint64 size = 0, time = 0;
    FoundModel model;
    bool is_base = false;
  };

  std::atomic<quint64> generation_{0};
  QHash<QString, Known> known_;  ///< of the scan's thread
  bool busy_ = false;
  QThreadPool pool_;  ///< last: its task ends before what it uses
};

}  // namespace mantissa::gui
