"""Signals that end a command are handled as Ctrl-C is: temporary files are removed, a message names what is kept."""

from __future__ import annotations

from corecast.errors import Terminated
from corecast.hints import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import signal
    from types import FrameType
else:
    try:  # the same without an enumeration of all signals, which takes longer to make than a command line to read
        import _signal as signal
    except ImportError:
        import signal

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class EndingSignals:
    """Within the `with` block such a signal raises Terminated. Signals that somebody handles or ignores stay so."""

    def __init__(self) -> None:
        self._ours: list[int] = []

    def __enter__(self) -> None:
        try:
            for number in _SIGNALS:
                if signal.getsignal(number) == signal.SIG_DFL:
                    signal.signal(number, _raise)
                    self._ours.append(number)
        except ValueError:  # only the main thread may handle signals
            pass

    def __exit__(self, *_: object) -> None:
        for number in self._ours:
            signal.signal(number, signal.SIG_DFL)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated(number)
