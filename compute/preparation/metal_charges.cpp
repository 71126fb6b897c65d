// Charges of metal ions in water, by element.
#include "compute/preparation/metal_charges.h"

namespace isolume {

int usual_charge(std::uint8_t metal) {
  switch (metal) {
    case 3:
    case 11:
    case 19:
    case 37:
    case 55:
    case 47:  // Li Na K Rb Cs Ag
      return 1;
    case 4:
    case 12:
    case 20:
    case 38:
    case 56:
    case 88:  // alkaline earths
    case 25:
    case 28:
    case 30:
    case 48:
    case 82:  // Mn Ni Zn Cd Pb
      return 2;
    case 13:
    case 21:
    case 31:
    case 39:
    case 49:  // Al Sc Ga Y In
      return 3;
    default:
      return metal >= 57 && metal <= 71 ? 3 : 0;  // lanthanides
  }
}

}  // namespace isolume
