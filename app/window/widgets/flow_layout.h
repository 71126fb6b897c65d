// Controls in a row that goes on in the next line where it is too long.
#pragma once

#include <QLayout>
#include <QList>
#include <memory>
#include <vector>

namespace isolume {

/// As wide as its widest widget at least, and as high as its lines are then.
class FlowLayout : public QLayout {
 public:
  explicit FlowLayout(QWidget* parent = nullptr);

  /// Puts a widget before all others.
  void add_first(QWidget* widget);

  void addItem(QLayoutItem* item) override;
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSize() const override;
  void setGeometry(const QRect& room) override;

 private:
  /// Places the widgets in lines, or with `place` false only says how high they are.
  int arrange(const QRect& room, bool place) const;

  std::vector<std::unique_ptr<QLayoutItem>> items_;
};

}  // namespace isolume
