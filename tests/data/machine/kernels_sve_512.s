	.file	"kernels.c"
	.text
	.globl	dot                             // -- Begin function dot
	.p2align	2
	.type	dot,@function
dot:                                    // @dot
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB0_3
// %bb.1:
	cmp	x0, #8
	b.hs	.LBB0_4
// %bb.2:
	movi	d0, #0000000000000000
	mov	x8, xzr
	b	.LBB0_7
.LBB0_3:
	movi	d0, #0000000000000000
                                        // kill: def $d0 killed $d0 killed $z0
	ret
.LBB0_4:
	movi	v0.2d, #0000000000000000
	ptrue	p0.d
	and	x8, x0, #0x7ffffffffffffff8
	mov	x9, x1
	mov	x10, x2
	and	x11, x0, #0x7ffffffffffffff8
.LBB0_5:                                // =>This Inner Loop Header: Depth=1
	ldr	z1, [x9]
	ldr	z2, [x10]
	subs	x11, x11, #8
	add	x10, x10, #64
	add	x9, x9, #64
	fmla	z0.d, p0/m, z2.d, z1.d
	b.ne	.LBB0_5
// %bb.6:
	faddv	d0, p0, z0.d
	cmp	x0, x8
	b.eq	.LBB0_9
.LBB0_7:
	lsl	x10, x8, #3
	sub	x8, x0, x8
	add	x9, x2, x10
	add	x10, x1, x10
.LBB0_8:                                // =>This Inner Loop Header: Depth=1
	ldr	d1, [x10], #8
	subs	x8, x8, #1
	ldr	d2, [x9], #8
	fmadd	d0, d2, d1, d0
	b.ne	.LBB0_8
.LBB0_9:
                                        // kill: def $d0 killed $d0 killed $z0
	ret
.Lfunc_end0:
	.size	dot, .Lfunc_end0-dot
                                        // -- End function
	.globl	stencil                         // -- Begin function stencil
	.p2align	2
	.type	stencil,@function
stencil:                                // @stencil
// %bb.0:
	cmp	x0, #3
	b.lt	.LBB1_9
