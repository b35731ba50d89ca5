// ISPL for CodeMirror: the grammar that all editors share, read by a small interpreter, so that colours are the same everywhere.
//
// Of TextMate's rules it needs those that the grammar has: `match`, and `begin` to `end` with patterns inside. No list of
// words is kept here: the grammar is written by `python -m gnomon.results.grammar`, and a test holds it to the language.

import { StreamLanguage, StringStream, foldService } from "@codemirror/language";
import { Tag, tags } from "@lezer/highlight";
import source from "../../../editors/grammar/ispl.tmLanguage.json";

interface Rule {
  name?: string; include?: string; match?: string; begin?: string; end?: string; patterns?: Rule[];
  captures?: Captures; beginCaptures?: Captures; endCaptures?: Captures;
}
type Captures = Record<string, { name: string }>;

/** A rule that is ready to be tried at a place in a line. */
interface Ready { test: RegExp; style: string | null; groups: (string | null)[] | null; opens: Section | null }
interface Section { rules: Ready[]; end: RegExp; endGroups: (string | null)[] | null; style: string | null }
interface State { stack: Section[]; queue: { to: number; style: string | null }[] }

const WORDS = { section: Tag.define(), end: Tag.define(), temporal: Tag.define(), epistemic: Tag.define(), remark: Tag.define() };
/** Tags by the beginnings of scopes; the first that fits. */
const STYLES: readonly (readonly [string, string, Tag])[] = [
  ["keyword.control.section", "section", WORDS.section],
  ["keyword.control.end", "end", WORDS.end],
  ["keyword.operator.temporal", "temporal", WORDS.temporal],
  ["keyword.operator.logic.", "temporal", WORDS.temporal],
  ["keyword.operator.epistemic", "epistemic", WORDS.epistemic],
  ["keyword.operator.quantifier", "wordOperator", tags.operatorKeyword],
  ["keyword.operator.logical", "wordOperator", tags.operatorKeyword],
  ["keyword.operator", "sign", tags.operator],
  ["keyword.control", "word", tags.keyword],
  ["storage", "kind", tags.typeName],
  ["constant.numeric", "amount", tags.number],
  ["constant.language", "truth", tags.bool],
  ["constant", "fixed", tags.constant(tags.name)],
  ["entity.name.type", "owner", tags.className],
  ["entity.name.function", "named", tags.definition(tags.name)],
  ["support.function", "given", tags.standard(tags.name)],
  ["variable.language", "special", tags.special(tags.variableName)],
  ["variable.other.constant", "fixed", tags.constant(tags.name)],
  ["variable.other.object", "holder", tags.namespace],
  ["comment.line.documentation", "remark", WORDS.remark],
  ["comment", "aside", tags.comment],
  ["invalid", "wrong", tags.invalid],
];

export const ownTags = WORDS;

function styleOf(scope: string | undefined): string | null {
  return (scope && STYLES.find(([begin]) => scope.startsWith(begin))?.[1]) || null;
}

function groupsOf(captures: Captures | undefined): (string | null)[] | null {
  if (!captures) return null;
  const found: (string | null)[] = [];
  for (const [number, { name }] of Object.entries(captures)) found[Number(number)] = styleOf(name);
  return found;
}

const repository = source.repository as Record<string, Rule>;
const included = new Map<string, Ready[]>();

function prepare(rules: readonly Rule[]): Ready[] {
  return rules.flatMap((rule): Ready[] => {
    if (rule.include) {
      const name = rule.include.slice(1);
      let known = included.get(name);
      if (!known) included.set(name, known = prepare(repository[name]?.patterns ?? []));
      return known;
    }
    const style = styleOf(rule.name);
    if (rule.match !== undefined) return [{ test: new RegExp(rule.match, "y"), style, groups: groupsOf(rule.captures), opens: null }];
    const section: Section = {
      rules: prepare(rule.patterns ?? []), end: new RegExp(rule.end ?? "$", "y"), style,
      endGroups: groupsOf(rule.endCaptures ?? rule.captures),
    };
    return [{ test: new RegExp(rule.begin ?? "", "y"), style, groups: groupsOf(rule.beginCaptures ?? rule.captures), opens: section }];
  });
}

const top = prepare(source.patterns as Rule[]);

function tryAt(test: RegExp, stream: StringStream): RegExpExecArray | null {
  test.lastIndex = stream.pos;
  return test.exec(stream.string);
}

