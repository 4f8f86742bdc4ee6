#pragma once

#include <QHash>
#include <QStringList>
#include <QTimer>
#include <QVector>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/preset/preset.h"
#include "gui/engine/ThreadTask.h"

namespace mantissa::gui {

/// What a tokenizer makes of a caption.
struct TokenCount {
  QString part;  ///< "te1"
  int tokens = 0, most = 0;
  qsizetype read = 0;  ///< characters of the caption that are read: all, unless it is cut
  bool is_cut() const { return tokens > most; }
};
using TokenCounts = QVector<TokenCount>;  ///< by tokenizer

/// The tokens of all captions, by each tokenizer of the base model, counted on a thread of its own;
/// captions that were counted before cost nothing. Without a base model there are none.
class CaptionTokens : public ThreadTask {
  Q_OBJECT

 public:
  explicit CaptionTokens(QObject* parent = nullptr);
  ~CaptionTokens() override;

  /// Another data set. `captions` is asked for what each image is trained with.
  void open(const std::vector<ImageItem>& items, std::function<QStringList()> captions);
  /// Counts again after a pause, with this base model and these settings.
  void count_later(const std::filesystem::path& base, const Preset& preset);
  /// Empty before they are counted.
  TokenCounts of(int item) const { return counts_.value(item); }
  /// Counts of the first caption, one for each tokenizer; empty before they are counted.
  TokenCounts tokenizers() const { return counts_.isEmpty() ? TokenCounts() : counts_.front(); }
  /// How many captions have more than `least` tokens.
  int count_above(int tokenizer, int least) const;

 signals:
  void counted();

 private:
  struct Reader;
  void count();

  std::vector<ImageItem> items_;  ///< without captions: whose folders have prefixes
  std::function<QStringList()> captions_;
  std::filesystem::path base_;
  Preset preset_;
  std::shared_ptr<Reader> reader_;  ///< of the thread
  QVector<TokenCounts> counts_;     ///< by item
  QTimer timer_;
};

}  // namespace mantissa::gui
