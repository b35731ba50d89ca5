// What the page and the server say to each other; docs/reference/studio-protocol.md tells the same in prose.
//
// Over the web socket /rpc: JSON-RPC 2.0, one message a text frame. The page asks (`Methods`), the server answers, and
// meanwhile may send `progress`. The page may send the notification `cancel`. Models are known by what they say: `model/open`
// gives a text an id, which all other requests name; whoever does not know it any more answers `unknown-model`,
// and the page opens the text again. Walks, forks and bookmarks live in the page: every request about a state sends it.

/** A value of a variable. Whole numbers beyond ±(2^53 - 1) are texts of digits. */
export type Value = boolean | number | string;
/** By agent, then by variable. */
export type State = Record<string, Record<string, Value>>;
/** By agent. */
export type Actions = Record<string, string>;
export type ModelId = string;

/** A state and how it was reached, as in schema/check.json: `actions` is null in the first state of a run. */
export interface Step { state: State; actions: Actions | null; lines: Record<string, number[]> }
/** Where `loop` is given, the run goes on from its last state, by `back`, to the state of that position, for ever. */
export interface Run { steps: Step[]; loop: number | null; back: Step | null }

export interface Diagnostic {
  code: string; severity: "error" | "warning" | "note"; message: string; file: string;
  line: number | null; column: number | null; end_line: number | null; end_column: number | null;
  label: string | null; notes: string[]; help: string | null;
}

// ---------------------------------------------------------------------------------------------- errors

/** `error.data` of a JSON-RPC error. */
export interface Failure {
  kind: "bad-request"      // the request itself makes no sense
      | "bad-input"        // what the user wrote makes no sense: `diagnostics` say why
      | "unable"           // it cannot be had, and the message says why
      | "unknown-model"    // open the text again
      | "limit"            // time, memory or size
      | "cancelled"
      | "conflict"         // a file has changed on disk since it was read: `version` is what it is now
      | "bug";
  diagnostics?: Diagnostic[];
  version?: string | null;
}

// ---------------------------------------------------------------------------------------------- the place

export interface Hello {
  gnomon: string;                       // the version
  folder: string | null;                // the name of the folder that is open, not its path
  opened: string | null;                // the file that the command named
  gallery: GalleryItem[];
  limits: { seconds: number; megabytes: number; text_bytes: number };   // of a check, unless it says less
  store: boolean;                       // whether answers are kept on disk
}
export interface GalleryItem { name: string; title: string; teaches: string; group: string; kind: "finite" | "unbounded" | "parameterised" }
export interface FileItem { path: string; bytes: number }

// ---------------------------------------------------------------------------------------------- models

export interface Opened {
  model: ModelId;
  name: string;
  kind: "finite" | "unbounded" | "parameterised";
  has_errors: boolean;                  // then everything below is empty
  diagnostics: Diagnostic[];
  constants: { name: string; value: number }[];       // those in force, in the order of the text
  agents: AgentCard[];                  // of a model with templates: the environment and one card a template
  propositions: { name: string; text: string; line: number | null }[];
  groups: Record<string, string[]>;
  formulae: FormulaLine[];
  templates: TemplateInfo[];            // empty unless `kind` is "parameterised"
  population: Record<string, number> | null;          // of a model made by `model/populate`
  can_walk: boolean;                    // a model with templates has to be populated first
  interleaved: boolean;
}
export interface AgentCard {
  name: string;
  template: boolean;
  line: number | null; end_line: number | null;       // where it stands in the text
  variables: { name: string; domain: string; seen_by: string[]; line: number | null }[];
  sees: string[];                       // variables of the environment
  actions: string[];
  protocol: { condition: string; actions: string[]; line: number | null }[];
  evolution: { text: string; line: number | null }[]; // "x = 1 if a.Action = go"
  red: string | null;
}
export interface FormulaLine {
  number: number; name: string; label: string; text: string; line: number; end_line: number;
  expected: string; declared: boolean; has_coalition: boolean;
  reading: string;                      // in everyday words; "" where there are none
  key: string;                          // what a verdict on it depends on: the same key, the same verdict
}
export interface TemplateInfo { name: string; low: number; high: number | null }

