#include "kernels.h"

/* Forces between clusters of atoms, in single precision: Lennard-Jones with combined parameters of the atoms (the powers as in
 * the thesis' listing 4.4), Coulomb with a reaction field. Four atoms i against as many atoms j as there are lanes (4xM), or
 * half as many twice (2xMM). */

typedef struct {
  const float *x, *y, *z, *charge; /* of the atoms j, cluster by cluster */
  const float *sigma, *epsilon; /* half of the one, the root of the other */
  float *fx, *fy, *fz;
} atoms;

typedef struct {
  float cutoff2, reaction2;
} parameters;

/* 1/sqrt(x) from the estimate and two Newton-Raphson steps. */
static inline svfloat32_t inverse_root(svbool_t all, svfloat32_t x) {
  svfloat32_t y = svrsqrte_f32(x);
  y = svmul_f32_x(all, y, svrsqrts_f32(svmul_f32_x(all, y, x), y));
  return svmul_f32_x(all, y, svrsqrts_f32(svmul_f32_x(all, y, x), y));
}

#define PAIR(S, all)                                                                                                   \
  const svfloat32_t dx##S = svsub_f32_x(all, ix##S, jx), dy##S = svsub_f32_x(all, iy##S, jy);                          \
  const svfloat32_t dz##S = svsub_f32_x(all, iz##S, jz);                                                               \
  const svfloat32_t r2##S =                                                                                            \
      svmla_f32_x(all, svmla_f32_x(all, svmul_f32_x(all, dx##S, dx##S), dy##S, dy##S), dz##S, dz##S);                   \
  const svbool_t near##S = svcmplt_f32(all, r2##S, cut);                                                               \
  const svfloat32_t kept##S = svmax_f32_x(all, r2##S, least);                                                          \
  const svfloat32_t inverse##S = svsel_f32(near##S, inverse_root(all, kept##S), zero);                                  \
  const svfloat32_t inverse2##S = svmul_f32_x(all, inverse##S, inverse##S);                                             \
  const svfloat32_t sigma##S = svadd_f32_x(all, isigma##S, jsigma), epsilon##S = svmul_f32_x(all, iepsilon##S, jepsilon); \
  const svfloat32_t power##S = svmul_f32_x(all, sigma##S, inverse##S), power2##S = svmul_f32_x(all, power##S, power##S); \
  const svfloat32_t power6##S = svmul_f32_x(all, svmul_f32_x(all, power2##S, power2##S), power2##S);                    \
  const svfloat32_t near6##S = svmul_f32_x(all, epsilon##S, power6##S);                                                 \
  const svfloat32_t near12##S = svmul_f32_x(all, near6##S, power6##S);                                                  \
  const svfloat32_t qq##S = svmul_f32_x(all, iq##S, jq);                                                               \
  const svfloat32_t coulomb##S = svmul_f32_x(all, qq##S, svmls_f32_x(all, inverse##S, kept##S, field));                 \
  const svfloat32_t scale##S =                                                                                         \
      svmul_f32_x(all, svadd_f32_x(all, svsub_f32_x(all, near12##S, near6##S), coulomb##S), inverse2##S);               \
  const svfloat32_t tx##S = svmul_f32_x(all, scale##S, dx##S), ty##S = svmul_f32_x(all, scale##S, dy##S);               \
  const svfloat32_t tz##S = svmul_f32_x(all, scale##S, dz##S);                                                         \
  fx##S = svadd_f32_x(all, fx##S, tx##S);                                                                              \
  fy##S = svadd_f32_x(all, fy##S, ty##S);                                                                              \
  fz##S = svadd_f32_x(all, fz##S, tz##S);

#define LOAD_I(S)                                                                                                      \
  const svfloat32_t ix##S = svdup_f32(i[6 * S]), iy##S = svdup_f32(i[6 * S + 1]), iz##S = svdup_f32(i[6 * S + 2]);      \
  const svfloat32_t iq##S = svdup_f32(i[6 * S + 3]);                                                                   \
  const svfloat32_t isigma##S = svdup_f32(i[6 * S + 4]), iepsilon##S = svdup_f32(i[6 * S + 5]);                         \
  svfloat32_t fx##S = zero, fy##S = zero, fz##S = zero;

#define SUM_I(S)                                                                                                       \
  out[4 * S] += svaddv_f32(all, fx##S);                                                                                \
  out[4 * S + 1] += svaddv_f32(all, fy##S);                                                                            \
  out[4 * S + 2] += svaddv_f32(all, fz##S);

void nonbonded_4xm(const atoms *j, const parameters *p, const int32_t *list, int64_t count, const float *i, float *out) {
  const svbool_t all = svptrue_b32();
  const int64_t lanes = svcntw();
  const svfloat32_t zero = svdup_f32(0), cut = svdup_f32(p->cutoff2), field = svdup_f32(p->reaction2), least = svdup_f32(1e-12f);
  LOAD_I(0) LOAD_I(1) LOAD_I(2) LOAD_I(3)
#pragma clang loop unroll(disable)
  for (int64_t n = 0; n < count; ++n) {
    const int64_t at = list[n] * lanes;
    const svfloat32_t jx = svld1_f32(all, j->x + at), jy = svld1_f32(all, j->y + at), jz = svld1_f32(all, j->z + at);
    const svfloat32_t jq = svld1_f32(all, j->charge + at);
    const svfloat32_t jsigma = svld1_f32(all, j->sigma + at), jepsilon = svld1_f32(all, j->epsilon + at);
    PAIR(0, all) PAIR(1, all) PAIR(2, all) PAIR(3, all)
#define SUM_J(d)                                                                                                       \
  svst1_f32(all, j->f##d + at,                                                                                         \
            svsub_f32_x(all, svld1_f32(all, j->f##d + at),                                                             \
                        svadd_f32_x(all, svadd_f32_x(all, t##d##0, t##d##1), svadd_f32_x(all, t##d##2, t##d##3))));
    SUM_J(x) SUM_J(y) SUM_J(z)
#undef SUM_J
  }
  SUM_I(0) SUM_I(1) SUM_I(2) SUM_I(3)
}

/* Two atoms i in a vector, each over half of the lanes; the atoms j in both halves. */
#define TWICE(low, vector) svsplice_f32(low, vector, vector)
#define TWO(S, k) svsplice_f32(low, svdup_f32(i[12 * S + k]), svdup_f32(i[12 * S + 6 + k]))
#define LOAD_TWO(S)                                                                                                    \
  const svfloat32_t ix##S = TWO(S, 0), iy##S = TWO(S, 1), iz##S = TWO(S, 2), iq##S = TWO(S, 3);                         \
  const svfloat32_t isigma##S = TWO(S, 4), iepsilon##S = TWO(S, 5);                                                     \
  svfloat32_t fx##S = zero, fy##S = zero, fz##S = zero;

void nonbonded_2xmm(const atoms *j, const parameters *p, const int32_t *list, int64_t count, const float *i, float *out) {
  const svbool_t all = svptrue_b32();
  const int64_t half = svcntw() / 2;
  const svbool_t low = svwhilelt_b32((int64_t)0, half);
  const svfloat32_t zero = svdup_f32(0), cut = svdup_f32(p->cutoff2), field = svdup_f32(p->reaction2), least = svdup_f32(1e-12f);
  LOAD_TWO(0) LOAD_TWO(1)
#pragma clang loop unroll(disable)
  for (int64_t n = 0; n < count; ++n) {
    const int64_t at = list[n] * half;
    const svfloat32_t lx = svld1_f32(low, j->x + at), ly = svld1_f32(low, j->y + at), lz = svld1_f32(low, j->z + at);
    const svfloat32_t lq = svld1_f32(low, j->charge + at);
    const svfloat32_t lsigma = svld1_f32(low, j->sigma + at), lepsilon = svld1_f32(low, j->epsilon + at);
    const svfloat32_t jx = TWICE(low, lx), jy = TWICE(low, ly), jz = TWICE(low, lz), jq = TWICE(low, lq);
    const svfloat32_t jsigma = TWICE(low, lsigma), jepsilon = TWICE(low, lepsilon);
    PAIR(0, all) PAIR(1, all)
#define SUM_J(d)                                                                                                       \
  {                                                                                                                    \
    const svfloat32_t sum = svadd_f32_x(all, t##d##0, t##d##1);                                                        \
    const svfloat32_t other = svsplice_f32(svnot_b_z(all, low), sum, sum);                                             \
    svst1_f32(low, j->f##d + at, svsub_f32_x(low, svld1_f32(low, j->f##d + at), svadd_f32_x(low, sum, other)));         \
  }
    SUM_J(x) SUM_J(y) SUM_J(z)
  }
  SUM_I(0) SUM_I(1)
}
