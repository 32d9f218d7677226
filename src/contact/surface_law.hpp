// Friction and restitution of a contact: coefficient mu, coefficients e_N and e_F of Newton's impact law, and the lengths by
// which P_N bounds the percussions of rolling (about tangents) and pivoting (about n).
#pragma once

namespace percussion {

struct SurfaceLaw {
  double mu = 0, e_N = 0, e_F = 0;
  double rolling = 0, pivoting = 0;

  bool turns() const { return rolling > 0 || pivoting > 0; }  ///< has rows for the relative angular velocity
};

}  // namespace percussion
