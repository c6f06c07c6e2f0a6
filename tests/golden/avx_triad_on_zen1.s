# corecast: --cpu zen1 --ports uniform
# Zen splits 256-bit operations in two: the Schoenauer triad takes 4 cycles (PMBS 2018).
	.text
.L10:
	vmovapd	(%r15,%rax), %ymm0
	vmovapd	(%r12,%rax), %ymm3
	addl	$1, %esi
	vfmadd132pd	0(%r13,%rax), %ymm3, %ymm0
	vmovapd	%ymm0, (%r14,%rax)
	addq	$32, %rax
	cmpl	%esi, %ebx
	ja	.L10
