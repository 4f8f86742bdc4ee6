#include "tests/gui/EngineTextTest.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTranslator>
#include <QtTest>

#include "engine/core/paths.h"
#include "engine/precision/catalogue.h"
#include "engine/precision/run_findings.h"
#include "gui/app/EngineText.h"
#include "gui/app/Text.h"

namespace mantissa {
namespace {

/// The window in a language, while it is there.
class Speaking {
 public:
  explicit Speaking(const QString& language) {
    if (words_.load(QLocale(language), QStringLiteral("mantissa"), QStringLiteral("_"),
                    path_text(find_resource("i18n").value()))) {
      QCoreApplication::installTranslator(&words_);
    }
  }
  ~Speaking() { QCoreApplication::removeTranslator(&words_); }

 private:
  QTranslator words_;
};

void languages() {
  QTest::addColumn<QString>("language");
  QTest::newRow("zh_CN") << QStringLiteral("zh_CN");
  QTest::newRow("ja") << QStringLiteral("ja");
}

bool is_translated(const QString& text) {
  static const QRegularExpression han(QStringLiteral("[\\x{3040}-\\x{30ff}\\x{4e00}-\\x{9fff}]"));
  return han.match(text).hasMatch();
}

QStringList names_in(const QString& text) {
  static const QRegularExpression name(QStringLiteral("\\{([a-z][a-z0-9_]*)\\}"));
  QStringList names;
  for (auto it = name.globalMatch(text); it.hasNext();) {
    names << it.next().captured(1);
  }
  return names;
}

/// The template with a value of its own for every name.
QString with_values(QString text) {
  for (const QString& name : names_in(text)) {
    text.replace(QLatin1Char('{') + name + QLatin1Char('}'), QStringLiteral("<%1>").arg(name));
  }
  return text;
}

Finding shown(const PrecisionFinding& f) {
  return {f.id, f.verdict == Verdict::refused ? "refused" : "warning", f.fields, f.message,
          f.fix_json};
}

/// English words in a row: what was not translated. Names of programs and types stand alone.
bool has_english(const QString& text) {
  static const QRegularExpression words(QStringLiteral("[a-z]{2,} [a-z]{2,} [a-z]{2,}"));
  return words.match(text).hasMatch();
}

/// Every literal of the engine's sources, neighbours joined, the places of values left out.
QString literals_of_the_engine() {
  static const QRegularExpression strings(
      QStringLiteral("\"((?:[^\"\\\\\\n]|\\\\.)*)\"(?:\\s*\"((?:[^\"\\\\\\n]|\\\\.)*)\")*"));
  static const QRegularExpression value(QStringLiteral("\\{[^{}\n]*\\}"));
  static const QRegularExpression joint(QStringLiteral("\"\\s*\""));
  QString all;
  for (const char* folder : {"/engine", "/kernels"}) {
    QDirIterator files(QStringLiteral(MANTISSA_SOURCE_DIR) + QLatin1String(folder),
                       {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
      QFile in(files.next());
      if (in.open(QIODevice::ReadOnly)) {
        const QString text = QString::fromUtf8(in.readAll());
        for (auto it = strings.globalMatch(text); it.hasNext();) {
          all += it.next().captured().remove(joint).remove(value) + QLatin1Char('\n');
        }
      }
    }
  }
  return all;
}

}  // namespace

void EngineTextTest::every_finding_keeps_its_values_data() {
  languages();
}

void EngineTextTest::every_finding_keeps_its_values() {
  QFETCH(QString, language);
  const Speaking speaking(language);
  int texts = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    for (const std::string_view source : {entry.message, entry.refusal}) {
      const QString text = to_qstring(source);
      if (text.isEmpty() || text == QStringLiteral("{problem}")) {
        continue;
      }
      ++texts;
      const QString filled = with_values(text);
      const QString said =
          finding_message({std::string(entry.id), "refused", {}, filled.toStdString(), "{}"});
      QVERIFY2(is_translated(said) && !has_english(said), qPrintable(said));
      for (const QString& name : names_in(text)) {
        QVERIFY2(said.contains(QStringLiteral("<%1>").arg(name)), qPrintable(said));
      }
      const QString line = QStringLiteral("%1: %2 Fix: %3 {\"a.b\":1}")
                               .arg(to_qstring(entry.id), filled, to_qstring(entry.fix));
      const QString in_full = engine_text(line);
      QVERIFY2(in_full.startsWith(to_qstring(entry.id)) && !has_english(in_full) &&
                   in_full.endsWith(QStringLiteral("{\"a.b\":1}")),
               qPrintable(in_full));
    }
  }
  QVERIFY(texts > 45);
}

void EngineTextTest::findings_of_presets_are_translated_data() {
  languages();
}

/// Presets in conflict with themselves in every way: no value that a condition fills in is left.
void EngineTextTest::findings_of_presets_are_translated() {
  QFETCH(QString, language);
  const Speaking speaking(language);
  QSet<QString> ids;
  std::vector<Preset> presets;
  for (int i = 0; i < 4096; i += 9) {
    Preset p;
    p.precision.compute = static_cast<ComputeType>(i % 5);
    p.precision.adapter = static_cast<MasterType>(i / 5 % 3);
    p.precision.weights.unet = static_cast<StorageType>(i / 7 % 5);
    p.adapter.type = i / 2 % 2 != 0 ? AdapterType::dora : AdapterType::lora;
    p.adapter.dora_axis = i / 3 % 2 != 0 ? DoraAxis::output : DoraAxis::input;
    p.output.format = static_cast<OutputFormat>(i / 11 % 3);
    p.optimizer.type = static_cast<OptimizerType>(i / 13 % 7);
    p.optimizer.fused_back_pass = i / 4 % 3 == 0;
    p.optimizer.learning_rate = i / 17 % 3 == 0 ? 1.0 : i / 17 % 3 == 1 ? 1e-4 : 1e-9;
    p.training.gradient_accumulation = 1 + i / 6 % 2;
    p.training.prediction = i / 19 % 2 != 0 ? Prediction::v : Prediction::epsilon;
    presets.push_back(p);
  }
  for (const int capability : {0, 75}) {
    for (const Preset& preset : presets) {
      DeviceFacts device;
      device.compute_capability = capability;
      device.name = "a card";
      for (const PrecisionFinding& f : make_precision_plan(preset, {}, device).findings) {
        if (f.verdict == Verdict::works) {
          continue;
        }
        ids.insert(to_qstring(f.id));
        const QString said = finding_message(shown(f));
        QVERIFY2(is_translated(said) && !has_english(said), qPrintable(said));
      }
    }
  }
  for (const char* id : {"B11", "D3", "H1", "N9"}) {
    QVERIFY2(ids.contains(QLatin1String(id)), id);
  }
}

void EngineTextTest::lines_are_translated() {
  const Speaking speaking(QStringLiteral("zh_CN"));
  QCOMPARE(engine_text(QStringLiteral("step 12: non-finite gradients, step skipped")),
           QStringLiteral("第 12 步：梯度不是有限值，跳过该步"));
  const Preset preset;
  const std::vector<std::string> files{"a.png"};
  const QString stopped =
      to_qstring(finding_text(non_finite_loss(preset, 7, files))) +
      QStringLiteral(". The weights are as they were before this step. Last good checkpoint: /r/c");
  const QString said = engine_text(stopped);
  QVERIFY2(said.startsWith(QStringLiteral("S14: ")) && said.contains(QStringLiteral("a.png")) &&
               said.contains(QStringLiteral("/r/c")) && !has_english(said),
           qPrintable(said));
  const std::vector<std::string> layers{"a", "b", "c", "d", "e"};
  const QString rows = engine_text(to_qstring(finding_text(empty_rows(preset, 3, layers))));
  QVERIFY2(rows.contains(QStringLiteral("(a, b, c 及另外 2 个)")), qPrintable(rows));
  const QString nowhere = engine_text(to_qstring(finding_text(endless_overflow(preset, 9, ""))));
  QVERIFY2(nowhere.contains(QStringLiteral("未知")), qPrintable(nowhere));
}

void EngineTextTest::english_stays_as_it_is() {
  for (const QString& line :
       {QStringLiteral("step 12: non-finite gradients, step skipped"),
        QStringLiteral("something nobody has a template for: {x}"),
        to_qstring(finding_text(endless_overflow(Preset{}, 9, "unet.mid"))), QString()}) {
    QCOMPARE(engine_text(line), line);
  }
  // The changes are left to the card, which shows them as settings.
  const Finding adjusted{"S15",
                         "adjusted",
                         {},
                         "Loss scaling enabled: gradients pass through FP16 here. "
                         "(precision.loss_scaling off -> dynamic)",
                         "{}"};
  QCOMPARE(finding_message(adjusted),
           QStringLiteral("Loss scaling enabled: gradients pass through FP16 here."));
}

void EngineTextTest::sentences_are_those_of_the_engine() {
  const QString engine = literals_of_the_engine();
  QVERIFY(engine.size() > 50000);
  static const QRegularExpression place(QStringLiteral("\\{[a-z0-9_]+\\}"));
  QVERIFY(engine_sentences().size() > 40);
  for (const char* sentence : engine_sentences()) {
    bool some = false;
    for (const QString& part : QString::fromUtf8(sentence).split(place, Qt::SkipEmptyParts)) {
      const bool found = engine.contains(part);
      some = some || found;
      QVERIFY2(found || part.size() < 20, qPrintable(part));
    }
    QVERIFY2(some, sentence);
  }
}

}  // namespace mantissa
