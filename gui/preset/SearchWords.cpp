#include "gui/preset/SearchWords.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>

namespace mantissa::gui {
namespace {

struct Topic {
  const char* words;
  std::array<std::string_view, 9> keys;
};

constexpr Topic kTopics[] = {
    {QT_TRANSLATE_NOOP("SearchWords", "vram gpu memory oom out of memory"),
     {"data.batch_size", "data.resolution", "training.gradient_checkpointing",
      "training.gradient_accumulation", "precision.weights.denoiser",
      "precision.weights.text_encoders", "precision.optimizer_state", "optimizer.fused_back_pass",
      "adapter.rank"}},
    {QT_TRANSLATE_NOOP("SearchWords", "speed fast slow"),
     {"precision.compute", "data.cache", "data.batch_size", "training.gradient_checkpointing"}},
    {QT_TRANSLATE_NOOP("SearchWords", "quantization quantize mixed precision dtype"),
     {"precision.weights.denoiser", "precision.weights.text_encoders", "precision.weights.vae",
      "precision.compute", "precision.adapter"}},
    {QT_TRANSLATE_NOOP("SearchWords", "overfitting regularization class images"),
     {"training.prior_weight", "adapter.dropout", "data.caption_dropout", "training.validate_every",
      "data.validation_share"}},
    {QT_TRANSLATE_NOOP("SearchWords", "network lycoris dim"), {"adapter.type", "adapter.rank"}},
    {QT_TRANSLATE_NOOP("SearchWords", "lr scheduler decay"),
     {"schedule.type", "schedule.warmup_steps", "schedule.min_factor", "optimizer.learning_rate"}},
    {QT_TRANSLATE_NOOP("SearchWords", "preview test image"),
     {"samples.prompts", "samples.every", "samples.every_epochs", "samples.every_minutes"}},
    {QT_TRANSLATE_NOOP("SearchWords", "tags tagging"),
     {"data.shuffle_captions", "data.keep_tokens", "data.caption_dropout"}},
    {QT_TRANSLATE_NOOP("SearchWords", "augmentation mirror"),
     {"data.flip", "data.variants", "data.crop_jitter", "data.rotation", "data.brightness"}},
    {QT_TRANSLATE_NOOP("SearchWords", "length duration"), {"training.steps", "training.epochs"}},
    {QT_TRANSLATE_NOOP("SearchWords", "backup autosave"),
     {"output.save_every", "output.save_epochs", "output.save_minutes", "output.keep"}},
};

/// In the order of SettingState.
constexpr std::array<const char*, 2> kStateWords = {QT_TRANSLATE_NOOP("SearchWords", "@modified"),
                                                    QT_TRANSLATE_NOOP("SearchWords", "@advanced")};

}  // namespace

QString search_words(std::string_view key) {
  QString all;
  for (const Topic& topic : kTopics) {
    if (std::find(topic.keys.begin(), topic.keys.end(), key) != topic.keys.end()) {
      // English ones, too: users of every language search for them.
      all += QLatin1Char(' ') + QString::fromLatin1(topic.words) + QLatin1Char(' ') +
             QCoreApplication::translate("SearchWords", topic.words);
    }
  }
  return all.toLower();
}

QString state_word(SettingState state) {
  return QCoreApplication::translate("SearchWords", kStateWords[static_cast<std::size_t>(state)]);
}

std::optional<SettingState> state_of_word(const QString& word) {
  // An input method may leave the at sign wide.
  const QString typed = QString(word).replace(QChar(0xff20), QLatin1Char('@'));
  for (const SettingState state : {SettingState::modified, SettingState::advanced}) {
    const auto english = QLatin1String(kStateWords[static_cast<std::size_t>(state)]);
    if (typed.compare(english, Qt::CaseInsensitive) == 0 ||
        typed.compare(state_word(state), Qt::CaseInsensitive) == 0) {
      return state;
    }
  }
  return std::nullopt;
}

}  // namespace mantissa::gui
