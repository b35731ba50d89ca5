// Prints what a TextMate grammar makes of texts.
//
//   node tokenize.mjs GRAMMAR < texts.json
//
// The input is a list of texts. The output has a list for each of them with a list for each line: pieces
// [start, end, scopes], with places counted in units of UTF-16 as editors do, and scopes from the outside in.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const engine = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
await oniguruma.loadWASM(readFileSync(engine).buffer);

const raw = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => (scope === raw.scopeName ? raw : null),
});
const grammar = await registry.loadGrammar(raw.scopeName);

function tokenize(text) {
  let state = textmate.INITIAL;
  return text.split("\n").map((line) => {
    const found = grammar.tokenizeLine(line, state);
    state = found.ruleStack;
    return found.tokens.map(({ startIndex, endIndex, scopes }) => [startIndex, endIndex, scopes]);
  });
}

const texts = JSON.parse(readFileSync(0, "utf-8"));
process.stdout.write(JSON.stringify(texts.map(tokenize)));
