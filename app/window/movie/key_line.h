// The time axis of a movie: its key frames as marks.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "app/scene/movie_key.h"

namespace isolume {

/// Marks of key frames over an axis in seconds, with the course between them and the current time. A click on a mark
/// goes to it, a drag moves it; elsewhere both go to that time, and a double click adds a key frame there. Left and
/// Right go to the neighbours, with Shift they move the key frame, Home and End go to the ends, Del removes.
class KeyLine : public QWidget {
  Q_OBJECT
 public:
  explicit KeyLine(QWidget* parent = nullptr);

  void set_keys(const std::vector<MovieKey>& keys);
  void set_time(double seconds);
  double time() const { return time_; }
  /// The key frame at the current time.
  std::optional<std::size_t> current() const;
  /// Where a time is in the widget.
  double place(double seconds) const;
  double time_at(double x) const;

  QSize sizeHint() const override { return {420, 92}; }
  QSize minimumSizeHint() const override { return {160, 76}; }

 Q_SIGNALS:
  void time_asked(double seconds);
  /// `dragged`: more moves of the same drag may follow.
  void move_asked(std::size_t key, double seconds);
  void add_asked(double seconds);
  void remove_asked();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  std::optional<std::size_t> key_at(QPointF place) const;
  void paint_axis(QPainter& painter) const;
  void paint_course(QPainter& painter) const;
  void describe();

  std::vector<MovieKey> keys_;
  double time_ = 0;
  double span_ = 5;  ///< seconds that are shown; during a drag it stays
  enum class Drag { none, time, key } drag_ = Drag::none;
  QPointF pressed_;
};

}  // namespace isolume
