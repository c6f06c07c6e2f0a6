	.file	"sample.c"
	.text
.Ltext0:
	.file 0 "." "sample.c"
	.p2align 4
	.globl	daxpy
	.type	daxpy, @function
daxpy:
.LFB0:
	.file 1 "sample.c"
	.loc 1 6 76
	.cfi_startproc
.LBB2:
	.loc 1 7 22
	testq	%rdx, %rdx
	jle	.L5
	.loc 1 7 13
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L3:
	.loc 1 8 10 discriminator 3
	vmovsd	(%rsi,%rax,8), %xmm1
	vfmadd213sd	(%rdi,%rax,8), %xmm0, %xmm1
	vmovsd	%xmm1, (%rdi,%rax,8)
	.loc 1 7 28 discriminator 3
	incq	%rax
	.loc 1 7 22 discriminator 3
	cmpq	%rax, %rdx
	jne	.L3
.L5:
.LBE2:
	.loc 1 9 1
	ret
	.cfi_endproc
.LFE0:
	.size	daxpy, .-daxpy
	.p2align 4
	.globl	nested
	.type	nested, @function
nested:
.LFB1:
	.loc 1 11 57
	.cfi_startproc
.LBB3:
	.loc 1 13 22
	testq	%rsi, %rsi
	jle	.L13
	leaq	0(,%rdx,8), %r8
.LBE3:
	.loc 1 12 10
	vxorpd	%xmm0, %xmm0, %xmm0
	leaq	(%rdi,%r8), %rcx
.LBB5:
	.loc 1 13 13
	xorl	%edi, %edi
	.p2align 4,,10
	.p2align 3
.L9:
	movq	%rcx, %rax
	subq	%r8, %rax
.LBB4:
	.loc 1 14 24
	testq	%rdx, %rdx
	jle	.L12
	.p2align 4,,10
	.p2align 3
.L10:
	.loc 1 15 11 discriminator 3
	vaddsd	(%rax), %xmm0, %xmm0
	.loc 1 14 24 discriminator 3
	addq	$8, %rax
	cmpq	%rcx, %rax
	jne	.L10
.L12:
.LBE4:
	.loc 1 13 31 discriminator 2
	incq	%rdi
	.loc 1 13 22 discriminator 2
	addq	%r8, %rcx
	cmpq	%rdi, %rsi
	jne	.L9
.LBE5:
	.loc 1 17 1
	ret
.L13:
	.loc 1 12 10
	vxorpd	%xmm0, %xmm0, %xmm0
	.loc 1 17 1
	ret
	.cfi_endproc
.LFE1:
	.size	nested, .-nested
	.p2align 4
	.globl	widen
	.type	widen, @function
widen:
.LFB2:
	.loc 1 19 56
	.cfi_startproc
	.loc 1 20 21
	movslq	%fs:per_thread@tpoff, %rax
	.loc 1 20 8
	addq	offset(%rip), %rax
.LBB6:
	.loc 1 21 22
	testq	%rdx, %rdx
	jle	.L16
	.loc 1 21 13
	xorl	%ecx, %ecx
	.p2align 4,,10
	.p2align 3
.L18:
	.loc 1 22 12 discriminator 3
	movslq	(%rdi,%rcx,4), %r8
	.loc 1 22 26 discriminator 3
	movsbq	(%rsi,%rcx), %r9
	.loc 1 21 28 discriminator 3
	incq	%rcx
	.loc 1 22 23 discriminator 3
	imulq	%r9, %r8
	.loc 1 22 9 discriminator 3
	addq	%r8, %rax
	.loc 1 21 22 discriminator 3
	cmpq	%rcx, %rdx
	jne	.L18
.L16:
.LBE6:
	.loc 1 24 1
	ret
	.cfi_endproc
.LFE2:
	.size	widen, .-widen
	.p2align 4
	.globl	states
	.type	states, @function
states:
.LFB3:
	.loc 1 26 33
	.cfi_startproc
.LBB7:
	.loc 1 28 21
	testl	%esi, %esi
	jle	.L31
	movslq	%esi, %rsi
.LBE7:
	.loc 1 27 7
	xorl	%edx, %edx
.LBB8:
	.loc 1 29 5
	leaq	.L24(%rip), %rcx
	leaq	(%rdi,%rsi,4), %rsi
	.p2align 4,,10
	.p2align 3
.L30:
	cmpl	$5, (%rdi)
	ja	.L22
	movl	(%rdi), %eax
	movslq	(%rcx,%rax,4), %rax
	addq	%rcx, %rax
	jmp	*%rax
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
	.loc 1 35 15
	sall	$2, %edx
	.p2align 4,,10
	.p2align 3
.L29:
	.loc 1 28 21 discriminator 2
	addq	$4, %rdi
	cmpq	%rsi, %rdi
	jne	.L30
.LBE8:
	.loc 1 39 1
	movl	%edx, %eax
	ret
	.p2align 4,,10
	.p2align 3
.L25:
.LBB9:
	.loc 1 34 15
	notl	%edx
	.loc 1 34 21
	jmp	.L29
	.p2align 4,,10
	.p2align 3
.L26:
	.loc 1 33 15
	subl	4(%rdi), %edx
	.loc 1 33 28
	jmp	.L29
	.p2align 4,,10
	.p2align 3
