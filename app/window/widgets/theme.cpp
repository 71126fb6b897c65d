// Light and dark.
#include "app/window/widgets/theme.h"

#include <QApplication>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>

namespace isolume {
namespace {

struct Colours {
  QColor window, base, alternate, text, dim, button, highlight, link, mid;
};

QPalette palette_of(const Colours& c) {
  QPalette p;
  p.setColor(QPalette::Window, c.window);
  p.setColor(QPalette::WindowText, c.text);
  p.setColor(QPalette::Base, c.base);
  p.setColor(QPalette::AlternateBase, c.alternate);
  p.setColor(QPalette::Text, c.text);
  p.setColor(QPalette::PlaceholderText, c.dim);
  p.setColor(QPalette::Button, c.button);
  p.setColor(QPalette::ButtonText, c.text);
  p.setColor(QPalette::BrightText, Qt::white);
  p.setColor(QPalette::ToolTipBase, c.base);
  p.setColor(QPalette::ToolTipText, c.text);
  p.setColor(QPalette::Highlight, c.highlight);
  p.setColor(QPalette::HighlightedText, Qt::white);
  p.setColor(QPalette::Link, c.link);
  p.setColor(QPalette::LinkVisited, c.link);
  p.setColor(QPalette::Light, c.button.lighter(130));
  p.setColor(QPalette::Midlight, c.button.lighter(115));
  p.setColor(QPalette::Mid, c.mid);
  p.setColor(QPalette::Dark, c.mid.darker(130));
  p.setColor(QPalette::Shadow, QColor(0, 0, 0, 120));
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(QPalette::Disabled, role, c.dim);
  }
  p.setColor(QPalette::Disabled, QPalette::Highlight, c.mid);
  return p;
}

const Colours light_colours{QColor(0xf4f5f7), QColor(0xffffff), QColor(0xf0f2f5), QColor(0x1c2026), QColor(0x646b75),
                            QColor(0xfafbfc), QColor(0x2f6fb5), QColor(0x1f62ab), QColor(0xc3c8d0)};
const Colours dark_colours{QColor(0x24272c), QColor(0x1b1d21), QColor(0x212429), QColor(0xe4e7eb), QColor(0x9aa1ab),
                           QColor(0x31353b), QColor(0x2f6fb5), QColor(0x7db4f0), QColor(0x464c55)};

bool upright(QTabBar::Shape shape) {
  return shape == QTabBar::RoundedEast || shape == QTabBar::RoundedWest || shape == QTabBar::TriangularEast ||
         shape == QTabBar::TriangularWest;
}

/// Fusion on all desktops; buttons of dialogs have words alone, as all others here, and boxes to tick an outline that
/// is seen: Fusion's is darker than a dark window. Tabs at the side of a panel are read without turning one's head.
class PlainStyle final : public QProxyStyle {
 public:
  PlainStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override {
    return hint == SH_DialogButtonBox_ButtonsHaveIcons ? 0 : QProxyStyle::styleHint(hint, option, widget, data);
  }
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                         const QWidget* widget) const override {
    const QSize found = QProxyStyle::sizeFromContents(type, option, size, widget);
    // The arrow of a button with a menu is in its corner: next to the text, not on it.
    const auto* button = type == CT_ToolButton ? qstyleoption_cast<const QStyleOptionToolButton*>(option) : nullptr;
    if (button && (button->features & QStyleOptionToolButton::HasMenu) &&
        !(button->features & QStyleOptionToolButton::MenuButtonPopup) &&
        button->toolButtonStyle != Qt::ToolButtonIconOnly && !button->text.isEmpty())
      return {found.width() + 14, found.height()};
    const auto* tab = type == CT_TabBarTab ? qstyleoption_cast<const QStyleOptionTab*>(option) : nullptr;
    if (!tab || !upright(tab->shape)) return found;
    return {found.height() - 2 * narrower(*tab, widget), found.width() + tab->fontMetrics.height() / 2};
  }
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override {
    if (element == CE_TabBarTabShape) {
      QProxyStyle::drawControl(element, option, painter, widget);
      if (const auto* shape = qstyleoption_cast<const QStyleOptionTab*>(option)) mark_front(*shape, painter);
      return;
    }
    const auto* tab = element == CE_TabBarTabLabel ? qstyleoption_cast<const QStyleOptionTab*>(option) : nullptr;
    if (!tab || !upright(tab->shape)) return QProxyStyle::drawControl(element, option, painter, widget);
    QStyleOptionTab level(*tab);
    level.shape = QTabBar::RoundedNorth;
    level.rect.adjust(-narrower(*tab, widget), 0, narrower(*tab, widget), 0);
    QProxyStyle::drawControl(element, &level, painter, widget);
  }
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element != PE_IndicatorCheckBox && element != PE_IndicatorItemViewItemCheck) return;
    const bool enabled = (option->state & State_Enabled) != 0;
    painter->save();
    painter->setBrush(Qt::NoBrush);
    painter->setPen(option->palette.color(enabled ? QPalette::PlaceholderText : QPalette::Mid));
    painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
    painter->restore();
  }

 private:
  /// A line at the outer edge of the tab in front: in a dark window its shade alone does not tell it from the others.
  static void mark_front(const QStyleOptionTab& tab, QPainter* painter) {
    if ((tab.state & State_Selected) == 0) return;
    constexpr int width = 3;
    QRect line = tab.rect;
    if (tab.shape == QTabBar::RoundedEast || tab.shape == QTabBar::TriangularEast) {
      line.setLeft(line.right() - width + 1);
    } else if (upright(tab.shape)) {
      line.setWidth(width);
    } else if (tab.shape == QTabBar::RoundedSouth || tab.shape == QTabBar::TriangularSouth) {
      line.setTop(line.bottom() - width + 1);
    } else {
      line.setHeight(width);
    }
    painter->fillRect(line, tab.palette.color(QPalette::Link));
  }
  /// By how much the margin on each side of a tab's text is smaller than usual, as it takes width from the picture.
  int narrower(const QStyleOptionTab& tab, const QWidget* widget) const {
    return (pixelMetric(PM_TabBarTabHSpace, &tab, widget) - tab.fontMetrics.height()) / 2;
  }
};

}  // namespace

QPalette light_palette() {
  return palette_of(light_colours);
}

void apply_theme(Theme theme) {
  if (dynamic_cast<PlainStyle*>(QApplication::style()) == nullptr) QApplication::setStyle(new PlainStyle);
  switch (theme) {
    case Theme::system: {
      QApplication::setPalette(QPalette());
      // Where the desktop says nothing, Fusion's own grey is drab: take the theme of the same lightness.
      QApplication::setPalette(palette_of(dark_palette() ? dark_colours : light_colours));
      break;
    }
    case Theme::light:
      QApplication::setPalette(palette_of(light_colours));
      break;
    case Theme::dark:
      QApplication::setPalette(palette_of(dark_colours));
      break;
  }
}

bool dark_palette() {
  const QPalette palette = QApplication::palette();
  return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

Theme theme_from_name(const QString& name) {
  if (name == QLatin1String("light")) return Theme::light;
  if (name == QLatin1String("dark")) return Theme::dark;
  return Theme::system;
}

QString name(Theme theme) {
  switch (theme) {
    case Theme::light:
      return QStringLiteral("light");
    case Theme::dark:
      return QStringLiteral("dark");
    default:
      return QStringLiteral("system");
  }
}

}  // namespace isolume
