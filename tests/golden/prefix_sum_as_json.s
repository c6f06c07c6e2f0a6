# corecast: --cpu cascade_lake --format json
# Each iteration loads what the one before has stored: an edge of kind memory with distance 1.
	.text
prefix_sum:
.L2:
	vmovsd	(%rdi,%rax,8), %xmm0
	vaddsd	8(%rdi,%rax,8), %xmm0, %xmm0
	vmovsd	%xmm0, 8(%rdi,%rax,8)
	incq	%rax
	cmpq	%rax, %rcx
	jne	.L2
	ret
