#include "gui/dataset/CaptionBook.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QUndoCommand>
#include <algorithm>
#include <map>

#include "engine/caption/caption_journal.h"
#include "engine/core/error.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

constexpr int kSaveDelayMs = 700, kRetryMs = 3000;
constexpr int kSliceMs = 20;  ///< for which saving may keep the window from its input
constexpr int kTyping = 1;

std::optional<QByteArray> read(const QString& name) {
  QFile file(name);
  if (!file.open(QIODevice::ReadOnly)) {
    return std::nullopt;
  }
  return file.readAll();
}

bool is_folder_there(const QString& file) {
  return QFileInfo(QFileInfo(file).path()).isDir();
}

}  // namespace

/// Old and new captions of some items.
class CaptionBook::Edit : public QUndoCommand {
 public:
  Edit(CaptionBook* book, std::vector<Change> before, std::vector<Change> after,
       const QString& name, bool typing)
      : QUndoCommand(name),
        book_(book),
        before_(std::move(before)),
        after_(std::move(after)),
        typing_(typing) {}

  void undo() override { book_->put(before_); }
  void redo() override { book_->put(after_); }
  int id() const override { return typing_ ? kTyping : -1; }
  bool mergeWith(const QUndoCommand* next) override {
    const auto* other = static_cast<const Edit*>(next);
    if (!typing_ || !other->typing_ || other->after_[0].first != after_[0].first) {
      return false;
    }
    after_ = other->after_;
    return true;
  }

 private:
  CaptionBook* book_;
  std::vector<Change> before_, after_;
  bool typing_;
};

/// Captions of one journal: written when it is done, taken back when it is undone.
class CaptionBook::Session : public QUndoCommand {
 public:
  Session(CaptionBook* book, std::vector<Change> after, const QString& name)
      : QUndoCommand(name), book_(book), after_(std::move(after)) {}

  void undo() override { book_->take_back(file_, before_); }
  void redo() override {
    before_ = book_->journal(after_, file_);
    setObsolete(before_.empty());
  }

 private:
  CaptionBook* book_;
  std::vector<Change> before_, after_;  ///< the former only of those written
  std::filesystem::path file_;
};

CaptionBook::CaptionBook(QObject* parent) : QObject(parent) {
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &CaptionBook::save_some);
  retry_.setInterval(kRetryMs);
  connect(&retry_, &QTimer::timeout, this, &CaptionBook::retry);
}

CaptionBook::~CaptionBook() {
  disconnect();
  save();
}

std::vector<CaptionBook::Entry> CaptionBook::read_all(const std::vector<ImageItem>& items,
                                                      const QString& read_only) {
  std::vector<Entry> entries;
  entries.reserve(items.size());
  const QString locked = read_only.isEmpty() ? QString() : QFileInfo(read_only).canonicalFilePath();
  std::map<std::filesystem::path, bool> writable;  // by folder
  for (const ImageItem& item : items) {
    Entry& entry = entries.emplace_back();
    std::filesystem::path file = item.caption_file;
    if (file.empty()) {
      file = item.path;
      file.replace_extension(".txt");
    }
    entry.file = path_text(file);
    entry.image = path_text(item.path);
    if (item.caption_source == "folder") {
      entry.stand_in = to_qstring(item.caption);  // not a caption: no tool may write it down
    } else {
      entry.caption = entry.original = to_qstring(item.caption);
    }
    if (item.caption_source == "txt" || item.caption_source == "caption") {
      entry.on_disk = read(entry.file);
    }
    entry.found = entry.on_disk;
    const auto [folder, is_new] = writable.try_emplace(item.path.parent_path(), true);
    if (is_new && !locked.isEmpty()) {
      const QString place = QFileInfo(path_text(folder->first)).canonicalFilePath();
      folder->second = place != locked && !place.startsWith(locked + QLatin1Char('/'));
    }
    // A name that isn't UTF-8 would be another here.
    entry.writable = folder->second && to_path(entry.file) == file;
  }
  return entries;
}

