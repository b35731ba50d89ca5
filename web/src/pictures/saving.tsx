// Pictures as files: the server writes them, and the page makes pixels of one of them.

import { useEffect, useRef, useState } from "preact/hooks";
import type { DrawingExport, TextAnswer } from "../protocol";
import { notify } from "../state";
import { asked, wordsOf } from "../walking/asking";

/** What a picture was made from, so that it can be made again as a file. */
export interface Exported { what: DrawingExport["what"]; params: unknown }

const FORMATS = [
  { format: "svg", words: "SVG", hint: "for pages and slides" },
  { format: "png", words: "PNG", hint: "pixels, twice the size" },
  { format: "tikz", words: "TikZ", hint: "for LaTeX" },
  { format: "dot", words: "DOT", hint: "for Graphviz" },
  { format: "mermaid", words: "Mermaid", hint: "for Markdown" },
] as const;

type FileFormat = DrawingExport["format"];
/** Whoever makes a picture as a file, and the formats it has; those of drawings are made by the server. */
interface SaveProps { exported?: Exported; make?: (format: FileFormat) => Promise<TextAnswer>; formats?: readonly FileFormat[] }

export function SaveMenu({ exported, make, formats = ["svg", "tikz", "dot", "mermaid"] }: SaveProps) {
  const [isOpen, setOpen] = useState(false);
  const [busy, setBusy] = useState("");
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    menu.current?.querySelector<HTMLButtonElement>("[role=menuitem]")?.focus();
    const away = (event: Event) => { if (!menu.current?.contains(event.target as Node)) setOpen(false); };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [isOpen]);

  const save = async (format: (typeof FORMATS)[number]["format"]) => {
    setOpen(false);
    setBusy(format);
    try {
      const kind = format === "png" ? "svg" : format;
      const text = make ? await make(kind) : await asked("export/drawing", { ...exported!, format: kind });
      if (format === "png") download(await pixels(text.text), text.name.replace(/\.svg$/, ".png"));
      else download(new Blob([text.text], { type: format === "svg" ? "image/svg+xml" : "text/plain" }), text.name);
    } catch (error) {
      notify(`The picture cannot be saved: ${wordsOf(error)}`, "error");
    } finally {
      setBusy("");
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(menu.current?.querySelectorAll<HTMLButtonElement>("[role=menuitem]") ?? [])];
    const place = items.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === "Escape") { setOpen(false); menu.current?.querySelector("button")?.focus(); }
    else if (event.key === "ArrowDown") items[(place + 1) % items.length]?.focus();
    else if (event.key === "ArrowUp") items[(place + items.length - 1) % items.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="v-menu" ref={menu} onKeyDown={isOpen ? onKeyDown : undefined}>
      <button type="button" class="v-btn" aria-haspopup="menu" aria-expanded={isOpen} disabled={busy !== ""} onClick={() => setOpen(!isOpen)}>{busy ? "Saving …" : "Save ▾"}</button>
      {isOpen && (
        <div class="v-menu-list" role="menu" aria-label="Save the picture as">
          {FORMATS.filter(({ format }) => formats.includes(format === "png" ? "svg" : format)).map(({ format, words, hint }) => (
            <button type="button" role="menuitem" tabindex={-1} onClick={() => void save(format)}>{words}<span class="v-quiet">{hint}</span></button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Browsers refuse canvases much larger than this. */
const MOST_PIXELS = 16_000;

async function pixels(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(2, MOST_PIXELS / Math.max(image.naturalWidth, image.naturalHeight, 1));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser has no canvas");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png"));
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
