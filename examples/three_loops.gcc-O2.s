	.file	"three_loops.c"
	.text
	.p2align 4
	.globl	dot
	.type	dot, @function
dot:
.LFB0:
	.cfi_startproc
	testq	%rdx, %rdx
	jle	.L4
	xorl	%eax, %eax
	vxorpd	%xmm0, %xmm0, %xmm0
	.p2align 4,,10
	.p2align 3
.L3:
	vmovsd	(%rdi,%rax,8), %xmm1
	vfmadd231sd	(%rsi,%rax,8), %xmm1, %xmm0
	incq	%rax
	cmpq	%rax, %rdx
	jne	.L3
	ret
	.p2align 4,,10
	.p2align 3
.L4:
	vxorpd	%xmm0, %xmm0, %xmm0
	ret
	.cfi_endproc
.LFE0:
	.size	dot, .-dot
	.p2align 4
	.globl	normalize
	.type	normalize, @function
normalize:
.LFB1:
	.cfi_startproc
	testq	%rdx, %rdx
	jle	.L11
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L9:
	vmovsd	(%rdi,%rax,8), %xmm0
	vdivsd	(%rsi,%rax,8), %xmm0, %xmm0
	vmovsd	%xmm0, (%rdi,%rax,8)
	incq	%rax
	cmpq	%rax, %rdx
	jne	.L9
.L11:
	ret
	.cfi_endproc
.LFE1:
	.size	normalize, .-normalize
	.p2align 4
	.globl	range
	.type	range, @function
range:
.LFB2:
	.cfi_startproc
	testq	%rsi, %rsi
	jle	.L17
	leaq	(%rdi,%rsi,4), %r8
	xorl	%eax, %eax
	xorl	%esi, %esi
	jmp	.L16
	.p2align 4,,10
	.p2align 3
.L14:
	addq	$4, %rdi
	addq	%rcx, %rsi
	cmpq	%rdi, %r8
	je	.L19
.L16:
	movslq	(%rdi), %rcx
	testl	%ecx, %ecx
	jns	.L14
	addq	$4, %rdi
	subq	%rcx, %rax
	cmpq	%rdi, %r8
	jne	.L16
.L19:
	addq	%rsi, %rax
	ret
	.p2align 4,,10
	.p2align 3
.L17:
	xorl	%eax, %eax
	ret
	.cfi_endproc
.LFE2:
	.size	range, .-range
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
