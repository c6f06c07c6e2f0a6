	.text
	.file	"loops.c"
	.globl	daxpy                           // -- Begin function daxpy
	.p2align	3
	.type	daxpy,@function
daxpy:                                  // @daxpy
// %bb.0:
                                        // kill: def $d0 killed $d0 def $z0
	cmp	x0, #1
	b.lt	.LBB0_8
// %bb.1:
	cnth	x9
	cmp	x9, x0
	b.ls	.LBB0_3
// %bb.2:
	mov	x8, xzr
	b	.LBB0_6
.LBB0_3:
	rdvl	x8, #1
	mov	x10, #9223372036854775800       // =0x7ffffffffffffff8
	mov	z1.d, d0
	ptrue	p0.d
	mov	x12, x1
	mov	x13, x2
	lsr	x8, x8, #4
	mul	x8, x8, x10
	rdvl	x10, #4
	and	x8, x8, x0
	mov	x11, x8
	.p2align	2
.LBB0_4:                                // =>This Inner Loop Header: Depth=1
	ld1d	{ z2.d }, p0/z, [x13]
	ld1d	{ z6.d }, p0/z, [x12]
	fmad	z2.d, p0/m, z1.d, z6.d
	ld1d	{ z3.d }, p0/z, [x13, #1, mul vl]
	ld1d	{ z4.d }, p0/z, [x13, #2, mul vl]
	ld1d	{ z5.d }, p0/z, [x13, #3, mul vl]
	ld1d	{ z7.d }, p0/z, [x12, #1, mul vl]
	ld1d	{ z16.d }, p0/z, [x12, #2, mul vl]
	ld1d	{ z17.d }, p0/z, [x12, #3, mul vl]
	fmad	z3.d, p0/m, z1.d, z7.d
	fmad	z4.d, p0/m, z1.d, z16.d
	add	x13, x13, x10
	st1d	{ z2.d }, p0, [x12]
	movprfx	z2, z17
	fmla	z2.d, p0/m, z5.d, z1.d
	st1d	{ z3.d }, p0, [x12, #1, mul vl]
	st1d	{ z4.d }, p0, [x12, #2, mul vl]
	st1d	{ z2.d }, p0, [x12, #3, mul vl]
	add	x12, x12, x10
	subs	x11, x11, x9
	b.ne	.LBB0_4
// %bb.5:
	cmp	x8, x0
	b.eq	.LBB0_8
.LBB0_6:
	lsl	x10, x8, #3
	sub	x9, x0, x8
	add	x8, x1, x10
	add	x10, x2, x10
	.p2align	2
.LBB0_7:                                // =>This Inner Loop Header: Depth=1
	ldr	d2, [x8]
	ldr	d1, [x10], #8
	fmadd	d1, d1, d0, d2
	str	d1, [x8], #8
	subs	x9, x9, #1
	b.ne	.LBB0_7
.LBB0_8:
	ret
.Lfunc_end0:
	.size	daxpy, .Lfunc_end0-daxpy
                                        // -- End function
	.globl	gather                          // -- Begin function gather
	.p2align	3
	.type	gather,@function
gather:                                 // @gather
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB1_3
// %bb.1:
	cmp	x0, #3
	b.hi	.LBB1_4
// %bb.2:
	movi	d0, #0000000000000000
	mov	x8, xzr
	b	.LBB1_7
.LBB1_3:
	movi	d0, #0000000000000000
	ret
.LBB1_4:
	movi	d0, #0000000000000000
	and	x8, x0, #0x7ffffffffffffffc
	add	x9, x2, #8
	mov	x10, x8
	movi	d1, #0000000000000000
	movi	d2, #0000000000000000
	movi	d3, #0000000000000000
	.p2align	2
.LBB1_5:                                // =>This Inner Loop Header: Depth=1
	ldpsw	x11, x12, [x9, #-8]
	ldpsw	x13, x14, [x9], #16
	ldr	d6, [x1, x13, lsl #3]
	ldr	d4, [x1, x11, lsl #3]
	ldr	d5, [x1, x12, lsl #3]
	ldr	d7, [x1, x14, lsl #3]
	fadd	d2, d6, d2
	fadd	d0, d4, d0
	fadd	d1, d5, d1
	fadd	d3, d7, d3
	subs	x10, x10, #4
	b.ne	.LBB1_5
// %bb.6:
	fadd	d0, d1, d0
	fadd	d0, d2, d0
	fadd	d0, d3, d0
	cmp	x8, x0
	b.eq	.LBB1_14
.LBB1_7:
	sub	w9, w0, w8
	ands	x10, x9, #0x7
	b.eq	.LBB1_10
// %bb.8:
	mov	x9, x8
	.p2align	2
.LBB1_9:                                // =>This Inner Loop Header: Depth=1
	ldrsw	x11, [x2, x9, lsl #2]
	add	x9, x9, #1
	ldr	d1, [x1, x11, lsl #3]
	fadd	d0, d1, d0
	subs	x10, x10, #1
	b.ne	.LBB1_9
	b	.LBB1_11
.LBB1_10:
	mov	x9, x8
.LBB1_11:
	sub	x8, x8, x0
	cmn	x8, #8
	b.hi	.LBB1_14
// %bb.12:
	sub	x8, x0, x9
	add	x9, x2, x9, lsl #2
	add	x9, x9, #16
	.p2align	2
.LBB1_13:                               // =>This Inner Loop Header: Depth=1
	ldpsw	x10, x11, [x9, #-16]
	ldr	d1, [x1, x10, lsl #3]
	fadd	d0, d1, d0
	ldr	d1, [x1, x11, lsl #3]
	ldpsw	x10, x11, [x9, #-8]
	ldr	d2, [x1, x10, lsl #3]
	fadd	d1, d2, d1
	fadd	d0, d1, d0
	ldr	d1, [x1, x11, lsl #3]
	ldpsw	x10, x11, [x9]
	ldr	d2, [x1, x10, lsl #3]
	fadd	d1, d2, d1
	ldr	d2, [x1, x11, lsl #3]
	ldpsw	x10, x11, [x9, #8]
	add	x9, x9, #32
	fadd	d1, d2, d1
	ldr	d2, [x1, x10, lsl #3]
	fadd	d0, d1, d0
	ldr	d1, [x1, x11, lsl #3]
	fadd	d1, d1, d2
	fadd	d0, d1, d0
	subs	x8, x8, #8
	b.ne	.LBB1_13
.LBB1_14:
	ret
.Lfunc_end1:
	.size	gather, .Lfunc_end1-gather
                                        // -- End function
	.globl	largest                         // -- Begin function largest
	.p2align	3
	.type	largest,@function
largest:                                // @largest
// %bb.0:
	ldr	w8, [x1]
	cmp	x0, #2
	b.lt	.LBB2_15
// %bb.1:
	sub	x9, x0, #1
	cntd	x10
	cmp	x9, x10
	b.hs	.LBB2_3
// %bb.2:
	mov	w12, #1                         // =0x1
	b	.LBB2_13
.LBB2_3:
	rdvl	x12, #1
	cmp	x9, x12
	b.hs	.LBB2_8
// %bb.4:
	mov	x11, xzr
.LBB2_5:
	mov	z0.d, x8
	neg	x12, x10
	ptrue	p0.d
	add	x8, x1, #4
	and	x13, x9, x12
	orr	x12, x13, #0x1
	.p2align	2
.LBB2_6:                                // =>This Inner Loop Header: Depth=1
	ld1sw	{ z1.d }, p0/z, [x8, x11, lsl #2]
	sxtw	z0.d, p0/m, z0.d
	add	x11, x11, x10
	smax	z0.d, p0/m, z0.d, z1.d
	cmp	x13, x11
	b.ne	.LBB2_6
// %bb.7:
	sxtw	z0.d, p0/m, z0.d
	smaxv	d0, p0, z0.d
	fmov	x8, d0
                                        // kill: def $w8 killed $w8 killed $x8 def $x8
	cmp	x9, x13
	b.ne	.LBB2_13
	b	.LBB2_15
.LBB2_8:
	mov	z0.s, w8
	ptrue	p0.s
	rdvl	x11, #-1
	rdvl	x15, #2
	rdvl	x14, #3
	add	x8, x1, #4
	mov	x13, xzr
	and	x11, x9, x11
	add	x14, x8, x14
	add	x15, x8, x15
	mov	z1.d, z0.d
	mov	z2.d, z0.d
	mov	z3.d, z0.d
	add	x16, x8, x12
	.p2align	2
.LBB2_9:                                // =>This Inner Loop Header: Depth=1
	ld1w	{ z4.s }, p0/z, [x8, x13, lsl #2]
	ld1w	{ z5.s }, p0/z, [x16, x13, lsl #2]
	smax	z0.s, p0/m, z0.s, z4.s
	ld1w	{ z6.s }, p0/z, [x15, x13, lsl #2]
	ld1w	{ z7.s }, p0/z, [x14, x13, lsl #2]
	smax	z1.s, p0/m, z1.s, z5.s
	smax	z2.s, p0/m, z2.s, z6.s
	smax	z3.s, p0/m, z3.s, z7.s
	add	x13, x13, x12
	cmp	x11, x13
	b.ne	.LBB2_9
// %bb.10:
	smax	z0.s, p0/m, z0.s, z1.s
	smax	z0.s, p0/m, z0.s, z2.s
	smax	z0.s, p0/m, z0.s, z3.s
	smaxv	s0, p0, z0.s
	fmov	w8, s0
	subs	x12, x9, x11
	b.eq	.LBB2_15
// %bb.11:
	cmp	x12, x10
	b.hs	.LBB2_5
// %bb.12:
	orr	x12, x11, #0x1
.LBB2_13:
	sub	x9, x0, x12
	add	x10, x1, x12, lsl #2
	.p2align	2
.LBB2_14:                               // =>This Inner Loop Header: Depth=1
	ldr	w11, [x10], #4
	cmp	w11, w8
	csel	w8, w11, w8, gt
	subs	x9, x9, #1
	b.ne	.LBB2_14
.LBB2_15:
	mov	w0, w8
	ret
.Lfunc_end2:
	.size	largest, .Lfunc_end2-largest
                                        // -- End function
	.globl	widen                           // -- Begin function widen
	.p2align	3
	.type	widen,@function
widen:                                  // @widen
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB3_8
// %bb.1:
	cnth	x9
	cmp	x9, x0
	b.ls	.LBB3_3
// %bb.2:
	mov	x8, xzr
	b	.LBB3_6
.LBB3_3:
	rdvl	x11, #1
	mov	x12, #9223372036854775800       // =0x7ffffffffffffff8
	ptrue	p0.d
	mov	x10, xzr
	mov	x13, x1
	mov	x14, x2
	lsr	x8, x11, #4
	mul	x8, x8, x12
	rdvl	x12, #4
	and	x8, x8, x0
	.p2align	2
.LBB3_4:                                // =>This Inner Loop Header: Depth=1
	ld1d	{ z0.d }, p0/z, [x13]
	ld1sh	{ z4.d }, p0/z, [x14]
	add	x15, x3, x10
	asr	z0.d, z0.d, #3
	ld1b	{ z16.d }, p0/z, [x3, x10]
	ld1d	{ z1.d }, p0/z, [x13, #1, mul vl]
	ld1d	{ z2.d }, p0/z, [x13, #2, mul vl]
	ld1d	{ z3.d }, p0/z, [x13, #3, mul vl]
	ld1sh	{ z5.d }, p0/z, [x14, #1, mul vl]
	ld1sh	{ z6.d }, p0/z, [x14, #2, mul vl]
	ld1sh	{ z7.d }, p0/z, [x14, #3, mul vl]
	ld1b	{ z17.d }, p0/z, [x15, #1, mul vl]
	ld1b	{ z18.d }, p0/z, [x15, #2, mul vl]
	ld1b	{ z19.d }, p0/z, [x15, #3, mul vl]
	asr	z1.d, z1.d, #3
	asr	z2.d, z2.d, #3
	asr	z3.d, z3.d, #3
	add	x10, x10, x9
	add	x14, x14, x11
	mla	z0.d, p0/m, z16.d, z4.d
	mla	z1.d, p0/m, z17.d, z5.d
	mla	z2.d, p0/m, z18.d, z6.d
	st1d	{ z0.d }, p0, [x13]
	movprfx	z0, z3
	mla	z0.d, p0/m, z19.d, z7.d
	st1d	{ z1.d }, p0, [x13, #1, mul vl]
	st1d	{ z2.d }, p0, [x13, #2, mul vl]
	st1d	{ z0.d }, p0, [x13, #3, mul vl]
	add	x13, x13, x12
	cmp	x8, x10
	b.ne	.LBB3_4
// %bb.5:
	cmp	x8, x0
	b.eq	.LBB3_8
.LBB3_6:
	sub	x9, x0, x8
	add	x10, x1, x8, lsl #3
	add	x11, x3, x8
	add	x8, x2, x8, lsl #1
	.p2align	2
.LBB3_7:                                // =>This Inner Loop Header: Depth=1
	ldrsh	x12, [x8], #2
	ldrb	w13, [x11], #1
	smull	x12, w13, w12
	ldr	x13, [x10]
	add	x12, x12, x13, asr #3
	str	x12, [x10], #8
	subs	x9, x9, #1
	b.ne	.LBB3_7
.LBB3_8:
	ret
.Lfunc_end3:
	.size	widen, .Lfunc_end3-widen
                                        // -- End function
	.globl	divide                          // -- Begin function divide
	.p2align	3
	.type	divide,@function
divide:                                 // @divide
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB4_11
// %bb.1:
	cntd	x8
	cmp	x8, x0
	b.ls	.LBB4_3
// %bb.2:
	mov	x9, xzr
	b	.LBB4_13
.LBB4_3:
	rdvl	x10, #1
	cmp	x10, x0
	b.ls	.LBB4_8
// %bb.4:
	mov	x9, xzr
.LBB4_5:
	mov	x11, x9
	lsr	x9, x10, #4
	mov	x10, #9223372036854775806       // =0x7ffffffffffffffe
	ptrue	p0.d
	mul	x9, x9, x10
	and	x9, x9, x0
	.p2align	2
.LBB4_6:                                // =>This Inner Loop Header: Depth=1
	ld1w	{ z0.d }, p0/z, [x2, x11, lsl #2]
	ld1w	{ z1.d }, p0/z, [x1, x11, lsl #2]
	fcmle	p1.s, p0/z, z0.s, #0.0
	fdivr	z0.s, p0/m, z0.s, z1.s
	movprfx	z2, z1
	fneg	z2.s, p0/m, z1.s
	mov	z0.d, p1/m, z2.d
	st1w	{ z0.d }, p0, [x1, x11, lsl #2]
	add	x11, x11, x8
	cmp	x9, x11
	b.ne	.LBB4_6
// %bb.7:
	cmp	x9, x0
	b.eq	.LBB4_11
	b	.LBB4_13
.LBB4_8:
	lsr	x9, x10, #4
	mov	x11, #9223372036854775792       // =0x7ffffffffffffff0
	ptrue	p0.s
	mov	x13, x1
	mov	x14, x2
	mul	x9, x9, x11
	rdvl	x11, #4
	and	x9, x9, x0
	mov	x12, x9
	.p2align	2
.LBB4_9:                                // =>This Inner Loop Header: Depth=1
	ld1w	{ z0.s }, p0/z, [x14]
	ld1w	{ z1.s }, p0/z, [x14, #1, mul vl]
	fcmle	p1.s, p0/z, z0.s, #0.0
	ld1w	{ z2.s }, p0/z, [x14, #2, mul vl]
	ld1w	{ z3.s }, p0/z, [x14, #3, mul vl]
	ld1w	{ z4.s }, p0/z, [x13]
	ld1w	{ z5.s }, p0/z, [x13, #1, mul vl]
	ld1w	{ z6.s }, p0/z, [x13, #2, mul vl]
	ld1w	{ z7.s }, p0/z, [x13, #3, mul vl]
	fcmle	p2.s, p0/z, z1.s, #0.0
	fcmle	p3.s, p0/z, z2.s, #0.0
	fcmle	p4.s, p0/z, z3.s, #0.0
	fdivr	z0.s, p0/m, z0.s, z4.s
	movprfx	z16, z4
	fneg	z16.s, p0/m, z4.s
	movprfx	z17, z5
	fneg	z17.s, p0/m, z5.s
	movprfx	z18, z6
	fneg	z18.s, p0/m, z6.s
	movprfx	z19, z7
	fneg	z19.s, p0/m, z7.s
	add	x14, x14, x11
	mov	z0.s, p1/m, z16.s
	fdivr	z1.s, p0/m, z1.s, z5.s
	mov	z1.s, p2/m, z17.s
	st1w	{ z0.s }, p0, [x13]
	st1w	{ z1.s }, p0, [x13, #1, mul vl]
	fdivr	z2.s, p0/m, z2.s, z6.s
	mov	z2.s, p3/m, z18.s
	st1w	{ z2.s }, p0, [x13, #2, mul vl]
	fdivr	z3.s, p0/m, z3.s, z7.s
	mov	z3.s, p4/m, z19.s
	st1w	{ z3.s }, p0, [x13, #3, mul vl]
	add	x13, x13, x11
	subs	x12, x12, x10
	b.ne	.LBB4_9
// %bb.10:
	subs	x11, x0, x9
	b.ne	.LBB4_12
.LBB4_11:
	ret
.LBB4_12:
	cmp	x11, x8
	b.hs	.LBB4_5
.LBB4_13:
	lsl	x10, x9, #2
	sub	x8, x0, x9
	add	x9, x1, x10
	add	x10, x2, x10
	b	.LBB4_16
	.p2align	2
.LBB4_14:                               //   in Loop: Header=BB4_16 Depth=1
	fdiv	s0, s0, s1
.LBB4_15:                               //   in Loop: Header=BB4_16 Depth=1
	str	s0, [x9], #4
	add	x10, x10, #4
	subs	x8, x8, #1
	b.eq	.LBB4_11
.LBB4_16:                               // =>This Inner Loop Header: Depth=1
	ldr	s1, [x10]
	ldr	s0, [x9]
	fcmp	s1, #0.0
	b.gt	.LBB4_14
// %bb.17:                              //   in Loop: Header=BB4_16 Depth=1
	fneg	s0, s0
	b	.LBB4_15
.Lfunc_end4:
	.size	divide, .Lfunc_end4-divide
                                        // -- End function
	.globl	chase                           // -- Begin function chase
	.p2align	3
	.type	chase,@function
chase:                                  // @chase
// %bb.0:
	cmp	x0, #1
	b.lt	.LBB5_3
// %bb.1:
	and	x8, x0, #0x7
	cmp	x0, #8
	b.hs	.LBB5_4
// %bb.2:
	mov	x0, xzr
	b	.LBB5_6
.LBB5_3:
	mov	x0, xzr
	ret
.LBB5_4:
	mov	x9, x0
	mov	x0, xzr
	and	x9, x9, #0x7ffffffffffffff8
	.p2align	2
.LBB5_5:                                // =>This Inner Loop Header: Depth=1
	ldr	x10, [x1, x0, lsl #3]
	ldr	x10, [x1, x10, lsl #3]
	ldr	x10, [x1, x10, lsl #3]
	ldr	x10, [x1, x10, lsl #3]
	ldr	x10, [x1, x10, lsl #3]
	ldr	x10, [x1, x10, lsl #3]
	ldr	x10, [x1, x10, lsl #3]
	ldr	x0, [x1, x10, lsl #3]
	subs	x9, x9, #8
	b.ne	.LBB5_5
.LBB5_6:
	cbz	x8, .LBB5_8
	.p2align	2
.LBB5_7:                                // =>This Inner Loop Header: Depth=1
	ldr	x0, [x1, x0, lsl #3]
	subs	x8, x8, #1
	b.ne	.LBB5_7
.LBB5_8:
	ret
.Lfunc_end5:
	.size	chase, .Lfunc_end5-chase
                                        // -- End function
	.section	".note.GNU-stack","",@progbits
	.addrsig
