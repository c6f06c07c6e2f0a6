"""Kernels whose time is the latency from one operand of a form to another.

direct    the instances of the form are a chain by themselves: the operands are one register, or the same operand
cross     `imul rax, rbx; imul rbx, rax`: the operand that is read and written has a separate chain, half as long
linked    helpers lead from the destination back to the source
"""

from __future__ import annotations

from collections.abc import Sequence

from corecast.errors import InputError
from corecast.measure.isa.forms import Form
from corecast.measure.isa.link_table import Link
from corecast.measure.plan.forms.chain_builder import Chain as Chain
from corecast.measure.plan.forms.chain_builder import ChainBuilder
from corecast.measure.questions.roles import End


def same_register(form: Form, source: End, target: End) -> Chain | None:
    """The chain of a pair whose usual one is a cross chain, through one register that is both operands.

    It takes the longer of the pair's latency and of the target's own: another upper limit of the first, except where
    both operands in one register are an idiom.
    """
    try:
        return ChainBuilder(form, source, target).same_register()
    except InputError:
        return None


def through_helpers(
    form: Form,
    source: End,
    target: End,
    links: Sequence[Link] | None = None,
    *,
    cut: bool = False,
    late: bool = False,
) -> Chain:
    """The chain of a pair through helpers, be there one without or not.

    Args:
        form: which.
        source: of the latency.
        target: of the latency.
        links: other helpers than the usual ones.
        cut: whether the helpers start from something else than the target, so that nothing waits for the form: what
            the same instructions take at least.
        late: whether what keeps other operands apart stands amid the longest helper: behind what reads the target, and
            long before the form, for cores that execute in order.

    Raises:
        InputError: none can be made.
    """
    return ChainBuilder(form, source, target).linked(links, cut=cut, late=late)


def by_itself(form: Form, source: End, target: End) -> Chain:
    """The instructions of a chain without helpers, where none waits for the one before: what they take at least.

    Raises:
        InputError: something cannot be kept apart.
    """
    return ChainBuilder(form, source, target).by_itself()


def usual_links(form: Form, source: End, target: End) -> tuple[Link, ...]:
    """The helpers that lead from the target of a latency back to its source.

    Raises:
        InputError: there are none.
    """
    return ChainBuilder(form, source, target).way()


def chain(form: Form, source: End, target: End) -> Chain:
    """The kernel for one pair.

    Raises:
        InputError: none can be made: too few registers, no helper.
    """
    try:
        return ChainBuilder(form, source, target).chain()
    except InputError:  # some instructions forbid that the register of a source is the target's
        return ChainBuilder(form, source, target).linked()
