	.intel_syntax noprefix
	.file	"sample.c"
	.text
	.globl	daxpy                           # -- Begin function daxpy
	.p2align	4
	.type	daxpy,@function
daxpy:                                  # @daxpy
.Lfunc_begin0:
	.file	0 "." "sample.c" md5 0x119acffc1115858f60312184893c4583
	.cfi_startproc
# %bb.0:
	.loc	0 7 22 prologue_end             # sample.c:7:22
	test	rdx, rdx
	.loc	0 7 3                           # sample.c:7:3
	jle	.LBB0_3
# %bb.1:
	.loc	0 0 3 is_stmt 0                 # sample.c:0:3
	xor	eax, eax
	.p2align	4
.LBB0_2:                                # =>This Inner Loop Header: Depth=1
	.loc	0 8 17 is_stmt 1                # sample.c:8:17
	vmovsd	xmm1, qword ptr [rsi + 8*rax]   # xmm1 = mem[0],zero
	.loc	0 8 10 is_stmt 0                # sample.c:8:10
	vfmadd213sd	xmm1, xmm0, qword ptr [rdi + 8*rax] # xmm1 = (xmm0 * xmm1) + mem
	vmovsd	qword ptr [rdi + 8*rax], xmm1
	.loc	0 7 28 is_stmt 1                # sample.c:7:28
	inc	rax
	.loc	0 7 22                          # sample.c:7:22
	cmp	rdx, rax
	.loc	0 7 3                           # sample.c:7:3
	jne	.LBB0_2
.LBB0_3:
	.loc	0 9 1                           # sample.c:9:1
	ret
.Ltmp0:
.Lfunc_end0:
	.size	daxpy, .Lfunc_end0-daxpy
	.cfi_endproc
                                        # -- End function
	.globl	nested                          # -- Begin function nested
	.p2align	4
	.type	nested,@function
nested:                                 # @nested
.Lfunc_begin1:
	.cfi_startproc
# %bb.0:
	.loc	0 13 22 prologue_end            # sample.c:13:22
	test	rsi, rsi
	.loc	0 13 3                          # sample.c:13:3
	jle	.LBB1_1
# %bb.3:
	.loc	0 13 3                          # sample.c:13:3
	lea	rax, [8*rdx]
	vxorpd	xmm0, xmm0, xmm0
	xor	ecx, ecx
	jmp	.LBB1_4
	.loc	0 0 3 is_stmt 0                 # :0:3
.Ltmp1:
	.p2align	4
.LBB1_7:                                #   in Loop: Header=BB1_4 Depth=1
	.loc	0 13 31 is_stmt 1               # sample.c:13:31
	inc	rcx
	.loc	0 13 3                          # sample.c:13:3
	add	rdi, rax
	.loc	0 13 22                         # sample.c:13:22
	cmp	rcx, rsi
	.loc	0 13 3                          # sample.c:13:3
	je	.LBB1_2
.LBB1_4:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB1_6 Depth 2
	.loc	0 0 3 is_stmt 0                 # sample.c:0:3
	test	rdx, rdx
	.loc	0 14 5 is_stmt 1                # sample.c:14:5
	jle	.LBB1_7
# %bb.5:                                #   in Loop: Header=BB1_4 Depth=1
	.loc	0 0 5 is_stmt 0                 # sample.c:0:5
	xor	r8d, r8d
	.p2align	4
.LBB1_6:                                #   Parent Loop BB1_4 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	.loc	0 15 11 is_stmt 1               # sample.c:15:11
	vaddsd	xmm0, xmm0, qword ptr [rdi + 8*r8]
	.loc	0 14 36                         # sample.c:14:36
	inc	r8
	.loc	0 14 24                         # sample.c:14:24
	cmp	rdx, r8
	.loc	0 14 5                          # sample.c:14:5
	jne	.LBB1_6
	jmp	.LBB1_7
.LBB1_1:
	.loc	0 0 5 is_stmt 0                 # sample.c:0:5
	vxorpd	xmm0, xmm0, xmm0
