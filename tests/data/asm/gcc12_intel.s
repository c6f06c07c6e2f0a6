	.file	"sample.c"
	.intel_syntax noprefix
	.text
	.p2align 4
	.globl	daxpy
	.type	daxpy, @function
daxpy:
.LFB0:
	.cfi_startproc
	test	rdx, rdx
	jle	.L5
	xor	eax, eax
	.p2align 4,,10
	.p2align 3
.L3:
	vmovsd	xmm1, QWORD PTR [rsi+rax*8]
	vfmadd213sd	xmm1, xmm0, QWORD PTR [rdi+rax*8]
	vmovsd	QWORD PTR [rdi+rax*8], xmm1
	inc	rax
	cmp	rdx, rax
	jne	.L3
.L5:
	ret
	.cfi_endproc
.LFE0:
	.size	daxpy, .-daxpy
	.p2align 4
	.globl	nested
	.type	nested, @function
nested:
.LFB1:
	.cfi_startproc
	test	rsi, rsi
	jle	.L13
	lea	r8, 0[0+rdx*8]
	vxorpd	xmm0, xmm0, xmm0
	lea	rcx, [rdi+r8]
	xor	edi, edi
	.p2align 4,,10
	.p2align 3
.L9:
	mov	rax, rcx
	sub	rax, r8
	test	rdx, rdx
	jle	.L12
	.p2align 4,,10
	.p2align 3
.L10:
	vaddsd	xmm0, xmm0, QWORD PTR [rax]
	add	rax, 8
	cmp	rax, rcx
	jne	.L10
.L12:
	inc	rdi
	add	rcx, r8
	cmp	rsi, rdi
	jne	.L9
	ret
.L13:
	vxorpd	xmm0, xmm0, xmm0
	ret
	.cfi_endproc
.LFE1:
	.size	nested, .-nested
	.p2align 4
	.globl	widen
	.type	widen, @function
widen:
.LFB2:
	.cfi_startproc
	movsx	rax, DWORD PTR fs:per_thread@tpoff
	add	rax, QWORD PTR offset[rip]
	test	rdx, rdx
	jle	.L16
	xor	ecx, ecx
	.p2align 4,,10
	.p2align 3
.L18:
	movsx	r8, DWORD PTR [rdi+rcx*4]
	movsx	r9, BYTE PTR [rsi+rcx]
	inc	rcx
	imul	r8, r9
	add	rax, r8
	cmp	rdx, rcx
	jne	.L18
.L16:
	ret
	.cfi_endproc
.LFE2:
	.size	widen, .-widen
	.p2align 4
	.globl	states
	.type	states, @function
states:
.LFB3:
	.cfi_startproc
	test	esi, esi
	jle	.L31
	movsx	rsi, esi
	xor	edx, edx
	lea	rcx, .L24[rip]
	lea	rsi, [rdi+rsi*4]
	.p2align 4,,10
	.p2align 3
.L30:
	cmp	DWORD PTR [rdi], 5
	ja	.L22
	mov	eax, DWORD PTR [rdi]
	movsx	rax, DWORD PTR [rcx+rax*4]
	add	rax, rcx
	jmp	rax
	.section	.rodata
	.align 4
	.align 4
.L24:
	.long	.L22-.L24
	.long	.L28-.L24
	.long	.L27-.L24
	.long	.L26-.L24
	.long	.L25-.L24
	.long	.L23-.L24
	.text
	.p2align 4,,10
	.p2align 3
.L23:
	sal	edx, 2
	.p2align 4,,10
	.p2align 3
.L29:
	add	rdi, 4
	cmp	rdi, rsi
	jne	.L30
	mov	eax, edx
	ret
	.p2align 4,,10
	.p2align 3
.L25:
	not	edx
	jmp	.L29
	.p2align 4,,10
	.p2align 3
.L26:
	sub	edx, DWORD PTR 4[rdi]
	jmp	.L29
	.p2align 4,,10
	.p2align 3
.L27:
	xor	edx, 7
	jmp	.L29
	.p2align 4,,10
	.p2align 3
.L28:
	lea	edx, [rdx+rdx*2]
	jmp	.L29
.L22:
	inc	edx
	jmp	.L29
	.p2align 4,,10
	.p2align 3
.L31:
	xor	edx, edx
	mov	eax, edx
	ret
	.cfi_endproc
.LFE3:
	.size	states, .-states
	.p2align 4
	.globl	calls
	.type	calls, @function
calls:
.LFB4:
	.cfi_startproc
	test	rsi, rsi
	jle	.L39
	push	r13
	.cfi_def_cfa_offset 16
	.cfi_offset 13, -16
	mov	r13, rdx
	push	r12
	.cfi_def_cfa_offset 24
	.cfi_offset 12, -24
	mov	r12, rsi
	push	rbp
	.cfi_def_cfa_offset 32
	.cfi_offset 6, -32
	mov	rbp, rdi
	push	rbx
	.cfi_def_cfa_offset 40
	.cfi_offset 3, -40
	xor	ebx, ebx
	sub	rsp, 8
	.cfi_def_cfa_offset 48
	.p2align 4,,10
	.p2align 3
.L35:
	vmovsd	xmm0, QWORD PTR 0[rbp+rbx*8]
	call	work@PLT
	vmovsd	QWORD PTR 0[rbp+rbx*8], xmm0
	call	[QWORD PTR 0[r13+rbx*8]]
	inc	rbx
	cmp	r12, rbx
	jne	.L35
	add	rsp, 8
	.cfi_def_cfa_offset 40
	pop	rbx
	.cfi_def_cfa_offset 32
	pop	rbp
	.cfi_def_cfa_offset 24
	pop	r12
	.cfi_def_cfa_offset 16
	pop	r13
	.cfi_def_cfa_offset 8
	ret
	.p2align 4,,10
	.p2align 3
.L39:
	.cfi_restore 3
	.cfi_restore 6
	.cfi_restore 12
	.cfi_restore 13
	ret
	.cfi_endproc
.LFE4:
	.size	calls, .-calls
	.globl	per_thread
	.section	.tbss,"awT",@nobits
	.align 4
	.type	per_thread, @object
	.size	per_thread, 4
per_thread:
	.zero	4
	.globl	offset
	.bss
	.align 8
	.type	offset, @object
	.size	offset, 8
offset:
	.zero	8
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
