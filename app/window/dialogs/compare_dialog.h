// The dialog that puts two to four methods of the potential, or maps of files, side by side.
#pragma once

#include <QDialog>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "app/fields/comparison/comparison_view.h"
#include "render/gl/context.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSlider;
class QStackedWidget;
class QTableWidget;
class QToolButton;

namespace isolume {

class CompareView;
class LayerView;
struct CompareTexts;

/// Method, accuracy and parameters of each side, at first those of the field, or a map; computed on a thread of the
/// pool, on one grid, that of the first map where there is one. Shows a surface painted by each and by the differences
/// to a reference, turned together, or a layer of the maps; with times, measured errors, and the RMS and largest
/// differences. What is shown can be saved as a picture.
class CompareDialog : public QDialog {
  Q_OBJECT
 public:
  /// The display; the first three as ComparedSurface.
  enum class Shown { gaussian, solvent_excluded, isosurfaces, layer };

  /// Makes a context for another thread, on the window's thread; null where there is no OpenGL. Throws Error.
  using MakeContext = std::function<std::unique_ptr<GlContext>()>;

  /// `request`: charges, frame, device, spacing; its field's settings are those of the first side at the beginning.
  /// `make_context`: as the window itself draws, since drivers refuse a thread that mixes EGL and GLX.
  CompareDialog(FieldRequest request, MakeContext make_context, QWidget* parent = nullptr);
  ~CompareDialog() override;

  /// A set of charges that a side can have instead of those of the request; `atoms` is called on a thread of the pool.
  struct Charges {
    QString title;
    std::function<std::shared_ptr<const FieldAtoms>()> atoms;
  };
  /// Offers them; without a call, or with none, all sides have the charges of the request.
  void set_charges(const QString& shown, std::vector<Charges> others);

  /// Method, accuracy, unit and parameters of a side.
  PotentialSettings settings(int side) const;
  /// Takes the parameters; method, accuracy and unit are those that the dialog shows.
  void set_parameters(int side, const PotentialSettings& settings);

  /// A map that a side can have instead of a method.
  struct Map {
    QString title;
    std::shared_ptr<const Volume> map;
  };
  /// Offers the maps of the scene.
  void set_maps(const std::vector<Map>& maps);
  /// Reads a file on a thread of the pool and offers its map; the first side without a method, else the second, takes
  /// it.
  void add_map(const QString& path);

  QPushButton* add_map_button() const { return add_map_; }
  QComboBox* map_unit_box() const { return map_unit_; }
  QCheckBox* resample_box() const { return resample_; }
  QComboBox* charges_box(int side) const { return charges_[side]; }
  QComboBox* method_box(int side) const { return methods_[side]; }
  QComboBox* accuracy_box(int side) const { return accuracies_[side]; }
  QToolButton* parameters_button(int side) const { return more_[side]; }
  QComboBox* shown_box() const { return shown_; }
  QDoubleSpinBox* isovalue_box() const { return isovalue_; }
  QComboBox* axis_box() const { return axis_; }
  QSlider* layer_slider() const { return layer_; }
  QPushButton* compute_button() const { return compute_; }
  QPushButton* cancel_button() const { return cancel_; }
  QPushButton* save_button() const { return save_; }
  QTableWidget* table() const { return table_; }
  QLabel* message() const { return message_; }
  /// Of a tile of compared_tiles(): of two methods first, second, difference.
  LayerView* view(int which) const { return views_[static_cast<std::size_t>(which)]; }
  QComboBox* reference_box() const { return reference_; }
  CompareView* surfaces() const { return surfaces_; }
  bool running() const { return job_ != nullptr; }  ///< computes or paints
  /// Null before the first.
  const PotentialComparison* result() const { return result_.get(); }

  /// Writes what is shown as PNG, `width` pixels wide, on a thread of the pool; saved() or the message follows.
  void save_picture(const QString& path, int width);

 Q_SIGNALS:
  void saved(const QString& path);
  /// The parameters of a side are to be asked for; `title` is "First".
  void parameters_asked(int side, const QString& title);

 private:
  void build_methods(QGridLayout* grid);
  void build_maps(QGridLayout* grid);
  QWidget* build_charges();
  void build_shown(QGridLayout* grid);
  void build_table();
  void build_buttons();
  void start();
  void stop();
  void show_running();
  void show_result();
  void fill_table();
  void choose_shown();
  void show_layer();
  void show_surfaces();
  void ask_path();
  void ask_map();
  void offer(const Map& map);
  bool has_method(int side) const;
  const Map* map_of(int side) const;  ///< null where it has none
  void show_sides();                  ///< what belongs to methods, and what to maps
  /// Runs `work(job)` on a thread of the pool and then `done(its result)`.
  template <class Work, class Done>
  void run(bool painting, Work work, Done done);
  CompareTexts texts() const;
  /// The sides that have a method or a map, in their order.
  std::vector<int> sides() const;
  /// Puts the views of layers into rows, and names them and the rows of the table.
  void lay_out();
  QString side_title(std::size_t side) const;        ///< of the result
  QString difference_title(std::size_t side) const;  ///< likewise
  /// A context, or null with the message that says why.
  std::unique_ptr<GlContext> new_context();

  FieldRequest request_;
  MakeContext make_context_;
  QComboBox* methods_[most_compared];
  QComboBox* accuracies_[most_compared];
  QToolButton* more_[most_compared];
  PotentialSettings parameters_[most_compared];  ///< all but method, accuracy and unit count
  QComboBox* charges_[most_compared];
  QWidget* charges_row_;
  std::vector<Charges> charge_sets_;  ///< after those of the request
  QStringList shown_charges_;         ///< of the result's sides; empty where all have those of the request
  std::vector<Map> maps_;
  QPushButton* add_map_;
  QComboBox* map_unit_;
  QCheckBox* resample_;
  QComboBox* reference_;
  std::vector<int> shown_sides_;  ///< of the result
  QComboBox* shown_;
  QDoubleSpinBox* isovalue_;
  QComboBox* axis_;
  QSlider* layer_;
  QLabel* place_;
  QPushButton* compute_;
  QPushButton* cancel_;
  QPushButton* save_;
  QPushButton* close_;
  QProgressBar* progress_;
  QLabel* message_;
  QTableWidget* table_;
  QStackedWidget* stack_;
  CompareView* surfaces_;
  QGridLayout* layers_;
  std::array<LayerView*, 2 * most_compared> views_;
  std::shared_ptr<Job> saving_;  ///< while an image is saved
  std::shared_ptr<Job> job_;
  bool painting_ = false;  ///< what runs makes a surface of the result
  std::shared_ptr<const PotentialComparison> result_;
};

}  // namespace isolume