.LBB1_2:
	.loc	0 16 3 is_stmt 1                # sample.c:16:3
	ret
.Ltmp2:
.Lfunc_end1:
	.size	nested, .Lfunc_end1-nested
	.cfi_endproc
                                        # -- End function
	.globl	widen                           # -- Begin function widen
	.p2align	4
	.type	widen,@function
widen:                                  # @widen
.Lfunc_begin2:
	.cfi_startproc
# %bb.0:
	.loc	0 20 23 prologue_end            # sample.c:20:23
	movsxd	rax, dword ptr fs:[per_thread@TPOFF]
	.loc	0 20 21 is_stmt 0               # sample.c:20:21
	add	rax, qword ptr [rip + offset]
	.loc	0 21 22 is_stmt 1               # sample.c:21:22
	test	rdx, rdx
	.loc	0 21 3                          # sample.c:21:3
	jle	.LBB2_3
# %bb.1:
	.loc	0 0 3 is_stmt 0                 # sample.c:0:3
	xor	ecx, ecx
	.p2align	4
.LBB2_2:                                # =>This Inner Loop Header: Depth=1
	.loc	0 22 18 is_stmt 1               # sample.c:22:18
	movsxd	r8, dword ptr [rdi + 4*rcx]
	.loc	0 22 25 is_stmt 0               # sample.c:22:25
	movsx	r9, byte ptr [rsi + rcx]
	.loc	0 22 23                         # sample.c:22:23
	imul	r9, r8
	.loc	0 22 9                          # sample.c:22:9
	add	rax, r9
	.loc	0 21 28 is_stmt 1               # sample.c:21:28
	inc	rcx
	.loc	0 21 22                         # sample.c:21:22
	cmp	rdx, rcx
	.loc	0 21 3                          # sample.c:21:3
	jne	.LBB2_2
.LBB2_3:
	.loc	0 23 3                          # sample.c:23:3
	ret
.Ltmp3:
.Lfunc_end2:
	.size	widen, .Lfunc_end2-widen
	.cfi_endproc
                                        # -- End function
	.globl	states                          # -- Begin function states
	.p2align	4
	.type	states,@function
states:                                 # @states
.Lfunc_begin3:
	.cfi_startproc
# %bb.0:
	.loc	0 28 21 prologue_end            # sample.c:28:21
	test	esi, esi
	.loc	0 28 3                          # sample.c:28:3
	jle	.LBB3_1
# %bb.3:
	.loc	0 28 21                         # sample.c:28:21
	mov	ecx, esi
	xor	eax, eax
	lea	rdx, [rip + .LJTI3_0]
	xor	esi, esi
	jmp	.LBB3_4
	.loc	0 0 21 is_stmt 0                # :0:21
.Ltmp4:
	.p2align	4
.LBB3_11:                               #   in Loop: Header=BB3_4 Depth=1
	inc	eax
.LBB3_12:                               #   in Loop: Header=BB3_4 Depth=1
	.loc	0 28 27 is_stmt 1               # sample.c:28:27
	inc	rsi
	.loc	0 28 21                         # sample.c:28:21
	cmp	rcx, rsi
	.loc	0 28 3                          # sample.c:28:3
	je	.LBB3_2
.LBB3_4:                                # =>This Inner Loop Header: Depth=1
	.loc	0 29 13                         # sample.c:29:13
	mov	r8d, dword ptr [rdi + 4*rsi]
	cmp	r8, 5
	.loc	0 29 5 is_stmt 0                # sample.c:29:5
	ja	.LBB3_11
# %bb.5:                                #   in Loop: Header=BB3_4 Depth=1
	.loc	0 29 5 is_stmt 1                # sample.c:29:5
	movsxd	r8, dword ptr [rdx + 4*r8]
	add	r8, rdx
	jmp	r8
.LBB3_6:                                #   in Loop: Header=BB3_4 Depth=1
	.loc	0 31 15                         # sample.c:31:15
	lea	eax, [rax + 2*rax]
	.loc	0 31 21                         # sample.c:31:21
	jmp	.LBB3_12
