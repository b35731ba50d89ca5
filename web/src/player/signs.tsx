// The signs on the buttons of a recorder.

const PATHS = {
  first: "M4 3.5v9M12.5 3.5v9L6 8z",
  back: "M11 3.5v9L4.5 8z",
  play: "M5 3v10l8-5z",
  pause: "M5 3.5v9M11 3.5v9",
  on: "M5 3.5v9L11.5 8z",
  last: "M12 3.5v9M3.5 3.5v9L10 8z",
} as const;

export function Sign({ name }: { name: keyof typeof PATHS }) {
  return <svg class={`sign is-${name}`} viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" focusable="false"><path d={PATHS[name]} /></svg>;
}
