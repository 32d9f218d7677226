// The friction section all declared contacts share: restitution, friction laws, first tangent direction.
//
//   set        rows of gamma_F            force reservoir                           Breuling
//   disc       t1, t2 (planar: t)         B_2(mu la_N)  (planar: B_1)               (3.21)
//   ellipse    a1 t1, a2 t2               B_2(mu la_N)                              (3.31)-(3.32)
//   rectangle  t1, t2                     B_1(a1 mu la_N) x B_1(a2 mu la_N)         (3.33)
//   contensou  a1 t1, a2 t2, a3 n         B_3(mu la_N)                              (3.37)-(3.39)
//   pivoting   n                          B_1(mu la_N)                              (3.34)
//   rolling    r1, r2 (planar: r)         B_1(mu_1 la_N) x B_1(mu_2 la_N)           (3.35)
// t_i: sliding velocity (3.17), n: pivoting velocity (3.18), r_i: rolling velocity (3.19); planar r = u_phi (7.3).
#pragma once
#include <optional>
#include <vector>

#include "base/schema.hpp"
#include "model/contribution.hpp"

namespace percussion {

struct FrictionRow {
  enum class Kind : std::uint8_t { slide_1, slide_2, pivot, roll_1, roll_2 };
  Kind kind;
  double scale = 1;
};

struct ContactSpec {
  double e_N = 0, e_F = 0;
  std::vector<FrictionLaw> laws;
  std::vector<FrictionRow> rows;
  std::optional<Vec3> tangent;  ///< direction of t1, not normalised; in the frame of the second node or inertial
};

/// Adds e_N, e_F, friction, tangent.
void add_contact_fields(Schema& schema);

/// What a contact can offer to friction laws.
struct ContactKinematics {
  bool planar;    ///< one tangent
  bool rotates;   ///< one of the two bodies has an angular velocity
};

/// Throws InputError for laws that this contact cannot have.
ContactSpec contact_spec_of(const Parameters& p, ContactKinematics kinematics);

/// Throws if the first tangent of a plane contact is parallel to its normal.
void check_tangent(const Parameters& p, const ContactSpec& spec, const Vec3& normal);

/// The data part of ContactRows; the functions are set by their owner.
ContactRows contact_rows(const ContactSpec& spec);

}  // namespace percussion
