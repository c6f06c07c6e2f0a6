	.file	"sample.c"
	.text
	.globl	daxpy                           // -- Begin function daxpy
	.p2align	2
	.type	daxpy,@function
daxpy:                                  // @daxpy
	.cfi_startproc
// %bb.0:
	cmp	x2, #1
	b.lt	.LBB0_2
.LBB0_1:                                // =>This Inner Loop Header: Depth=1
	ldr	d1, [x1], #8
	ldr	d2, [x0]
	subs	x2, x2, #1
	fmadd	d1, d0, d1, d2
	str	d1, [x0], #8
	b.ne	.LBB0_1
.LBB0_2:
	ret
.Lfunc_end0:
	.size	daxpy, .Lfunc_end0-daxpy
	.cfi_endproc
                                        // -- End function
	.globl	nested                          // -- Begin function nested
	.p2align	2
	.type	nested,@function
nested:                                 // @nested
	.cfi_startproc
// %bb.0:
	movi	d0, #0000000000000000
	cmp	x1, #1
	b.lt	.LBB1_5
// %bb.1:
	lsl	x8, x2, #3
	mov	x9, xzr
	b	.LBB1_3
.LBB1_2:                                //   in Loop: Header=BB1_3 Depth=1
	add	x9, x9, #1
	add	x0, x0, x8
	cmp	x9, x1
	b.eq	.LBB1_5
.LBB1_3:                                // =>This Loop Header: Depth=1
                                        //     Child Loop BB1_4 Depth 2
	cmp	x2, #1
	mov	x10, x0
	mov	x11, x2
	b.lt	.LBB1_2
.LBB1_4:                                //   Parent Loop BB1_3 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	ldr	d1, [x10], #8
	subs	x11, x11, #1
	fadd	d0, d0, d1
	b.ne	.LBB1_4
	b	.LBB1_2
.LBB1_5:
	ret
.Lfunc_end1:
	.size	nested, .Lfunc_end1-nested
	.cfi_endproc
                                        // -- End function
	.globl	widen                           // -- Begin function widen
	.p2align	2
	.type	widen,@function
widen:                                  // @widen
	.cfi_startproc
// %bb.0:
	mrs	x8, TPIDR_EL0
	adrp	x9, offset
	add	x8, x8, :tprel_hi12:per_thread
	ldr	x9, [x9, :lo12:offset]
	cmp	x2, #1
	add	x8, x8, :tprel_lo12_nc:per_thread
	ldrsw	x8, [x8]
	add	x8, x9, x8
	b.lt	.LBB2_2
.LBB2_1:                                // =>This Inner Loop Header: Depth=1
	ldrsw	x9, [x0], #4
	subs	x2, x2, #1
	ldrsb	x10, [x1], #1
	smaddl	x8, w10, w9, x8
	b.ne	.LBB2_1
.LBB2_2:
	mov	x0, x8
	ret
.Lfunc_end2:
	.size	widen, .Lfunc_end2-widen
	.cfi_endproc
                                        // -- End function
	.globl	states                          // -- Begin function states
	.p2align	2
	.type	states,@function
states:                                 // @states
	.cfi_startproc
// %bb.0:
	cmp	w1, #1
	b.lt	.LBB3_16
// %bb.1:
	mov	x8, x0
	mov	w0, wzr
	mov	w9, w1
	add	x8, x8, #4
	b	.LBB3_4
.LBB3_2:                                //   in Loop: Header=BB3_4 Depth=1
	add	w0, w0, #1
.LBB3_3:                                //   in Loop: Header=BB3_4 Depth=1
	subs	x9, x9, #1
	add	x8, x8, #4
	b.eq	.LBB3_17
