// Signs on buttons: lines of one weight on a grid of 16; a word is always beside them or in the label of the button.

const PATHS = {
  open: "M2 4.5h4l1.5 1.5H14v7H2z",
  gallery: "M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z",
  save: "M3 2.5h8l2.5 2.5v8.5h-11v-11zM5.5 2.5v3.5h4.5v-3.5M5 13.5v-4.5h6v4.5",
  check: "M4.5 2.8v10.4L13 8z",
  stop: "M4 4h8v8H4z",
  who: "M5.5 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM1.5 13c.3-2.4 1.8-3.7 4-3.7s3.7 1.3 4 3.7M10.5 3.3a2.2 2.2 0 0 1 0 4.1M12 9.6c1.4.5 2.3 1.7 2.5 3.4",
  sweep: "M2.5 2.5v11h11M5 10.5l2.6-3.2 2.2 1.7 3.7-5",
  share: "M11.8 5.4a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8zM4.2 9.9a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8zM11.8 14.4a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8zM5.9 7.1l4.2-2.5M5.9 8.9l4.2 2.5",
  light: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.2v1.6M8 13.2v1.6M1.2 8h1.6M13.2 8h1.6M3.2 3.2l1.1 1.1M11.7 11.7l1.1 1.1M3.2 12.8l1.1-1.1M11.7 4.3l1.1-1.1",
  dark: "M13.3 9.6A5.7 5.7 0 0 1 6.4 2.7a5.7 5.7 0 1 0 6.9 6.9z",
  system: "M2 3h12v8H2zM5.5 13.5h5M8 11v2.5",
  help: "M5.8 6a2.2 2.2 0 1 1 3.3 1.9c-.7.4-1.1.8-1.1 1.6M8 12.2v.1",
  close: "M4 4l8 8M12 4l-8 8",
  larger: "M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5l-4.5 4.5M2.5 13.5L7 9",
  smaller: "M13 7H9V3M3 9h4v4M9 7l4.5-4.5M7 9l-4.5 4.5",
  play: "M5 3.2v9.6l7.5-4.8z",
  story: "M3 3.5h10M3 6.5h10M3 9.5h7M3 12.5h5",
  export: "M8 2v8M5 7l3 3 3-3M2.5 11v2.5h11v-2.5",
  again: "M13 8a5 5 0 1 1-1.5-3.6M13 2v3h-3",
  add: "M8 3v10M3 8h10",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  store: "M3 4.2c0-1.2 2.2-2.1 5-2.1s5 .9 5 2.1-2.2 2.1-5 2.1-5-.9-5-2.1zM3 4.2v7.6c0 1.2 2.2 2.1 5 2.1s5-.9 5-2.1V4.2M3 8c0 1.2 2.2 2.1 5 2.1s5-.9 5-2.1",
  down: "M4 6.5l4 4 4-4",
  text: "M2.5 2.5h11v11h-11zM5 5.5h6M5 8h4M5 10.5h5",
  verdicts: "M2.5 4.5l1.3 1.3 2.2-2.6M8 4.5h5.5M2.5 11.5l1.3 1.3 2.2-2.6M8 11.5h5.5",
  run: "M2 8h2.5M7 8h2M11.5 8H14M5.8 9.3a1.3 1.3 0 1 0 0-2.6 1.3 1.3 0 0 0 0 2.6zM10.3 9.3a1.3 1.3 0 1 0 0-2.6 1.3 1.3 0 0 0 0 2.6z",
  model: "M8 5.5a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM3.7 13.9a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM12.3 13.9a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM7.2 5.3l-2.7 5.3M8.8 5.3l2.7 5.3M5.4 12.2h5.2",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} fill="none" stroke="currentColor" stroke-width="1.35" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

/** The shadow on the dial. */
export function Brand() {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true" focusable="false">
      <circle cx="16" cy="16" r="14" class="brand-dial" />
      <path d="M16 16 L16 5" class="brand-hand" />
      <path d="M16 16 L26 21.5" class="brand-shadow" />
      <circle cx="16" cy="16" r="2.2" class="brand-pin" />
    </svg>
  );
}