std::vector<CaptionBook::Entry> CaptionBook::without(
    const std::vector<std::size_t>& leaving) const {
  std::vector<Entry> left;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (std::ranges::binary_search(leaving, i)) {
      continue;
    }
    Entry& entry = left.emplace_back(entries_[i]);
    if (refused_.contains(static_cast<int>(i))) {  // another program's caption counts
      entry.on_disk = entry.found = read(entry.file);
      entry.caption = entry.original =
          QString::fromUtf8(entry.on_disk.value_or(QByteArray())).trimmed();
    }
  }
  return left;
}

void CaptionBook::open(std::vector<Entry> entries) {
  std::map<QString, Entry> unwritten = std::exchange(elsewhere_, {});
  for (const int item : std::exchange(waiting_, {})) {
    Entry& entry = entries_[static_cast<std::size_t>(item)];
    unwritten.insert_or_assign(entry.file, std::move(entry));
  }
  settled_ = -1;
  again_ = false;
  undo_.clear();
  refused_.clear();
  entries_ = std::move(entries);
  shared_.clear();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    shared_[entries_[i].file].push_back(static_cast<int>(i));
  }
  std::erase_if(shared_, [](const auto& file) { return file.second.size() == 1; });
  QStringList problems;
  keep(std::move(unwritten), problems);
  bare_ = static_cast<int>(std::count_if(entries_.begin(), entries_.end(),
                                         [](const Entry& e) { return e.caption.isEmpty(); }));
  if (!problems.isEmpty()) {
    tell(problems);
  }
  save();
}

void CaptionBook::keep(std::map<QString, Entry> unwritten, QStringList& problems) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto found = unwritten.find(entries_[i].file);
    if (found == unwritten.end()) {
      continue;
    }
    Entry kept = std::move(found->second);
    unwritten.erase(found);
    if (kept.on_disk == entries_[i].on_disk || !is_folder_there(kept.file)) {
      kept.writable = entries_[i].writable;
      entries_[i] = std::move(kept);
      waiting_.insert(static_cast<int>(i));
    } else {
      problems << tr("%1 was changed by another program: its caption is shown, not the one that "
                     "could not be written.")
                      .arg(kept.file);
    }
  }
  elsewhere_ = std::move(unwritten);
}

QStringList CaptionBook::captions() const {
  QStringList all;
  for (const Entry& entry : entries_) {
    all << entry.caption;
  }
  return all;
}

int CaptionBook::change(const std::vector<Change>& changes, const QString& name) {
  std::vector<Change> before, after;
  for (const Change& c : changes) {
    const Entry& entry = entries_[static_cast<std::size_t>(c.first)];
    if (entry.writable && entry.caption != c.second) {
      before.emplace_back(c.first, entry.caption);
      after.push_back(c);
    }
  }
  const int count = static_cast<int>(after.size());
  if (count > 0) {
    undo_.push(new Edit(this, std::move(before), std::move(after), name, false));
  }
  return count;
}

void CaptionBook::type(int item, const QString& caption) {
  const Entry& entry = entries_[static_cast<std::size_t>(item)];
  if (entry.writable && entry.caption != caption) {
    undo_.push(new Edit(this, {{item, entry.caption}}, {{item, caption}}, tr("caption"), true));
  }
}

int CaptionBook::write_now(const std::vector<Change>& changes, const QString& name) {
  std::vector<Change> wanted;
  std::ranges::copy_if(changes, std::back_inserter(wanted), [this](const Change& change) {
    const Entry& entry = entries_[static_cast<std::size_t>(change.first)];
    return entry.writable && entry.caption != change.second;
  });
  if (wanted.empty()) {
    return 0;
  }
  undo_.push(new Session(this, wanted, name));
  return static_cast<int>(std::ranges::count_if(
      wanted, [this](const Change& change) { return caption(change.first) == change.second; }));
}

