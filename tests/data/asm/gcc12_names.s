	.file	"names.cpp"
	.text
	.globl	_ZN3num3dotEPKdS1_i
	.type	_ZN3num3dotEPKdS1_i, @function
_ZN3num3dotEPKdS1_i:
.LFB0:
	.cfi_startproc
	testl	%edx, %edx
	jle	.L4
	movslq	%edx, %rdx
	salq	$3, %rdx
	movl	$0, %eax
	pxor	%xmm1, %xmm1
.L3:
	movsd	(%rdi,%rax), %xmm0
	mulsd	(%rsi,%rax), %xmm0
	addsd	%xmm0, %xmm1
	addq	$8, %rax
	cmpq	%rdx, %rax
	jne	.L3
.L1:
	movapd	%xmm1, %xmm0
	ret
.L4:
	pxor	%xmm1, %xmm1
	jmp	.L1
	.cfi_endproc
.LFE0:
	.size	_ZN3num3dotEPKdS1_i, .-_ZN3num3dotEPKdS1_i
	.section	.text._ZN3num5scaleIfEEvPT_S1_i,"axG",@progbits,_ZN3num5scaleIfEEvPT_S1_i,comdat
	.weak	_ZN3num5scaleIfEEvPT_S1_i
	.type	_ZN3num5scaleIfEEvPT_S1_i, @function
_ZN3num5scaleIfEEvPT_S1_i:
.LFB3:
	.cfi_startproc
	testl	%esi, %esi
	jle	.L6
	movq	%rdi, %rax
	movslq	%esi, %rsi
	leaq	(%rdi,%rsi,4), %rdx
.L8:
	movaps	%xmm0, %xmm1
	mulss	(%rax), %xmm1
	movss	%xmm1, (%rax)
	addq	$4, %rax
	cmpq	%rdx, %rax
	jne	.L8
.L6:
	ret
	.cfi_endproc
.LFE3:
	.size	_ZN3num5scaleIfEEvPT_S1_i, .-_ZN3num5scaleIfEEvPT_S1_i
	.section	.text._ZN3num5scaleIdEEvPT_S1_i,"axG",@progbits,_ZN3num5scaleIdEEvPT_S1_i,comdat
	.weak	_ZN3num5scaleIdEEvPT_S1_i
	.type	_ZN3num5scaleIdEEvPT_S1_i, @function
_ZN3num5scaleIdEEvPT_S1_i:
.LFB4:
	.cfi_startproc
	testl	%esi, %esi
	jle	.L10
	movq	%rdi, %rax
	movslq	%esi, %rsi
	leaq	(%rdi,%rsi,8), %rdx
.L12:
	movapd	%xmm0, %xmm1
	mulsd	(%rax), %xmm1
	movsd	%xmm1, (%rax)
	addq	$8, %rax
	cmpq	%rdx, %rax
	jne	.L12
.L10:
	ret
	.cfi_endproc
.LFE4:
	.size	_ZN3num5scaleIdEEvPT_S1_i, .-_ZN3num5scaleIdEEvPT_S1_i
	.text
	.align 2
	.globl	_ZNK3num6Matrix5traceEi
	.type	_ZNK3num6Matrix5traceEi, @function
_ZNK3num6Matrix5traceEi:
.LFB2:
	.cfi_startproc
	testl	%esi, %esi
	jle	.L17
	movq	%rdi, %rax
	movslq	%esi, %rsi
	leaq	(%rsi,%rsi,4), %rdx
	leaq	(%rdi,%rdx,8), %rdx
	pxor	%xmm0, %xmm0
.L16:
	addsd	(%rax), %xmm0
	addq	$40, %rax
	cmpq	%rdx, %rax
	jne	.L16
	ret
.L17:
	pxor	%xmm0, %xmm0
	ret
	.cfi_endproc
.LFE2:
	.size	_ZNK3num6Matrix5traceEi, .-_ZNK3num6Matrix5traceEi
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
