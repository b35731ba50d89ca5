"""The way to a cluster: by the address of a scheduler of Dask's, its file, or what speaks for it in Python.

Dask is an extra, `gnomon[cluster]`. What Slurm, PBS or others start by way of `dask-jobqueue` is reached in
the same ways: by its object, by the address of its scheduler, or by the file that it writes.
"""

import logging
import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn, Protocol
from urllib.parse import urlsplit

from gnomon.campaign.cluster_pool import ClusterPool
from gnomon.campaign.cluster_task import version_there
from gnomon.checking.cores import usable_cores
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source
from gnomon.version import __version__

#: So many seconds a scheduler may take to answer, and to come back after it was gone.
_PATIENCE: Final = 30.0
#: So many seconds somebody may take to be there at all.
_KNOCKING: Final = 5.0
LOCAL: Final = "local"


class TlsFiles(Protocol):
    """Files for TLS: the certificate of the authority, our own one, and its key."""

    @property
    def ca_file(self) -> Path | None:
        """Who signs for the scheduler."""

    @property
    def cert(self) -> Path | None:
        """Our own certificate."""

    @property
    def key(self) -> Path | None:
        """The key of it."""


def connect(
    cluster: Any,
    security: TlsFiles | None = None,
    *,
    jobs: int | None = None,
    seed: int = 0,
    patience: float = _PATIENCE,
) -> ClusterPool:
    """Return what has jobs done by a cluster; raise `InputError` where it cannot be reached or used.

    `cluster` is `tcp://…` or `tls://…`, the name of a scheduler file, `local` for `jobs` workers of this
    machine's that listen to nobody else, a client of Dask's, or a cluster that Dask or dask-jobqueue has
    started. What was started here is ended with the pool, and nothing else is.
    """
    distributed = _dask()
    if not isinstance(cluster, str):
        return _of_object(distributed, cluster, seed, patience)
    if cluster == LOCAL:
        return _of_this_machine(distributed, jobs or usable_cores(), seed, patience)
    _be_quiet()
    if cluster.endswith(".json") or os.path.isfile(cluster):
        if not os.path.isfile(cluster):
            _refuse(cluster, "there is no such file")
        given: dict[str, Any] = {"scheduler_file": cluster}
    else:
        _knock(cluster)
        given = {"address": cluster}
    client = _client(distributed, cluster, patience, security=_security(security), **given)
    return _pool(client, cluster, client.close, seed)


def _dask() -> Any:
    try:
        return import_module("distributed")
    except ImportError:
        _refuse(
            "",
            "Dask is not installed",
            "pip install 'gnomon[cluster]', here and on the machines of the cluster",
        )


def _of_object(distributed: Any, cluster: Any, seed: int, patience: float) -> ClusterPool:
    if isinstance(cluster, distributed.Client):
        return _pool(cluster, _address(cluster), lambda: None, seed)
    if not hasattr(cluster, "scheduler_address"):
        _refuse("", f"{cluster!r} is no address, no client of Dask's and no cluster of its")
    client = _client(distributed, str(cluster.scheduler_address), patience, address=cluster)
    return _pool(client, _address(client), client.close, seed)


def _of_this_machine(distributed: Any, jobs: int, seed: int, patience: float) -> ClusterPool:
    """Start workers here, which nobody else can speak to."""
    _be_quiet()
    started = distributed.LocalCluster(
        n_workers=jobs,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        worker_dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )
    try:
        client = _client(distributed, LOCAL, patience, address=started)

        def close() -> None:
            client.close()
            started.close()

        return _pool(client, LOCAL, close, seed)
    except BaseException:
        started.close()
        raise


def _client(distributed: Any, name: str, patience: float, **given: Any) -> Any:
    try:
        return distributed.Client(timeout=patience, set_as_default=False, **given)
    except Exception as error:  # noqa: BLE001 - whoever is there may say anything
        _refuse(name, f"no scheduler answers as one should ({_first_line(error)})", _hint(name))


def _hint(name: str) -> str:
    if name.startswith("tls:"):
        return "for TLS, name ca-file, cert and key, or have them in the configuration of Dask"
    return "is it a scheduler of Dask's, and without TLS?"


def _pool(client: Any, name: str, close: Any, seed: int) -> ClusterPool:
    try:
        _compare_versions(client, name)
        return ClusterPool(client, name, close, seed=seed)
    except BaseException:
        with suppress(Exception):
            close()
        raise


def _compare_versions(client: Any, name: str) -> None:
    """See to it that all who are there would answer as we do; those who come later are asked by each job."""
    found: Mapping[str, Any] = client.run(version_there, on_error="return")
    for worker, version in found.items():
        # Dask sends some errors as texts.
        if isinstance(version, ImportError) or "No module named 'gnomon" in str(version):
            _refuse(name, f"its worker at {worker} has no gnomon, or an older one", _SAME)
        if isinstance(version, BaseException):
            _refuse(name, f"its worker at {worker} says: {_first_line(version)}")
        if version != __version__:
            what = f"its worker at {worker} has gnomon {version}, and this is {__version__}"
            _refuse(name, what, _SAME)


_SAME: Final = f"install gnomon=={__version__} there, too: answers are kept by version"


def _knock(address: str) -> None:
    """Refuse an address that is none, and one where nobody is, before Dask tries it for long."""
    help_ = "write tcp://HOST:PORT or tls://HOST:PORT, the name of a scheduler file, or `local`"
    parts = urlsplit(address)
    try:
        port = parts.port
    except ValueError:
        port = None
    if parts.scheme not in {"tcp", "tls"} or not parts.hostname or port is None:
        _refuse(address, "this is no address of a scheduler", help_)
    try:
        socket.create_connection((parts.hostname, port), timeout=_KNOCKING).close()
    except OSError as error:
        _refuse(
            address, f"nobody answers there ({_first_line(error)})", "is the scheduler running?"
        )


def _security(files: TlsFiles | None) -> Any:
    """Return what Dask needs for TLS; None where no file is named."""
    named = {
        "tls_ca_file": files.ca_file if files else None,
        "tls_client_cert": files.cert if files else None,
        "tls_client_key": files.key if files else None,
    }
    given = {name: str(path) for name, path in named.items() if path is not None}
    for path in given.values():
        if not os.path.isfile(path):
            _refuse("", f"there is no file `{path}`")
    if not given:
        return None
    return import_module("distributed.security").Security(require_encryption=True, **given)


def _be_quiet() -> None:
    """Let Dask write nothing between our lines: what goes wrong, we say."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)


def _address(client: Any) -> str:
    scheduler = getattr(client, "scheduler", None)
    return str(getattr(scheduler, "address", "the client that was given"))


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def _refuse(name: str, what: str, help_: str = "") -> NoReturn:
    where = f"the cluster `{name}`" if name else "a cluster"
    message = f"{where} cannot be used: {what}"
    raise InputError((Diagnostic("G0903", message, Source(name or "<cluster>", ""), help=help_),))
