#pragma once

#include <QObject>
#include <QStringList>
#include <functional>
#include <optional>
#include <vector>

class QWidget;

namespace mantissa {
struct DatasetCheck;
struct ImageItem;
}  // namespace mantissa

namespace mantissa::gui {

/// Moves images to the trash, with captions and masks.
class ImageTrash : public QObject {
  Q_OBJECT

 public:
  explicit ImageTrash(QObject* parent = nullptr);

  /// Asks whether files may go to the trash; the window's question.
  using Question = std::function<void(QWidget*, const QString&, std::function<void()>)>;
  void set_question(Question ask) { ask_ = std::move(ask); }
  /// Moves a file to the trash: its new place, empty if it can't be brought back from there,
  /// nullopt if it stayed. Default: the system's.
  using Mover = std::function<std::optional<QString>(const QString& file)>;
  void set_mover(Mover move) { move_file_ = std::move(move); }

  /// Asks about these images and passes on their paths if they may go.
  void ask(QWidget* over, const std::vector<const ImageItem*>& items,
           const std::function<void(const QStringList& paths)>& allowed);
  /// Moves the images with these paths. Returns the items that went, ascending.
  std::vector<std::size_t> move(const DatasetCheck& check, const QStringList& paths);
  /// Moves files that aren't images. False, and told, if one stayed.
  bool move_files(const QStringList& files);
  /// Whether everything that the last move took can be brought back.
  bool can_restore() const;
  /// Brings it back.
  void restore();

 signals:
  void problem(const QString& text);

 private:
  /// `shared`: its caption and mask belong to another image too. False if it stayed.
  bool move_image(const ImageItem& item, bool shared);
  bool move_file(const QString& file);

  struct Moved {
    QString from, to;  ///< `to`: empty if it can't be brought back
  };
  Question ask_;
  Mover move_file_;
  std::vector<Moved> last_;  ///< of the last `move`
};

}  // namespace mantissa::gui
