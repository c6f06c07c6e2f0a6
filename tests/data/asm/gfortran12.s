	.file	"s.f90"
	.text
	.p2align 4
	.globl	__kernels_MOD_triad
	.type	__kernels_MOD_triad, @function
__kernels_MOD_triad:
.LFB0:
	.cfi_startproc
	pushq	%r12
	.cfi_def_cfa_offset 16
	.cfi_offset 12, -16
	movl	$1, %r12d
	pushq	%rbp
	.cfi_def_cfa_offset 24
	.cfi_offset 6, -24
	movq	%rcx, %rbp
	pushq	%rbx
	.cfi_def_cfa_offset 32
	.cfi_offset 3, -32
	movq	40(%rdi), %r8
	movq	40(%rsi), %rbx
	movq	40(%rdx), %r11
	testq	%r8, %r8
	movq	56(%rdi), %r9
	movq	40(%rbp), %r10
	cmove	%r12, %r8
	subq	48(%rdi), %r9
	movq	(%rdi), %rax
	addq	$1, %r9
	testq	%rbx, %rbx
	movq	(%rdx), %rcx
	movq	(%rsi), %rsi
	cmove	%r12, %rbx
	testq	%r11, %r11
	movq	0(%rbp), %rdx
	cmove	%r12, %r11
	testq	%r10, %r10
	cmove	%r12, %r10
	xorl	%edi, %edi
	testq	%r9, %r9
	cmovs	%rdi, %r9
	testl	%r9d, %r9d
	jle	.L1
	salq	$3, %rbx
	salq	$3, %r11
	addl	$1, %r9d
	movl	$1, %edi
	salq	$3, %r10
	salq	$3, %r8
	.p2align 4,,10
	.p2align 3
.L7:
	movsd	(%rcx), %xmm0
	mulsd	(%rdx), %xmm0
	addl	$1, %edi
	addq	%r11, %rcx
	addsd	(%rsi), %xmm0
	addq	%r10, %rdx
	addq	%rbx, %rsi
	movsd	%xmm0, (%rax)
	addq	%r8, %rax
	cmpl	%r9d, %edi
	jne	.L7
.L1:
	popq	%rbx
	.cfi_def_cfa_offset 24
	popq	%rbp
	.cfi_def_cfa_offset 16
	popq	%r12
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
.LFE0:
	.size	__kernels_MOD_triad, .-__kernels_MOD_triad
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
