// Messages at the foot of the page, and what is said to those who listen to it.

import { announcement, connection, notices } from "../state";
import { Words } from "../walking/parts";
import { Icon } from "./icons";

export function Notices() {
  return (
    <div class="notices">
      {notices.value.map((each) => (
        <div key={each.id} class={`notice is-${each.kind}`}>
          <span class="notice-words"><Words text={each.words} /></span>
          <button type="button" class="icon-button small" aria-label="Close the message" onClick={() => { notices.value = notices.value.filter((other) => other.id !== each.id); }}><Icon name="close" /></button>
        </div>
      ))}
    </div>
  );
}

export function Listeners() {
  return <div class="unseen" role="status" aria-live="polite" id="announcements">{announcement.value}</div>;
}

export function LostBar() {
  if (connection.value !== "lost") return null;
  return <div class="lost-bar" role="alert">The connection to Gnomon is lost. Your text is still here, and the page goes on as soon as it is back. Where the studio was ended, start it again and open its new link.</div>;
}
