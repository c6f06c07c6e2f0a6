module kernels
contains
subroutine triad(a, b, c, d)
  real(8) :: a(:), b(:), c(:), d(:)
  do i = 1, size(a)
    a(i) = b(i) + c(i) * d(i)
  end do
end subroutine
end module
