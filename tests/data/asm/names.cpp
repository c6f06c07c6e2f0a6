// Compiled to gcc12_names.s with `g++ -O1 -S -fno-asynchronous-unwind-tables` (GCC 12).
namespace num {
double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}
template <class T> void scale(T *a, T factor, int n) {
  for (int i = 0; i < n; i++) a[i] *= factor;
}
template void scale<float>(float *, float, int);
template void scale<double>(double *, double, int);
struct Matrix {
  double data[16];
  double trace(int n) const;
};
double Matrix::trace(int n) const {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += data[i * 5];
  return sum;
}
} // namespace num