// %bb.1:
	sub	x9, x0, #2
	ldr	d0, [x2, #8]
	cmp	x9, #8
	b.hs	.LBB1_3
// %bb.2:
	mov	w8, #1                          // =0x1
	b	.LBB1_7
.LBB1_3:
	ptrue	p1.d, vl1
	mov	z0.d, d0
	and	x10, x9, #0xfffffffffffffff8
	fmov	z1.d, #2.00000000
	orr	x8, x10, #0x1
	add	x11, x1, #8
	fmov	z2.d, #0.25000000
	mov	x12, #2                         // =0x2
	and	x13, x9, #0xfffffffffffffff8
	ptrue	p0.d
	mov	x14, x2
	rev	p1.d, p1.d
.LBB1_4:                                // =>This Inner Loop Header: Depth=1
	mov	z3.d, z0.d
	ld1d	{ z0.d }, p0/z, [x14, x12, lsl #3]
	ldr	z4, [x14]
	subs	x13, x13, #8
	add	x14, x14, #64
	splice	z3.d, p1, z3.d, z0.d
	fmad	z3.d, p0/m, z1.d, z4.d
	fadd	z3.d, z3.d, z0.d
	fmul	z3.d, z3.d, z2.d
	str	z3, [x11]
	add	x11, x11, #64
	b.ne	.LBB1_4
// %bb.5:
	cmp	x9, x10
	b.eq	.LBB1_9
// %bb.6:
	mov	z0.d, z0.d[7]
.LBB1_7:
	lsl	x9, x8, #3
	fmov	d1, #0.25000000
	mvn	x8, x8
	add	x8, x8, x0
	add	x10, x9, x2
	add	x9, x1, x9
	add	x10, x10, #8
.LBB1_8:                                // =>This Inner Loop Header: Depth=1
	ldur	d2, [x10, #-16]
	fadd	d3, d0, d0
	subs	x8, x8, #1
	ldr	d0, [x10], #8
	fadd	d2, d2, d0
	fadd	d2, d3, d2
	fmul	d2, d2, d1
	str	d2, [x9], #8
	b.ne	.LBB1_8
.LBB1_9:
	ret
.Lfunc_end1:
	.size	stencil, .Lfunc_end1-stencil
                                        // -- End function
	.globl	complex_multiply                // -- Begin function complex_multiply
	.p2align	2
	.type	complex_multiply,@function
complex_multiply:                       // @complex_multiply
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB2_14
// %bb.1:
	cmp	x0, #8
	b.hs	.LBB2_3
// %bb.2:
	mov	x8, xzr
	b	.LBB2_12
.LBB2_3:
	cmp	x0, #16
	b.hs	.LBB2_8
// %bb.4:
	mov	x8, xzr
.LBB2_5:
	mov	x9, x8
	and	x8, x0, #0x7ffffffffffffff8
	ptrue	p0.s, vl8
	lsl	x12, x9, #3
	sub	x9, x9, x8
	add	x10, x1, x12
	add	x11, x3, x12
	add	x12, x2, x12
.LBB2_6:                                // =>This Inner Loop Header: Depth=1
	ld2w	{ z0.s, z1.s }, p0/z, [x12]
	adds	x9, x9, #8
	add	x12, x12, #64
	ld2w	{ z2.s, z3.s }, p0/z, [x11]
	add	x11, x11, #64
	movprfx	z4, z3
	fmul	z4.s, p0/m, z4.s, z1.s
	movprfx	z5, z1
	fmul	z5.s, p0/m, z5.s, z2.s
	movprfx	z6, z4
	fnmls	z6.s, p0/m, z2.s, z0.s
	movprfx	z7, z5
	fmla	z7.s, p0/m, z3.s, z0.s
	st2w	{ z6.s, z7.s }, p0, [x10]
	add	x10, x10, #64
	b.ne	.LBB2_6
// %bb.7:
	cmp	x0, x8
	b.ne	.LBB2_12
	b	.LBB2_14
.LBB2_8:
	ptrue	p0.s
	and	x8, x0, #0x7ffffffffffffff0
	mov	x9, x2
	mov	x10, x3
	mov	x11, x1
	and	x12, x0, #0x7ffffffffffffff0
.LBB2_9:                                // =>This Inner Loop Header: Depth=1
	movi	v0.2d, #0000000000000000
	movi	v3.2d, #0000000000000000
	ldr	z1, [x9, #1, mul vl]
	ldr	z2, [x10, #1, mul vl]
	ldr	z4, [x9]
	ldr	z5, [x10]
	subs	x12, x12, #16
	add	x10, x10, #128
	add	x9, x9, #128
	fcmla	z0.s, p0/m, z1.s, z2.s, #0
	fcmla	z3.s, p0/m, z4.s, z5.s, #0
	fcmla	z0.s, p0/m, z1.s, z2.s, #90
	fcmla	z3.s, p0/m, z4.s, z5.s, #90
	str	z0, [x11, #1, mul vl]
	str	z3, [x11]
	add	x11, x11, #128
	b.ne	.LBB2_9
// %bb.10:
	cmp	x0, x8
	b.eq	.LBB2_14
// %bb.11:
	tbnz	w0, #3, .LBB2_5
.LBB2_12:
	lsl	x11, x8, #3
	sub	x8, x0, x8
	add	x9, x11, x2
	add	x10, x3, x11
	add	x11, x1, x11
	add	x9, x9, #4
.LBB2_13:                               // =>This Inner Loop Header: Depth=1
	ldr	d0, [x10], #8
	subs	x8, x8, #1
	ldp	s2, s3, [x9, #-4]
	add	x9, x9, #8
	rev64	v1.2s, v0.2s
	fmul	v0.2s, v0.2s, v2.s[0]
	fmul	v1.2s, v1.2s, v3.s[0]
	fsub	v2.2s, v0.2s, v1.2s
	fadd	v0.2s, v0.2s, v1.2s
	mov	v2.s[1], v0.s[1]
	str	d2, [x11], #8
	b.ne	.LBB2_13
.LBB2_14:
	ret
.Lfunc_end2:
	.size	complex_multiply, .Lfunc_end2-complex_multiply
                                        // -- End function
	.globl	spmv                            // -- Begin function spmv
	.p2align	2
	.type	spmv,@function
spmv:                                   // @spmv
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB3_17
// %bb.1:
	movi	v0.2d, #0000000000000000
	ptrue	p0.d, vl1
	ldr	x12, [x2]
	ptrue	p1.d
	mov	x8, xzr
	b	.LBB3_3
.LBB3_2:                                //   in Loop: Header=BB3_3 Depth=1
	cmp	x9, x0
	str	d1, [x1, x8, lsl #3]
	mov	x12, x10
	mov	x8, x9
	b.eq	.LBB3_17
.LBB3_3:                                // =>This Loop Header: Depth=1
                                        //     Child Loop BB3_11 Depth 2
                                        //     Child Loop BB3_8 Depth 2
                                        //     Child Loop BB3_16 Depth 2
	add	x9, x8, #1
	movi	d1, #0000000000000000
	ldr	x10, [x2, x9, lsl #3]
	subs	x11, x10, x12
	b.le	.LBB3_2
// %bb.4:                               //   in Loop: Header=BB3_3 Depth=1
	movi	d1, #0000000000000000
	cmp	x11, #8
	b.lo	.LBB3_15
// %bb.5:                               //   in Loop: Header=BB3_3 Depth=1
	cmp	x11, #16
	b.hs	.LBB3_10
// %bb.6:                               //   in Loop: Header=BB3_3 Depth=1
	movi	d1, #0000000000000000
	mov	x13, xzr
.LBB3_7:                                //   in Loop: Header=BB3_3 Depth=1
	sel	z1.d, p0, z1.d, z0.d
	add	x16, x12, x13
	and	x14, x11, #0xfffffffffffffff8
	add	x15, x3, x16, lsl #2
	add	x16, x4, x16, lsl #3
	add	x12, x12, x14
	sub	x13, x13, x14
.LBB3_8:                                //   Parent Loop BB3_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ld1sw	{ z2.d }, p1/z, [x15]
	ldr	z3, [x16]
	adds	x13, x13, #8
	add	x15, x15, #32
	add	x16, x16, #64
	ld1d	{ z2.d }, p1/z, [x5, z2.d, lsl #3]
	fmla	z1.d, p1/m, z2.d, z3.d
	b.ne	.LBB3_8
// %bb.9:                               //   in Loop: Header=BB3_3 Depth=1
	faddv	d1, p1, z1.d
	cmp	x11, x14
	b.eq	.LBB3_2
	b	.LBB3_15
.LBB3_10:                               //   in Loop: Header=BB3_3 Depth=1
	movi	v1.2d, #0000000000000000
	movi	v2.2d, #0000000000000000
	add	x14, x3, x12, lsl #2
	add	x15, x4, x12, lsl #3
	and	x13, x11, #0xfffffffffffffff0
	and	x16, x11, #0xfffffffffffffff0
.LBB3_11:                               //   Parent Loop BB3_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ldr	z3, [x14]
	ldr	z5, [x15]
	subs	x16, x16, #16
	ldr	z6, [x15, #1, mul vl]
	add	x14, x14, #64
	add	x15, x15, #128
	sunpklo	z4.d, z3.s
	sunpkhi	z3.d, z3.s
	ld1d	{ z4.d }, p1/z, [x5, z4.d, lsl #3]
	ld1d	{ z3.d }, p1/z, [x5, z3.d, lsl #3]
	fmla	z1.d, p1/m, z4.d, z5.d
	fmla	z2.d, p1/m, z3.d, z6.d
	b.ne	.LBB3_11
// %bb.12:                              //   in Loop: Header=BB3_3 Depth=1
	fadd	z1.d, z1.d, z2.d
	cmp	x11, x13
	faddv	d1, p1, z1.d
	b.eq	.LBB3_2
// %bb.13:                              //   in Loop: Header=BB3_3 Depth=1
	tbnz	w11, #3, .LBB3_7
// %bb.14:                              //   in Loop: Header=BB3_3 Depth=1
	add	x12, x12, x13
.LBB3_15:                               //   in Loop: Header=BB3_3 Depth=1
	add	x11, x3, x12, lsl #2
	add	x13, x4, x12, lsl #3
	sub	x12, x10, x12
.LBB3_16:                               //   Parent Loop BB3_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ldrsw	x14, [x11], #4
	subs	x12, x12, #1
	ldr	d2, [x13], #8
	ldr	d3, [x5, x14, lsl #3]
	fmadd	d1, d3, d2, d1
	b.ne	.LBB3_16
	b	.LBB3_2
.LBB3_17:
	ret
.Lfunc_end3:
	.size	spmv, .Lfunc_end3-spmv
                                        // -- End function
	.globl	scatter                         // -- Begin function scatter
	.p2align	2
	.type	scatter,@function
scatter:                                // @scatter
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB4_14
// %bb.1:
	cmp	x0, #8
	b.hs	.LBB4_3
// %bb.2:
	mov	x8, xzr
	b	.LBB4_12
.LBB4_3:
	cmp	x0, #16
	b.hs	.LBB4_8
// %bb.4:
	mov	x8, xzr
.LBB4_5:
	lsl	x11, x8, #2
	mov	x9, x8
	and	x8, x0, #0x7ffffffffffffff8
	ptrue	p0.d
	sub	x9, x9, x8
	add	x10, x2, x11
	add	x11, x3, x11
.LBB4_6:                                // =>This Inner Loop Header: Depth=1
	ld1w	{ z0.d }, p0/z, [x11]
	ld1sw	{ z1.d }, p0/z, [x10]
	adds	x9, x9, #8
	add	x10, x10, #32
	add	x11, x11, #32
	st1w	{ z0.d }, p0, [x1, z1.d, lsl #2]
	b.ne	.LBB4_6
// %bb.7:
	cmp	x0, x8
	b.ne	.LBB4_12
	b	.LBB4_14
.LBB4_8:
	ptrue	p0.s
	and	x8, x0, #0x7ffffffffffffff0
	mov	x9, x3
	mov	x10, x2
	and	x11, x0, #0x7ffffffffffffff0
.LBB4_9:                                // =>This Inner Loop Header: Depth=1
	ldr	z0, [x9]
	ldr	z1, [x10]
	subs	x11, x11, #16
	add	x10, x10, #64
	add	x9, x9, #64
	st1w	{ z0.s }, p0, [x1, z1.s, sxtw #2]
	b.ne	.LBB4_9
// %bb.10:
	cmp	x0, x8
	b.eq	.LBB4_14
// %bb.11:
	tbnz	w0, #3, .LBB4_5
.LBB4_12:
	lsl	x10, x8, #2
	sub	x8, x0, x8
	add	x9, x2, x10
	add	x10, x3, x10
.LBB4_13:                               // =>This Inner Loop Header: Depth=1
	ldrsw	x11, [x9], #4
	subs	x8, x8, #1
	ldr	s0, [x10], #4
	str	s0, [x1, x11, lsl #2]
	b.ne	.LBB4_13
.LBB4_14:
	ret
.Lfunc_end4:
	.size	scatter, .Lfunc_end4-scatter
                                        // -- End function
	.globl	clamp                           // -- Begin function clamp
	.p2align	2
	.type	clamp,@function
clamp:                                  // @clamp
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB5_14
// %bb.1:
	cmp	x0, #32
	b.hs	.LBB5_3
// %bb.2:
	mov	x8, xzr
	b	.LBB5_12
.LBB5_3:
	cmp	x0, #64
	b.hs	.LBB5_8
// %bb.4:
	mov	x8, xzr
.LBB5_5:
	mov	z0.h, #255                      // =0xff
	mov	x11, x8
	and	x8, x0, #0x7fffffffffffffe0
	add	x9, x2, x11, lsl #1
	ptrue	p0.h
	sub	x10, x11, x8
	add	x11, x1, x11
.LBB5_6:                                // =>This Inner Loop Header: Depth=1
	ldr	z1, [x9]
	adds	x10, x10, #32
	add	x9, x9, #64
	smax	z1.h, z1.h, #0
	smin	z1.h, p0/m, z1.h, z0.h
	st1b	{ z1.h }, p0, [x11]
	add	x11, x11, #32
	b.ne	.LBB5_6
// %bb.7:
	cmp	x0, x8
	b.ne	.LBB5_12
	b	.LBB5_14
.LBB5_8:
	mov	z0.h, #255                      // =0xff
	ptrue	p0.h
	and	x8, x0, #0x7fffffffffffffc0
	mov	x9, x2
	mov	x10, x1
	and	x11, x0, #0x7fffffffffffffc0
.LBB5_9:                                // =>This Inner Loop Header: Depth=1
	ldr	z1, [x9, #1, mul vl]
	ldr	z2, [x9]
	subs	x11, x11, #64
	add	x9, x9, #128
	smax	z2.h, z2.h, #0
	smax	z1.h, z1.h, #0
	smin	z1.h, p0/m, z1.h, z0.h
	smin	z2.h, p0/m, z2.h, z0.h
	uzp1	z1.b, z2.b, z1.b
	str	z1, [x10]
	add	x10, x10, #64
	b.ne	.LBB5_9
// %bb.10:
	cmp	x0, x8
	b.eq	.LBB5_14
// %bb.11:
	tbnz	w0, #5, .LBB5_5
.LBB5_12:
	add	x9, x2, x8, lsl #1
	sub	x10, x0, x8
	add	x8, x1, x8
	mov	w11, #255                       // =0xff
.LBB5_13:                               // =>This Inner Loop Header: Depth=1
	ldrsh	w12, [x9], #2
	bic	w12, w12, w12, asr #31
	cmp	w12, #255
	csel	w12, w12, w11, lt
	subs	x10, x10, #1
	strb	w12, [x8], #1
	b.ne	.LBB5_13
.LBB5_14:
	ret
.Lfunc_end5:
	.size	clamp, .Lfunc_end5-clamp
                                        // -- End function
	.globl	count_equal                     // -- Begin function count_equal
	.p2align	2
	.type	count_equal,@function
count_equal:                            // @count_equal
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB6_3
// %bb.1:
	stp	x29, x30, [sp, #-16]!           // 16-byte Folded Spill
	sub	x9, sp, #112
	mov	x29, sp
	and	sp, x9, #0xffffffffffffffc0
	cmp	x0, #8
	b.hs	.LBB6_4
// %bb.2:
	mov	x9, xzr
	mov	x8, xzr
	b	.LBB6_13
.LBB6_3:
	mov	x0, xzr
	ret
.LBB6_4:
	cmp	x0, #64
	b.hs	.LBB6_6
// %bb.5:
	mov	x9, xzr
	mov	x8, xzr
	b	.LBB6_10
.LBB6_6:
	movi	v0.2d, #0000000000000000
	movi	v1.2d, #0000000000000000
	and	x10, x0, #0x38
	movi	v3.2d, #0000000000000000
	movi	v2.2d, #0000000000000000
	and	x9, x0, #0x7fffffffffffffc0
	movi	v6.2d, #0000000000000000
	movi	v4.2d, #0000000000000000
	mov	x8, x1
	movi	v7.2d, #0000000000000000
	movi	v5.2d, #0000000000000000
	and	x11, x0, #0x7fffffffffffffc0
	mov	z16.b, w2
	ptrue	p0.b
.LBB6_7:                                // =>This Inner Loop Header: Depth=1
	ldr	z17, [x8]
	add	x8, x8, #64
	cmpeq	p1.b, p0/z, z17.b, z16.b
	subs	x11, x11, #64
	mov	z17.b, p1/z, #-1                // =0xffffffffffffffff
	movprfx	z18, z17
	ext	z18.b, z18.b, z17.b, #32
	movprfx	z20, z17
	ext	z20.b, z20.b, z17.b, #16
	ext	v21.16b, v17.16b, v17.16b, #8
	and	z17.b, z17.b, #0x1
	movprfx	z19, z18
	ext	z19.b, z19.b, z18.b, #16
	ext	v23.16b, v20.16b, v20.16b, #8
	ext	v24.16b, v18.16b, v18.16b, #8
	and	z18.b, z18.b, #0x1
	and	z21.b, z21.b, #0x1
	and	z20.b, z20.b, #0x1
	uunpklo	z17.h, z17.b
	ext	v22.16b, v19.16b, v19.16b, #8
	and	z19.b, z19.b, #0x1
	and	z23.b, z23.b, #0x1
	and	z24.b, z24.b, #0x1
	uunpklo	z18.h, z18.b
	uunpklo	z21.h, z21.b
	uunpklo	z20.h, z20.b
	uunpklo	z19.h, z19.b
	uunpklo	z17.s, z17.h
	and	z22.b, z22.b, #0x1
	uunpklo	z23.h, z23.b
	uunpklo	z24.h, z24.b
	uunpklo	z18.s, z18.h
	uunpklo	z21.s, z21.h
	uunpklo	z20.s, z20.h
	uunpklo	z22.h, z22.b
	uunpklo	z19.s, z19.h
	uunpklo	z17.d, z17.s
	uunpklo	z23.s, z23.h
	uunpklo	z24.s, z24.h
	uunpklo	z18.d, z18.s
	uunpklo	z21.d, z21.s
	uunpklo	z20.d, z20.s
	uunpklo	z22.s, z22.h
	uunpklo	z19.d, z19.s
	add	z0.d, z0.d, z17.d
	uunpklo	z23.d, z23.s
	uunpklo	z24.d, z24.s
	add	z6.d, z6.d, z18.d
	add	z3.d, z3.d, z20.d
	add	z1.d, z1.d, z21.d
	uunpklo	z22.d, z22.s
	add	z7.d, z7.d, z19.d
	add	z4.d, z4.d, z24.d
	add	z2.d, z2.d, z23.d
	add	z5.d, z5.d, z22.d
	b.ne	.LBB6_7
// %bb.8:
	add	z0.d, z0.d, z6.d
	add	z3.d, z3.d, z7.d
	cmp	x0, x9
	add	z1.d, z1.d, z4.d
	add	z2.d, z2.d, z5.d
	ptrue	p0.d
	add	z0.d, z0.d, z3.d
	add	z1.d, z1.d, z2.d
	add	z0.d, z0.d, z1.d
	uaddv	d0, p0, z0.d
	fmov	x8, d0
	b.eq	.LBB6_15
// %bb.9:
	cbz	x10, .LBB6_13
.LBB6_10:
	stp	xzr, xzr, [sp, #48]
	mov	x10, sp
	dup	v1.8b, w2
	stp	xzr, xzr, [sp, #32]
	stp	xzr, xzr, [sp, #16]
	stp	x8, xzr, [sp]
	ldr	z0, [x10]
	mov	x10, x9
	and	x9, x0, #0x7ffffffffffffff8
	sub	x8, x10, x9
	add	x10, x1, x10
.LBB6_11:                               // =>This Inner Loop Header: Depth=1
	ldr	d2, [x10], #8
	adds	x8, x8, #8
	cmeq	v2.8b, v2.8b, v1.8b
	and	z2.b, z2.b, #0x1
	uunpklo	z2.h, z2.b
	uunpklo	z2.s, z2.h
	uunpklo	z2.d, z2.s
	add	z0.d, z0.d, z2.d
	b.ne	.LBB6_11
// %bb.12:
	ptrue	p0.d
	cmp	x0, x9
	uaddv	d0, p0, z0.d
	fmov	x8, d0
	b.eq	.LBB6_15
.LBB6_13:
	sub	x10, x0, x9
	add	x9, x1, x9
.LBB6_14:                               // =>This Inner Loop Header: Depth=1
	ldrb	w11, [x9], #1
	cmp	w11, w2, uxtb
	cinc	x8, x8, eq
	subs	x10, x10, #1
	b.ne	.LBB6_14
.LBB6_15:
	mov	sp, x29
	ldp	x29, x30, [sp], #16             // 16-byte Folded Reload
	mov	x0, x8
	ret
.Lfunc_end6:
	.size	count_equal, .Lfunc_end6-count_equal
                                        // -- End function
	.globl	convert                         // -- Begin function convert
	.p2align	2
	.type	convert,@function
convert:                                // @convert
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB7_14
// %bb.1:
	cmp	x0, #4
	b.hs	.LBB7_3
// %bb.2:
	mov	x8, xzr
	b	.LBB7_12
.LBB7_3:
	cmp	x0, #16
	b.hs	.LBB7_5
// %bb.4:
	mov	x8, xzr
	b	.LBB7_9
.LBB7_5:
	ptrue	p0.d
	and	x9, x0, #0xc
	and	x8, x0, #0x7ffffffffffffff0
	mov	x10, x2
	mov	x11, x3
	mov	x12, x1
	and	x13, x0, #0x7ffffffffffffff0
.LBB7_6:                                // =>This Inner Loop Header: Depth=1
	ldr	z0, [x10]
	ld1w	{ z2.d }, p0/z, [x11]
	subs	x13, x13, #16
	ld1w	{ z3.d }, p0/z, [x11, #1, mul vl]
	add	x11, x11, #64
	add	x10, x10, #64
	movprfx	z1, z0
	ext	z1.b, z1.b, z0.b, #32
	sunpklo	z0.d, z0.s
	fcvt	z2.d, p0/m, z2.s
	fcvt	z3.d, p0/m, z3.s
	sunpklo	z1.d, z1.s
	scvtf	z0.d, p0/m, z0.d
	scvtf	z1.d, p0/m, z1.d
	fadd	z0.d, z2.d, z0.d
	fadd	z1.d, z3.d, z1.d
	str	z0, [x12]
	str	z1, [x12, #1, mul vl]
	add	x12, x12, #128
	b.ne	.LBB7_6
// %bb.7:
	cmp	x0, x8
	b.eq	.LBB7_14
// %bb.8:
	cbz	x9, .LBB7_12
.LBB7_9:
	mov	x10, x8
	and	x8, x0, #0x7ffffffffffffffc
	ptrue	p0.d, vl4
	lsl	x12, x10, #2
	add	x9, x1, x10, lsl #3
	sub	x10, x10, x8
	add	x11, x3, x12
	add	x12, x2, x12
.LBB7_10:                               // =>This Inner Loop Header: Depth=1
	ldr	q0, [x12], #16
	ld1w	{ z1.d }, p0/z, [x11]
	adds	x10, x10, #4
	add	x11, x11, #16
	sunpklo	z0.d, z0.s
	fcvt	z1.d, p0/m, z1.s
	scvtf	z0.d, p0/m, z0.d
	fadd	z0.d, p0/m, z0.d, z1.d
	st1d	{ z0.d }, p0, [x9]
	add	x9, x9, #32
	b.ne	.LBB7_10
// %bb.11:
	cmp	x0, x8
	b.eq	.LBB7_14
.LBB7_12:
	lsl	x11, x8, #2
	add	x9, x1, x8, lsl #3
	sub	x8, x0, x8
	add	x10, x3, x11
	add	x11, x2, x11
.LBB7_13:                               // =>This Inner Loop Header: Depth=1
	ldr	w12, [x11], #4
	subs	x8, x8, #1
	ldr	s0, [x10], #4
	scvtf	d1, w12
	fcvt	d0, s0
	fadd	d0, d0, d1
	str	d0, [x9], #8
	b.ne	.LBB7_13
.LBB7_14:
	ret
.Lfunc_end7:
	.size	convert, .Lfunc_end7-convert
                                        // -- End function
	.globl	conditional                     // -- Begin function conditional
	.p2align	2
	.type	conditional,@function
conditional:                            // @conditional
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB8_6
// %bb.1:
	cmp	x0, #8
	b.hs	.LBB8_3
// %bb.2:
	mov	x8, xzr
	b	.LBB8_7
.LBB8_3:
	ptrue	p0.d
	and	x8, x0, #0x7ffffffffffffff8
	mov	x9, x2
	mov	x10, x1
	and	x11, x0, #0x7ffffffffffffff8
.LBB8_4:                                // =>This Inner Loop Header: Depth=1
	ldr	z0, [x9]
	subs	x11, x11, #8
	add	x9, x9, #64
	movprfx	z1, z0
	fsqrt	z1.d, p0/m, z0.d
	fcmgt	p1.d, p0/z, z0.d, #0.0
	ld1d	{ z0.d }, p1/z, [x10]
	fadd	z0.d, z0.d, z1.d
	st1d	{ z0.d }, p1, [x10]
	add	x10, x10, #64
	b.ne	.LBB8_4
// %bb.5:
	cmp	x0, x8
	b.ne	.LBB8_7
.LBB8_6:
	ret
.LBB8_7:
	lsl	x10, x8, #3
	sub	x8, x0, x8
	add	x9, x1, x10
	add	x10, x2, x10
	b	.LBB8_9
.LBB8_8:                                //   in Loop: Header=BB8_9 Depth=1
	subs	x8, x8, #1
	add	x9, x9, #8
	b.eq	.LBB8_6
.LBB8_9:                                // =>This Inner Loop Header: Depth=1
	ldr	d0, [x10], #8
	fcmp	d0, #0.0
	b.le	.LBB8_8
// %bb.10:                              //   in Loop: Header=BB8_9 Depth=1
	fsqrt	d0, d0
	ldr	d1, [x9]
	fadd	d0, d1, d0
	str	d0, [x9]
	b	.LBB8_8
.Lfunc_end8:
	.size	conditional, .Lfunc_end8-conditional
                                        // -- End function
	.globl	xor_shift                       // -- Begin function xor_shift
	.p2align	2
	.type	xor_shift,@function
xor_shift:                              // @xor_shift
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB9_3
// %bb.1:
	stp	x29, x30, [sp, #-16]!           // 16-byte Folded Spill
	sub	x9, sp, #48
	mov	x29, sp
	and	sp, x9, #0xffffffffffffffe0
	cmp	x0, #8
	b.hs	.LBB9_4
// %bb.2:
	mov	x9, xzr
	mov	w8, wzr
	b	.LBB9_13
.LBB9_3:
	mov	w0, wzr
	ret
.LBB9_4:
	cmp	x0, #16
	b.hs	.LBB9_9
// %bb.5:
	mov	x9, xzr
	mov	w8, wzr
.LBB9_6:
	ptrue	p0.s, vl8
	stp	xzr, xzr, [sp, #16]
	mov	x10, sp
	str	xzr, [sp, #8]
	mov	x11, x9
	and	x9, x0, #0x7ffffffffffffff8
	stp	w8, wzr, [sp]
	add	x8, x1, x11, lsl #2
	ld1w	{ z0.s }, p0/z, [x10]
	sub	x10, x11, x9
.LBB9_7:                                // =>This Inner Loop Header: Depth=1
	ld1w	{ z1.s }, p0/z, [x8]
	adds	x10, x10, #8
	lsl	z2.s, z1.s, #13
	eor	z1.d, z2.d, z1.d
	lsr	z2.s, z1.s, #17
	eor	z1.d, z2.d, z1.d
	orr	z0.d, z1.d, z0.d
	st1w	{ z1.s }, p0, [x8]
	add	x8, x8, #32
	b.ne	.LBB9_7
// %bb.8:
	orv	s0, p0, z0.s
	cmp	x0, x9
	fmov	w8, s0
	b.ne	.LBB9_13
	b	.LBB9_15
.LBB9_9:
	movi	v0.2d, #0000000000000000
	and	x9, x0, #0x7ffffffffffffff0
	mov	x8, x1
	and	x10, x0, #0x7ffffffffffffff0
.LBB9_10:                               // =>This Inner Loop Header: Depth=1
	ldr	z1, [x8]
	subs	x10, x10, #16
	lsl	z2.s, z1.s, #13
	eor	z1.d, z2.d, z1.d
	lsr	z2.s, z1.s, #17
	eor	z1.d, z2.d, z1.d
	orr	z0.d, z1.d, z0.d
	str	z1, [x8]
	add	x8, x8, #64
	b.ne	.LBB9_10
// %bb.11:
	ptrue	p0.s
	cmp	x0, x9
	orv	s0, p0, z0.s
	fmov	w8, s0
	b.eq	.LBB9_15
// %bb.12:
	tbnz	w0, #3, .LBB9_6
.LBB9_13:
	add	x10, x1, x9, lsl #2
	sub	x9, x0, x9
.LBB9_14:                               // =>This Inner Loop Header: Depth=1
	ldr	w11, [x10]
	subs	x9, x9, #1
	eor	w11, w11, w11, lsl #13
	eor	w11, w11, w11, lsr #17
	orr	w8, w11, w8
	str	w11, [x10], #4
	b.ne	.LBB9_14
.LBB9_15:
	mov	sp, x29
	ldp	x29, x30, [sp], #16             // 16-byte Folded Reload
	mov	w0, w8
	ret
.Lfunc_end9:
	.size	xor_shift, .Lfunc_end9-xor_shift
                                        // -- End function
	.globl	transpose                       // -- Begin function transpose
	.p2align	2
	.type	transpose,@function
transpose:                              // @transpose
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB10_16
// %bb.1:
	index	z0.d, #0, #1
	mov	z2.d, x0
	lsl	x9, x0, #2
	ptrue	p0.d
	mov	x8, xzr
	and	x10, x0, #0x7ffffffffffffff0
	and	x11, x0, #0x7ffffffffffffff8
	mov	x12, x2
	mov	z1.d, z0.d
	orr	z1.d, z1.d, #0x8
	b	.LBB10_3
.LBB10_2:                               //   in Loop: Header=BB10_3 Depth=1
	add	x8, x8, #1
	add	x1, x1, x9
	add	x12, x12, #4
	cmp	x8, x0
	b.eq	.LBB10_16
.LBB10_3:                               // =>This Loop Header: Depth=1
                                        //     Child Loop BB10_11 Depth 2
                                        //     Child Loop BB10_8 Depth 2
                                        //     Child Loop BB10_15 Depth 2
	cmp	x0, #8
	b.hs	.LBB10_5
// %bb.4:                               //   in Loop: Header=BB10_3 Depth=1
	mov	x14, xzr
	b	.LBB10_14
.LBB10_5:                               //   in Loop: Header=BB10_3 Depth=1
	add	x13, x2, x8, lsl #2
	cmp	x0, #16
	b.hs	.LBB10_10
// %bb.6:                               //   in Loop: Header=BB10_3 Depth=1
	mov	x15, xzr
.LBB10_7:                               //   in Loop: Header=BB10_3 Depth=1
	index	z3.d, x15, #1
.LBB10_8:                               //   Parent Loop BB10_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	movprfx	z4, z3
	mul	z4.d, p0/m, z4.d, z2.d
	add	z3.d, z3.d, #8                  // =0x8
	ld1w	{ z4.d }, p0/z, [x13, z4.d, lsl #2]
	st1w	{ z4.d }, p0, [x1, x15, lsl #2]
	add	x15, x15, #8
	cmp	x11, x15
	b.ne	.LBB10_8
// %bb.9:                               //   in Loop: Header=BB10_3 Depth=1
	cmp	x0, x11
	and	x14, x0, #0x7ffffffffffffff8
	b.eq	.LBB10_2
	b	.LBB10_14
.LBB10_10:                              //   in Loop: Header=BB10_3 Depth=1
	mov	z3.d, z0.d
	mov	z4.d, z1.d
	mov	x14, x1
	and	x15, x0, #0x7ffffffffffffff0
.LBB10_11:                              //   Parent Loop BB10_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	movprfx	z5, z3
	mul	z5.d, p0/m, z5.d, z2.d
	movprfx	z6, z4
	mul	z6.d, p0/m, z6.d, z2.d
	add	z3.d, z3.d, #16                 // =0x10
	add	z4.d, z4.d, #16                 // =0x10
	subs	x15, x15, #16
	ld1w	{ z5.d }, p0/z, [x13, z5.d, lsl #2]
	ld1w	{ z6.d }, p0/z, [x13, z6.d, lsl #2]
	uzp1	z5.s, z5.s, z6.s
	str	z5, [x14]
	add	x14, x14, #64
	b.ne	.LBB10_11
// %bb.12:                              //   in Loop: Header=BB10_3 Depth=1
	cmp	x0, x10
	b.eq	.LBB10_2
// %bb.13:                              //   in Loop: Header=BB10_3 Depth=1
	and	x15, x0, #0x7ffffffffffffff0
	and	x14, x0, #0x7ffffffffffffff0
	tbnz	w0, #3, .LBB10_7
.LBB10_14:                              //   in Loop: Header=BB10_3 Depth=1
	madd	x13, x9, x14, x12
.LBB10_15:                              //   Parent Loop BB10_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ldr	s3, [x13]
	add	x13, x13, x9
	str	s3, [x1, x14, lsl #2]
	add	x14, x14, #1
	cmp	x0, x14
	b.ne	.LBB10_15
	b	.LBB10_2
.LBB10_16:
	ret
.Lfunc_end10:
	.size	transpose, .Lfunc_end10-transpose
                                        // -- End function
	.globl	matrix                          // -- Begin function matrix
	.p2align	2
	.type	matrix,@function
matrix:                                 // @matrix
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB11_11
// %bb.1:
	lsl	x9, x0, #3
	ptrue	p0.d
	mov	x8, xzr
	and	x10, x0, #0x7ffffffffffffff8
	b	.LBB11_3
.LBB11_2:                               //   in Loop: Header=BB11_3 Depth=1
	add	x8, x8, #1
	add	x1, x1, x9
	cmp	x8, x0
	b.eq	.LBB11_11
.LBB11_3:                               // =>This Loop Header: Depth=1
                                        //     Child Loop BB11_5 Depth 2
                                        //       Child Loop BB11_8 Depth 3
                                        //       Child Loop BB11_10 Depth 3
	mul	x12, x8, x0
	mov	x11, xzr
	mov	x13, x3
	add	x12, x2, x12, lsl #3
	b	.LBB11_5
.LBB11_4:                               //   in Loop: Header=BB11_5 Depth=2
	add	x11, x11, #1
	add	x13, x13, x9
	cmp	x11, x0
	b.eq	.LBB11_2
.LBB11_5:                               //   Parent Loop BB11_3 Depth=1
                                        // =>  This Loop Header: Depth=2
                                        //       Child Loop BB11_8 Depth 3
                                        //       Child Loop BB11_10 Depth 3
	ldr	d0, [x12, x11, lsl #3]
	cmp	x0, #8
	b.hs	.LBB11_7
// %bb.6:                               //   in Loop: Header=BB11_5 Depth=2
	mov	x14, xzr
	b	.LBB11_10
.LBB11_7:                               //   in Loop: Header=BB11_5 Depth=2
	mov	z1.d, d0
	mov	x14, x13
	mov	x15, x1
	and	x16, x0, #0x7ffffffffffffff8
.LBB11_8:                               //   Parent Loop BB11_3 Depth=1
                                        //     Parent Loop BB11_5 Depth=2
                                        // =>    This Inner Loop Header: Depth=3
	ldr	z2, [x14]
	ldr	z3, [x15]
	subs	x16, x16, #8
	add	x14, x14, #64
	fmad	z2.d, p0/m, z1.d, z3.d
	str	z2, [x15]
	add	x15, x15, #64
	b.ne	.LBB11_8
// %bb.9:                               //   in Loop: Header=BB11_5 Depth=2
	cmp	x0, x10
	and	x14, x0, #0x7ffffffffffffff8
	b.eq	.LBB11_4
.LBB11_10:                              //   Parent Loop BB11_3 Depth=1
                                        //     Parent Loop BB11_5 Depth=2
                                        // =>    This Inner Loop Header: Depth=3
	ldr	d1, [x13, x14, lsl #3]
	ldr	d2, [x1, x14, lsl #3]
	fmadd	d1, d1, d0, d2
	str	d1, [x1, x14, lsl #3]
	add	x14, x14, #1
	cmp	x0, x14
	b.ne	.LBB11_10
	b	.LBB11_4
.LBB11_11:
	ret
.Lfunc_end11:
	.size	matrix, .Lfunc_end11-matrix
                                        // -- End function
	.globl	reverse                         // -- Begin function reverse
	.p2align	2
	.type	reverse,@function
reverse:                                // @reverse
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB12_14
// %bb.1:
	cmp	x0, #8
	b.hs	.LBB12_3
// %bb.2:
	mov	x8, xzr
	b	.LBB12_12
.LBB12_3:
	cmp	x0, #16
	b.hs	.LBB12_8
// %bb.4:
	mov	x8, xzr
.LBB12_5:
	lsl	x10, x8, #2
	mov	x9, x8
	ptrue	p0.d
	sub	x8, x2, x10
	add	x10, x1, x10
	add	x11, x8, x0, lsl #2
	and	x8, x0, #0x7ffffffffffffff8
	sub	x9, x9, x8
	sub	x11, x11, #32
.LBB12_6:                               // =>This Inner Loop Header: Depth=1
	ld1w	{ z0.d }, p0/z, [x11]
	add	x9, x9, #8
	sub	x11, x11, #32
	rev	z0.d, z0.d
	st1w	{ z0.d }, p0, [x10]
	add	x10, x10, #32
	cbnz	x9, .LBB12_6
// %bb.7:
	cmp	x0, x8
	b.ne	.LBB12_12
	b	.LBB12_14
.LBB12_8:
	add	x9, x2, x0, lsl #2
	and	x8, x0, #0x7ffffffffffffff0
	mov	x10, x1
	and	x11, x0, #0x7ffffffffffffff0
	sub	x9, x9, #64
.LBB12_9:                               // =>This Inner Loop Header: Depth=1
	ldr	z0, [x9]
	sub	x11, x11, #16
	sub	x9, x9, #64
	rev	z0.s, z0.s
	str	z0, [x10]
	add	x10, x10, #64
	cbnz	x11, .LBB12_9
// %bb.10:
	cmp	x0, x8
	b.eq	.LBB12_14
// %bb.11:
	tbnz	w0, #3, .LBB12_5
.LBB12_12:
	add	x9, x1, x8, lsl #2
	sub	x8, x0, x8
	sub	x10, x2, #4
.LBB12_13:                              // =>This Inner Loop Header: Depth=1
	ldr	w11, [x10, x8, lsl #2]
	subs	x8, x8, #1
	str	w11, [x9], #4
	b.ne	.LBB12_13
.LBB12_14:
	ret
.Lfunc_end12:
	.size	reverse, .Lfunc_end12-reverse
                                        // -- End function
	.globl	divide                          // -- Begin function divide
	.p2align	2
	.type	divide,@function
divide:                                 // @divide
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB13_14
// %bb.1:
	cmp	x0, #8
	b.hs	.LBB13_3
// %bb.2:
	mov	x8, xzr
	b	.LBB13_12
.LBB13_3:
	cmp	x0, #16
	b.hs	.LBB13_8
// %bb.4:
	mov	x8, xzr
.LBB13_5:
	mov	x9, x8
	mov	x8, #18725                      // =0x4925
	mov	x10, #7378697629483820646       // =0x6666666666666666
	movk	x8, #9362, lsl #16
	movk	x10, #26215
	lsl	x11, x9, #2
	movk	x8, #37449, lsl #32
	mov	z1.d, x10
	mov	z2.d, #10                       // =0xa
	movk	x8, #18724, lsl #48
	ptrue	p0.d
	add	x10, x1, x11
	mov	z0.d, x8
	and	x8, x0, #0x7ffffffffffffff8
	add	x11, x2, x11
	sub	x9, x9, x8
.LBB13_6:                               // =>This Inner Loop Header: Depth=1
	ld1sw	{ z3.d }, p0/z, [x10]
	ld1sw	{ z5.d }, p0/z, [x11]
	adds	x9, x9, #8
	add	x11, x11, #32
	movprfx	z4, z3
	smulh	z4.d, p0/m, z4.d, z1.d
	smulh	z5.d, p0/m, z5.d, z0.d
	lsr	z6.d, z4.d, #63
	lsr	z4.d, z4.d, #2
	add	z4.d, z4.d, z6.d
	lsr	z6.d, z5.d, #63
	asr	z5.d, z5.d, #1
	mls	z3.d, p0/m, z4.d, z2.d
	add	z4.d, z5.d, z6.d
	add	z3.d, z3.d, z4.d
	st1w	{ z3.d }, p0, [x10]
	add	x10, x10, #32
	b.ne	.LBB13_6
// %bb.7:
	cmp	x0, x8
	b.ne	.LBB13_12
	b	.LBB13_14
.LBB13_8:
	mov	w8, #9363                       // =0x2493
	mov	w9, #26215                      // =0x6667
	mov	z2.s, #10                       // =0xa
	movk	w8, #37449, lsl #16
	movk	w9, #26214, lsl #16
	ptrue	p0.s
	mov	z0.s, w8
	mov	z1.s, w9
	and	x8, x0, #0x7ffffffffffffff0
	mov	x9, x2
	mov	x10, x1
	and	x11, x0, #0x7ffffffffffffff0
.LBB13_9:                               // =>This Inner Loop Header: Depth=1
	ldr	z3, [x10]
	ldr	z4, [x9]
	subs	x11, x11, #16
	add	x9, x9, #64
	movprfx	z5, z3
	smulh	z5.s, p0/m, z5.s, z1.s
	movprfx	z6, z4
	smulh	z6.s, p0/m, z6.s, z0.s
	lsr	z7.s, z5.s, #31
	asr	z5.s, z5.s, #2
	add	z4.s, z6.s, z4.s
	add	z5.s, z5.s, z7.s
	lsr	z6.s, z4.s, #31
	asr	z4.s, z4.s, #2
	mls	z3.s, p0/m, z5.s, z2.s
	add	z4.s, z4.s, z6.s
	add	z3.s, z3.s, z4.s
	str	z3, [x10]
	add	x10, x10, #64
	b.ne	.LBB13_9
// %bb.10:
	cmp	x0, x8
	b.eq	.LBB13_14
// %bb.11:
	tbnz	w0, #3, .LBB13_5
.LBB13_12:
	lsl	x10, x8, #2
	mov	x11, #-56173                    // =0xffffffffffff2493
	mov	w12, #26215                     // =0x6667
	sub	x8, x0, x8
	movk	x11, #37449, lsl #16
	movk	w12, #26214, lsl #16
	add	x9, x1, x10
	add	x10, x2, x10
	mov	w13, #10                        // =0xa
.LBB13_13:                              // =>This Inner Loop Header: Depth=1
	ldrsw	x14, [x9]
	ldrsw	x15, [x10], #4
	subs	x8, x8, #1
	smull	x16, w14, w12
	smull	x17, w15, w11
	asr	x18, x16, #34
	add	x15, x15, x17, lsr #32
	add	x16, x18, x16, lsr #63
	asr	w17, w15, #2
	msub	w14, w16, w13, w14
	add	w15, w17, w15, lsr #31
	add	w14, w14, w15
	str	w14, [x9], #4
	b.ne	.LBB13_13
.LBB13_14:
	ret
.Lfunc_end13:
	.size	divide, .Lfunc_end13-divide
                                        // -- End function
	.globl	smallest                        // -- Begin function smallest
	.p2align	2
	.type	smallest,@function
smallest:                               // @smallest
// %bb.0:
	ldr	d0, [x1]
	cmp	x0, #2
	b.lt	.LBB14_8
// %bb.1:
	cmp	x0, #9
	b.hs	.LBB14_3
// %bb.2:
	mov	w8, #1                          // =0x1
	b	.LBB14_6
.LBB14_3:
	sub	x9, x0, #1
	mov	z0.d, d0
	ptrue	p0.d
	and	x10, x9, #0xfffffffffffffff8
	add	x11, x1, #8
	and	x12, x9, #0xfffffffffffffff8
	orr	x8, x10, #0x1
.LBB14_4:                               // =>This Inner Loop Header: Depth=1
	ldr	z1, [x11]
	subs	x12, x12, #8
	add	x11, x11, #64
	fminnm	z0.d, p0/m, z0.d, z1.d
	b.ne	.LBB14_4
// %bb.5:
	fminnmv	d0, p0, z0.d
	cmp	x9, x10
	b.eq	.LBB14_8
.LBB14_6:
	add	x9, x1, x8, lsl #3
	sub	x8, x0, x8
.LBB14_7:                               // =>This Inner Loop Header: Depth=1
	ldr	d1, [x9], #8
	subs	x8, x8, #1
	fminnm	d0, d1, d0
	b.ne	.LBB14_7
.LBB14_8:
                                        // kill: def $d0 killed $d0 killed $z0
	ret
.Lfunc_end14:
	.size	smallest, .Lfunc_end14-smallest
                                        // -- End function
	.section	".note.GNU-stack","",@progbits
	.addrsig
