/** The address of a server that the browser may talk to. */

const HERE = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Return the address if it is a web socket on this machine, else nothing: models are not sent elsewhere. */
export function localAddress(text: string): string | undefined {
  try {
    const url = new URL(text.trim());
    const plain = url.username === "" && url.password === "";
    return plain && (url.protocol === "ws:" || url.protocol === "wss:") && HERE.has(url.hostname)
      ? url.href
      : undefined;
  } catch {
    return undefined;
  }
}