.L27:
	.loc 1 32 15
	xorl	$7, %edx
	.loc 1 32 21
	jmp	.L29
	.p2align 4,,10
	.p2align 3
.L28:
	.loc 1 31 15
	leal	(%rdx,%rdx,2), %edx
	.loc 1 31 21
	jmp	.L29
.L22:
	.loc 1 36 15
	incl	%edx
	jmp	.L29
	.p2align 4,,10
	.p2align 3
.L31:
.LBE9:
	.loc 1 27 7
	xorl	%edx, %edx
	.loc 1 39 1
	movl	%edx, %eax
	ret
	.cfi_endproc
.LFE3:
	.size	states, .-states
	.p2align 4
	.globl	calls
	.type	calls, @function
calls:
.LFB4:
	.loc 1 41 51
	.cfi_startproc
.LBB10:
	.loc 1 42 22
	testq	%rsi, %rsi
	jle	.L39
.LBE10:
	.loc 1 41 51
	pushq	%r13
	.cfi_def_cfa_offset 16
	.cfi_offset 13, -16
	movq	%rdx, %r13
	pushq	%r12
	.cfi_def_cfa_offset 24
	.cfi_offset 12, -24
	movq	%rsi, %r12
	pushq	%rbp
	.cfi_def_cfa_offset 32
	.cfi_offset 6, -32
	movq	%rdi, %rbp
	pushq	%rbx
	.cfi_def_cfa_offset 40
	.cfi_offset 3, -40
.LBB11:
	.loc 1 42 13
	xorl	%ebx, %ebx
.LBE11:
	.loc 1 41 51
	subq	$8, %rsp
	.cfi_def_cfa_offset 48
	.p2align 4,,10
	.p2align 3
.L35:
.LBB12:
	.loc 1 43 12 discriminator 3
	vmovsd	0(%rbp,%rbx,8), %xmm0
	call	work@PLT
	.loc 1 43 10 discriminator 3
	vmovsd	%xmm0, 0(%rbp,%rbx,8)
	.loc 1 44 5 discriminator 3
	call	*0(%r13,%rbx,8)
	.loc 1 42 28 discriminator 3
	incq	%rbx
	.loc 1 42 22 discriminator 3
	cmpq	%rbx, %r12
	jne	.L35
.LBE12:
	.loc 1 46 1
	addq	$8, %rsp
	.cfi_def_cfa_offset 40
	popq	%rbx
	.cfi_def_cfa_offset 32
	popq	%rbp
	.cfi_def_cfa_offset 24
	popq	%r12
	.cfi_def_cfa_offset 16
	popq	%r13
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
	.text
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0xd4
	.value	0x5
	.byte	0x1
	.byte	0x8
	.long	.Ldebug_abbrev0
	.uleb128 0x3
	.long	.LASF9
	.byte	0x1d
	.long	.LASF0
	.long	.LASF1
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.long	.Ldebug_line0
	.uleb128 0x2
	.long	.LASF2
	.byte	0x2
	.byte	0x6
	.uleb128 0x9
	.byte	0x3
	.quad	offset
	.uleb128 0x2
	.long	.LASF3
	.byte	0x3
	.byte	0xe
	.uleb128 0xa
	.byte	0xe
	.long	per_thread@dtpoff, 0
	.byte	0x9b
	.uleb128 0x4
	.long	.LASF10
	.byte	0x1
	.byte	0x4
	.byte	0xf
	.uleb128 0x5
	.long	.LASF4
	.byte	0x1
	.byte	0x29
	.byte	0x6
	.quad	.LFB4
	.quad	.LFE4-.LFB4
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x1
	.long	.LASF5
	.byte	0x1a
	.byte	0x5
	.quad	.LFB3
	.quad	.LFE3-.LFB3
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x1
	.long	.LASF6
	.byte	0x13
	.byte	0x6
	.quad	.LFB2
	.quad	.LFE2-.LFB2
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x1
	.long	.LASF7
	.byte	0xb
	.byte	0x8
	.quad	.LFB1
	.quad	.LFE1-.LFB1
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x1
	.long	.LASF8
	.byte	0x6
	.byte	0x6
	.quad	.LFB0
	.quad	.LFE0-.LFB0
	.uleb128 0x1
	.byte	0x9c
	.byte	0
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x2
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x11
	.byte	0x1
	.uleb128 0x25
	.uleb128 0xe
	.uleb128 0x13
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x1f
	.uleb128 0x1b
	.uleb128 0x1f
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x10
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x3c
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x5
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7c
	.uleb128 0x19
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_aranges,"",@progbits
	.long	0x2c
	.value	0x2
	.long	.Ldebug_info0
	.byte	0x8
	.byte	0
	.value	0
	.value	0
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.quad	0
	.quad	0
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF9:
	.string	"GNU C17 12.2.0 -march=haswell -g1 -O2 -fasynchronous-unwind-tables"
.LASF5:
	.string	"states"
.LASF4:
	.string	"calls"
.LASF3:
	.string	"per_thread"
.LASF2:
	.string	"offset"
.LASF8:
	.string	"daxpy"
.LASF6:
	.string	"widen"
.LASF10:
	.string	"work"
.LASF7:
	.string	"nested"
	.section	.debug_line_str,"MS",@progbits,1
.LASF1:
	.string	"."
.LASF0:
	.string	"sample.c"
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
