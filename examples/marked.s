# Two named regions, marked as for llvm-mca; the outer one holds the inner one.
	.text
sum_of_squares:
	vxorpd	%xmm0, %xmm0, %xmm0
# LLVM-MCA-BEGIN whole
	xorl	%eax, %eax
.L2:
# LLVM-MCA-BEGIN loop
	vmovsd	(%rdi,%rax,8), %xmm1
	vfmadd231sd	%xmm1, %xmm1, %xmm0
	incq	%rax
	cmpq	%rax, %rsi
	jne	.L2
# LLVM-MCA-END loop
	vsqrtsd	%xmm0, %xmm0, %xmm0
# LLVM-MCA-END whole
	ret
