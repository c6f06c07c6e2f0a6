# corecast: --machine machines/toy_x86 --lines 5-11
# The sum lives on the stack: its chain runs through a store and the load of the next iteration.
	.text
sum:
.L2:
	vmovsd	(%rdi,%rax,8), %xmm0
	vaddsd	-8(%rsp), %xmm0, %xmm0
	vmovsd	%xmm0, -8(%rsp)
	addq	$1, %rax
	cmpq	%rax, %rsi
	jne	.L2
	ret
