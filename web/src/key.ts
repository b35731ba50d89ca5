// The key of the web sockets. The link that the command prints hands it over behind the `#`; it is kept where only pages
// of this server get at it, since cookies go to every port of a machine.

const PLACE = "gnomon-key";
const HANDED = /^#key=([0-9a-f]+)$/;

/** Take the key out of the address, if it is there. */
export function takeKey(): void {
  const found = HANDED.exec(location.hash);
  if (!found) return;
  try {
    localStorage.setItem(PLACE, found[1]!);
  } catch {
    handed = found[1]!;  // it is known to this page alone
  }
  history.replaceState(history.state, "", `${location.pathname}${location.search}`);
}

let handed: string | null = null;

function key(): string | null {
  try {
    return handed ?? localStorage.getItem(PLACE);
  } catch { return handed; }
}

/** Open a web socket to the server, with the key. */
export function openSocket(path: string): WebSocket {
  const known = key();
  return new WebSocket(`ws://${location.host}${path}`, ["gnomon-studio", ...(known ? [`key.${known}`] : [])]);
}