/** A picture with coordinates that start at (0, 0): nothing in it covers anything else. */
export interface Drawing {
  title: string; width: number; height: number;
  boxes: Box[]; arrows: Arrow[];
  links: { left: number; right: number; agents: string[] }[];   // look the same: red, dashed
  notes: string[];                      // what is left out, and what signs mean
  cut: boolean;
}
export interface Box {
  number: number; x: number; y: number; width: number; height: number;
  title: string; lines: string[];
  looks: { agent: string; number: number }[];
  initial: boolean; kind: "plain" | "goal" | "lost" | "stuck";
  state: State | null;                  // of a box of states: the first of them
  states: number;                       // how many states the box stands for
  name: string;                         // of a box that is an agent or a group: its name; else ""
}
export interface Arrow {
  source: number; target: number;
  path: string;                         // an SVG path; the head is at its end
  label: { x: number; y: number; width: number; height: number; lines: { text: string; chosen: boolean }[] } | null;
  full: string;                         // all that could be said beside it
}

export interface GraphParams {
  model: ModelId;
  /** none: states as they are. agents, propositions: states that agree on these are one box. view: states that look the same
      to `agent`. bisimulation: states that no formula over `propositions` tells apart. distance: at most `radius` steps from `state`. */
  fold: "none" | "agents" | "propositions" | "view" | "bisimulation" | "distance";
  agents?: string[]; propositions?: string[]; agent?: string; state?: State; radius?: number;
  watching?: string[];                  // whose look-alikes are linked
  limit?: number;                       // the most boxes
}
export interface GraphAnswer { drawing: Drawing; states: number; complete: boolean; seconds: number }
/** Who reads whom: boxes are agents (`name`), arrows say which variables and actions are read. */
export interface ReadsAnswer { drawing: Drawing }

// ---------------------------------------------------------------------------------------------- verdicts

export interface CheckParams {
  model: ModelId;
  numbers?: number[];                   // of the model's own formulae; all where neither is given
  formulae?: string[];                  // instead of these
  strategies?: string; engine?: string; timeout?: number; memory?: number;
  evidence?: boolean;                   // true unless it says otherwise
  check_deadlock?: boolean; check_overflow?: boolean;
}
export interface CheckAnswer {
  result: CheckResult;                  // schema/check.json
  stories: Record<string, { title: string; text: string }>;   // by number; of those that were made
  from_store: boolean;
}
export interface CheckResult {
  kind: string; engine: string | null; states: number | string | null; seconds: number; as_expected: boolean;
  formulae: VerdictData[]; diagnostics: Diagnostic[];
  checks: { deadlock: SanityData | null; overflow: SanityData | null };
  predicates?: { text: string; origin: string }[];
  account?: { name: string; text: string }[];
}
export interface VerdictData {
  index: number; name: string | null; text: string; verdict: "true" | "false" | "undefined" | "unknown";
  expected: string; as_expected: boolean; vacuous: string | null; engine: string | null;
  strategies: string | null; seconds: number; evidence: EvidenceData | null; parsed: string; reason: string | null;
  line: number | null;
  agents?: { reached: boolean; smallest: Record<string, number>[]; exact: boolean; facts: string[]; cases: unknown; invariant?: string[]; parameters?: Record<string, number | null> };
}
export interface SanityData { found: boolean; as_expected: boolean; claim: string; verdict: string; seconds: number; reason: string | null; evidence: EvidenceData | null }
export interface EvidenceData {
  kind: "witness" | "counterexample" | "strategy";
  explanation: ExplanationData | null;
  strategies: StrategyData[]; defences: DefenceData[]; clashes: ClashesData[];
}
export interface ExplanationData {
  formula: string; value: boolean; text: string; relation: "here" | "time" | "knowledge" | "norm";
  agents: string[]; run: Run | null; branches: { position: number; because: ExplanationData }[];
}
export interface RuleData { agent: string; when: string[]; do: string }
export interface StrategyData {
  formula: string; reading: string; members: string[]; rules: RuleData[];
  choices: { where: Record<string, string>; actions: Record<string, string> }[];
}
export interface AnswerData { state: State; choice: Record<string, string>; actions: Actions; result: State }
export interface DefenceData { formula: string; members: string[]; rules: RuleData[]; answers: AnswerData[] }
export interface ClashesData {
  formula: string; members: string[];
  views: { agent: string; where: Record<string, string>; states: State[]; failures: AnswerData[] }[];
}
/** Sent while `model/check` goes on; `found` are verdicts by number, as they come. */
export interface CheckProgress { words: string; decided: number; of: number; found: Record<string, { verdict: string; seconds: number }> }