.LBB3_9:                                #   in Loop: Header=BB3_4 Depth=1
	.loc	0 34 17                         # sample.c:34:17
	not	eax
	.loc	0 34 21                         # sample.c:34:21
	jmp	.LBB3_12
.LBB3_7:                                #   in Loop: Header=BB3_4 Depth=1
	.loc	0 32 15                         # sample.c:32:15
	xor	eax, 7
	.loc	0 32 21                         # sample.c:32:21
	jmp	.LBB3_12
.LBB3_8:                                #   in Loop: Header=BB3_4 Depth=1
	.loc	0 33 15                         # sample.c:33:15
	sub	eax, dword ptr [rdi + 4*rsi + 4]
	.loc	0 33 28                         # sample.c:33:28
	jmp	.LBB3_12
.LBB3_10:                               #   in Loop: Header=BB3_4 Depth=1
	.loc	0 35 15                         # sample.c:35:15
	shl	eax, 2
	.loc	0 35 22                         # sample.c:35:22
	jmp	.LBB3_12
.LBB3_1:
	.loc	0 0 22 is_stmt 0                # sample.c:0:22
	xor	eax, eax
.LBB3_2:
                                        # kill: def $eax killed $eax killed $rax
	.loc	0 38 3 is_stmt 1                # sample.c:38:3
	ret
.Ltmp5:
.Lfunc_end3:
	.size	states, .Lfunc_end3-states
	.cfi_endproc
	.section	.rodata,"a",@progbits
	.p2align	2, 0x0
.LJTI3_0:
	.long	.LBB3_11-.LJTI3_0
	.long	.LBB3_6-.LJTI3_0
	.long	.LBB3_7-.LJTI3_0
	.long	.LBB3_8-.LJTI3_0
	.long	.LBB3_9-.LJTI3_0
	.long	.LBB3_10-.LJTI3_0
                                        # -- End function
	.text
	.globl	calls                           # -- Begin function calls
	.p2align	4
	.type	calls,@function
calls:                                  # @calls
.Lfunc_begin4:
	.cfi_startproc
# %bb.0:
	.loc	0 42 22 prologue_end            # sample.c:42:22
	test	rsi, rsi
	.loc	0 42 3                          # sample.c:42:3
	jle	.LBB4_4
# %bb.1:
	.loc	0 0 3 is_stmt 0                 # sample.c:0:3
	push	r15
	.cfi_def_cfa_offset 16
	push	r14
	.cfi_def_cfa_offset 24
	push	r12
	.cfi_def_cfa_offset 32
	push	rbx
	.cfi_def_cfa_offset 40
	push	rax
	.cfi_def_cfa_offset 48
	.cfi_offset rbx, -40
	.cfi_offset r12, -32
	.cfi_offset r14, -24
	.cfi_offset r15, -16
	mov	rbx, rdx
	mov	r14, rsi
	mov	r15, rdi
	xor	r12d, r12d
	.p2align	4
.LBB4_2:                                # =>This Inner Loop Header: Depth=1
	.loc	0 43 17 is_stmt 1               # sample.c:43:17
	vmovsd	xmm0, qword ptr [r15 + 8*r12]   # xmm0 = mem[0],zero
	.loc	0 43 12 is_stmt 0               # sample.c:43:12
	call	work@PLT
.Ltmp6:
	.loc	0 43 10 is_stmt 1               # sample.c:43:10
	vmovsd	qword ptr [r15 + 8*r12], xmm0
	.loc	0 44 5                          # sample.c:44:5
	call	qword ptr [rbx + 8*r12]
.Ltmp7:
	.loc	0 42 28                         # sample.c:42:28
	inc	r12
	.loc	0 42 22                         # sample.c:42:22
	cmp	r14, r12
	.loc	0 42 3                          # sample.c:42:3
	jne	.LBB4_2
