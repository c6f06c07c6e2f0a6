# The model does not tell the whole pipeline: the bounds stay the forecast.
# corecast: --cpu zen4 --simulate
.L1:
  vmovsd (%rsi,%rax,8), %xmm1
  vaddsd %xmm1, %xmm0, %xmm0
  addq $1, %rax
  cmpq %rcx, %rax
  jne .L1
