"""What the client says of itself when it begins, and what the user has chosen there."""

from collections.abc import Mapping

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from gnomon.interfaces.lsp.server import GnomonLanguageServer
from gnomon.interfaces.lsp.settings import read_settings
from gnomon.interfaces.lsp.telling import refresh


def register(ls: GnomonLanguageServer) -> None:
    """Hear of it."""
    ls.feature(types.INITIALIZE)(initialize)
    ls.feature(types.INITIALIZED)(initialized)
    ls.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(configure)


def initialize(ls: GnomonLanguageServer, params: types.InitializeParams) -> None:
    """Take over what the client says of itself, and the settings that it sends at once."""
    given = params.initialization_options
    if isinstance(given, Mapping):
        ls.has_panel = given.get("panel") is True
        ls.settings, wrong = read_settings(given.get("settings"))
        _complain(ls, wrong)


async def initialized(ls: GnomonLanguageServer, _: types.InitializedParams) -> None:
    """Ask for the settings."""
    await _fetch_settings(ls)


async def configure(ls: GnomonLanguageServer, params: types.DidChangeConfigurationParams) -> None:
    """Take new settings over: those that are sent, or those that are asked for."""
    sent = params.settings.get("gnomon") if isinstance(params.settings, Mapping) else None
    if sent is not None:
        _settle(ls, sent)
    else:
        await _fetch_settings(ls)


async def _fetch_settings(ls: GnomonLanguageServer) -> None:
    workspace = ls.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return
    wanted = types.ConfigurationParams([types.ConfigurationItem(section="gnomon")])
    try:
        found = await ls.workspace_configuration_async(wanted)
    except JsonRpcException:
        return  # the client has none after all
    _settle(ls, found[0] if found else None)


def _settle(ls: GnomonLanguageServer, given: object) -> None:
    if given is None:
        return  # nothing was chosen: what came with the first message stays
    ls.settings, wrong = read_settings(given)
    _complain(ls, wrong)
    refresh(ls)


def _complain(ls: GnomonLanguageServer, wrong: list[str]) -> None:
    for words in wrong:
        message = f"settings of gnomon: {words}"
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
