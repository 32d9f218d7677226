#include "contact/wall_motion.hpp"

#include <Eigen/Geometry>

#include "model/model_input.hpp"

namespace percussion {

namespace {

constexpr const char* keys[3] = {"displacement_x", "displacement_y", "displacement_z"};

}  // namespace

void WallMotion::add_keys(Schema& s) {
  s.reals("velocity", {2, 3})
      .fallback({0., 0., 0.})
      .unit("m/s")
      .doc("constant velocity: a plane moves with its normal part, the tangential part drags bodies along");
  for (const char* key : keys) s.function(key).fallback(0).unit("m").doc("displacement of the whole wall over time, on top of velocity");
  s.function("rotation").fallback(0).unit("rad").doc("angle by which the whole wall turns over time about rotation_axis");
  s.reals("rotation_axis", 3).fallback({0., 0., 1.}).doc("axis of rotation; any length");
  s.reals("rotation_centre", 3).fallback({0., 0., 0.}).unit("m").doc("a point of the axis of rotation, before the displacement");
}

WallMotion::WallMotion(const Parameters& p) : velocity_(vector_of(p, "velocity")) {
  for (int i = 0; i < 3; ++i) displacement_[i] = time_function_of(p, keys[i]);
  angle_ = time_function_of(p, "rotation");
  axis_ = unit_vector_of(p, "rotation_axis"), centre_ = vector_of(p, "rotation_centre");
  const auto rests = [](const TimeFunction& f) { return f.is_constant() && f(0.) == 0; };
  uniform_ = rests(displacement_[0]) && rests(displacement_[1]) && rests(displacement_[2]) && rests(angle_);
  fixed_ = uniform_ && velocity_.isZero(0);
}

WallPose WallMotion::at(double t) const {
  WallPose pose;
  if (fixed_) return pose;
  Vec3 d = t * velocity_, v = velocity_;
  for (int i = 0; i < 3; ++i) d[i] += displacement_[i](t), v[i] += displacement_[i].first_derivative(t);
  pose.A = Eigen::AngleAxisd(angle_(t), axis_).toRotationMatrix();
  pose.r = centre_ + d - pose.A * centre_;
  pose.omega = angle_.first_derivative(t) * axis_;
  pose.v = v - pose.omega.cross(centre_ + d);
  return pose;
}

}  // namespace percussion
