#include "tests/gui/TranslationTest.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTranslator>
#include <QXmlStreamReader>
#include <QtTest>

#include "engine/core/paths.h"
#include "engine/precision/catalogue.h"
#include "engine/preset/schema.h"
#include "gui/app/Language.h"
#include "gui/app/Text.h"

namespace mantissa {
namespace {

struct Message {
  QString source, translation;
  bool finished = true;
};

QList<Message> messages(const QString& file) {
  QFile in(file);
  QList<Message> list;
  if (!in.open(QIODevice::ReadOnly)) {
    return list;
  }
  QXmlStreamReader xml(&in);
  while (!xml.atEnd()) {
    if (!xml.readNextStartElement()) {
      continue;
    }
    if (xml.name() == QLatin1String("source")) {
      list.append({xml.readElementText(), {}, true});
    } else if (xml.name() == QLatin1String("translation") && !list.isEmpty()) {
      list.back().finished =
          xml.attributes().value(QLatin1String("type")) != QLatin1String("unfinished");
      list.back().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements);
    }
  }
  return list;
}

QString ts(const char* name, const QString& language) {
  return QStringLiteral(MANTISSA_SOURCE_DIR "/resources/i18n/%1_%2.ts")
      .arg(QLatin1String(name), language);
}

QList<Message> all_of(const QString& language) {
  return messages(ts("mantissa", language)) + messages(ts("schema", language));
}

void languages() {
  QTest::addColumn<QString>("language");
  QTest::newRow("zh_CN") << QStringLiteral("zh_CN");
  QTest::newRow("ja") << QStringLiteral("ja");
}

QString lupdate() {
  const QString found = QStandardPaths::findExecutable(QStringLiteral("lupdate"));
  return found.isEmpty() ? QStandardPaths::findExecutable(QStringLiteral("lupdate"),
                                                          {QStringLiteral("/usr/lib/qt6/bin")})
                         : found;
}

/// Every text that the sources hand to tr() and its kin, as Qt's own tool finds them.
QStringList texts_of_sources() {
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("all.ts"));
  QProcess tool;
  tool.setWorkingDirectory(QStringLiteral(MANTISSA_SOURCE_DIR));
  tool.start(lupdate(), {QStringLiteral("-I"), QStringLiteral("."), QStringLiteral("gui"),
                         QStringLiteral("-ts"), file});
  tool.waitForFinished();
  QStringList texts;
  for (const Message& m : messages(file)) {
    texts << m.source;
  }
  return texts;
}

}  // namespace

void TranslationTest::every_text_is_translated_data() {
  languages();
}

void TranslationTest::every_text_is_translated() {
  QFETCH(QString, language);
  QVERIFY2(!lupdate().isEmpty(), "lupdate is missing: install qt6-l10n-tools");
  QSet<QString> known;
  for (const Message& m : all_of(language)) {
    QVERIFY2(m.finished && !m.translation.isEmpty(), qPrintable(m.source));
    known.insert(m.source);
  }
  QStringList wanted = texts_of_sources();
  QVERIFY(wanted.size() > 500);
  for (const Setting& setting : settings()) {
    wanted << to_qstring(setting.label) << to_qstring(setting.help);
  }
  for (const CatalogueEntry& entry : catalogue()) {
    wanted << to_qstring(entry.cause);
  }
  QStringList missing;
  for (const QString& text : wanted) {
    if (!text.isEmpty() && !known.contains(text)) {
      missing << text;
    }
  }
  QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
}

void TranslationTest::numbers_stand_where_they_belong_data() {
  languages();
}

void TranslationTest::numbers_stand_where_they_belong() {
  QFETCH(QString, language);
  static const QRegularExpression place(QStringLiteral("%(L?[0-9]+|n)"));
  const auto places = [](const QString& text) {
    QSet<QString> found;
    for (auto it = place.globalMatch(text); it.hasNext();) {
      found.insert(it.next().captured());
    }
    return found;
  };
  for (const Message& m : all_of(language)) {
    QVERIFY2(places(m.source) == places(m.translation),
             qPrintable(m.source + QLatin1String(" -> ") + m.translation));
  }
}

void TranslationTest::window_speaks_data() {
  QTest::addColumn<QString>("language");
  QTest::addColumn<QString>("steps");
  QTest::newRow("zh_CN") << QStringLiteral("zh_CN") << QStringLiteral("步");
  QTest::newRow("ja") << QStringLiteral("ja") << QStringLiteral("ステップ");
}

void TranslationTest::window_speaks() {
  QFETCH(QString, language);
  QFETCH(QString, steps);
  QTranslator words;
  const auto folder = find_resource("i18n");
  QVERIFY(folder.has_value());
  QVERIFY(words.load(QLocale(language), QStringLiteral("mantissa"), QStringLiteral("_"),
                     path_text(*folder)));
  const Setting* setting = find_setting("training.steps");
  const QString label = words.translate("schema", std::string(setting->label).c_str());
  QVERIFY2(label.contains(steps), qPrintable(label));
  QVERIFY(!words.translate("mantissa::MainWindow", "&File").isEmpty());
}

}  // namespace mantissa
