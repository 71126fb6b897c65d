// Which molecule, by which of its atoms, and which density map, at which resolution: the first rows of both fits.
#include "app/window/maps/model_and_map.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QSignalBlocker>
#include <algorithm>

#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/window/maps/model_atoms.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"

namespace isolume {

ModelAndMap::ModelAndMap(SceneController& controller, QGridLayout* form, const Texts& texts)
    : controller_(controller),
      molecule_(make_box(QObject::tr("Molecule"), texts.molecule_tip, {})),
      atoms_(new SelectionEdit),
      map_(make_box(QObject::tr("Map"), texts.map_tip, {})),
      resolution_(new QDoubleSpinBox) {
  atoms_->line()->setAccessibleName(QObject::tr("Atoms"));
  atoms_->set_text(texts.atoms);
  resolution_->setAccessibleName(QObject::tr("Resolution"));
  resolution_->setToolTip(QObject::tr("Resolution at which the model is compared with the map"));
  resolution_->setRange(0.5, 200);
  resolution_->setDecimals(1);
  resolution_->setValue(5);  // until there is a map
  resolution_->setSuffix(QStringLiteral("\u202f\u00c5"));
  add_row(form, QObject::tr("&Molecule"), molecule_);
  add_row(form, QObject::tr("A&toms"), atoms_, true);
  add_row(form, QObject::tr("Ma&p"), map_);
  add_row(form, QObject::tr("&Resolution"), resolution_);
}

int ModelAndMap::molecule() const {
  const int index = molecule_->currentIndex();
  return index >= 0 && static_cast<std::size_t>(index) < controller_.scene().molecules.size() ? index : -1;
}

std::shared_ptr<const Molecule> ModelAndMap::loaded() const {
  const int index = molecule();
  return index < 0 ? nullptr : controller_.molecule(static_cast<std::size_t>(index));
}

bool ModelAndMap::is_map_of_molecule() const {
  const auto place = map();
  return place && molecule() >= 0 && place->molecule == static_cast<std::uint32_t>(molecule());
}

void ModelAndMap::show_scene(const Scene& scene) {
  {
    const QSignalBlocker quiet(molecule_);
    show_molecules(molecule_, scene);
  }
  show_maps(map_, controller_);
  atoms_->set_molecule(loaded(), scene.frame, names_of(scene, static_cast<std::uint32_t>(std::max(0, molecule()))));
}

void ModelAndMap::choose_molecule(bool with_force_field) {
  int first = -1;
  for (int m = 0; m < molecule_->count(); ++m) {
    const auto loaded = controller_.molecule(static_cast<std::size_t>(m));
    if (!loaded || loaded->atom_count() == 0) continue;
    if (first < 0) first = m;
    if (!with_force_field) break;
    if (!loaded->force_field) continue;
    first = m;
    break;
  }
  if (first >= 0) molecule_->setCurrentIndex(first);
}

void ModelAndMap::propose(const MapPlace& map, int molecule, double resolution) {
  if (molecule >= 0 && molecule < molecule_->count()) molecule_->setCurrentIndex(molecule);
  for (int i = 0; i < map_->count(); ++i) {
    map_->setCurrentIndex(i);
    if (this->map() == map) break;
  }
  resolution_->setValue(resolution);
}

void ModelAndMap::propose_resolution() {
  const auto place = map();
  if (const auto volume = place ? volume_at(controller_, *place) : nullptr)
    resolution_->setValue(proposed_resolution(volume->grid));
}

}  // namespace isolume
