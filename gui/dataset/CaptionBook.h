#pragma once

#include <QByteArray>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <QUndoStack>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/data/image_scan.h"

namespace mantissa::gui {

/// The captions of a data set: with undo, saved automatically after a short delay, each file whole
/// or not at all. A caption goes to the file that it is from, else to `<image>.txt`; one that
/// another program changed meanwhile is not overwritten. One that can't be written is kept, over
/// another scan too, and written as soon as that is possible.
class CaptionBook : public QObject {
  Q_OBJECT

 public:
  /// The caption of an image and its file.
  struct Entry {
    QString file;  ///< of the caption
    QString image;
    QString caption, original;
    QString stand_in;                   ///< the folder's name
    std::optional<QByteArray> on_disk;  ///< as last read or written; nothing: no such file
    std::optional<QByteArray> found;    ///< what `original` was read from, to the byte
    bool writable = true;
  };

  explicit CaptionBook(QObject* parent = nullptr);
  ~CaptionBook() override;

  /// Reads the files of all captions: on any thread. Images under `read_only` can't be changed.
  static std::vector<Entry> read_all(const std::vector<ImageItem>& items,
                                     const QString& read_only = {});
  /// The captions as they are, but for those of some items, in ascending order: for a data set
  /// that has lost these images alone.
  std::vector<Entry> without(const std::vector<std::size_t>& leaving) const;
  /// Opens another data set. Pending changes are written, with what its files hold in the place of
  /// those that another program changed.
  void open(std::vector<Entry> entries);

  int size() const { return static_cast<int>(entries_.size()); }
  QString caption(int item) const { return entries_[static_cast<std::size_t>(item)].caption; }
  QStringList captions() const;
  /// How many images have no caption.
  int bare() const { return bare_; }
  /// What an image without a caption is trained with: its folder's name; empty if it has one.
  QString stand_in(int item) const {
    const Entry& entry = entries_[static_cast<std::size_t>(item)];
    return entry.caption.isEmpty() ? entry.stand_in : QString();
  }
  bool is_writable(int item) const { return entries_[static_cast<std::size_t>(item)].writable; }

  using Change = std::pair<int, QString>;  ///< item, its new caption
  /// One step of undo; unchanged and read-only captions are skipped. Returns the number of changes.
  int change(const std::vector<Change>& changes, const QString& name);
  /// Typing: consecutive edits of one caption are one step.
  void type(int item, const QString& caption);

  /// Writes captions at once, through a journal that `mantissa caption --undo` takes back too: one
  /// step of undo, which takes back that journal. Unchanged and read-only captions are skipped, and
  /// those that another program changed meanwhile. Returns the number written.
  int write_now(const std::vector<Change>& changes, const QString& name);

  QUndoStack* undo_stack() { return &undo_; }
  /// Writes pending changes now.
  void save();
  bool is_saved() const { return unsaved() == 0; }
  /// Captions that are not in their files.
  int unsaved() const { return static_cast<int>(left_to_write() + refused_.size()); }

 signals:
  void changed(const QVector<int>& items);
  void bare_changed();
  void saved();
  void problem(const QString& message);

 private:
  class Edit;
  class Session;
  void put(const std::vector<Change>& changes);
  void show(const std::vector<Change>& changes);
  static void require_unchanged(const Entry& entry);
  void write(Entry& entry);
  /// Notes what an item's file holds now for the others of the same file; all of them, if it has
  /// any.
  std::span<const int> know(int item);
  /// As above, and shows its caption for them.
  void share(int item);
  enum class Outcome { written, kept, dropped };
  /// Tries to write it, and adds what is wrong to `problems`. Dropped: another program's file, or
  /// an image that is gone.
  Outcome settle(Entry& entry, QStringList& problems);
  /// The captions of the last data set that are not written: in the new one where it has them.
  void keep(std::map<QString, Entry> unwritten, QStringList& problems);
  /// Settles the next one of this pass over those that wait; false at its end.
  bool settle_next();
  /// Ends the pass. Returns what is wrong with those that are left.
  QStringList end_pass();
  QStringList settle_all();
  /// Saves for a moment, and the rest once the window has taken its input: each file takes
  /// milliseconds to be safe, and a tag for thousands of images should not stop the window.
  void save_some();
  void retry();
  std::size_t left_to_write() const { return waiting_.size() + elsewhere_.size(); }
  std::vector<Change> journal(const std::vector<Change>& changes, std::filesystem::path& file);
  void take_back(const std::filesystem::path& journal, const std::vector<Change>& before);
  void tell(const QStringList& problems);

  std::vector<Entry> entries_;
  std::map<QString, std::vector<int>> shared_;  ///< items by their file, if several have it
  int bare_ = 0;
  std::set<int> waiting_;
  int settled_ = -1;                    ///< the last one of this pass
  bool again_ = false;                  ///< one that the pass was beyond has changed
  QStringList problems_;                ///< of this pass
  std::set<int> refused_;               ///< another program changed their files
  std::map<QString, Entry> elsewhere_;  ///< unwritten ones of earlier data sets, by file
  QUndoStack undo_;
  QTimer timer_, retry_;
};

}  // namespace mantissa::gui
