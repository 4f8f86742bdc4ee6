#pragma once

#include <QObject>
#include <QTimer>
#include <atomic>
#include <optional>

#include "engine/models/companions.h"
#include "gui/engine/LatestWorker.h"

namespace mantissa::gui {

/// What is known of a base model in several files.
struct BaseFit {
  std::string family;            ///< title; empty: the transformer isn't a model's
  std::vector<Part> parts;       ///< that need a file of their own, in the family's order
  std::vector<Part> tokenizers;  ///< that need a folder
  std::map<Part, std::string> folders, tokenizer_folders;  ///< the family's names of both
  Misfits misfits;
  std::optional<Companions> found;  ///< if they were looked for
};

/// Checks a base model's files while they are chosen, off the window's thread: they may be on a
/// slow disk.
class BaseFilesWatcher : public QObject {
  Q_OBJECT

 public:
  explicit BaseFilesWatcher(QObject* parent = nullptr);
  ~BaseFilesWatcher() override;

  /// The files as they are now, of a denoiser at least. `search`: also look for the parts that it
  /// lacks.
  void set_files(const BaseFiles& files, bool search);
  /// They are still being checked.
  bool is_busy() const { return told_ != generation_; }

 signals:
  void checked(const BaseFit& fit);

  // From the worker's thread to this object.
  void relay_checked(quint64 generation, const BaseFit& fit);

 private:
  struct Question {
    BaseFiles files;
    bool search = false;
  };

  QTimer pause_;
  Question question_;
  std::atomic<std::uint64_t> generation_{0};
  std::uint64_t told_ = 0;
  LatestWorker<Question> worker_;  // last: its thread ends before what it uses
};

}  // namespace mantissa::gui
