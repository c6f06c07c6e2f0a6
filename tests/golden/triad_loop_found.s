# corecast: --cpu skylake_x
# The innermost loop is found from the control flow; the code around it is not part of the region.
	.text
	.globl	triad
	.type	triad, @function
triad:
	testl	%r8d, %r8d
	jle	.L1
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L3:
	vmovupd	(%rdx,%rax), %ymm1
	vmovupd	(%rcx,%rax), %ymm0
	vfmadd213pd	(%rsi,%rax), %ymm1, %ymm0
	vmovupd	%ymm0, (%rdi,%rax)
	addq	$32, %rax
	cmpq	%r8, %rax
	jne	.L3
	vzeroupper
.L1:
	ret
	.size	triad, .-triad