/** Go behind what was found; parts of it with styles of their own are told one after the other. */
function go(stream: StringStream, state: State, found: RegExpExecArray, groups: (string | null)[] | null, style: string | null): string | null {
  const whole = groups?.[0] ?? style;
  if (groups?.some((each, number) => number > 0 && each)) {
    let to = stream.pos;
    for (let number = 1; number < found.length; number++) {
      to += found[number]?.length ?? 0;
      state.queue.push({ to, style: groups[number] ?? whole });
    }
    const end = stream.pos + found[0].length;
    if (to < end) state.queue.push({ to: end, style: whole });
    return flush(stream, state);
  }
  stream.pos += found[0].length;
  return whole;
}

function flush(stream: StringStream, state: State): string | null {
  for (let part = state.queue.shift(); part; part = state.queue.shift()) {
    if (part.to <= stream.pos) continue;
    stream.pos = part.to;
    return part.style;
  }
  return null;
}

function token(stream: StringStream, state: State): string | null {
  if (state.queue.length) {
    const from = stream.pos;
    const style = flush(stream, state);
    if (stream.pos > from) return style;
  }
  // A section may end here without a word of its own, and another begin: never more often than there are sections.
  for (let changes = 0; changes < 8; changes++) {
    const section = state.stack[state.stack.length - 1];
    if (section) {
      const ended = tryAt(section.end, stream);
      if (ended) {
        state.stack.pop();
        if (ended[0].length) return go(stream, state, ended, section.endGroups, section.style);
        continue;
      }
    }
    const found = firstOf(section?.rules ?? top, stream);
    if (!found) break;
    if (found.rule.opens) state.stack.push(found.rule.opens);
    if (found.at[0].length) return go(stream, state, found.at, found.rule.groups, found.rule.style);
  }
  const style = state.stack[state.stack.length - 1]?.style ?? null;
  stream.pos += /\s+|[A-Za-z0-9_]+|./y.exec(stream.string.slice(stream.pos))?.[0].length ?? 1;
  return style;
}

function firstOf(rules: readonly Ready[], stream: StringStream): { rule: Ready; at: RegExpExecArray } | null {
  for (const rule of rules) {
    const at = tryAt(rule.test, stream);
    if (at && (at[0].length || rule.opens)) return { rule, at };
  }
  return null;
}

function nextToken(stream: StringStream, state: State): string | null {
  if (stream.sol()) {
    state.queue = [];
    // What reaches to the end of a line is over in the next one.
    if (state.stack[state.stack.length - 1]?.end.source === "$") state.stack.pop();
  }
  return token(stream, state);
}

export const ispl = StreamLanguage.define<State>({
  name: "ispl",
  startState: () => ({ stack: [], queue: [] }),
  copyState: (state) => ({ stack: [...state.stack], queue: [...state.queue] }),
  token: nextToken,
  tokenTable: Object.fromEntries(STYLES.map(([, name, tag]) => [name, tag])),
  languageData: { commentTokens: { line: "--" }, closeBrackets: { brackets: ["(", "[", "{"] }, wordChars: "_" },
});

/** Sections fold from the line that opens them to their `end`. */
export const folding = foldService.of((state, from) => {
  const line = state.doc.lineAt(from);
  const opened = /^(\s*)(Agent|Template|Environment|[A-Z][A-Za-z]+)\b(?!\s*[=.])/.exec(line.text);
  if (!opened) return null;
  const closing = new RegExp(`^${opened[1]}end\\b`);
  for (let number = line.number + 1; number <= state.doc.lines; number++) {
    const text = state.doc.line(number).text;
    if (closing.test(text)) {
      const before = state.doc.line(number - 1);
      return before.number > line.number ? { from: line.to, to: before.to } : null;
    }
    if (text.length && /^\S/.test(text) && opened[1] !== "") return null;
  }
  return null;
});

/** How a text is coloured, line by line; tests compare it with the grammar. */
export function stylesOf(text: string): { text: string; style: string | null }[][] {
  const state: State = { stack: [], queue: [] };
  return text.split("\n").map((line) => {
    const stream = new StringStream(line, 4, 2);
    const found: { text: string; style: string | null }[] = [];
    while (!stream.eol()) {
      const from = stream.pos;
      const style = nextToken(stream, state);
      found.push({ text: line.slice(from, stream.pos), style });
    }
    return found;
  });
}
