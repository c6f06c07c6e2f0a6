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
	cntd	x9
	cmp	x0, x9
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
	neg	x8, x9
	ptrue	p0.d
	mov	x10, xzr
	and	x8, x0, x8
.LBB0_5:                                // =>This Inner Loop Header: Depth=1
	ld1d	{ z1.d }, p0/z, [x1, x10, lsl #3]
	ld1d	{ z2.d }, p0/z, [x2, x10, lsl #3]
	add	x10, x10, x9
	cmp	x8, x10
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
	cntd	x8
	mov	w9, #4                          // =0x4
	sub	x10, x0, #2
	cmp	x8, #4
	ldr	d0, [x2, #8]
	csel	x9, x8, x9, hi
	cmp	x10, x9
	b.hs	.LBB1_3
// %bb.2:
	mov	w9, #1                          // =0x1
	b	.LBB1_7
.LBB1_3:
	ptrue	p1.d, vl1
	neg	x9, x8
	mov	z0.d, d0
	fmov	z1.d, #2.00000000
	and	x12, x10, x9
	mov	x11, xzr
	fmov	z2.d, #0.25000000
	orr	x9, x12, #0x1
	add	x13, x1, #8
	ptrue	p0.d
	mov	x14, #2                         // =0x2
	rev	p1.d, p1.d
.LBB1_4:                                // =>This Inner Loop Header: Depth=1
	add	x15, x2, x11, lsl #3
	mov	z3.d, z0.d
	ld1d	{ z4.d }, p0/z, [x2, x11, lsl #3]
	ld1d	{ z0.d }, p0/z, [x15, x14, lsl #3]
	splice	z3.d, p1, z3.d, z0.d
	fmad	z3.d, p0/m, z1.d, z4.d
	fadd	z3.d, z3.d, z0.d
	fmul	z3.d, z3.d, z2.d
	st1d	{ z3.d }, p0, [x13, x11, lsl #3]
	add	x11, x11, x8
	cmp	x12, x11
	b.ne	.LBB1_4
// %bb.5:
	cmp	x10, x12
	b.eq	.LBB1_9
// %bb.6:
	cntd	x8
	sub	w8, w8, #1
	whilels	p0.d, xzr, x8
	lastb	d0, p0, z0.d
.LBB1_7:
	lsl	x10, x9, #3
	fmov	d1, #0.25000000
	mvn	x8, x9
	add	x8, x8, x0
	add	x11, x10, x2
	add	x9, x1, x10
	add	x10, x11, #8
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
	b.lt	.LBB2_8
// %bb.1:
	cntw	x9
	cmp	x0, x9
	b.hs	.LBB2_3
// %bb.2:
	mov	x8, xzr
	b	.LBB2_6
.LBB2_3:
	neg	x8, x9
	ptrue	p0.b
	mov	x10, xzr
	and	x8, x0, x8
	ptrue	p1.s
	rdvl	x11, #2
	mov	x12, x8
.LBB2_4:                                // =>This Inner Loop Header: Depth=1
	movi	v1.2d, #0000000000000000
	add	x13, x2, x10
	ld1b	{ z0.b }, p0/z, [x2, x10]
	add	x14, x3, x10
	ld1b	{ z2.b }, p0/z, [x3, x10]
	movi	v3.2d, #0000000000000000
	ldr	z4, [x13, #1, mul vl]
	ldr	z5, [x14, #1, mul vl]
	add	x13, x1, x10
	subs	x12, x12, x9
	fcmla	z1.s, p1/m, z0.s, z2.s, #0
	fcmla	z3.s, p1/m, z4.s, z5.s, #0
	fcmla	z1.s, p1/m, z0.s, z2.s, #90
	fcmla	z3.s, p1/m, z4.s, z5.s, #90
	st1b	{ z1.b }, p0, [x1, x10]
	add	x10, x10, x11
	str	z3, [x13, #1, mul vl]
	b.ne	.LBB2_4
// %bb.5:
	cmp	x0, x8
	b.eq	.LBB2_8
.LBB2_6:
	lsl	x11, x8, #3
	sub	x8, x0, x8
	add	x9, x11, x2
	add	x10, x3, x11
	add	x11, x1, x11
	add	x9, x9, #4
.LBB2_7:                                // =>This Inner Loop Header: Depth=1
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
	b.ne	.LBB2_7
.LBB2_8:
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
	b.lt	.LBB3_6
// %bb.1:
	ldr	x13, [x2]
	mov	x8, xzr
	b	.LBB3_3
.LBB3_2:                                //   in Loop: Header=BB3_3 Depth=1
	cmp	x9, x0
	str	d0, [x1, x8, lsl #3]
	mov	x13, x10
	mov	x8, x9
	b.eq	.LBB3_6
.LBB3_3:                                // =>This Loop Header: Depth=1
                                        //     Child Loop BB3_5 Depth 2
	add	x9, x8, #1
	movi	d0, #0000000000000000
	ldr	x10, [x2, x9, lsl #3]
	subs	x11, x10, x13
	b.le	.LBB3_2
// %bb.4:                               //   in Loop: Header=BB3_3 Depth=1
	add	x12, x3, x13, lsl #2
	add	x13, x4, x13, lsl #3
.LBB3_5:                                //   Parent Loop BB3_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ldrsw	x14, [x12], #4
	subs	x11, x11, #1
	ldr	d1, [x13], #8
	ldr	d2, [x5, x14, lsl #3]
	fmadd	d0, d2, d1, d0
	b.ne	.LBB3_5
	b	.LBB3_2
.LBB3_6:
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
	b.lt	.LBB4_2
.LBB4_1:                                // =>This Inner Loop Header: Depth=1
	ldrsw	x8, [x2], #4
	subs	x0, x0, #1
	ldr	s0, [x3], #4
	str	s0, [x1, x8, lsl #2]
	b.ne	.LBB4_1
.LBB4_2:
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
	cnth	x8
	cmp	x0, x8
	b.hs	.LBB5_3
// %bb.2:
	mov	x9, xzr
	b	.LBB5_12
.LBB5_3:
	rdvl	x10, #1
	cmp	x0, x10
	b.hs	.LBB5_5
// %bb.4:
	mov	x9, xzr
	b	.LBB5_9
.LBB5_5:
	mov	z0.h, #255                      // =0xff
	sub	x9, x10, #1
	ptrue	p0.h
	and	x12, x0, x9
	ptrue	p1.b
	mov	x11, xzr
	sub	x9, x0, x12
.LBB5_6:                                // =>This Inner Loop Header: Depth=1
	add	x13, x2, x11, lsl #1
	ld1h	{ z1.h }, p0/z, [x2, x11, lsl #1]
	ldr	z2, [x13, #1, mul vl]
	smax	z1.h, z1.h, #0
	smax	z2.h, z2.h, #0
	smin	z1.h, p0/m, z1.h, z0.h
	smin	z2.h, p0/m, z2.h, z0.h
	uzp1	z1.b, z1.b, z2.b
	st1b	{ z1.b }, p1, [x1, x11]
	add	x11, x11, x10
	cmp	x9, x11
	b.ne	.LBB5_6
// %bb.7:
	cbz	x12, .LBB5_14
// %bb.8:
	cmp	x12, x8
	b.lo	.LBB5_12
.LBB5_9:
	mov	z0.h, #255                      // =0xff
	neg	x11, x8
	ptrue	p0.h
	mov	x10, x9
	and	x9, x0, x11
.LBB5_10:                               // =>This Inner Loop Header: Depth=1
	ld1h	{ z1.h }, p0/z, [x2, x10, lsl #1]
	smax	z1.h, z1.h, #0
	smin	z1.h, p0/m, z1.h, z0.h
	st1b	{ z1.h }, p0, [x1, x10]
	add	x10, x10, x8
	cmp	x9, x10
	b.ne	.LBB5_10
// %bb.11:
	cmp	x0, x9
	b.eq	.LBB5_14
.LBB5_12:
	add	x8, x2, x9, lsl #1
	sub	x10, x0, x9
	add	x9, x1, x9
	mov	w11, #255                       // =0xff
.LBB5_13:                               // =>This Inner Loop Header: Depth=1
	ldrsh	w12, [x8], #2
	bic	w12, w12, w12, asr #31
	cmp	w12, #255
	csel	w12, w12, w11, lt
	subs	x10, x10, #1
	strb	w12, [x9], #1
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
	rdvl	x8, #1
	cmp	x0, x8
	b.hs	.LBB6_6
// %bb.5:
	mov	x9, xzr
	mov	x8, xzr
	b	.LBB6_10
.LBB6_6:
	movi	v0.2d, #0000000000000000
	movi	v2.2d, #0000000000000000
	sub	x9, x8, #1
	movi	v3.2d, #0000000000000000
	movi	v1.2d, #0000000000000000
	and	x11, x0, x9
	movi	v6.2d, #0000000000000000
	movi	v4.2d, #0000000000000000
	mov	x10, xzr
	movi	v7.2d, #0000000000000000
	movi	v5.2d, #0000000000000000
	sub	x9, x0, x11
	mov	z16.b, w2
	mov	z17.d, #1                       // =0x1
.LBB6_7:                                // =>This Inner Loop Header: Depth=1
	ptrue	p0.b
	ld1b	{ z18.b }, p0/z, [x1, x10]
	add	x10, x10, x8
	cmpeq	p1.b, p0/z, z18.b, z16.b
	cmp	x9, x10
	punpkhi	p2.h, p1.b
	punpklo	p1.h, p1.b
	punpkhi	p3.h, p2.b
	punpklo	p4.h, p1.b
	punpkhi	p5.h, p1.b
	punpklo	p6.h, p2.b
	punpkhi	p1.h, p3.b
	punpklo	p2.h, p3.b
	punpkhi	p3.h, p4.b
	add	z5.d, p1/m, z5.d, z17.d
	punpklo	p7.h, p5.b
	add	z7.d, p2/m, z7.d, z17.d
	punpklo	p0.h, p6.b
	add	z0.d, p3/m, z0.d, z17.d
	punpkhi	p6.h, p6.b
	add	z3.d, p7/m, z3.d, z17.d
	punpkhi	p5.h, p5.b
	add	z6.d, p0/m, z6.d, z17.d
	punpklo	p4.h, p4.b
	add	z4.d, p6/m, z4.d, z17.d
	add	z1.d, p5/m, z1.d, z17.d
	add	z2.d, p4/m, z2.d, z17.d
	b.ne	.LBB6_7
// %bb.8:
	add	z2.d, z2.d, z6.d
	add	z3.d, z3.d, z7.d
	add	z0.d, z0.d, z4.d
	add	z1.d, z1.d, z5.d
	ptrue	p0.d
	add	z2.d, z2.d, z3.d
	add	z0.d, z0.d, z1.d
	add	z0.d, z2.d, z0.d
	uaddv	d0, p0, z0.d
	fmov	x8, d0
	cbz	x11, .LBB6_15
// %bb.9:
	cmp	x11, #8
	b.lo	.LBB6_13
.LBB6_10:
	movi	v0.2d, #0000000000000000
	movi	v1.2d, #0000000000000000
	mov	x10, x9
	dup	v2.8b, w2
	movi	v3.2d, #0000000000000000
	and	x9, x0, #0x7ffffffffffffff8
	movi	v4.2d, #0000000000000000
	mov	z5.d, #1                        // =0x1
	mov	v0.d[0], x8
	sub	x8, x10, x9
	add	x10, x1, x10
.LBB6_11:                               // =>This Inner Loop Header: Depth=1
	ldr	d6, [x10], #8
	adds	x8, x8, #8
	cmeq	v6.8b, v6.8b, v2.8b
	ushll	v6.8h, v6.8b, #0
	ushll2	v7.4s, v6.8h, #0
	ushll	v6.4s, v6.4h, #0
	ushll2	v16.2d, v7.4s, #0
	ushll	v17.2d, v6.2s, #0
	ushll2	v6.2d, v6.4s, #0
	ushll	v7.2d, v7.2s, #0
	and	v16.16b, v16.16b, v5.16b
	and	v17.16b, v17.16b, v5.16b
	and	v6.16b, v6.16b, v5.16b
	and	v7.16b, v7.16b, v5.16b
	add	v4.2d, v4.2d, v16.2d
	add	v3.2d, v3.2d, v6.2d
	add	v0.2d, v0.2d, v17.2d
	add	v1.2d, v1.2d, v7.2d
	b.ne	.LBB6_11
// %bb.12:
	add	v0.2d, v0.2d, v1.2d
	add	v1.2d, v3.2d, v4.2d
	cmp	x0, x9
	add	v0.2d, v0.2d, v1.2d
	addp	d0, v0.2d
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
	b.lt	.LBB7_8
// %bb.1:
	cmp	x0, #4
	b.hs	.LBB7_3
// %bb.2:
	mov	x8, xzr
	b	.LBB7_6
.LBB7_3:
	and	x8, x0, #0x7ffffffffffffffc
	mov	x9, x2
	mov	x10, x3
	mov	x11, x1
	and	x12, x0, #0x7ffffffffffffffc
.LBB7_4:                                // =>This Inner Loop Header: Depth=1
	ldr	q0, [x9], #16
	subs	x12, x12, #4
	ldr	q2, [x10], #16
	sshll2	v1.2d, v0.4s, #0
	sshll	v0.2d, v0.2s, #0
	fcvtl2	v3.2d, v2.4s
	fcvtl	v2.2d, v2.2s
	scvtf	v1.2d, v1.2d
	scvtf	v0.2d, v0.2d
	fadd	v1.2d, v3.2d, v1.2d
	fadd	v0.2d, v2.2d, v0.2d
	stp	q0, q1, [x11], #32
	b.ne	.LBB7_4
// %bb.5:
	cmp	x0, x8
	b.eq	.LBB7_8
.LBB7_6:
	lsl	x11, x8, #2
	add	x9, x1, x8, lsl #3
	sub	x8, x0, x8
	add	x10, x3, x11
	add	x11, x2, x11
.LBB7_7:                                // =>This Inner Loop Header: Depth=1
	ldr	w12, [x11], #4
	subs	x8, x8, #1
	ldr	s0, [x10], #4
	scvtf	d1, w12
	fcvt	d0, s0
	fadd	d0, d0, d1
	str	d0, [x9], #8
	b.ne	.LBB7_7
.LBB7_8:
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
	cntd	x9
	cmp	x0, x9
	b.hs	.LBB8_3
// %bb.2:
	mov	x8, xzr
	b	.LBB8_7
.LBB8_3:
	neg	x8, x9
	ptrue	p0.d
	mov	x10, xzr
	and	x8, x0, x8
.LBB8_4:                                // =>This Inner Loop Header: Depth=1
	ld1d	{ z0.d }, p0/z, [x2, x10, lsl #3]
	movprfx	z1, z0
	fsqrt	z1.d, p0/m, z0.d
	fcmgt	p1.d, p0/z, z0.d, #0.0
	ld1d	{ z0.d }, p1/z, [x1, x10, lsl #3]
	fadd	z0.d, z0.d, z1.d
	st1d	{ z0.d }, p1, [x1, x10, lsl #3]
	add	x10, x10, x9
	cmp	x8, x10
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
	cntw	x8
	cmp	x0, x8
	b.hs	.LBB9_4
// %bb.2:
	mov	x9, xzr
	mov	w8, wzr
	b	.LBB9_7
.LBB9_3:
	mov	w8, wzr
	mov	w0, w8
	ret
.LBB9_4:
	movi	v0.2d, #0000000000000000
	neg	x9, x8
	ptrue	p0.s
	mov	x10, xzr
	and	x9, x0, x9
.LBB9_5:                                // =>This Inner Loop Header: Depth=1
	ld1w	{ z1.s }, p0/z, [x1, x10, lsl #2]
	lsl	z2.s, z1.s, #13
	eor	z1.d, z2.d, z1.d
	lsr	z2.s, z1.s, #17
	eor	z1.d, z2.d, z1.d
	orr	z0.d, z1.d, z0.d
	st1w	{ z1.s }, p0, [x1, x10, lsl #2]
	add	x10, x10, x8
	cmp	x9, x10
	b.ne	.LBB9_5
// %bb.6:
	orv	s0, p0, z0.s
	cmp	x0, x9
	fmov	w8, s0
	b.eq	.LBB9_9
.LBB9_7:
	add	x10, x1, x9, lsl #2
	sub	x9, x0, x9
.LBB9_8:                                // =>This Inner Loop Header: Depth=1
	ldr	w11, [x10]
	subs	x9, x9, #1
	eor	w11, w11, w11, lsl #13
	eor	w11, w11, w11, lsr #17
	orr	w8, w11, w8
	str	w11, [x10], #4
	b.ne	.LBB9_8
.LBB9_9:
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
	b.lt	.LBB10_5
// %bb.1:
	lsl	x8, x0, #2
	mov	x9, xzr
.LBB10_2:                               // =>This Loop Header: Depth=1
                                        //     Child Loop BB10_3 Depth 2
	mov	x10, xzr
	mov	x11, x2
.LBB10_3:                               //   Parent Loop BB10_2 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ldr	s0, [x11]
	add	x11, x11, x8
	str	s0, [x1, x10, lsl #2]
	add	x10, x10, #1
	cmp	x0, x10
	b.ne	.LBB10_3
// %bb.4:                               //   in Loop: Header=BB10_2 Depth=1
	add	x9, x9, #1
	add	x1, x1, x8
	add	x2, x2, #4
	cmp	x9, x0
	b.ne	.LBB10_2
.LBB10_5:
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
	cntd	x9
	lsl	x10, x0, #3
	ptrue	p0.d
	neg	x11, x9
	mov	x8, xzr
	and	x11, x0, x11
	b	.LBB11_3
.LBB11_2:                               //   in Loop: Header=BB11_3 Depth=1
	add	x8, x8, #1
	add	x1, x1, x10
	cmp	x8, x0
	b.eq	.LBB11_11
.LBB11_3:                               // =>This Loop Header: Depth=1
                                        //     Child Loop BB11_5 Depth 2
                                        //       Child Loop BB11_8 Depth 3
                                        //       Child Loop BB11_10 Depth 3
	mul	x13, x8, x0
	mov	x12, xzr
	mov	x14, x3
	add	x13, x2, x13, lsl #3
	b	.LBB11_5
.LBB11_4:                               //   in Loop: Header=BB11_5 Depth=2
	add	x12, x12, #1
	add	x14, x14, x10
	cmp	x12, x0
	b.eq	.LBB11_2
.LBB11_5:                               //   Parent Loop BB11_3 Depth=1
                                        // =>  This Loop Header: Depth=2
                                        //       Child Loop BB11_8 Depth 3
                                        //       Child Loop BB11_10 Depth 3
	ldr	d0, [x13, x12, lsl #3]
	cmp	x0, x9
	b.hs	.LBB11_7
// %bb.6:                               //   in Loop: Header=BB11_5 Depth=2
	mov	x15, xzr
	b	.LBB11_10
.LBB11_7:                               //   in Loop: Header=BB11_5 Depth=2
	mov	z1.d, d0
	mov	x15, xzr
.LBB11_8:                               //   Parent Loop BB11_3 Depth=1
                                        //     Parent Loop BB11_5 Depth=2
                                        // =>    This Inner Loop Header: Depth=3
	ld1d	{ z2.d }, p0/z, [x14, x15, lsl #3]
	ld1d	{ z3.d }, p0/z, [x1, x15, lsl #3]
	fmad	z2.d, p0/m, z1.d, z3.d
	st1d	{ z2.d }, p0, [x1, x15, lsl #3]
	add	x15, x15, x9
	cmp	x11, x15
	b.ne	.LBB11_8
// %bb.9:                               //   in Loop: Header=BB11_5 Depth=2
	cmp	x0, x11
	mov	x15, x11
	b.eq	.LBB11_4
.LBB11_10:                              //   Parent Loop BB11_3 Depth=1
                                        //     Parent Loop BB11_5 Depth=2
                                        // =>    This Inner Loop Header: Depth=3
	ldr	d1, [x14, x15, lsl #3]
	ldr	d2, [x1, x15, lsl #3]
	fmadd	d1, d1, d0, d2
	str	d1, [x1, x15, lsl #3]
	add	x15, x15, #1
	cmp	x0, x15
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
	b.lt	.LBB12_8
// %bb.1:
	cntw	x8
	cmp	x0, x8
	b.hs	.LBB12_3
// %bb.2:
	mov	x10, xzr
	b	.LBB12_6
.LBB12_3:
	cnth	x11, all, mul #2
	neg	x13, x8
	ptrue	p0.s
	sub	x10, x2, x11
	mov	x9, xzr
	add	x12, x10, x0, lsl #2
	and	x10, x0, x13
.LBB12_4:                               // =>This Inner Loop Header: Depth=1
	ldr	z0, [x12]
	sub	x12, x12, x11
	rev	z0.s, z0.s
	st1w	{ z0.s }, p0, [x1, x9, lsl #2]
	add	x9, x9, x8
	cmp	x10, x9
	b.ne	.LBB12_4
// %bb.5:
	cmp	x0, x10
	b.eq	.LBB12_8
.LBB12_6:
	add	x8, x1, x10, lsl #2
	sub	x9, x0, x10
	sub	x10, x2, #4
.LBB12_7:                               // =>This Inner Loop Header: Depth=1
	ldr	w11, [x10, x9, lsl #2]
	subs	x9, x9, #1
	str	w11, [x8], #4
	b.ne	.LBB12_7
.LBB12_8:
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
	b.lt	.LBB13_8
// %bb.1:
	cntw	x8
	cmp	x0, x8
	b.hs	.LBB13_3
// %bb.2:
	mov	x10, xzr
	b	.LBB13_6
.LBB13_3:
	mov	w10, #9363                      // =0x2493
	mov	w11, #26215                     // =0x6667
	mov	z2.s, #10                       // =0xa
	movk	w10, #37449, lsl #16
	movk	w11, #26214, lsl #16
	ptrue	p0.s
	mov	z0.s, w10
	mov	z1.s, w11
	neg	x10, x8
	mov	x9, xzr
	and	x10, x0, x10
.LBB13_4:                               // =>This Inner Loop Header: Depth=1
	ld1w	{ z3.s }, p0/z, [x1, x9, lsl #2]
	ld1w	{ z4.s }, p0/z, [x2, x9, lsl #2]
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
	st1w	{ z3.s }, p0, [x1, x9, lsl #2]
	add	x9, x9, x8
	cmp	x10, x9
	b.ne	.LBB13_4
// %bb.5:
	cmp	x0, x10
	b.eq	.LBB13_8
.LBB13_6:
	lsl	x11, x10, #2
	sub	x8, x0, x10
	mov	w12, #26215                     // =0x6667
	movk	w12, #26214, lsl #16
	mov	w13, #10                        // =0xa
	add	x9, x1, x11
	add	x10, x2, x11
	mov	x11, #-56173                    // =0xffffffffffff2493
	movk	x11, #37449, lsl #16
.LBB13_7:                               // =>This Inner Loop Header: Depth=1
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
	b.ne	.LBB13_7
.LBB13_8:
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
	cmp	x0, #2
	b.ne	.LBB14_3
// %bb.2:
	mov	w8, #1                          // =0x1
	b	.LBB14_6
.LBB14_3:
	dup	v0.2d, v0.d[0]
	sub	x9, x0, #1
	add	x11, x1, #8
	and	x10, x9, #0xfffffffffffffffe
	orr	x8, x9, #0x1
	and	x12, x9, #0xfffffffffffffffe
.LBB14_4:                               // =>This Inner Loop Header: Depth=1
	ldr	q1, [x11], #16
	subs	x12, x12, #2
	fminnm	v0.2d, v1.2d, v0.2d
	b.ne	.LBB14_4
// %bb.5:
	fminnmp	d0, v0.2d
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
                                        // kill: def $d0 killed $d0 killed $q0
	ret
.Lfunc_end14:
	.size	smallest, .Lfunc_end14-smallest
                                        // -- End function
	.section	".note.GNU-stack","",@progbits
	.addrsig
