// corecast: --cpu neoverse_n1
// aarch64-linux-gnu-gcc 12 -O3: NEON, post-indexed and scaled addresses.
	.arch armv8-a
	.file	"source.c"
	.text
	.align	2
	.p2align 4,,11
	.global	scale
	.type	scale, %function
scale:
.LFB0:
	.cfi_startproc
	fmov	d2, d0
	cmp	x2, 0
	ble	.L1
	cmp	x2, 1
	beq	.L6
	lsr	x4, x2, 1
	mov	x3, 0
	dup	v0.2d, v0.d[0]
	lsl	x4, x4, 4
	.p2align 3,,7
.L4:
	ldr	q1, [x1, x3]
	fmul	v1.2d, v1.2d, v0.2d
	str	q1, [x0, x3]
	add	x3, x3, 16
	cmp	x3, x4
	bne	.L4
	and	x3, x2, -2
	tbz	x2, 0, .L1
.L3:
	ldr	d0, [x1, x3, lsl 3]
	fmul	d0, d0, d2
	str	d0, [x0, x3, lsl 3]
.L1:
	ret
.L6:
	mov	x3, 0
	b	.L3
	.cfi_endproc
.LFE0:
	.size	scale, .-scale
	.align	2
	.p2align 4,,11
	.global	count
	.type	count, %function
count:
.LFB1:
	.cfi_startproc
	mov	x3, x0
	cmp	x1, 0
	ble	.L15
	sub	x0, x1, #1
	cmp	x0, 14
	bls	.L16
	and	x0, x1, -16
	mov	x2, x3
	movi	v0.4s, 0
	add	x0, x0, x3
	movi	v6.16b, 0xa
	movi	v5.16b, 0x1
	.p2align 3,,7
.L12:
	ldr	q1, [x2], 16
	cmeq	v1.16b, v1.16b, v6.16b
	and	v1.16b, v5.16b, v1.16b
	uxtl	v2.8h, v1.8b
	uxtl2	v1.8h, v1.16b
	uxtl	v4.4s, v2.4h
	uxtl2	v2.4s, v2.8h
	uxtl	v3.4s, v1.4h
	uxtl2	v1.4s, v1.8h
	uaddw	v0.2d, v0.2d, v4.2s
	uaddw2	v0.2d, v0.2d, v4.4s
	uaddw	v0.2d, v0.2d, v2.2s
	uaddw2	v0.2d, v0.2d, v2.4s
	uaddw	v0.2d, v0.2d, v3.2s
	uaddw2	v0.2d, v0.2d, v3.4s
	uaddw	v0.2d, v0.2d, v1.2s
	uaddw2	v0.2d, v0.2d, v1.4s
	cmp	x2, x0
	bne	.L12
	addp	d0, v0.2d
	and	x2, x1, -16
	fmov	x0, d0
	tst	x1, 15
	beq	.L9
.L11:
	ldrb	w5, [x3, x2]
	add	x4, x2, 1
	cmp	w5, 10
	cinc	x0, x0, eq
	cmp	x1, x4
	ble	.L9
	ldrb	w5, [x3, x4]
	add	x4, x2, 2
	cmp	w5, 10
	cinc	x0, x0, eq
	cmp	x1, x4
	ble	.L9
	ldrb	w5, [x3, x4]
	add	x4, x2, 3
	cmp	w5, 10
	cinc	x0, x0, eq
	cmp	x1, x4
	ble	.L9
	ldrb	w5, [x3, x4]
	add	x4, x2, 4
	cmp	w5, 10
	cinc	x0, x0, eq
	cmp	x1, x4
	ble	.L9
	ldrb	w5, [x3, x4]
	add	x4, x2, 5
	cmp	w5, 10
	cinc	x0, x0, eq
	cmp	x1, x4
	ble	.L9
	ldrb	w5, [x3, x4]
	add	x4, x2, 6
	cmp	w5, 10
	cinc	x0, x0, eq
	cmp	x1, x4
	ble	.L9
	ldrb	w5, [x3, x4]
	add	x4, x2, 7
	cmp	w5, 10
	cinc	x0, x0, eq
	cmp	x1, x4
	ble	.L9
	ldrb	w5, [x3, x4]
	add	x4, x2, 8
	cmp	w5, 10
	cinc	x0, x0, eq
	cmp	x1, x4
	ble	.L9
	ldrb	w5, [x3, x4]
	add	x4, x2, 9
	cmp	w5, 10
	cinc	x0, x0, eq
	cmp	x1, x4
	ble	.L9
	ldrb	w5, [x3, x4]
	add	x4, x2, 10
	cmp	w5, 10
	cinc	x0, x0, eq
	cmp	x1, x4
	ble	.L9
	ldrb	w5, [x3, x4]
	add	x4, x2, 11
	cmp	w5, 10
	cinc	x0, x0, eq
	cmp	x1, x4
	ble	.L9
	ldrb	w5, [x3, x4]
	add	x4, x2, 12
	cmp	w5, 10
	cinc	x0, x0, eq
	cmp	x1, x4
	ble	.L9
	ldrb	w5, [x3, x4]
	add	x4, x2, 13
	cmp	w5, 10
	cinc	x0, x0, eq
	cmp	x1, x4
	ble	.L9
	ldrb	w4, [x3, x4]
	add	x2, x2, 14
	cmp	w4, 10
	cinc	x0, x0, eq
	cmp	x1, x2
	ble	.L9
	ldrb	w1, [x3, x2]
	cmp	w1, 10
	cinc	x0, x0, eq
.L9:
	ret
	.p2align 2,,3
.L15:
	mov	x0, 0
	ret
.L16:
	mov	x2, 0
	mov	x0, 0
	b	.L11
	.cfi_endproc
.LFE1:
	.size	count, .-count
	.align	2
	.p2align 4,,11
	.global	length
	.type	length, %function
length:
.LFB2:
	.cfi_startproc
	movi	d0, #0
	cmp	x1, 0
	ble	.L18
	add	x1, x0, x1, lsl 2
	.p2align 3,,7
.L20:
	ldr	s1, [x0], 4
	fcvt	d1, s1
	fmadd	d0, d1, d1, d0
	cmp	x1, x0
	bne	.L20
	fcmp	d0, #0.0
	bpl	.L25
	b	sqrt
	.p2align 2,,3
.L25:
	fsqrt	d0, d0
.L18:
	ret
	.cfi_endproc
.LFE2:
	.size	length, .-length
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
