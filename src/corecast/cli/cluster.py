"""The option --cluster: work on several machines."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from corecast.prediction.cluster import Cluster


def add_cluster_option(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="work on a Dask cluster: tcp://HOST:PORT, slurm/PARTITION[/JOBS] or local/PROCESSES",
    )


def chosen_cluster(arguments: argparse.Namespace) -> AbstractContextManager[Cluster | None]:
    """None: this machine alone."""
    if arguments.cluster is None:
        return nullcontext()
    from corecast.prediction.cluster import connect

    return connect(arguments.cluster)
