; What programs are coloured by. Later patterns win over earlier ones.

(comment) @comment
(remark) @comment.documentation

(number) @number
(boolean) @boolean
(identifier) @variable

; Names by what they are

(agent name: (name (identifier) @type))
(template name: (identifier) @type)
(environment_name) @variable.builtin
(type_name) @type
(type_declaration name: (name (identifier) @type))
(group name: (name (identifier) @type))
(relation name: (name (identifier) @function))
(definition name: (name (identifier) @function))
(proposition name: (name (identifier) @function))
(specification name: (name (identifier) @label))
(constant name: (identifier) @constant)
(application function: (name (identifier) @function))
((application function: (name (identifier) @function.builtin))
  (#any-of? @function.builtin "min" "max" "abs" "number"))
(qualified agent: (name (identifier) @module))
(qualified variable: (name (identifier) @property))
(variable name: (name (identifier) @property))
(actions (name (identifier) @constant))
(action_list (name (identifier) @constant))
(enumeration (name (identifier) @constant))
(binder index: (identifier) @variable.parameter)
(coalition (name (identifier) @type))
(modality (name (identifier) @type))
(members (name (identifier) @type))
((coalition (name (identifier) @variable.builtin))
  (#eq? @variable.builtin "all"))
((modality (name (identifier) @variable.builtin))
  (#eq? @variable.builtin "all"))
((difference (name (identifier) @variable.builtin))
  (#eq? @variable.builtin "all"))

; Words

[
  "Semantics" "Constants" "Parameters" "Assume" "Definitions" "Types" "Relations" "Axioms" "Predicates"
  "Agent" "Environment" "Template"
  "Evaluation" "InitStates" "TerminalStates" "Groups" "Fairness" "Formulae"
  "Obsvars" "Vars" "Lobsvars" "RedStates" "Actions" "Sync" "Protocol" "Evolution"
  "end" "expect"
] @keyword

(environment_name) @variable.builtin

["MultiAssignment" "MA" "SingleAssignment" "SA" "Interleaved"] @constant.builtin

["some" "one" "all" "with"] @keyword.modifier

["if" "then" "else"] @keyword.conditional
(otherwise) @keyword.conditional

"where" @keyword.repeat
(repetition "for" @keyword.repeat)

["and" "or" "xor" "div" "mod" "in"] @keyword.operator

(quantified ["forall" "exists" "sum" "count"] @keyword.operator)

[(boolean_type) (integer_type)] @type.builtin

(logic) @keyword.operator
(until operator: _ @keyword.operator)
(temporal operator: _ @keyword.operator)
(modality operator: _ @keyword.operator)

(action "Action" @property.builtin)
(norm ["GreenStates" "RedStates"] @property.builtin)

(expectation ["true" "false" "undefined"] @boolean)

; Signs

[
  "=" "<>" "!=" "<" "<=" ">" ">=" "!" "->" "<->" "&" "|" "^" "~" "+" "-" "*" "/" "\\" ".." ":="
] @operator

["," "." ":" ";"] @punctuation.delimiter

["(" ")" "[" "]" "{" "}"] @punctuation.bracket
