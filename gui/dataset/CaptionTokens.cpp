#include "gui/dataset/CaptionTokens.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "engine/core/error.h"
#include "engine/data/folder_rules.h"
#include "engine/preflight/caption_reach.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

constexpr int kPauseMs = 300;

/// Characters of the text in its first `bytes` bytes, without those of the prefix.
qsizetype characters(const std::string& text, std::size_t bytes, qsizetype prefix) {
  const QString part = QString::fromUtf8(text.data(), static_cast<qsizetype>(bytes));
  return std::max<qsizetype>(part.size() - prefix, 0);
}

TokenCounts counts_of(CaptionReader& reader, const QString& prefix, const QString& caption) {
  const std::string text = (prefix + caption).toStdString();
  TokenCounts counts;
  for (const CaptionReach& reach : reader.reach(text)) {
    counts.append({to_qstring(reach.part), static_cast<int>(reach.tokens),
                   static_cast<int>(reach.most), characters(text, reach.read, prefix.size())});
  }
  return counts;
}

}  // namespace

/// A base model's tokenizers, and what they made of the captions so far.
struct CaptionTokens::Reader {
  std::filesystem::path base;
  Preset preset;
  std::optional<CaptionReader> captions;
  QHash<std::pair<QString, QString>, TokenCounts> known;  ///< by prefix and caption
};

CaptionTokens::CaptionTokens(QObject* parent) : ThreadTask(parent) {
  timer_.setSingleShot(true);
  timer_.setInterval(kPauseMs);
  connect(&timer_, &QTimer::timeout, this, &CaptionTokens::count);
  // The base's problem is told where the base is chosen.
  connect(this, &ThreadTask::failed, this, [this] {
    counts_.clear();
    emit counted();
  });
}

CaptionTokens::~CaptionTokens() = default;

void CaptionTokens::open(const std::vector<ImageItem>& items,
                         std::function<QStringList()> captions) {
  cancel();
  items_ = items;
  for (ImageItem& item : items_) {
    item.caption.clear();
  }
  captions_ = std::move(captions);
  counts_.clear();
}

void CaptionTokens::count_later(const std::filesystem::path& base, const Preset& preset) {
  base_ = base;
  preset_ = preset;
  timer_.start();
}

void CaptionTokens::count() {
  if (base_.empty() || items_.empty()) {
    counts_.clear();
    emit counted();
    return;
  }
  const auto same_options = [this](const Preset& other) {
    return other.data.caption_chunks == preset_.data.caption_chunks &&
           other.data.weighted_captions == preset_.data.weighted_captions &&
           other.training.clip_skip == preset_.training.clip_skip;
  };
  if (!reader_ || reader_->base != base_ || !same_options(reader_->preset)) {
    reader_ = std::make_shared<Reader>();
    reader_->base = base_;
    reader_->preset = preset_;
  }
  run([this, reader = reader_, items = items_, rules = preset_.data.folders,
       captions = captions_()](const Progress& progress) mutable -> std::function<void()> {
    if (!reader->captions) {
      reader->captions.emplace(reader->base, reader->preset);
    }
    apply_folder_rules(items, rules);
    QVector<TokenCounts> counts;
    for (std::size_t i = 0; i < items.size(); ++i) {
      progress(RunPhase::scanning, static_cast<std::int64_t>(i),
               static_cast<std::int64_t>(items.size()));
      QString prefix = to_qstring(items[i].caption);
      prefix += prefix.isEmpty() ? QString() : QStringLiteral(" ");
      const std::pair key(prefix, captions[static_cast<qsizetype>(i)]);
      auto known = reader->known.constFind(key);
      if (known == reader->known.constEnd()) {
        known = reader->known.insert(key, counts_of(*reader->captions, key.first, key.second));
      }
      counts.append(*known);
    }
    return [this, counts = std::move(counts)] {
      counts_ = counts;
      emit counted();
    };
  });
}

int CaptionTokens::count_above(int tokenizer, int least) const {
  return static_cast<int>(
      std::count_if(counts_.begin(), counts_.end(), [&](const TokenCounts& counts) {
        return tokenizer < counts.size() && counts[tokenizer].tokens > least;
      }));
}

}  // namespace mantissa::gui
