// A formula of one's own, beside those of the text.

import { useState } from "preact/hooks";
import { Icon } from "../shell/icons";
import { addOwn } from "./verdict_actions";

export function OwnFormula() {
  const [typed, setTyped] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    addOwn(typed);
    setTyped("");
  };
  return (
    <form class="own-formula" onSubmit={submit}>
      <input class="mono grow" aria-label="A formula of your own" placeholder="Try a formula: AG (…), K(Agent, …), <Group>F …" spellcheck={false} autocomplete="off" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      <button type="submit" class="icon-button" aria-label="Check this formula" title="Check this formula (Enter)" disabled={!typed.trim()}><Icon name="add" /></button>
    </form>
  );
}