/// Returns the captions from before of those that it wrote.
std::vector<CaptionBook::Change> CaptionBook::journal(const std::vector<Change>& changes,
                                                      std::filesystem::path& file) {
  save();
  CaptionJournal journal;
  file = journal.file();
  std::vector<Change> before, after, had;
  for (const auto& [item, caption] : changes) {
    had.emplace_back(item, entries_[static_cast<std::size_t>(item)].caption);
  }
  QStringList problems;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& [item, caption] = changes[i];
    Entry& entry = entries_[static_cast<std::size_t>(item)];
    try {
      require_unchanged(entry);
      journal.write(to_path(entry.file), caption.toStdString());
      entry.on_disk = caption.toUtf8() + '\n';
      before.push_back(had[i]);
      after.emplace_back(item, caption);
      know(item);
    } catch (const std::exception& e) {
      problems << message_text(message_of(e));
    }
  }
  show(after);
  for (const Change& change : after) {
    share(change.first);
  }
  tell(problems);
  return before;
}

/// What another program changed since stays as it is.
void CaptionBook::take_back(const std::filesystem::path& journal,
                            const std::vector<Change>& before) {
  save();
  const auto entry_of = [this](const Change& change) -> Entry& {
    return entries_[static_cast<std::size_t>(change.first)];
  };
  std::vector<Change> ours;
  std::ranges::copy_if(before, std::back_inserter(ours), [&](const Change& change) {
    return read(entry_of(change).file) == entry_of(change).on_disk;
  });
  QStringList problems;
  try {
    undo_captions(journal);
  } catch (const std::exception& e) {
    problems << message_text(message_of(e));
  }
  std::vector<Change> restored;
  for (const Change& change : ours) {
    Entry& entry = entry_of(change);
    if (std::optional<QByteArray> now = read(entry.file); now != entry.on_disk) {
      entry.on_disk = std::move(now);
      restored.push_back(change);
    }
  }
  show(restored);
  for (const Change& change : restored) {
    share(change.first);
  }
  const qsizetype left = std::ssize(before) - std::ssize(restored);
  if (left > 0 && problems.isEmpty()) {
    problems << tr("%n caption(s) stay as another program left them.", nullptr,
                   static_cast<int>(left));
  }
  tell(problems);
}

void CaptionBook::put(const std::vector<Change>& changes) {
  for (const auto& [item, caption] : changes) {
    waiting_.insert(item);
    refused_.erase(item);
    again_ = again_ || item <= settled_;
  }
  // Not restarted: a crash must not cost all that someone typed without a pause.
  if (!timer_.isActive()) {
    timer_.start(kSaveDelayMs);
  }
  show(changes);
}

void CaptionBook::show(const std::vector<Change>& changes) {
  QVector<int> items;
  const int bare = bare_;
  for (const auto& [item, caption] : changes) {
    QString& now = entries_[static_cast<std::size_t>(item)].caption;
    bare_ += (caption.isEmpty() ? 1 : 0) - (now.isEmpty() ? 1 : 0);
    now = caption;
    items << item;
  }
  emit changed(items);
  if (bare != bare_) {
    emit bare_changed();
  }
}

CaptionBook::Outcome CaptionBook::settle(Entry& entry, QStringList& problems) {
  try {
    if (is_folder_there(entry.file)) {
      require_unchanged(entry);
    }
  } catch (const Error& e) {
    problems << message_text(message_of(e));
    return Outcome::dropped;
  }
  try {
    write(entry);
    return Outcome::written;
  } catch (const Error& e) {
    problems << message_text(message_of(e));
    return Outcome::kept;
  }
}

bool CaptionBook::settle_next() {
  const auto next = waiting_.upper_bound(settled_);
  if (next == waiting_.end()) {
    return false;
  }
  settled_ = *next;
  const Outcome outcome = settle(entries_[static_cast<std::size_t>(settled_)], problems_);
  if (outcome != Outcome::kept) {
    waiting_.erase(next);
  }
  if (outcome == Outcome::written) {
    share(settled_);
  }
  if (outcome == Outcome::dropped) {
    refused_.insert(settled_);
  }
  return true;
}

