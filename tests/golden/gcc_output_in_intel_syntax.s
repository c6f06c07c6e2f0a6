# corecast: --cpu haswell
# gcc 12 -O2 -masm=intel -march=haswell: Intel syntax and three loops, as the compiler wrote them.
	.file	"source.c"
	.intel_syntax noprefix
	.text
	.p2align 4
	.globl	scale
	.type	scale, @function
scale:
	test	rdx, rdx
	jle	.L5
	xor	eax, eax
	.p2align 4,,10
	.p2align 3
.L3:
	vmulsd	xmm1, xmm0, QWORD PTR [rsi+rax*8]
	vmovsd	QWORD PTR [rdi+rax*8], xmm1
	inc	rax
	cmp	rdx, rax
	jne	.L3
.L5:
	ret
	.size	scale, .-scale
	.p2align 4
	.globl	count
	.type	count, @function
count:
	test	rsi, rsi
	jle	.L10
	add	rsi, rdi
	xor	eax, eax
	.p2align 4,,10
	.p2align 3
.L9:
	xor	edx, edx
	cmp	BYTE PTR [rdi], 10
	sete	dl
	inc	rdi
	add	rax, rdx
	cmp	rdi, rsi
	jne	.L9
	ret
	.p2align 4,,10
	.p2align 3
.L10:
	xor	eax, eax
	ret
	.size	count, .-count
	.p2align 4
	.globl	length
	.type	length, @function
length:
	test	rsi, rsi
	jle	.L18
	vxorps	xmm2, xmm2, xmm2
	lea	rax, [rdi+rsi*4]
	vxorpd	xmm0, xmm0, xmm0
	.p2align 4,,10
	.p2align 3
.L14:
	vcvtss2sd	xmm1, xmm2, DWORD PTR [rdi]
	add	rdi, 4
	vfmadd231sd	xmm0, xmm1, xmm1
	cmp	rax, rdi
	jne	.L14
	vxorpd	xmm1, xmm1, xmm1
	vucomisd	xmm1, xmm0
	ja	.L21
	vsqrtsd	xmm0, xmm0, xmm0
	ret
	.p2align 4,,10
	.p2align 3
.L18:
	vxorpd	xmm0, xmm0, xmm0
	ret
.L21:
	jmp	sqrt@PLT
	.size	length, .-length
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
