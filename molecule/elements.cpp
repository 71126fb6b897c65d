// The table of the elements.
#include "molecule/elements.h"

#include <array>
#include <cctype>

namespace isolume {

namespace {

// Masses: IUPAC 2021 abridged standard atomic weights; the mass number of the longest-lived isotope where there is
// none. Covalent radii: Cordero 2008 (carbon sp3; low-spin Mn, Fe, Co), 1.60 beyond curium. Van der Waals radii: Bondi
// 1964, else Alvarez 2013, else 2.00. Colours: those that Jmol made common.
constexpr std::array<Element, element_count> elements{{
    {"X", "Unknown", 0.0f, 0.77f, 1.70f, {250, 22, 145}},
    {"H", "Hydrogen", 1.008f, 0.31f, 1.20f, {255, 255, 255}},
    {"He", "Helium", 4.0026f, 0.28f, 1.40f, {217, 255, 255}},
    {"Li", "Lithium", 6.94f, 1.28f, 1.82f, {204, 128, 255}},
    {"Be", "Beryllium", 9.0122f, 0.96f, 1.98f, {194, 255, 0}},
    {"B", "Boron", 10.81f, 0.84f, 1.91f, {255, 181, 181}},
    {"C", "Carbon", 12.011f, 0.76f, 1.70f, {144, 144, 144}},
    {"N", "Nitrogen", 14.007f, 0.71f, 1.55f, {48, 80, 248}},
    {"O", "Oxygen", 15.999f, 0.66f, 1.52f, {255, 13, 13}},
    {"F", "Fluorine", 18.998f, 0.57f, 1.47f, {144, 224, 80}},
    {"Ne", "Neon", 20.180f, 0.58f, 1.54f, {179, 227, 245}},
    {"Na", "Sodium", 22.990f, 1.66f, 2.27f, {171, 92, 242}},
    {"Mg", "Magnesium", 24.305f, 1.41f, 1.73f, {138, 255, 0}},
    {"Al", "Aluminium", 26.982f, 1.21f, 2.25f, {191, 166, 166}},
    {"Si", "Silicon", 28.085f, 1.11f, 2.10f, {240, 200, 160}},
    {"P", "Phosphorus", 30.974f, 1.07f, 1.80f, {255, 128, 0}},
    {"S", "Sulfur", 32.06f, 1.05f, 1.80f, {255, 255, 48}},
    {"Cl", "Chlorine", 35.45f, 1.02f, 1.75f, {31, 240, 31}},
    {"Ar", "Argon", 39.95f, 1.06f, 1.88f, {128, 209, 227}},
    {"K", "Potassium", 39.098f, 2.03f, 2.75f, {143, 64, 212}},
    {"Ca", "Calcium", 40.078f, 1.76f, 2.62f, {61, 255, 0}},
    {"Sc", "Scandium", 44.956f, 1.70f, 2.58f, {230, 230, 230}},
    {"Ti", "Titanium", 47.867f, 1.60f, 2.46f, {191, 194, 199}},
    {"V", "Vanadium", 50.942f, 1.53f, 2.42f, {166, 166, 171}},
    {"Cr", "Chromium", 51.996f, 1.39f, 2.45f, {138, 153, 199}},
    {"Mn", "Manganese", 54.938f, 1.39f, 2.45f, {156, 122, 199}},
    {"Fe", "Iron", 55.845f, 1.32f, 2.44f, {224, 102, 51}},
    {"Co", "Cobalt", 58.933f, 1.26f, 2.40f, {240, 144, 160}},
    {"Ni", "Nickel", 58.693f, 1.24f, 1.63f, {80, 208, 80}},
    {"Cu", "Copper", 63.546f, 1.32f, 1.40f, {200, 128, 51}},
    {"Zn", "Zinc", 65.38f, 1.22f, 1.39f, {125, 128, 176}},
    {"Ga", "Gallium", 69.723f, 1.22f, 1.87f, {194, 143, 143}},
    {"Ge", "Germanium", 72.630f, 1.20f, 2.29f, {102, 143, 143}},
    {"As", "Arsenic", 74.922f, 1.19f, 1.85f, {189, 128, 227}},
    {"Se", "Selenium", 78.971f, 1.20f, 1.90f, {255, 161, 0}},
    {"Br", "Bromine", 79.904f, 1.20f, 1.85f, {166, 41, 41}},
    {"Kr", "Krypton", 83.798f, 1.16f, 2.02f, {92, 184, 209}},
    {"Rb", "Rubidium", 85.468f, 2.20f, 3.21f, {112, 46, 176}},
    {"Sr", "Strontium", 87.62f, 1.95f, 2.84f, {0, 255, 0}},
    {"Y", "Yttrium", 88.906f, 1.90f, 2.75f, {148, 255, 255}},
    {"Zr", "Zirconium", 91.224f, 1.75f, 2.52f, {148, 224, 224}},
    {"Nb", "Niobium", 92.906f, 1.64f, 2.56f, {115, 194, 201}},
    {"Mo", "Molybdenum", 95.95f, 1.54f, 2.45f, {84, 181, 181}},
    {"Tc", "Technetium", 97.0f, 1.47f, 2.44f, {59, 158, 158}},
    {"Ru", "Ruthenium", 101.07f, 1.46f, 2.46f, {36, 143, 143}},
    {"Rh", "Rhodium", 102.91f, 1.42f, 2.44f, {10, 125, 140}},
    {"Pd", "Palladium", 106.42f, 1.39f, 1.63f, {0, 105, 133}},
    {"Ag", "Silver", 107.87f, 1.45f, 1.72f, {192, 192, 192}},
    {"Cd", "Cadmium", 112.41f, 1.44f, 1.58f, {255, 217, 143}},
    {"In", "Indium", 114.82f, 1.42f, 1.93f, {166, 117, 115}},
    {"Sn", "Tin", 118.71f, 1.39f, 2.17f, {102, 128, 128}},
    {"Sb", "Antimony", 121.76f, 1.39f, 2.47f, {158, 99, 181}},
    {"Te", "Tellurium", 127.60f, 1.38f, 2.06f, {212, 122, 0}},
    {"I", "Iodine", 126.90f, 1.39f, 1.98f, {148, 0, 148}},
    {"Xe", "Xenon", 131.29f, 1.40f, 2.16f, {66, 158, 176}},
    {"Cs", "Caesium", 132.91f, 2.44f, 3.48f, {87, 23, 143}},
    {"Ba", "Barium", 137.33f, 2.15f, 3.03f, {0, 201, 0}},
    {"La", "Lanthanum", 138.91f, 2.07f, 2.98f, {112, 212, 255}},
    {"Ce", "Cerium", 140.12f, 2.04f, 2.88f, {255, 255, 199}},
    {"Pr", "Praseodymium", 140.91f, 2.03f, 2.92f, {217, 255, 199}},
    {"Nd", "Neodymium", 144.24f, 2.01f, 2.95f, {199, 255, 199}},
    {"Pm", "Promethium", 145.0f, 1.99f, 2.00f, {163, 255, 199}},
    {"Sm", "Samarium", 150.36f, 1.98f, 2.90f, {143, 255, 199}},
    {"Eu", "Europium", 151.96f, 1.98f, 2.87f, {97, 255, 199}},
    {"Gd", "Gadolinium", 157.25f, 1.96f, 2.83f, {69, 255, 199}},
    {"Tb", "Terbium", 158.93f, 1.94f, 2.79f, {48, 255, 199}},
    {"Dy", "Dysprosium", 162.50f, 1.92f, 2.87f, {31, 255, 199}},
    {"Ho", "Holmium", 164.93f, 1.92f, 2.81f, {0, 255, 156}},
    {"Er", "Erbium", 167.26f, 1.89f, 2.83f, {0, 230, 117}},
    {"Tm", "Thulium", 168.93f, 1.90f, 2.79f, {0, 212, 82}},
    {"Yb", "Ytterbium", 173.05f, 1.87f, 2.80f, {0, 191, 56}},
    {"Lu", "Lutetium", 174.97f, 1.87f, 2.74f, {0, 171, 36}},
    {"Hf", "Hafnium", 178.49f, 1.75f, 2.63f, {77, 194, 255}},
    {"Ta", "Tantalum", 180.95f, 1.70f, 2.53f, {77, 166, 255}},
    {"W", "Tungsten", 183.84f, 1.62f, 2.57f, {33, 148, 214}},
    {"Re", "Rhenium", 186.21f, 1.51f, 2.49f, {38, 125, 171}},
    {"Os", "Osmium", 190.23f, 1.44f, 2.48f, {38, 102, 150}},
    {"Ir", "Iridium", 192.22f, 1.41f, 2.41f, {23, 84, 135}},
    {"Pt", "Platinum", 195.08f, 1.36f, 1.72f, {208, 208, 224}},
    {"Au", "Gold", 196.97f, 1.36f, 1.66f, {255, 209, 35}},
    {"Hg", "Mercury", 200.59f, 1.32f, 1.55f, {184, 184, 208}},
    {"Tl", "Thallium", 204.38f, 1.45f, 1.96f, {166, 84, 77}},
    {"Pb", "Lead", 207.2f, 1.46f, 2.02f, {87, 89, 97}},
    {"Bi", "Bismuth", 208.98f, 1.48f, 2.54f, {158, 79, 181}},
    {"Po", "Polonium", 209.0f, 1.40f, 2.00f, {171, 92, 0}},
    {"At", "Astatine", 210.0f, 1.50f, 2.00f, {117, 79, 69}},
    {"Rn", "Radon", 222.0f, 1.50f, 2.00f, {66, 130, 150}},
    {"Fr", "Francium", 223.0f, 2.60f, 2.00f, {66, 0, 102}},
    {"Ra", "Radium", 226.0f, 2.21f, 2.00f, {0, 125, 0}},
    {"Ac", "Actinium", 227.0f, 2.15f, 2.80f, {112, 171, 250}},
    {"Th", "Thorium", 232.04f, 2.06f, 2.93f, {0, 186, 255}},
    {"Pa", "Protactinium", 231.04f, 2.00f, 2.88f, {0, 161, 255}},
    {"U", "Uranium", 238.03f, 1.96f, 1.86f, {0, 143, 255}},
    {"Np", "Neptunium", 237.0f, 1.90f, 2.82f, {0, 128, 255}},
    {"Pu", "Plutonium", 244.0f, 1.87f, 2.81f, {0, 107, 255}},
    {"Am", "Americium", 243.0f, 1.80f, 2.83f, {84, 92, 242}},
    {"Cm", "Curium", 247.0f, 1.69f, 3.05f, {120, 92, 227}},
    {"Bk", "Berkelium", 247.0f, 1.60f, 3.40f, {138, 79, 227}},
    {"Cf", "Californium", 251.0f, 1.60f, 3.05f, {161, 54, 212}},
    {"Es", "Einsteinium", 252.0f, 1.60f, 2.70f, {179, 31, 212}},
    {"Fm", "Fermium", 257.0f, 1.60f, 2.00f, {179, 31, 186}},
    {"Md", "Mendelevium", 258.0f, 1.60f, 2.00f, {179, 13, 166}},
    {"No", "Nobelium", 259.0f, 1.60f, 2.00f, {189, 13, 135}},
    {"Lr", "Lawrencium", 262.0f, 1.60f, 2.00f, {199, 0, 102}},
    {"Rf", "Rutherfordium", 267.0f, 1.60f, 2.00f, {204, 0, 89}},
    {"Db", "Dubnium", 268.0f, 1.60f, 2.00f, {209, 0, 79}},
    {"Sg", "Seaborgium", 269.0f, 1.60f, 2.00f, {217, 0, 69}},
    {"Bh", "Bohrium", 270.0f, 1.60f, 2.00f, {224, 0, 56}},
    {"Hs", "Hassium", 269.0f, 1.60f, 2.00f, {230, 0, 46}},
    {"Mt", "Meitnerium", 277.0f, 1.60f, 2.00f, {235, 0, 38}},
    {"Ds", "Darmstadtium", 281.0f, 1.60f, 2.00f, {235, 0, 38}},
    {"Rg", "Roentgenium", 282.0f, 1.60f, 2.00f, {235, 0, 38}},
    {"Cn", "Copernicium", 285.0f, 1.60f, 2.00f, {235, 0, 38}},
    {"Nh", "Nihonium", 286.0f, 1.60f, 2.00f, {235, 0, 38}},
    {"Fl", "Flerovium", 290.0f, 1.60f, 2.00f, {235, 0, 38}},
    {"Mc", "Moscovium", 290.0f, 1.60f, 2.00f, {235, 0, 38}},
    {"Lv", "Livermorium", 293.0f, 1.60f, 2.00f, {235, 0, 38}},
    {"Ts", "Tennessine", 294.0f, 1.60f, 2.00f, {235, 0, 38}},
    {"Og", "Oganesson", 294.0f, 1.60f, 2.00f, {235, 0, 38}},
}};

}  // namespace

const Element& element(int atomic_number) {
  if (atomic_number < 0 || atomic_number >= element_count) return elements[0];
  return elements[static_cast<std::size_t>(atomic_number)];
}

std::uint8_t element_from_symbol(std::string_view symbol) {
  while (!symbol.empty() && symbol.front() == ' ') symbol.remove_prefix(1);
  while (!symbol.empty() && symbol.back() == ' ') symbol.remove_suffix(1);
  if (symbol.empty() || symbol.size() > 2) return 0;
  const char first = static_cast<char>(std::toupper(static_cast<unsigned char>(symbol[0])));
  const char second =
      symbol.size() == 2 ? static_cast<char>(std::tolower(static_cast<unsigned char>(symbol[1]))) : '\0';
  if (second == '\0' && (first == 'D' || first == 'T')) return 1;
  for (int z = 1; z < element_count; ++z) {
    const std::string_view known = elements[static_cast<std::size_t>(z)].symbol;
    if (known[0] == first && (known.size() == 2 ? known[1] : '\0') == second) return static_cast<std::uint8_t>(z);
  }
  return 0;
}

}  // namespace isolume
