# corecast: --machine machines/toy_x86
# The innermost loop is found from the control flow, the dialect from the text; code around the loop is left out.
	.intel_syntax noprefix
	.text
	.globl	axpy
	.type	axpy, @function
axpy:
	test	rdx, rdx
	je	.L1
	xor	eax, eax
	.p2align 4
.L3:
	vmovsd	xmm1, QWORD PTR [rdi+rax*8]
	vmulsd	xmm1, xmm1, xmm0
	vaddsd	xmm1, xmm1, QWORD PTR [rsi+rax*8]
	vmovsd	QWORD PTR [rsi+rax*8], xmm1
	add	rax, 1
	cmp	rdx, rax
	jne	.L3
.L1:
	ret
	.size	axpy, .-axpy
