// corecast: --cpu a64fx
// aarch64-linux-gnu-gcc 12 -O3 -march=armv8.2-a+sve: predicated loops.
	.arch armv8.2-a+crc+sve
	.file	"source.c"
	.text
	.align	2
	.p2align 4,,11
	.global	scale
	.type	scale, %function
scale:
.LFB0:
	.cfi_startproc
	cmp	x2, 0
	ble	.L1
	mov	x3, 0
	cntd	x4
	mov	z0.d, d0
	whilelo	p0.d, xzr, x2
	.p2align 3,,7
.L3:
	ld1d	z1.d, p0/z, [x1, x3, lsl 3]
	fmul	z1.d, z0.d, z1.d
	st1d	z1.d, p0, [x0, x3, lsl 3]
	add	x3, x3, x4
	whilelo	p0.d, x3, x2
	b.any	.L3
.L1:
	ret
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
	cmp	x1, 0
	ble	.L9
	mov	x2, 0
	cntb	x10
	mov	x9, x1
	mov	x8, x1
	mov	x7, x1
	mov	x6, x1
	mov	x5, x1
	mov	x4, x1
	mov	x3, x1
	uqdecd	x9, all, mul #7
	uqdecw	x8, all, mul #3
	uqdecd	x7, all, mul #5
	uqdech	x6
	uqdecd	x5, all, mul #3
	uqdecw	x4
	uqdecd	x3
	whilelo	p8.d, xzr, x9
	whilelo	p7.d, xzr, x8
	whilelo	p6.d, xzr, x7
	whilelo	p5.d, xzr, x6
	whilelo	p4.d, xzr, x5
	whilelo	p3.d, xzr, x4
	whilelo	p2.b, xzr, x1
	whilelo	p1.d, xzr, x1
	whilelo	p0.d, xzr, x3
	mov	z0.b, #0
	ptrue	p9.b, all
	.p2align 3,,7
.L8:
	ld1b	z1.b, p2/z, [x0, x2]
	mov	p2.b, p9.b
	cmpeq	p2.b, p2/z, z1.b, #10
	mov	z1.b, p2/z, #1
	uunpklo	z2.h, z1.b
	uunpklo	z3.s, z2.h
	uunpklo	z4.d, z3.s
	uunpkhi	z2.s, z2.h
	add	z0.d, p1/m, z0.d, z4.d
	uunpkhi	z3.d, z3.s
	uunpklo	z4.d, z2.s
	uunpkhi	z2.d, z2.s
	add	z0.d, p0/m, z0.d, z3.d
	uunpkhi	z1.h, z1.b
	mov	p0.b, p8.b
	uunpklo	z3.s, z1.h
	add	z0.d, p3/m, z0.d, z4.d
	add	z0.d, p4/m, z0.d, z2.d
	uunpklo	z2.d, z3.s
	add	x2, x2, x10
	add	z0.d, p5/m, z0.d, z2.d
	uunpkhi	z1.s, z1.h
	whilelo	p2.b, x2, x1
	uunpklo	z2.d, z1.s
	uunpkhi	z3.d, z3.s
	uunpkhi	z1.d, z1.s
	add	z0.d, p6/m, z0.d, z3.d
	whilelo	p8.d, x2, x9
	add	z0.d, p7/m, z0.d, z2.d
	whilelo	p6.d, x2, x7
	add	z0.d, p0/m, z0.d, z1.d
	whilelo	p7.d, x2, x8
	whilelo	p5.d, x2, x6
	whilelo	p4.d, x2, x5
	whilelo	p3.d, x2, x4
	whilelo	p0.d, x2, x3
	whilelo	p1.d, x2, x1
	b.any	.L8
	mov	p0.b, p9.b
	uaddv	d0, p0, z0.d
	fmov	x0, d0
	ret
	.p2align 2,,3
.L9:
	fmov	d0, xzr
	fmov	x0, d0
	ret
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
	ble	.L11
	add	x1, x0, x1, lsl 2
	.p2align 3,,7
.L13:
	ldr	s1, [x0], 4
	fcvt	d1, s1
	fmadd	d0, d1, d1, d0
	cmp	x1, x0
	bne	.L13
	fcmp	d0, #0.0
	bpl	.L18
	b	sqrt
	.p2align 2,,3
.L18:
	fsqrt	d0, d0
.L11:
	ret
	.cfi_endproc
.LFE2:
	.size	length, .-length
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