export interface WhoParams {
  model: ModelId; goal: string; knows?: boolean; when?: "ever" | "always" | "initially";
  among?: string[]; environment?: boolean; at_most?: number; strategies?: string; timeout?: number;
}
export interface WhoAnswer { report: WhoReport; surveys: { kind: string; title: string; drawing: Drawing; groups: Record<string, { members: string[]; standing: boolean | null; formula: string }> }[] }
/** schema/who.json */
export type WhoReport = Record<string, unknown>;

export interface SweepParams { text: string; name: string; constants: Record<string, string>; numbers?: number[]; strategies?: string; timeout?: number }
export interface SweepRow { constants: Record<string, number>; states: number | string | null; seconds: number; verdicts: Record<string, { verdict: string; as_expected: boolean; seconds: number }>; reason: string | null }
export interface SweepAnswer { columns: string[]; rows: SweepRow[]; plots: { title: string; svg: string; tikz: string }[] }

// ---------------------------------------------------------------------------------------------- walking

export interface InitialAnswer { states: State[]; more: boolean; reason: string }
export interface MovesParams {
  model: ModelId; state: State;
  chosen?: Actions;                     // only moves in which these agents do this
  filter?: string;                      // words that occur in actions or new values, all of them
  offset?: number; limit?: number;
}
export interface MovesAnswer {
  agents: { agent: string; actions: { name: string; lines: number[] }[] }[];   // what each may do here by its protocol, and the lines that say so
  moves: Move[]; total: number; shown_from: number;
  overflows: number; cut: string;       // why there may be more, else ""
  deadlock: boolean | null; may_end: boolean;
  propositions: string[];               // those that hold here
}
export interface Move { step: Step; changes: { agent: string; variable: string; before: Value; after: Value }[] }
export interface RandomAnswer { steps: Step[]; stopped: string }      // the steps after the given state
export interface AlikeAnswer {
  agents: { agent: string; sees: { agent: string; variable: string; value: Value }[]; states: State[]; total: number | string; more: boolean; reason: string; engine: string }[];
}
export interface EvaluateAnswer { value: "true" | "false" | "undefined" | "unknown"; remark: string; formula: string; explanation: ExplanationData | null; story: string }
export interface SeekAnswer { run: Run | null; from: "here" | "start" | null; reason: string; engine: string }
/** `broken`: the position of the first step that is none of the model's, null where all are; the step that closes a loop comes
    after all others. `run` is as far as it goes: without steps where not even the first state is one. */
export interface ReplayAnswer { run: Run; broken: number | null; reason: string }
export interface CellAnswer { parts: { text: string; origin: string; holds: boolean | null }[] }
export interface JoinAnswer { opened: Opened; run: Run; reason: string }

// ---------------------------------------------------------------------------------------------- playing

export interface PlayParams { model: ModelId; formula: string; strategies: string; which: number; side: "strategy" | "defence" }
/** What is known before the first move. `strategy`: you are everybody else. `defence`: you are the coalition. Where there is
    nothing to play with, `drawing` is null, `start` is empty, and `reason` says why. */
