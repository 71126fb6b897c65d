// Contributions of groups as bars, sorted.
#pragma once

#include <QAbstractScrollArea>
#include <QString>
#include <optional>
#include <vector>

namespace isolume {

/// A row for each group with its name, a bar from zero to its value and the number; the largest amounts first. A click
/// or the arrow keys choose a group.
class ShareBars : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit ShareBars(const QString& what, QWidget* parent = nullptr);

  /// Replaces the rows; groups are known by their place in `names`.
  void set_shares(std::vector<QString> names, std::vector<double> values, const QString& unit);
  /// What is said where there are no rows.
  void set_empty(const QString& text);
  /// Groups that are drawn as selected, one value for each; and the one that was chosen.
  void set_marked(std::vector<bool> groups);
  void set_chosen(std::optional<std::size_t> group);
  std::optional<std::size_t> chosen() const { return chosen_; }

  /// Groups in the order of the rows, and their values.
  const std::vector<std::size_t>& order() const { return order_; }
  const std::vector<double>& values() const { return values_; }
  const std::vector<QString>& names() const { return names_; }
  /// The row of a group in the viewport.
  QRect row_rect(std::size_t row) const;

  QSize sizeHint() const override { return {320, 220}; }
  QSize minimumSizeHint() const override { return {140, 120}; }

 Q_SIGNALS:
  void group_clicked(int group);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  int row_height() const;
  void lay_out();
  std::optional<std::size_t> row_at(QPoint place) const;
  void announce(std::size_t row);
  QString number(std::size_t group) const;

  std::vector<QString> names_;
  std::vector<double> values_;
  std::vector<std::size_t> order_;
  std::vector<bool> marked_;
  std::optional<std::size_t> chosen_;
  QString unit_, empty_;
};

}  // namespace isolume