QStringList CaptionBook::end_pass() {
  settled_ = -1;
  for (auto left = elsewhere_.begin(); left != elsewhere_.end();) {
    Entry& entry = left->second;
    const bool gone = is_folder_there(entry.image) && !QFileInfo::exists(entry.image);
    const bool settled = gone || settle(entry, problems_) != Outcome::kept;
    left = settled ? elsewhere_.erase(left) : std::next(left);
  }
  if (left_to_write() == 0) {
    retry_.stop();
  } else if (!retry_.isActive()) {
    retry_.start();
  }
  return std::exchange(problems_, {});
}

QStringList CaptionBook::settle_all() {
  timer_.stop();
  again_ = false;
  settled_ = -1;
  while (settle_next()) {
  }
  return end_pass();
}

void CaptionBook::save_some() {
  if (left_to_write() == 0) {
    return;
  }
  QElapsedTimer spent;
  for (spent.start(); !spent.hasExpired(kSliceMs);) {
    if (!settle_next()) {
      if (std::exchange(again_, false)) {
        timer_.start(kSaveDelayMs);
      }
      tell(end_pass());
      return;
    }
  }
  timer_.start(0);
}

void CaptionBook::save() {
  if (left_to_write() > 0) {
    tell(settle_all());
  }
}

void CaptionBook::retry() {
  const std::size_t before = left_to_write();
  const QStringList problems = settle_all();
  if (left_to_write() < before) {
    tell(problems);  // else it was told before
  }
}

void CaptionBook::tell(const QStringList& problems) {
  if (problems.isEmpty()) {
    emit saved();
  } else {
    const qsizetype more = problems.size() - 3;
    QString text = problems.mid(0, 3).join(QLatin1Char('\n'));
    if (more > 0) {
      text += QLatin1Char('\n') + tr("And %n more.", nullptr, static_cast<int>(more));
    }
    emit problem(text);
  }
}

void CaptionBook::require_unchanged(const Entry& entry) {
  if (read(entry.file) != entry.on_disk) {
    throw Error(
        message<
            "{file} was changed by another program and was not overwritten; press Scan again to "
            "read it.">(entry.file.toStdString()));
  }
}

std::span<const int> CaptionBook::know(int item) {
  const Entry& written = entries_[static_cast<std::size_t>(item)];
  const auto sharing = shared_.find(written.file);
  if (sharing == shared_.end()) {
    return {};
  }
  for (const int other : sharing->second) {
    entries_[static_cast<std::size_t>(other)].on_disk = written.on_disk;
  }
  return sharing->second;
}

void CaptionBook::share(int item) {
  const QString now = caption(item);
  std::vector<Change> shown;
  for (const int other : know(item)) {
    if (other != item && !waiting_.contains(other) && caption(other) != now) {
      shown.emplace_back(other, now);
    }
  }
  if (!shown.empty()) {
    show(shown);
  }
}

void CaptionBook::write(Entry& entry) {
  const bool restored = entry.caption == entry.original;
  if (restored && !entry.found) {
    if (entry.on_disk && !QFile::remove(entry.file)) {
      throw Error(message<"{file} can't be removed.">(entry.file.toStdString()));
    }
    entry.on_disk.reset();
    return;
  }
  // Undone, the file is what it was: in its encoding, with or without a last newline.
  const QByteArray text = restored ? *entry.found : entry.caption.toUtf8() + '\n';
  QSaveFile file(entry.file);
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit()) {
    throw Error(
        message<"{file} can't be written: {reason}. The caption is kept here and written once that "
                "is possible.">(entry.file.toStdString(), file.errorString().toStdString()));
  }
  entry.on_disk = text;
}

}  // namespace mantissa::gui
