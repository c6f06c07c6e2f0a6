	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zaamo1p0_zalrsc1p0_zca1p0_zcd1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvl128b1p0_zvl32b1p0_zvl64b1p0"
	.file	"sample.c"
	.text
	.globl	daxpy                           # -- Begin function daxpy
	.p2align	1
	.type	daxpy,@function
daxpy:                                  # @daxpy
	.cfi_startproc
# %bb.0:
	blez	a2, .LBB0_3
# %bb.1:
	li	a3, 0
.LBB0_2:                                # =>This Inner Loop Header: Depth=1
	vsetvli	a4, a2, e64, m2, ta, ma
	slli	a5, a3, 3
	add	a6, a1, a5
	add	a5, a5, a0
	vle64.v	v8, (a6)
	vle64.v	v10, (a5)
	sub	a2, a2, a4
	vfmacc.vf	v10, fa0, v8
	vse64.v	v10, (a5)
	add	a3, a3, a4
	bnez	a2, .LBB0_2
.LBB0_3:
	ret
.Lfunc_end0:
	.size	daxpy, .Lfunc_end0-daxpy
	.cfi_endproc
                                        # -- End function
	.globl	nested                          # -- Begin function nested
	.p2align	1
	.type	nested,@function
nested:                                 # @nested
	.cfi_startproc
# %bb.0:
	blez	a1, .LBB1_8
# %bb.1:
	li	a6, 0
	fmv.d.x	fa0, zero
	j	.LBB1_4
.LBB1_2:                                #   in Loop: Header=BB1_4 Depth=1
	vfmv.f.s	fa0, v8
.LBB1_3:                                #   in Loop: Header=BB1_4 Depth=1
	addi	a6, a6, 1
	beq	a6, a1, .LBB1_7
.LBB1_4:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB1_6 Depth 2
	blez	a2, .LBB1_3
# %bb.5:                                #   in Loop: Header=BB1_4 Depth=1
	li	a5, 0
	mul	a3, a6, a2
	slli	a3, a3, 3
	add	a7, a0, a3
	vsetvli	a3, zero, e64, m1, ta, ma
	vfmv.s.f	v8, fa0
	mv	a3, a2
.LBB1_6:                                #   Parent Loop BB1_4 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vsetvli	t0, a3, e64, m2, ta, ma
	slli	a4, a5, 3
	add	a4, a4, a7
	vle64.v	v10, (a4)
	sub	a3, a3, t0
	vfredosum.vs	v8, v10, v8
	add	a5, a5, t0
	bnez	a3, .LBB1_6
	j	.LBB1_2
.LBB1_7:
	ret
.LBB1_8:
	fmv.d.x	fa0, zero
	ret
.Lfunc_end1:
	.size	nested, .Lfunc_end1-nested
	.cfi_endproc
                                        # -- End function
	.globl	widen                           # -- Begin function widen
	.p2align	1
	.type	widen,@function
widen:                                  # @widen
	.cfi_startproc
# %bb.0:
.Lpcrel_hi0:
	auipc	a3, %pcrel_hi(offset)
	lui	a4, %tprel_hi(per_thread)
	ld	a3, %pcrel_lo(.Lpcrel_hi0)(a3)
	add	a4, a4, tp, %tprel_add(per_thread)
	lw	a4, %tprel_lo(per_thread)(a4)
	add	a3, a3, a4
	blez	a2, .LBB2_4
# %bb.1:
	li	a4, 0
	vsetvli	a5, zero, e64, m1, ta, ma
	vmv.v.i	v10, 0
	vsetvli	zero, zero, e64, m1, tu, ma
	vmv.s.x	v10, a3
	vsetvli	a3, zero, e64, m2, ta, ma
	vmv.v.i	v8, 0
	vmv1r.v	v8, v10
.LBB2_2:                                # =>This Inner Loop Header: Depth=1
	vsetvli	a3, a2, e32, m1, ta, ma
	add	a5, a1, a4
	vle8.v	v10, (a5)
	slli	a5, a4, 2
	add	a5, a5, a0
	vle32.v	v11, (a5)
	sub	a2, a2, a3
	vsext.vf4	v12, v10
	vsetvli	zero, zero, e32, m1, tu, ma
	vwmacc.vv	v8, v12, v11
	add	a4, a4, a3
	bnez	a2, .LBB2_2
# %bb.3:
	vsetvli	a0, zero, e64, m2, ta, ma
	vmv.s.x	v10, zero
	vredsum.vs	v8, v8, v10
	vmv.x.s	a0, v8
	ret
.LBB2_4:
	mv	a0, a3
	ret
.Lfunc_end2:
	.size	widen, .Lfunc_end2-widen
	.cfi_endproc
                                        # -- End function
	.globl	states                          # -- Begin function states
	.p2align	1
	.type	states,@function
