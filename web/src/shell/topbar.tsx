// The bar above: what is open, what is set, what can be asked.

import { useState } from "preact/hooks";
import { checkAll, isReading, progress, stopAll } from "../checking";
import { mayLeave, openNew, save } from "../documents";
import { ORDER, TITLES, arrangement, isVisible, togglePane } from "../layout";
import { READINGS, READING_WORDS, checksAsYouType, connection, constants, dialog, document_, hello, isDirty, opened, shownPanes, strategies, theme, usable } from "../state";
import { nextTheme } from "../theme";
import { Brand, Icon, type IconName } from "./icons";

export function TopBar() {
  return (
    <header class={`topbar${usable.value?.constants.length ? " has-constants" : ""}`}>
      <div class="brand" title={hello.value ? `Gnomon ${hello.value.gnomon}` : "Gnomon"}><Brand /><h1 class="brand-name">Gnomon <span>studio</span></h1></div>
      <FileName />
      <div class="bar-group" role="group" aria-label="File">
        <Tool icon="open" words="Open" hint="Files of the folder (Ctrl+O)" onClick={() => { dialog.value = { name: "files" }; }} />
        <Tool icon="gallery" words="Gallery" hint="Models to begin with (Alt+G)" onClick={() => { dialog.value = { name: "gallery" }; }} />
        <Tool icon="save" words="Save" hint="Save (Ctrl+S)" onClick={() => void save()} />
      </div>
      <div class="bar-middle"><Constants /><Strategies /></div>
      <div class="bar-group" role="group" aria-label="Questions">
        <CheckButton />
        <Tool icon="who" words="Who can?" hint="Which coalitions can enforce a goal (Alt+W)" onClick={() => { dialog.value = { name: "who" }; }} needsModel />
        <Tool icon="sweep" words="Sweep" hint="The same for many constants (Alt+S)" onClick={() => { dialog.value = { name: "sweep" }; }} needsModel />
        <Tool icon="share" words="Share" hint="Link, page and pictures (Alt+L)" onClick={() => { dialog.value = { name: "share" }; }} />
      </div>
      <div class="bar-group bar-end" role="group" aria-label="The page">
        <PaneButtons />
        <button type="button" class="icon-button" aria-label={`Colours: ${theme.value}; change`} title={`Colours: ${theme.value}`} onClick={nextTheme}><Icon name={theme.value} /></button>
        <button type="button" class="icon-button" aria-label="Help: keys and signs" title="Help (F1)" onClick={() => { dialog.value = { name: "help" }; }}><Icon name="help" /></button>
      </div>
    </header>
  );
}

function Tool({ icon, words, hint, onClick, needsModel = false }: { icon: IconName; words: string; hint: string; onClick: () => void; needsModel?: boolean }) {
  return (
    <button type="button" class="tool" title={hint} aria-label={words} disabled={needsModel && !usable.value} onClick={onClick}>
      <Icon name={icon} /><span class="tool-words">{words}</span>
    </button>
  );
}

function FileName() {
  const { name, path, gallery } = document_.value;
  const where = path ? "a file of the folder" : gallery ? "from the gallery" : "not a file yet";
  const again = async () => { if (await mayLeave()) openNew(); };
  return (
    <div class="file-name" title={`${name}: ${where}${isDirty.value ? "; not saved" : ""}`}>
      <span class="file-words">{name}</span>
      {isDirty.value && <span class="file-mark" role="img" aria-label="not saved">●</span>}
      {connection.value !== "open" && <span class="file-remark">{connection.value === "lost" ? "no connection" : "connecting"}</span>}
      <button type="button" class="icon-button small" aria-label="New model" title="New model" onClick={() => void again()}><Icon name="add" /></button>
    </div>
  );
}

function Constants() {
  const known = (opened.value && !opened.value.has_errors ? opened.value : usable.value)?.constants ?? [];
  // What was set is shown in any case: it may be the reason why nothing can be read.
  const set = Object.entries(constants.value).filter(([name]) => !known.some((each) => each.name === name)).map(([name, value]) => ({ name, value }));
  const declared = [...known, ...set];
  if (!declared.length) return null;
  const isSet = Object.keys(constants.value).length > 0;
  return (
    <div class="constants" role="group" aria-label="Constants">
      {declared.map((each) => <Constant key={each.name} name={each.name} value={constants.value[each.name] ?? each.value} isSet={each.name in constants.value} />)}
      {isSet && <button type="button" class="icon-button small" aria-label="Constants as in the text" title="As in the text" onClick={() => { constants.value = {}; }}><Icon name="again" /></button>}
    </div>
  );
}

function Constant({ name, value, isSet }: { name: string; value: number; isSet: boolean }) {
  const [typed, setTyped] = useState<string | null>(null);
  const put = (text: string) => {
    setTyped(text);
    const number = Number(text);
    if (text.trim() !== "" && Number.isSafeInteger(number)) constants.value = { ...constants.value, [name]: number };
  };
  return (
    <label class={`constant${isSet ? " is-set" : ""}`} title={isSet ? `${name}, set here` : `${name}, as in the text`}>
      <span>{name}</span>
      <input type="number" step="1" value={typed ?? String(value)} onInput={(event) => put(event.currentTarget.value)} onBlur={() => setTyped(null)} />
    </label>
  );
}

function Strategies() {
  return (
    <label class="reading" title="What coalitions can do depends on what their members must know">
      <span class="hide-medium">strategies</span>
      <select aria-label="Strategies" value={strategies.value} onChange={(event) => { strategies.value = event.currentTarget.value; }}>
        {READINGS.map((each) => <option key={each} value={each}>{READING_WORDS[each]}</option>)}
      </select>
    </label>
  );
}

function CheckButton() {
  const now = progress.value;
  return (
    <span class="check-group">
      {now ? (
        <button type="button" class="tool is-busy" title={now.words || "Stop (Ctrl+.)"} onClick={stopAll} aria-label={`Stop: ${now.decided} of ${now.of} decided`}>
          <Icon name="stop" /><span>Stop</span><span class="check-count">{now.decided}/{now.of}</span>
          <progress class="check-bar" max={Math.max(1, now.of)} value={now.decided} aria-label="Formulae decided" />
        </button>
      ) : (
        <button type="button" class="tool is-primary" title="Check all formulae (Ctrl+Enter)" disabled={!usable.value || isReading.value && !usable.value} onClick={checkAll}>
          <Icon name="check" /><span>Check</span>
        </button>
      )}
      <label class="as-typed hide-medium" title="Check while you type">
        <input type="checkbox" checked={checksAsYouType.value} onChange={(event) => { checksAsYouType.value = event.currentTarget.checked; }} /><span>as I type</span>
      </label>
    </span>
  );
}

function PaneButtons() {
  if (arrangement.value === "one") return null;
  return (
    <div class="pane-buttons" role="group" aria-label="Panes">
      {ORDER.map((pane, index) => (
        <button type="button" key={pane} class="icon-button" aria-pressed={shownPanes.value.has(pane) && isVisible(pane)} aria-label={TITLES[pane]} title={`${TITLES[pane]} (Alt+${index + 1})`} onClick={() => togglePane(pane)}><Icon name={pane} /></button>
      ))}
    </div>
  );
}
