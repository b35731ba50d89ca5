/**
 * The grammar of ISPL for tree-sitter, which colours, folds and finds its way in programs.
 *
 * It follows docs/reference/language.md and is a little more generous: whatever Gnomon reads has a tree, and
 * some of what it refuses has one, too. The words are those of src/gnomon/language/words.py; a test compares.
 *
 * Words of Gnomon's own may also be names. Where the parser expects only one of the two, that one is read;
 * where it expects both, the word is one of `_identifier`'s as well, and what follows decides.
 */

/// <reference types="tree-sitter-cli/dsl" />

// From loose to tight. In formulae `U` stands between `!` and the prefixes.
const PREC = {
  choice: 0,
  equivalence: 1,
  implication: 2,
  or: 3,
  xor: 4,
  and: 5,
  not: 6,
  until: 7,
  prefix: 8,
  comparison: 9,
  bit_or: 10,
  bit_and: 11,
  complement: 12,
  sum: 13,
  product: 14,
  minus: 15,
};

const list = (rule) => seq(rule, repeat(seq(",", rule)));

const braced = (rule) => seq("{", optional(list(rule)), "}");

/** A section of lines: `word: … end word`. */
const section = (word, lines) => seq(word, optional(":"), repeat(lines), "end", word);

const COMPARISONS = ["=", "<>", "!=", "<", "<=", ">", ">="];

/** Operators on values: those of conditions and of formulae differ in what stands to their left. */
const arithmetic = (left, $) => [
  prec.left(PREC.bit_or, seq(left, field("operator", choice("|", "^")), $._value)),
  prec.left(PREC.bit_and, seq(left, field("operator", "&"), $._value)),
  prec.left(PREC.sum, seq(left, field("operator", choice("+", "-")), $._value)),
  prec.left(PREC.product, seq(left, field("operator", choice("*", "/", "div", "mod")), $._value)),
];

/** Logical operators, between two conditions or two formulae. */
const logical = (operand) => [
  prec.left(PREC.equivalence, seq(operand, field("operator", "<->"), operand)),
  prec.right(PREC.implication, seq(operand, field("operator", "->"), operand)),
  prec.left(PREC.or, seq(operand, field("operator", "or"), operand)),
  prec.left(PREC.xor, seq(operand, field("operator", "xor"), operand)),
  prec.left(PREC.and, seq(operand, field("operator", "and"), operand)),
];

/** What is compared with is a value, never a formula: so `x = A` may name a value. */
const compared = (left, $) =>
  prec.left(PREC.comparison, seq(left, field("operator", choice(...COMPARISONS)), $._value));

const among = (left, $) =>
  prec.left(PREC.comparison, seq(left, field("operator", "in"), braced($._among)));

// Lines that can be repeated by `for … end for`, by their rules.
const REPEATED = [
  "variable",
  "protocol_line",
  "evolution_line",
  "definition",
  "proposition",
  "group",
  "fairness_constraint",
  "specification",
];

const repetitions = Object.fromEntries(
  REPEATED.flatMap((line) => [
    [`_${line}s`, ($) => choice(seq($[line], ";"), alias($[`_${line}_repetition`], $.repetition))],
    [
      `_${line}_repetition`,
      ($) => seq("for", list($.binder), ":", repeat($[`_${line}s`]), "end", "for"),
    ],
  ]),
);