states:                                 # @states
	.cfi_startproc
# %bb.0:
	blez	a1, .LBB3_11
# %bb.1:
	mv	a2, a0
	li	a0, 0
	addi	a2, a2, 4
	slli	a3, a1, 2
	li	a1, 5
.Lpcrel_hi1:
	auipc	a4, %pcrel_hi(.LJTI3_0)
	add	a3, a3, a2
	addi	a4, a4, %pcrel_lo(.Lpcrel_hi1)
	j	.LBB3_4
.LBB3_2:                                #   in Loop: Header=BB3_4 Depth=1
	addiw	a0, a0, 1
.LBB3_3:                                #   in Loop: Header=BB3_4 Depth=1
	addi	a2, a2, 4
	beq	a2, a3, .LBB3_12
.LBB3_4:                                # =>This Inner Loop Header: Depth=1
	lw	a5, -4(a2)
	bltu	a1, a5, .LBB3_2
# %bb.5:                                #   in Loop: Header=BB3_4 Depth=1
	slli	a5, a5, 2
	add	a5, a5, a4
	lw	a5, 0(a5)
	add	a5, a5, a4
	jr	a5
.LBB3_6:                                #   in Loop: Header=BB3_4 Depth=1
	slli	a5, a0, 1
	addw	a0, a0, a5
	j	.LBB3_3
.LBB3_7:                                #   in Loop: Header=BB3_4 Depth=1
	not	a0, a0
	j	.LBB3_3
.LBB3_8:                                #   in Loop: Header=BB3_4 Depth=1
	xori	a0, a0, 7
	j	.LBB3_3
.LBB3_9:                                #   in Loop: Header=BB3_4 Depth=1
	lw	a5, 0(a2)
	subw	a0, a0, a5
	j	.LBB3_3
.LBB3_10:                               #   in Loop: Header=BB3_4 Depth=1
	slliw	a0, a0, 2
	j	.LBB3_3
.LBB3_11:
	li	a0, 0
.LBB3_12:
	ret
.Lfunc_end3:
	.size	states, .Lfunc_end3-states
	.cfi_endproc
	.section	.rodata,"a",@progbits
	.p2align	2, 0x0
.LJTI3_0:
	.word	.LBB3_2-.LJTI3_0
	.word	.LBB3_6-.LJTI3_0
	.word	.LBB3_8-.LJTI3_0
	.word	.LBB3_9-.LJTI3_0
	.word	.LBB3_7-.LJTI3_0
	.word	.LBB3_10-.LJTI3_0
                                        # -- End function
	.text
	.globl	calls                           # -- Begin function calls
	.p2align	1
	.type	calls,@function
calls:                                  # @calls
	.cfi_startproc
# %bb.0:
	blez	a1, .LBB4_4
# %bb.1:
	addi	sp, sp, -32
	.cfi_def_cfa_offset 32
	sd	ra, 24(sp)                      # 8-byte Folded Spill
	sd	s0, 16(sp)                      # 8-byte Folded Spill
	sd	s1, 8(sp)                       # 8-byte Folded Spill
	sd	s2, 0(sp)                       # 8-byte Folded Spill
	.cfi_offset ra, -8
	.cfi_offset s0, -16
	.cfi_offset s1, -24
	.cfi_offset s2, -32
	mv	s0, a2
	mv	s1, a0
	slli	a1, a1, 3
	add	s2, a0, a1
.LBB4_2:                                # =>This Inner Loop Header: Depth=1
	fld	fa0, 0(s1)
	call	work
	ld	a0, 0(s0)
	fsd	fa0, 0(s1)
	jalr	a0
	addi	s1, s1, 8
	addi	s0, s0, 8
	bne	s1, s2, .LBB4_2
# %bb.3:
	ld	ra, 24(sp)                      # 8-byte Folded Reload
	ld	s0, 16(sp)                      # 8-byte Folded Reload
	ld	s1, 8(sp)                       # 8-byte Folded Reload
	ld	s2, 0(sp)                       # 8-byte Folded Reload
	.cfi_restore ra
	.cfi_restore s0
	.cfi_restore s1
	.cfi_restore s2
	addi	sp, sp, 32
	.cfi_def_cfa_offset 0
.LBB4_4:
	ret
.Lfunc_end4:
	.size	calls, .Lfunc_end4-calls
	.cfi_endproc
                                        # -- End function
	.type	offset,@object                  # @offset
	.bss
	.globl	offset
	.p2align	3, 0x0
offset:
	.quad	0                               # 0x0
	.size	offset, 8

	.type	per_thread,@object              # @per_thread
	.section	.tbss,"awT",@nobits
	.globl	per_thread
	.p2align	2, 0x0
per_thread:
	.word	0                               # 0x0
	.size	per_thread, 4

	.ident	"Debian clang version 22.1.8 (1~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