export interface PlayBegin {
  side: "strategy" | "defence"; formula: string; goal: string; members: string[]; others: string[]; start: State;
  rules: RuleData[]; drawing: Drawing | null; reason: string;
}
export interface TurnParams extends PlayParams { state: State; step: number; choice?: Actions }
export interface TurnAnswer {
  standing: "open" | "won" | "lost" | "done" | "stuck";   // for the coalition; `done`: the strategy has nothing more to do
  words: string;                        // one sentence about it
  theirs: Actions | null;               // what the other side of the table does: the strategy's actions, or the answer to `choice`
  yours: Move[] | { choice: Actions }[];// side "strategy": moves among which you choose; "defence": choices that you have
  result: Step | null;                  // side "defence", with `choice`: where the answer leads
}

// ---------------------------------------------------------------------------------------------- keeping

export interface ExplainParams { model: ModelId; formula: string; strategies?: string; format: string }
export interface TextAnswer { text: string; name: string }   // a file: its text, and how it may be called
export interface DrawingExport { what: "graph" | "reads" | "play" | "rounds" | "who"; params: unknown; format: "svg" | "tikz" | "dot" | "mermaid" }
export interface SessionPage {
  model: ModelId; strategies: string;
  verdicts: { data: VerdictData; story: string }[];
  walks: { title: string; run: Run }[]; graph: GraphParams | null; notes: string;
}

// ---------------------------------------------------------------------------------------------- all of it

/** By method: what is sent, and what comes back. */
export interface Methods {
  "hello": [Record<string, never>, Hello];
  "files/list": [Record<string, never>, { files: FileItem[]; cut: boolean }];
  "files/read": [{ path: string }, { path: string; text: string; version: string }];
  "files/write": [{ path: string; text: string; version: string | null }, { version: string }];
  "gallery/read": [{ name: string }, { name: string; text: string }];
  "model/open": [{ text: string; name: string; constants: Record<string, number> }, Opened];
  "model/populate": [{ model: ModelId; population: Record<string, number> }, Opened];
  "model/reads": [{ model: ModelId }, ReadsAnswer];
  "model/graph": [GraphParams, GraphAnswer];
  /** In which box of that picture each state is; null where it is in none, or that is not known. */
  "model/boxes": [GraphParams & { states: State[] }, { boxes: (number | null)[] }];
  "model/check": [CheckParams, CheckAnswer];
  "model/explain": [ExplainParams, TextAnswer];
  "model/who": [WhoParams, WhoAnswer];
  "model/sweep": [SweepParams, SweepAnswer];
  "run/initial": [{ model: ModelId; limit?: number }, InitialAnswer];
  "run/moves": [MovesParams, MovesAnswer];
  "run/random": [{ model: ModelId; state: State; steps: number; seed: number }, RandomAnswer];
  "run/alike": [{ model: ModelId; state: State; agents: string[]; limit?: number }, AlikeAnswer];
  "run/evaluate": [{ model: ModelId; state: State; formula: string; strategies?: string }, EvaluateAnswer];
  "run/seek": [{ model: ModelId; state: State | null; formula: string }, SeekAnswer];
  "run/replay": [{ model: ModelId; run: Run }, ReplayAnswer];
  "run/cell": [{ model: ModelId; state: State; predicates: { text: string; origin: string }[] }, CellAnswer];
  "run/join": [{ model: ModelId; template: string; run: Run }, JoinAnswer];
  "play/begin": [PlayParams, PlayBegin];
  "play/turn": [TurnParams, TurnAnswer];
  "export/drawing": [DrawingExport, TextAnswer];
  "export/page": [SessionPage, TextAnswer];
}

/** Sent by the server without being asked. */
export interface Notifications {
  "progress": { id: number } & Partial<CheckProgress> & { rows?: SweepRow[] };
  /** A file that the page has read is another now, or gone (`version` is null). */
  "files/changed": { path: string; version: string | null };
}