.LBB3_4:                                // =>This Inner Loop Header: Depth=1
	ldur	w10, [x8, #-4]
	cmp	w10, #2
	b.gt	.LBB3_9
// %bb.5:                               //   in Loop: Header=BB3_4 Depth=1
	cbz	w10, .LBB3_2
// %bb.6:                               //   in Loop: Header=BB3_4 Depth=1
	cmp	w10, #1
	b.eq	.LBB3_14
// %bb.7:                               //   in Loop: Header=BB3_4 Depth=1
	cmp	w10, #2
	b.ne	.LBB3_2
// %bb.8:                               //   in Loop: Header=BB3_4 Depth=1
	eor	w0, w0, #0x7
	b	.LBB3_3
.LBB3_9:                                //   in Loop: Header=BB3_4 Depth=1
	cmp	w10, #3
	b.eq	.LBB3_13
// %bb.10:                              //   in Loop: Header=BB3_4 Depth=1
	cmp	w10, #4
	b.eq	.LBB3_15
// %bb.11:                              //   in Loop: Header=BB3_4 Depth=1
	cmp	w10, #5
	b.ne	.LBB3_2
// %bb.12:                              //   in Loop: Header=BB3_4 Depth=1
	lsl	w0, w0, #2
	b	.LBB3_3
.LBB3_13:                               //   in Loop: Header=BB3_4 Depth=1
	ldr	w10, [x8]
	sub	w0, w0, w10
	b	.LBB3_3
.LBB3_14:                               //   in Loop: Header=BB3_4 Depth=1
	add	w0, w0, w0, lsl #1
	b	.LBB3_3
.LBB3_15:                               //   in Loop: Header=BB3_4 Depth=1
	mvn	w0, w0
	b	.LBB3_3
.LBB3_16:
	mov	w0, wzr
.LBB3_17:
	ret
.Lfunc_end3:
	.size	states, .Lfunc_end3-states
	.cfi_endproc
                                        // -- End function
	.globl	calls                           // -- Begin function calls
	.p2align	2
	.type	calls,@function
calls:                                  // @calls
	.cfi_startproc
// %bb.0:
	cmp	x1, #1
	b.lt	.LBB4_4
// %bb.1:
	stp	x29, x30, [sp, #-48]!           // 16-byte Folded Spill
	.cfi_def_cfa_offset 48
	str	x21, [sp, #16]                  // 8-byte Spill
	stp	x20, x19, [sp, #32]             // 16-byte Folded Spill
	mov	x29, sp
	.cfi_def_cfa w29, 48
	.cfi_offset w19, -8
	.cfi_offset w20, -16
	.cfi_offset w21, -32
	.cfi_offset w30, -40
	.cfi_offset w29, -48
	mov	x19, x2
	mov	x20, x1
	mov	x21, x0
.LBB4_2:                                // =>This Inner Loop Header: Depth=1
	ldr	d0, [x21]
	bl	work
	ldr	x8, [x19], #8
	str	d0, [x21], #8
	blr	x8
	subs	x20, x20, #1
	b.ne	.LBB4_2
// %bb.3:
	.cfi_def_cfa wsp, 48
	ldp	x20, x19, [sp, #32]             // 16-byte Folded Reload
	ldr	x21, [sp, #16]                  // 8-byte Reload
	ldp	x29, x30, [sp], #48             // 16-byte Folded Reload
	.cfi_def_cfa_offset 0
	.cfi_restore w19
	.cfi_restore w20
	.cfi_restore w21
	.cfi_restore w30
	.cfi_restore w29
.LBB4_4:
	ret
.Lfunc_end4:
	.size	calls, .Lfunc_end4-calls
	.cfi_endproc
                                        // -- End function
	.type	offset,@object                  // @offset
	.bss
	.globl	offset
	.p2align	3, 0x0
offset:
	.xword	0                               // 0x0
	.size	offset, 8

	.type	per_thread,@object              // @per_thread
	.section	.tbss,"awT",@nobits
	.globl	per_thread
	.p2align	2, 0x0
per_thread:
	.word	0                               // 0x0
	.size	per_thread, 4

	.ident	"Debian clang version 22.1.8 (1~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
