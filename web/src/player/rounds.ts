// How the numbers of an unbounded model were cut, round by round: read from the words of the account.

/** A quantity is a number or a sum of numbers; it is cut between `bound` and the next number. */
export interface Cut { text: string; quantity: string; bound: number; stage: number; origin: string }
export interface Stage { title: string; words: string; added: string[] }
export interface Cutting { stages: Stage[]; cuts: Cut[]; others: { text: string; origin: string; stage: number }[] }

const CUT = /^(.+?) <= (-?\d+)$/;

export function cuttingOf(predicates: readonly { text: string; origin: string }[], account: readonly { name: string; text: string }[]): Cutting {
  const origins = new Map<string, string>();
  for (const each of predicates) if (!origins.has(each.text)) origins.set(each.text, each.origin);
  const stages: Stage[] = [{ title: "At first", words: "What the text itself tells apart.", added: [] }];
  const stageOf = new Map<string, number>();
  for (const { name, text } of account) {
    if (name !== "refinement") continue;
    const added = namesIn(text, origins).filter((each) => !stageOf.has(each));
    if (!added.length) continue;
    for (const each of added) stageOf.set(each, stages.length);
    stages.push({ title: /^round \d+/.exec(text)?.[0] ?? "round", words: wordsOfRound(text), added });
  }
  const first = [...origins.keys()].filter((text) => !stageOf.has(text));
  stages[0]!.added = first;
  const cuts: Cut[] = [], others: Cutting["others"] = [];
  for (const [text, origin] of origins) {
    const stage = stageOf.get(text) ?? 0;
    const found = CUT.exec(text);
    if (found && Number.isSafeInteger(Number(found[2]))) cuts.push({ text, quantity: found[1]!, bound: Number(found[2]), stage, origin });
    else others.push({ text, origin, stage });
  }
  return { stages, cuts, others };
}

function namesIn(text: string, known: ReadonlyMap<string, string>): string[] {
  const place = text.lastIndexOf(": ");
  const listed = place < 0 ? "" : text.slice(place + 2);
  return listed.split(", ").filter((each) => known.has(each));
}

function wordsOfRound(text: string): string {
  const words = text.replace(/^round \d+: /, "");
  const place = words.lastIndexOf(": ");
  return place < 0 ? words : words.slice(0, place);
}

/** The value of a quantity in a state, where it is a plain sum of variables; null where it is not. */
export function valueOf(quantity: string, value: (name: string) => unknown): number | null {
  let sum = 0;
  const parts = quantity.replaceAll(" - ", " + -").split(" + ");
  for (const part of parts) {
    const found = /^(-?)(?:(\d+) ?\* ?)?(.+)$/.exec(part.trim());
    if (!found) return null;
    const number = value(found[3]!);
    if (typeof number !== "number") return null;
    sum += (found[1] ? -1 : 1) * Number(found[2] ?? 1) * number;
  }
  return sum;
}