# %bb.3:
	.loc	0 0 3 is_stmt 0                 # sample.c:0:3
	add	rsp, 8
	.cfi_def_cfa_offset 40
	pop	rbx
	.cfi_def_cfa_offset 32
	pop	r12
	.cfi_def_cfa_offset 24
	pop	r14
	.cfi_def_cfa_offset 16
	pop	r15
	.cfi_def_cfa_offset 8
	.cfi_restore rbx
	.cfi_restore r12
	.cfi_restore r14
	.cfi_restore r15
.LBB4_4:
	.loc	0 46 1 is_stmt 1                # sample.c:46:1
	ret
.Ltmp8:
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
	.long	0                               # 0x0
	.size	per_thread, 4

	.section	.debug_abbrev,"",@progbits
	.byte	1                               # Abbreviation Code
	.byte	17                              # DW_TAG_compile_unit
	.byte	0                               # DW_CHILDREN_no
	.byte	37                              # DW_AT_producer
	.byte	37                              # DW_FORM_strx1
	.byte	19                              # DW_AT_language
	.byte	5                               # DW_FORM_data2
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	114                             # DW_AT_str_offsets_base
	.byte	23                              # DW_FORM_sec_offset
	.byte	16                              # DW_AT_stmt_list
	.byte	23                              # DW_FORM_sec_offset
	.byte	27                              # DW_AT_comp_dir
	.byte	37                              # DW_FORM_strx1
	.byte	17                              # DW_AT_low_pc
	.byte	27                              # DW_FORM_addrx
	.byte	18                              # DW_AT_high_pc
	.byte	6                               # DW_FORM_data4
	.byte	115                             # DW_AT_addr_base
	.byte	23                              # DW_FORM_sec_offset
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	0                               # EOM(3)
	.section	.debug_info,"",@progbits
.Lcu_begin0:
	.long	.Ldebug_info_end0-.Ldebug_info_start0 # Length of Unit
.Ldebug_info_start0:
	.short	5                               # DWARF version number
	.byte	1                               # DWARF Unit Type
	.byte	8                               # Address Size (in bytes)
	.long	.debug_abbrev                   # Offset Into Abbrev. Section
	.byte	1                               # Abbrev [1] 0xc:0x17 DW_TAG_compile_unit
	.byte	0                               # DW_AT_producer
	.short	29                              # DW_AT_language
	.byte	1                               # DW_AT_name
	.long	.Lstr_offsets_base0             # DW_AT_str_offsets_base
	.long	.Lline_table_start0             # DW_AT_stmt_list
	.byte	2                               # DW_AT_comp_dir
	.byte	0                               # DW_AT_low_pc
	.long	.Lfunc_end4-.Lfunc_begin0       # DW_AT_high_pc
	.long	.Laddr_table_base0              # DW_AT_addr_base
.Ldebug_info_end0:
	.section	.debug_str_offsets,"",@progbits
	.long	16                              # Length of String Offsets Set
	.short	5
	.short	0
.Lstr_offsets_base0:
	.section	.debug_str,"MS",@progbits,1
.Linfo_string0:
	.asciz	"Debian clang version 22.1.8 (1~deb12u1)" # string offset=0
.Linfo_string1:
	.asciz	"sample.c"                      # string offset=40
.Linfo_string2:
	.asciz	"."                             # string offset=49
	.section	.debug_str_offsets,"",@progbits
	.long	.Linfo_string0
	.long	.Linfo_string1
	.long	.Linfo_string2
	.section	.debug_addr,"",@progbits
	.long	.Ldebug_addr_end0-.Ldebug_addr_start0 # Length of contribution
.Ldebug_addr_start0:
	.short	5                               # DWARF version number
	.byte	8                               # Address size
	.byte	0                               # Segment selector size
.Laddr_table_base0:
	.quad	.Lfunc_begin0
.Ldebug_addr_end0:
	.ident	"Debian clang version 22.1.8 (1~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.section	.debug_line,"",@progbits
.Lline_table_start0:
