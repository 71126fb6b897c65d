// Shared parts of the panels' forms, so that they look alike.
#pragma once

#include <QComboBox>
#include <QGridLayout>
#include <QStringList>
#include <functional>
#include <memory>

#include "app/scene/scene.h"
#include "app/window/widgets/value_slider.h"

class QAbstractItemView;
class QAction;
class QDoubleSpinBox;
class QLabel;
class QScrollArea;
class QToolButton;

namespace isolume {

class ListBar;

/// A form with the panels' margins and spacing: labels in the first column, fields in the second. A grid, since
/// QFormLayout of Qt 6.4 writes beyond its memory when rows are hidden.
QGridLayout* make_form(QWidget* owner);

/// A form in a scroll area as wide as it needs; the wheel scrolls it and changes no value.
QScrollArea* scroll_form(QWidget* panel, QWidget* form);
/// A panel for a dock: it is scrolled where the dock is too small for it.
QWidget* scroll_panel(QWidget* panel);

/// List above, buttons under it, form below in a scroll area.
void lay_out_panel(QWidget* panel, QWidget* list, QWidget* bar, QWidget* form);

/// A flat button with a text of its own for an action of the menus.
QToolButton* make_text_button(QAction* action, const QString& text, QWidget* parent);

/// The size of a row of text with as much room as one with an icon has.
QSize roomy_row(const QWidget& list);

/// What an empty list says.
QLabel* make_hint(const QString& text, QAbstractItemView* list);

QComboBox* make_box(const QString& what, const QString& tip, const QStringList& items);
/// A number with its unit, told when it is finished.
QDoubleSpinBox* make_number(const QString& what, const QString& tip, double lowest, double highest, int decimals,
                            const QString& unit);
/// A size of letters in points; 0 is written as `usual`.
QDoubleSpinBox* make_points(const QString& what, const QString& tip, const QString& usual);
/// A slider from 0 to 100 %.
ValueSlider* make_percent(const QString& what, const QString& tip);

/// Adds a field with its label, which carries the field's accessible name and tool tip; an empty label leaves its place
/// empty. The label of a tall field is next to its first line.
void add_row(QGridLayout* form, const QString& label, QWidget* field, bool tall = false);
/// Adds a widget over both columns.
void add_wide_row(QGridLayout* form, QWidget* widget);
/// Shows or hides a field with its label.
void show_row(QGridLayout* form, QWidget* field, bool visible);

/// Gives a field of the form another label, where it has one.
void set_label(QGridLayout* form, QWidget* field, const QString& text);

/// Fills a box with the scene's molecules by file name, where they changed.
void show_molecules(QComboBox* box, const Scene& scene);
/// The same where atoms and their positions are needed: at first the first molecule that has them, which a map has not.
void show_models(QComboBox* box, const Scene& scene,
                 const std::function<std::shared_ptr<const Molecule>(std::size_t)>& molecule);

}  // namespace isolume
