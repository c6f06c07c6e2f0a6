# corecast: --cpu zen2 --format dot
# The dependency graph for Graphviz: slowest loop-carried chain and critical path coloured, edges into later iterations dashed.
	.text
.L2:
	vmovsd	(%rdi,%rax,8), %xmm1
	vfmadd231sd	(%rsi,%rax,8), %xmm1, %xmm0
	vmovsd	%xmm0, 8(%rdx,%rax,8)
	incq	%rax
	cmpq	%rax, %rcx
	jne	.L2
