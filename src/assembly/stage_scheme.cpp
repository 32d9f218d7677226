#include "assembly/stage_scheme.hpp"

#include <Eigen/LU>

#include <numeric>

namespace percussion {

namespace {

std::vector<int> range(int first, int last) {
  std::vector<int> r(last - first);
  std::iota(r.begin(), r.end(), first);
  return r;
}

}  // namespace

StageScheme stage_scheme(const Tableau& t) {
  StageScheme x;
  x.s = t.s, x.c = t.c, x.b = t.b, x.A = t.A, x.A_hat = t.A, x.AA_hat = t.A * t.A;
  x.explicit_first_stage = t.explicit_first_stage;
  x.unknown = x.rows = range(t.explicit_first_stage ? 1 : 0, t.s);
  x.S = implicit_block(t).inverse();
  x.weight = t.c.tail(x.m());  // C(1)
  return x;
}

StageScheme stage_scheme(const PartitionedTableau& t, bool integrated) {
  StageScheme x;
  x.s = t.s, x.c = t.c, x.b = t.b, x.A = t.A, x.A_hat = t.A_hat, x.AA_hat = t.A * t.A_hat;
  x.partitioned = true;
  x.unknown = range(0, t.s - 1), x.rows = range(1, t.s);
  const int m = x.m();
  const MatX mu = integrated ? MatX(t.A_hat.topLeftCorner(m, m)) : MatX(MatX::Identity(m, m));
  x.S = mu.inverse();
  x.weight = mu * VecX::Ones(m);
  return x;
}

}  // namespace percussion
