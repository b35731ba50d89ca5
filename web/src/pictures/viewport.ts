// Moving and zooming a picture: one transform on the whole sheet, set by hand. Inside the sheet nothing changes, so that
// no words have to be laid out again.

export interface Place { x: number; y: number; width: number; height: number }

const LEAST = 0.04;
const MOST = 4;
/** Below this scale words are too small to be read, and are left out; below the other one, boxes are signs only. */
const WORDS_FROM = 0.36;
const SIGNS_BELOW = 0.16;
/** A picture begins as a whole where that leaves its words readable, else at a scale that does. */
const READABLE = 0.5;
const BEGINNING = 0.72;

function between(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** The part of a picture that is looked at. It listens to the element it is shown in, and moves the sheet. */
export class Viewport {
  private scale = 1;
  private x = 0;
  private y = 0;
  private frame = 0;
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private moved = false;
  private readonly watcher: ResizeObserver;
  private stays = false;
  /** What to look at first, where all cannot be seen. */
  focus: Place | null = null;
  onScale: (scale: number) => void = () => {};

  constructor(private readonly frameElement: HTMLElement, private readonly sheet: SVGSVGElement, private size: { width: number; height: number }) {
    frameElement.addEventListener("wheel", this.onWheel, { passive: false });
    frameElement.addEventListener("pointerdown", this.onDown);
    frameElement.addEventListener("pointermove", this.onMove);
    frameElement.addEventListener("pointerup", this.onUp);
    frameElement.addEventListener("pointercancel", this.onUp);
    frameElement.addEventListener("click", this.onClick, true);
    this.watcher = new ResizeObserver(() => { if (!this.stays) this.begin(); });
    this.watcher.observe(frameElement);
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.watcher.disconnect();
    this.frameElement.removeEventListener("wheel", this.onWheel);
    this.frameElement.removeEventListener("pointerdown", this.onDown);
    this.frameElement.removeEventListener("pointermove", this.onMove);
    this.frameElement.removeEventListener("pointerup", this.onUp);
    this.frameElement.removeEventListener("pointercancel", this.onUp);
    this.frameElement.removeEventListener("click", this.onClick, true);
  }

  /** Show another picture, from its beginning. */
  resize(size: { width: number; height: number }): void {
    // The same picture of a text in which something else was changed stays where it is.
    if (size.width === this.size.width && size.height === this.size.height) { this.size = size; return; }
    this.size = size;
    this.stays = false;
    this.begin();
  }

  /** All of it where that can be read; else a part around a box, where it can. */
  begin(): void {
    const { clientWidth: wide, clientHeight: high } = this.frameElement;
    if (!wide || !high) return;
    const whole = this.fitting(wide, high);
    this.scale = whole >= READABLE ? Math.min(1.15, whole) : BEGINNING;
    const drawn = { width: this.size.width * this.scale, height: this.size.height * this.scale };
    const focus = this.focus;
    this.x = drawn.width <= wide - 32 || !focus ? (wide - drawn.width) / 2 : between(wide / 2 - (focus.x + focus.width / 2) * this.scale, wide - drawn.width - 20, 20);
    this.y = drawn.height <= high - 32 ? (high - drawn.height) / 2 : focus ? between(high * 0.36 - (focus.y + focus.height / 2) * this.scale, high - drawn.height - 20, 20) : 20;
    this.draw();
  }

  fit(): void {
    const { clientWidth: wide, clientHeight: high } = this.frameElement;
    if (!wide || !high) return;
    this.stays = true;
    this.scale = Math.min(1.5, this.fitting(wide, high));
    this.x = (wide - this.size.width * this.scale) / 2;
    this.y = (high - this.size.height * this.scale) / 2;
    this.draw();
  }

  zoom(factor: number, at?: { x: number; y: number }): void {
    const middle = at ?? { x: this.frameElement.clientWidth / 2, y: this.frameElement.clientHeight / 2 };
    const scale = Math.min(MOST, Math.max(Math.min(LEAST, this.scale), this.scale * factor));
    this.x = middle.x - ((middle.x - this.x) * scale) / this.scale;
    this.y = middle.y - ((middle.y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.stays = true;
    this.draw();
  }

  pan(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
    this.stays = true;
    this.draw();
  }

  /** Move as little as it takes to see a box, or to the middle. */
  reveal(place: Place, middle = false): void {
    const { clientWidth: wide, clientHeight: high } = this.frameElement;
    if (!wide || !high) return;
    const left = place.x * this.scale + this.x, top = place.y * this.scale + this.y;
    const right = left + place.width * this.scale, bottom = top + place.height * this.scale;
    const room = 24;
    if (middle) {
      this.stays = true;
      this.x += wide / 2 - (left + right) / 2;
      this.y += high / 2 - (top + bottom) / 2;
    } else {
      this.x += shift(left, right, wide, room);
      this.y += shift(top, bottom, high, room);
    }
    this.draw();
  }

  private fitting(wide: number, high: number): number {
    return Math.max(LEAST, Math.min((wide - 32) / Math.max(1, this.size.width), (high - 32) / Math.max(1, this.size.height)));
  }

  private draw(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.sheet.style.transform = `translate(${this.x.toFixed(1)}px, ${this.y.toFixed(1)}px) scale(${this.scale.toFixed(4)})`;
      this.frameElement.classList.toggle("is-far", this.scale < WORDS_FROM);
      this.frameElement.classList.toggle("is-farthest", this.scale < SIGNS_BELOW);
      this.onScale(this.scale);
    });
  }

  private readonly onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    if (event.shiftKey) { this.pan(-event.deltaY - event.deltaX, 0); return; }
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.zoom(Math.exp((-event.deltaY * lines) / (event.ctrlKey ? 120 : 480)), this.within(event));
  };

  private readonly onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.moved = false;
  };

  private readonly onMove = (event: PointerEvent): void => {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    const dx = event.clientX - before.x, dy = event.clientY - before.y;
    if (!this.moved && Math.hypot(dx, dy) < 4) return;
    if (!this.moved) {
      this.moved = true;
      this.frameElement.setPointerCapture(event.pointerId);
      this.frameElement.classList.add("is-dragged");
    }
    const other = others[0];
    if (other) {
      const apart = Math.hypot(before.x - other.x, before.y - other.y);
      const now = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      if (apart > 0) this.zoom(now / apart, this.within({ clientX: (event.clientX + other.x) / 2, clientY: (event.clientY + other.y) / 2 }));
      this.pan(dx / 2, dy / 2);
    } else this.pan(dx, dy);
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };

  private readonly onUp = (event: PointerEvent): void => {
    this.fingers.delete(event.pointerId);
    if (this.fingers.size === 0) this.frameElement.classList.remove("is-dragged");
  };

  /** The end of a drag is no click on what happens to be there. */
  private readonly onClick = (event: MouseEvent): void => {
    if (this.moved && event.detail > 0) { event.stopPropagation(); event.preventDefault(); }
    this.moved = false;
  };

  private within(event: { clientX: number; clientY: number }): { x: number; y: number } {
    const frame = this.frameElement.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  }
}

/** How far something has to move to be inside; what is larger than the room begins in it. */
function shift(low: number, high: number, most: number, room: number): number {
  if (low < room || high - low > most - 2 * room) return room - low;
  return high > most - room ? most - room - high : 0;
}