module.exports = grammar({
  name: "ispl",

  word: ($) => $.identifier,

  extras: ($) => [/\s/, $.comment, $.remark],

  conflicts: ($) => [
    // `forall i : 1..n (p)` and `forall i : 1..r(2) (p)`: only the second bracket tells.
    [$.application, $._operand],
    [$.application, $._domain],
  ],

  rules: {
    program: ($) => repeat($._section),

    comment: () => token(seq("--", /[^\n]*/)),
    // A comment that Gnomon reads; the longer pattern would not win by itself.
    remark: () => token(prec(1, seq("--!", /[ \t][^\n]*/))),

    identifier: () => /[A-Za-z][A-Za-z0-9_]*/,
    number: () => /[0-9]+/,
    boolean: () => choice("true", "false"),

    // The program

    _section: ($) =>
      choice(
        $.semantics,
        $.constants,
        $.parameters,
        $.assumptions,
        $.definitions,
        $.types,
        $.relations,
        $.axioms,
        $.predicates,
        $.agent,
        $.environment,
        $.template,
        $.evaluation,
        $.initial_states,
        $.terminal_states,
        $.groups,
        $.fairness,
        $.formulae,
      ),

    semantics: () =>
      seq(
        "Semantics",
        "=",
        choice("MultiAssignment", "MA", "SingleAssignment", "SA", "Interleaved"),
        ";",
      ),

    constants: ($) =>
      choice(
        section("Constants", seq($.constant, ";")),
        seq("Constants", $.constant, ";"),
      ),
    constant: ($) => seq(field("name", $._identifier), "=", field("value", $._value)),

    parameters: ($) => section("Parameters", seq($._identifier, repeat(seq(",", $._identifier)), ";")),
    assumptions: ($) => section("Assume", seq($._condition, ";")),

    definitions: ($) => section("Definitions", $._definitions),
    definition: ($) => seq(field("name", $.name), ":=", $._condition),

    types: ($) => section("Types", seq($.type_declaration, ";")),
    type_declaration: ($) => seq(field("name", $.name), ":", field("type", $._type)),

    relations: ($) => section("Relations", seq($.relation, ";")),
    relation: ($) =>
      seq(
        field("name", $.name),
        ":",
        $.name,
        repeat(seq("*", $.name)),
        optional(seq("->", $.name)),
      ),

    axioms: ($) => section("Axioms", seq($._condition, ";")),
    predicates: ($) => section("Predicates", seq($._condition, ";")),

    evaluation: ($) => section("Evaluation", $._propositions),
    proposition: ($) => seq(field("name", $.name), "if", $._condition),

    initial_states: ($) => section("InitStates", seq($._condition, ";")),
    terminal_states: ($) => section("TerminalStates", seq($._condition, ";")),

    groups: ($) => section("Groups", $._groups),
    group: ($) => seq(field("name", $.name), "=", choice($.members, $.difference)),

    fairness: ($) => section("Fairness", $._fairness_constraints),
    fairness_constraint: ($) => $._top,

    formulae: ($) => section("Formulae", $._specifications),
    specification: ($) =>
      seq(optional(seq(field("name", $.name), ":")), $._top, optional($.expectation)),
    expectation: () => seq("expect", choice("true", "false", "undefined")),

    // Agents

    agent: ($) => seq("Agent", field("name", $._agent_name), repeat($._part), "end", "Agent"),
    environment: ($) => seq("Environment", repeat($._part), "end", "Environment"),
    template: ($) =>
      seq("Template", field("name", $._identifier), optional($.bounds), repeat($._part), "end", "Template"),
    // How many agents there are. `Template T[1..2]` is no member of a family.
    bounds: ($) => seq("[", $._value, optional(seq("..", choice($._value, "*"))), "]"),

    _part: ($) =>
      choice(
        $.observed_variables,
        $.variables,
        $.local_observed_variables,
        $.red_states,
        $.actions,
        $.synchronised,
        $.protocol,
        $.evolution,
      ),

    observed_variables: ($) => section("Obsvars", $._variables),
    variables: ($) => section("Vars", $._variables),
    variable: ($) =>
      seq(
        field("name", $.name),
        ":",
        field("type", $._type),
        optional(seq("=", field("initial", $._condition))),
      ),
    local_observed_variables: ($) => seq("Lobsvars", "=", braced($.name), ";"),
    red_states: ($) => section("RedStates", seq($._condition, ";")),
    actions: ($) => seq("Actions", "=", braced($.name), ";"),
    synchronised: ($) => seq("Sync", "=", braced($.synchronised_action), ";"),
    synchronised_action: ($) =>
      seq(
        field("name", $.name),
        optional(
          seq(
            ":",
            choice("some", "one", seq("all", optional(seq("with", field("leader", $.name))))),
          ),
        ),
      ),

    protocol: ($) => section("Protocol", $._protocol_lines),
    protocol_line: ($) => seq(choice($._condition, $.otherwise), ":", $.action_list),
    action_list: ($) => braced($.name),
    otherwise: () => "Other",

    evolution: ($) => section("Evolution", $._evolution_lines),
    evolution_line: ($) => seq($._assignments, "if", field("guard", $._condition)),
    _assignments: ($) =>
      seq($._assignment, repeat(seq("and", $._assignment))),
    _assignment: ($) => choice($.assignment, seq("(", $._assignments, ")")),
    assignment: ($) => seq(field("name", $.name), "=", field("value", $._value)),

    // Types

    _type: ($) =>
      choice($.boolean_type, $.integer_type, $.range, $.enumeration, alias($.name, $.type_name)),
    boolean_type: () => "boolean",
    integer_type: () => prec(1, "int"),
    range: ($) => seq($._value, "..", $._value),
    enumeration: ($) => braced(choice($.name, "..")),

    // Conditions and values

    _condition: ($) =>
      choice(
        alias($._logical_condition, $.binary),
        alias($._compared_value, $.comparison),
        $._value,
      ),
    _logical_condition: ($) => choice(...logical($._condition)),
    _compared_value: ($) => choice(compared($._value, $), among($._value, $)),

    _value: ($) => choice(alias($._calculated_value, $.binary), $._operand),
    _calculated_value: ($) => choice(...arithmetic($._value, $)),

    _operand: ($) =>
      choice(
        $.negation,
        $.complement,
        $.minus,
        $.parenthesized,
        $.number,
        $.boolean,
        $.action,
        $.name,
        $.qualified,
        $.conditional,
        $.application,
        $.quantified,
      ),
    negation: ($) => prec(PREC.not, seq("!", $._condition)),
    complement: ($) => prec(PREC.complement, seq("~", $._value)),
    minus: ($) => prec(PREC.minus, seq("-", $._value)),
    parenthesized: ($) => seq("(", $._condition, ")"),
    action: ($) => seq(optional(seq($._agent_name, ".")), "Action"),
    qualified: ($) => seq(field("agent", $._agent_name), ".", field("variable", $.name)),
    conditional: ($) =>
      prec.right(
        PREC.choice,
        seq("if", $._condition, "then", $._condition, "else", $._value),
      ),
    application: ($) =>
      seq(field("function", $.name), "(", list($._condition), ")"),
    quantified: ($) =>
      seq(choice("forall", "exists", "sum", "count"), list($.binder), "(", $._condition, ")"),
    _among: ($) => choice($._value, $.range),

    // Names and families

    _identifier: ($) =>
      choice(
        $.identifier,
        alias(choice("for", "forall", "exists", "sum", "count", "int"), $.identifier),
      ),
    name: ($) => prec.right(seq($._identifier, optional($.indices))),
    indices: ($) => seq("[", list(choice($._value, alias($._index, $.binder))), "]"),
    binder: ($) => seq(field("index", list($._identifier)), ":", $._domain),
    // In brackets every index has a domain of its own.
    _index: ($) => seq(field("index", $._identifier), ":", $._domain),
    _domain: ($) =>
      seq(choice($.range, alias($.name, $.type_name)), optional(seq("where", $._condition))),

    environment_name: () => "Environment",
    _agent_name: ($) => choice($.name, $.environment_name),
    members: ($) => braced($._agent_name),
    difference: ($) => seq($._agent_name, "\\", choice($.members, $._agent_name)),

    // Formulae

    _top: ($) => seq(optional($.logic), $._formula),
    logic: () => choice("LTL", "CTL*"),

    _formula: ($) =>
      choice(
        alias($._logical_formula, $.binary),
        alias($._compared_formula, $.comparison),
        alias($._calculated_formula, $.binary),
        alias($._negated_formula, $.negation),
        $.until,
        $.temporal,
        $.strategic,
        $.modality,
        alias($._quantified_formula, $.quantified),
        alias($._formula_in_brackets, $.parenthesized),
        $.norm,
        $.minus,
        $.number,
        $.boolean,
        $.action,
        $.name,
        $.qualified,
        $.conditional,
        $.application,
      ),
    _logical_formula: ($) => choice(...logical($._formula)),
    _compared_formula: ($) => choice(compared($._formula, $), among($._formula, $)),
    _calculated_formula: ($) => choice(...arithmetic($._formula, $)),
    _negated_formula: ($) => prec(PREC.not, seq("!", $._formula)),
    _formula_in_brackets: ($) => seq("(", $._formula, ")"),
    until: ($) =>
      prec.left(
        PREC.until,
        seq($._formula, field("operator", choice("U", "W", "R")), optional($.steps), $._formula),
      ),
    temporal: ($) =>
      prec(
        PREC.prefix,
        seq(
          field(
            "operator",
            choice("AG", "EG", "AX", "EX", "AF", "EF", "A", "E", "X", "F", "G"),
          ),
          optional($.steps),
          $._formula,
        ),
      ),
    steps: ($) =>
      choice(
        seq("<=", choice($.number, $._identifier, seq("(", $._value, ")"))),
        seq("[", $._value, ",", $._value, "]"),
      ),
    strategic: ($) => prec(PREC.prefix, seq($.coalition, $._formula)),
    coalition: ($) =>
      choice(
        seq("<", list($._members), ">"),
        "<>",
        seq("[", "[", optional(list($._members)), "]", "]"),
      ),
    _members: ($) => choice($._agent_name, $.difference),
    modality: ($) =>
      seq(
        field("operator", choice("K", "GK", "GCK", "O", "DK")),
        "(",
        choice($._members, $.members),
        ",",
        $._formula,
        ")",
      ),
    _quantified_formula: ($) =>
      seq(choice("forall", "exists", "sum", "count"), list($.binder), "(", $._formula, ")"),
    norm: ($) => seq($._agent_name, ".", choice("GreenStates", "RedStates")),

    ...repetitions,
  },
});
