// Amplitudes of excited states in the outputs of Gaussian, ORCA, Q-Chem and Psi4.
#pragma once

#include "formats/bytes/byte_source.h"
#include "molecule/quantum/excitations.h"

namespace isolume {

/// Singlets of a closed shell, the last list of the output. Outputs leave out small amplitudes, so that the norm of a
/// state is not quite 1; state_rows() says by how much. Of:
/// * Gaussian: "Excited State 1: Singlet-A1 ..." with X ("8 -> 9 0.70") and Y ("8 <- 9 0.02"), sum X^2 - Y^2 = 1/2;
/// * ORCA: "TD-DFT/TDA EXCITED STATES (SINGLETS)" with the coefficients ("7a -> 8a : 0.99 (c= 0.99)"), whose squares
/// add
///   up to 1, and strengths from the absorption spectrum. Full TD-DFT is refused, of which there are no X and Y;
/// * Q-Chem: "Excited state 1: excitation energy (eV) = ..." with "D( 8) --> V( 1) amplitude = 0.99" (X: and Y: of full
///   TDDFT), whose squares add up to 1.
/// * Psi4: "Excited State 1 (1 A2): 0.1477 au 308.40 nm f = 0.0000" with "8a -> 9a 0.998 (99.6%)" (X) and "<-" (Y); the
///   names are put in order by the list of orbital energies, and the sums of squares, which are printed, become 1/2.
/// Throws Error (input) where there are none, or an open shell.
Excitations amplitudes_of_output(const ByteSource& source);

}  // namespace isolume
