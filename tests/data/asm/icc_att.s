# mark_description "Intel(R) C Intel(R) 64 Compiler";
	.file "triad.c"
	.text
..TXTST0:
.L_2__routine_start_triad_0:
# -- Begin  triad
	.text
# mark_begin;
       .align    16,0x90
	.globl triad
# --- triad(double *, double *, double *, long)
triad:
# parameter 1: %rdi
..B1.1:                         # Preds ..B1.0
                                # Execution count [1.00e+00]
	.cfi_startproc
..___tag_value_triad.1:
..L2:
                                                          #2.1
        testq     %rcx, %rcx                                    #3.22
        jle       ..B1.4        # Prob 10%                      #3.22
        xorl      %eax, %eax                                    #3.3
..B1.3:                         # Preds ..B1.3 ..B1.1
                                # Execution count [5.00e+00]
        vmovupd   (%rsi,%rax,8), %ymm0                          #4.12
        vmulpd    (%rdx,%rax,8), %ymm0, %ymm1                   #4.19
        vmovupd   %ymm1, (%rdi,%rax,8)                          #4.5
        addq      $4, %rax                                      #3.3
        cmpq      %rcx, %rax                                    #3.3
        jb        ..B1.3        # Prob 82%                      #3.3
..B1.4:                         # Preds ..B1.3
        vzeroupper                                              #5.1
        ret                                                     #5.1
        .align    16,0x90
	.cfi_endproc
# mark_end;
	.type	triad,@function
	.size	triad,.-triad
..LNtriad.0:
	.data
# -- End  triad
	.data
	.section .note.GNU-stack, ""
# End
