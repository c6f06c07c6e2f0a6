	.arch armv8.2-a+crc+sve
	.file	"sample.c"
	.text
.Ltext0:
	.file 0 "." "sample.c"
	.align	2
	.p2align 4,,11
	.global	daxpy
	.type	daxpy, %function
daxpy:
.LFB0:
	.file 1 "sample.c"
	.loc 1 6 76
	.cfi_startproc
.LBB2:
	.loc 1 7 22
	cmp	x2, 0
	ble	.L1
	mov	x3, 0
	cntd	x4
	mov	z0.d, d0
	whilelo	p0.d, xzr, x2
	.loc 1 8 10
	ptrue	p1.b, all
	.p2align 3,,7
.L3:
	.loc 1 8 6 discriminator 3
	ld1d	z2.d, p0/z, [x0, x3, lsl 3]
	.loc 1 8 18 discriminator 3
	ld1d	z1.d, p0/z, [x1, x3, lsl 3]
	.loc 1 8 10 discriminator 3
	fmad	z1.d, p1/m, z0.d, z2.d
	st1d	z1.d, p0, [x0, x3, lsl 3]
	.loc 1 7 22 discriminator 3
	add	x3, x3, x4
	whilelo	p0.d, x3, x2
	b.any	.L3
.L1:
.LBE2:
	.loc 1 9 1
	ret
	.cfi_endproc
.LFE0:
	.size	daxpy, .-daxpy
	.align	2
	.p2align 4,,11
	.global	nested
	.type	nested, %function
nested:
.LFB1:
	.loc 1 11 57
	.cfi_startproc
.LBB3:
	.loc 1 13 22
	cmp	x1, 0
	ble	.L12
.LBE3:
	.loc 1 12 10
	movi	d0, #0
	mov	x3, x0
	lsl	x6, x2, 3
.LBB5:
	.loc 1 13 13
	mov	x5, 0
.LBB4:
	.loc 1 14 24
	cntd	x4
	whilelo	p1.d, xzr, x2
	.p2align 3,,7
.L8:
	mov	x0, 0
	mov	p0.b, p1.b
	cmp	x2, 0
	ble	.L11
	.p2align 3,,7
.L9:
	.loc 1 15 15 discriminator 3
	ld1d	z1.d, p0/z, [x3, x0, lsl 3]
	.loc 1 14 24 discriminator 3
	add	x0, x0, x4
	.loc 1 15 11 discriminator 3
	fadda	d0, p0, d0, z1.d
	whilelo	p0.d, x0, x2
	b.any	.L9
.L11:
.LBE4:
	.loc 1 13 31 discriminator 2
	add	x5, x5, 1
	.loc 1 13 22 discriminator 2
	add	x3, x3, x6
	cmp	x1, x5
	bne	.L8
.LBE5:
	.loc 1 17 1
	ret
.L12:
	.loc 1 12 10
	movi	d0, #0
	.loc 1 17 1
	ret
	.cfi_endproc
.LFE1:
	.size	nested, .-nested
	.align	2
	.p2align 4,,11
	.global	widen
	.type	widen, %function
widen:
.LFB2:
	.loc 1 19 56
	.cfi_startproc
	.loc 1 20 21
	mrs	x3, tpidr_el0
	adrp	x4, .LANCHOR1
	add	x3, x3, #:tprel_hi12:.LANCHOR0, lsl #12
	add	x3, x3, #:tprel_lo12_nc:.LANCHOR0
	.loc 1 20 8
	ldr	x5, [x4, #:lo12:.LANCHOR1]
	.loc 1 19 56
	mov	x4, x0
	.loc 1 20 21
	ldrsw	x3, [x3]
	.loc 1 20 8
	add	x0, x3, x5
.LBB6:
	.loc 1 21 22
	cmp	x2, 0
	ble	.L15
	mov	x3, 0
	cntd	x5
	whilelo	p0.d, xzr, x2
	mov	z0.b, #0
	.loc 1 22 12
	ptrue	p1.b, all
	.p2align 3,,7
.L17:
	.loc 1 22 12 is_stmt 0 discriminator 3
	ld1sw	z2.d, p0/z, [x4, x3, lsl 2]
	.loc 1 22 26 is_stmt 1 discriminator 3
	ld1sb	z1.d, p0/z, [x1, x3]
	.loc 1 21 22 discriminator 3
	add	x3, x3, x5
	.loc 1 22 9 discriminator 3
	mla	z0.d, p0/m, z2.d, z1.d
	whilelo	p0.d, x3, x2
	b.any	.L17
	uaddv	d0, p1, z0.d
	fmov	x1, d0
	add	x0, x0, x1
.L15:
.LBE6:
	.loc 1 24 1
	ret
	.cfi_endproc
.LFE2:
	.size	widen, .-widen
	.align	2
	.p2align 4,,11
	.global	states
	.type	states, %function
states:
.LFB3:
	.loc 1 26 33
	.cfi_startproc
.LBB7:
	.loc 1 28 21
	cmp	w1, 0
	ble	.L30
	mov	x2, x0
.LBE7:
	.loc 1 27 7
	mov	w0, 0
	add	x3, x2, w1, sxtw 2
	b	.L29
	.p2align 2,,3
.L32:
.LBB8:
	.loc 1 29 5
	cmp	w1, 1
	beq	.L23
	cmp	w1, 2
	bne	.L25
	.loc 1 32 15
	eor	w0, w0, 7
	.p2align 3,,7
.L28:
	.loc 1 28 21 discriminator 2
	add	x2, x2, 4
	cmp	x2, x3
	beq	.L19
.L29:
	.loc 1 29 14
	ldr	w1, [x2]
	.loc 1 29 5
	cmp	w1, 3
	beq	.L21
	ble	.L32
	cmp	w1, 4
	beq	.L26
	cmp	w1, 5
	bne	.L25
	.loc 1 28 21
	add	x2, x2, 4
	.loc 1 35 15
	lsl	w0, w0, 2
	.loc 1 28 21
	cmp	x2, x3
	bne	.L29
.L19:
.LBE8:
	.loc 1 39 1
	ret
.L25:
.LBB9:
	.loc 1 36 15
	add	w0, w0, 1
	b	.L28
	.p2align 2,,3
.L21:
	.loc 1 33 15
	ldr	w1, [x2, 4]
	sub	w0, w0, w1
	.loc 1 33 28
	b	.L28
	.p2align 2,,3
.L23:
	.loc 1 31 15
	add	w0, w0, w0, lsl 1
	.loc 1 31 21
	b	.L28
	.p2align 2,,3
.L26:
	.loc 1 34 15
	mvn	w0, w0
	.loc 1 34 21
	b	.L28
	.p2align 2,,3
.L30:
.LBE9:
	.loc 1 27 7
	mov	w0, 0
	.loc 1 39 1
	ret
	.cfi_endproc
.LFE3:
	.size	states, .-states
	.align	2
	.p2align 4,,11
	.global	calls
	.type	calls, %function
calls:
.LFB4:
	.loc 1 41 51
	.cfi_startproc
.LBB10:
	.loc 1 42 22
	cmp	x1, 0
	ble	.L38
.LBE10:
	.loc 1 41 51
	stp	x29, x30, [sp, -48]!
	.cfi_def_cfa_offset 48
	.cfi_offset 29, -48
	.cfi_offset 30, -40
	mov	x29, sp
	stp	x19, x20, [sp, 16]
	.cfi_offset 19, -32
	.cfi_offset 20, -24
	mov	x20, x0
.LBB11:
	.loc 1 42 13
	mov	x19, 0
.LBE11:
	.loc 1 41 51
	stp	x21, x22, [sp, 32]
	.cfi_offset 21, -16
	.cfi_offset 22, -8
	mov	x21, x1
	mov	x22, x2
	.p2align 3,,7
.L35:
.LBB12:
	.loc 1 43 12 discriminator 3
	ldr	d0, [x20, x19, lsl 3]
	bl	work
	.loc 1 44 5 discriminator 3
	ldr	x0, [x22, x19, lsl 3]
	.loc 1 43 10 discriminator 3
	str	d0, [x20, x19, lsl 3]
	.loc 1 42 28 discriminator 3
	add	x19, x19, 1
	.loc 1 44 5 discriminator 3
	blr	x0
	.loc 1 42 22 discriminator 3
	cmp	x21, x19
	bne	.L35
.LBE12:
	.loc 1 46 1
	ldp	x19, x20, [sp, 16]
	ldp	x21, x22, [sp, 32]
	ldp	x29, x30, [sp], 48
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 21
	.cfi_restore 22
	.cfi_restore 19
	.cfi_restore 20
	.cfi_def_cfa_offset 0
	ret
	.p2align 2,,3
.L38:
	ret
	.cfi_endproc
.LFE4:
	.size	calls, .-calls
	.global	per_thread
	.global	offset
	.bss
	.align	3
	.set	.LANCHOR1,. + 0
	.type	offset, %object
	.size	offset, 8
offset:
	.zero	8
	.section	.tbss,"awT",@nobits
	.align	2
	.set	.LANCHOR0,. + 0
	.type	per_thread, %object
	.size	per_thread, 4
per_thread:
	.zero	4
	.text
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.4byte	0xcb
	.2byte	0x5
	.byte	0x1
	.byte	0x8
	.4byte	.Ldebug_abbrev0
	.uleb128 0x2
	.4byte	.LASF7
	.byte	0x1d
	.4byte	.LASF0
	.4byte	.LASF1
	.8byte	.Ltext0
	.8byte	.Letext0-.Ltext0
	.4byte	.Ldebug_line0
	.uleb128 0x3
	.4byte	.LASF8
	.byte	0x1
	.byte	0x2
	.byte	0x6
	.uleb128 0x9
	.byte	0x3
	.8byte	offset
	.uleb128 0x4
	.4byte	.LASF9
	.byte	0x1
	.byte	0x3
	.byte	0xe
	.uleb128 0x5
	.4byte	.LASF10
	.byte	0x1
	.byte	0x4
	.byte	0xf
	.uleb128 0x6
	.4byte	.LASF2
	.byte	0x1
	.byte	0x29
	.byte	0x6
	.8byte	.LFB4
	.8byte	.LFE4-.LFB4
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x1
	.4byte	.LASF3
	.byte	0x1a
	.byte	0x5
	.8byte	.LFB3
	.8byte	.LFE3-.LFB3
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x1
	.4byte	.LASF4
	.byte	0x13
	.byte	0x6
	.8byte	.LFB2
	.8byte	.LFE2-.LFB2
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x1
	.4byte	.LASF5
	.byte	0xb
	.byte	0x8
	.8byte	.LFB1
	.8byte	.LFE1-.LFB1
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x1
	.4byte	.LASF6
	.byte	0x6
	.byte	0x6
	.8byte	.LFB0
	.8byte	.LFE0-.LFB0
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
	.uleb128 0x3
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
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
	.uleb128 0x4
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x3f
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
	.uleb128 0x3c
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x6
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
	.4byte	0x2c
	.2byte	0x2
	.4byte	.Ldebug_info0
	.byte	0x8
	.byte	0
	.2byte	0
	.2byte	0
	.8byte	.Ltext0
	.8byte	.Letext0-.Ltext0
	.8byte	0
	.8byte	0
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF3:
	.string	"states"
.LASF2:
	.string	"calls"
.LASF7:
	.string	"GNU C17 12.2.0 -march=armv8.2-a+sve -mlittle-endian -mabi=lp64 -g1 -O2 -ftree-vectorize -fasynchronous-unwind-tables"
.LASF9:
	.string	"per_thread"
.LASF8:
	.string	"offset"
.LASF6:
	.string	"daxpy"
.LASF4:
	.string	"widen"
.LASF10:
	.string	"work"
.LASF5:
	.string	"nested"
	.section	.debug_line_str,"MS",@progbits,1
.LASF1:
	.string	"."
.LASF0:
	.string	"sample.c"
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
