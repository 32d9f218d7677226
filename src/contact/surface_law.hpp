// Friction and restitution of a contact: coefficient mu, coefficients e_N and e_F of Newton's impact law.
#pragma once

namespace percussion {

struct SurfaceLaw {
  double mu = 0, e_N = 0, e_F = 0;
};

}  // namespace percussion
