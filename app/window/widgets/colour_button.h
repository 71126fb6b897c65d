// A button that shows a colour and lets it be chosen.
#pragma once

#include <QColor>
#include <QToolButton>
#include <glm/glm.hpp>

namespace isolume {

class ColourButton : public QToolButton {
  Q_OBJECT
 public:
  /// `what` is the accessible name and the title of the dialog: "Colour of the positive phase".
  explicit ColourButton(const QString& what, QWidget* parent = nullptr);

  void set_colour(glm::u8vec4 colour);
  glm::u8vec4 colour() const;

 Q_SIGNALS:
  void chosen(const QColor& colour);

 private:
  void choose();
  QColor colour_;
};

}  // namespace isolume
