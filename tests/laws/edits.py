"""Random changes of a program, as they happen in an editor."""

import re
from collections.abc import Callable
from random import Random
from typing import Final

#: What is typed. All that some part of reading again treats in a way of its own has to occur: see
#: `test_reload_laws.py`, which counts.
TYPED: Final = [
    *"; : , . = < > ( ) [ ] { } - + ! | & / * # % ' \" _ \\ é ∀ 𝔸 “ ” ’".split(),
    *" |\t|\n|\r\n|\n\n|\r".split("|"),
    *"a x end End END Agent Vars Evolution Protocol Environment Template Other if and or true false".split(),
    *"A E K U X AG O A.x case esac for int expect not".split(),
    *[" end Agent ", "\nend Agent\n", "end Evolution", "Agent P\n", "Evaluation\n", "end for "],
    *[
        "--",
        "-- ",
        "--!",
        "\n--! expect true\n",
        "\n--! here expect false\n",
        "\n--! allow G0407\n",
    ],
    *["/*", "*/", "//", "/* x */", "0", "1", "7", "99", "..", "[1]", "[i]", "[i : 1..2]", "n + 1"],
    *["x = 1 if x = 0;", "Lobsvars = { e };", "boolean = true", " : 0..3 = 2", "Interleaved"],
    *["\nSemantics = SingleAssignment;\n", "Semantics = Interleaved;", "Semantics = MA;"],
    *[
        "\nConstants n = 2; end Constants\n",
        "Constants n = 3;\n",
        "Definitions d := x = 1; end Definitions\n",
    ],
    *[
        "\nEnvironment\nend Environment\n",
        "for i : 1..2: ",
        "\nTerminalStates true; end TerminalStates\n",
    ],
    *[
        "GreenStates",
        "Fairness p; end Fairness\n",
        "Groups g = { P }; end Groups\n",
        "x in { 1, 2 }",
    ],
    *["case a : b; esac", "x == 1", "x' = 1", "forall i : 1..2 (x[i] = 1)", "(((", ")))"],
    *[
        "Types T : { a }; end Types\n",
        "exists i : 1..9 (i = 1)",
        "forall i : 1..20, j : 1..20 (i = j)",
    ],
    *["\ny = 1 if z = 2;" * 60, "\nx = = 1;" * 60, "(" * 260, "- " * 260],
]
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_PIECE: Final = re.compile(
    r"^(?:Agent|Template|Environment)\b.*?^end (?:Agent|Template|Environment)\b",
    re.MULTILINE | re.DOTALL,
)


class Edits:
    """Changes one text again and again."""

    def __init__(self, text: str, others: list[str], random: Random) -> None:
        """Begin with a text; pieces of the others are pasted into it."""
        self.text = text
        self.random = random
        self._others = others
        self._before = [text]
        self._fine = text

    def fine(self) -> None:
        """Come back to this text now and then: there is nothing wrong with it."""
        self._fine = self.text

    def next(self) -> str:
        """Return the text after one more change, or several; every other time a gentle one of a fine text."""
        if self.random.random() < 0.5:
            self.text = self._fine
            self.text = self.random.choice(self._gentle)()
            return self.text
        for _ in range(self.random.choice([1, 1, 1, 1, 1, 2, 3])):
            change: Callable[[], str] = self.random.choice(self._changes)
            self.text = change()
        self._before = [*self._before[-20:], self.text]
        return self.text

    @property
    def _changes(self) -> list[Callable[[], str]]:
        often = [self._type, self._type, self._delete_character, self._delete_word, self._type]
        lines = [
            self._delete_line,
            self._repeat_line,
            self._swap_lines,
            self._break_line,
            self._unend,
        ]
        large = [
            self._paste,
            self._move_agent,
            self._undo,
            self._start_over,
            self._endings,
            self._rename,
        ]
        return [
            *often,
            *often,
            *lines,
            *large,
            self._undo,
            self._undo,
            self._number,
            self._swap_word,
        ]

    @property
    def _gentle(self) -> list[Callable[[], str]]:
        """Changes after which there is often nothing wrong."""
        words = [self._rename_all, self._swap_operator, self._number, self._number, self._swap_word]
        lines = [self._line, self._line, self._repeat_line, self._delete_line, self._move_agent]
        return [*words, *lines, self._blank, self._semantics, self._reserve]

    def _reserve(self) -> str:
        """Call an agent by a word that formulae have."""
        agents = re.findall(r"Agent (\w+)", self.text)
        agent = self.random.choice(agents) if agents else "P"
        return re.sub(rf"\b{agent}\b", self.random.choice("AEKX"), self.text)

    def _semantics(self) -> str:
        new = self.random.choice(["MultiAssignment", "SingleAssignment", "Interleaved"])
        text = re.sub(r"Semantics\s*=\s*\w+\s*;", "", self.text)
        return f"Semantics = {new};\n{text}"

    def _line(self) -> str:
        """Put a line of its own somewhere."""
        lines = self._lines()
        new = self.random.choice(
            ["", "-- x", "--! expect true", "--! here expect false", "--! allow G0407"]
        )
        lines.insert(self.random.randrange(len(lines) + 1), new)
        return "\n".join(lines)

    def _blank(self) -> str:
        blanks = list(re.finditer(r"\s", self.text))
        place = self.random.choice(blanks).start() if blanks else 0
        return self._put(place, place, self.random.choice([" ", "\n", "  ", " -- x\n"]))

    def _swap_operator(self) -> str:
        found = list(re.finditer(r"<=|>=|<>|(?<![:=])=(?!=)|<|>|\band\b|\bor\b|\+", self.text))
        if not found:
            return self.text
        taken = self.random.choice(found)
        others = ["and", "or"] if taken[0].isalpha() else ["=", "<>", "<", "<=", ">", ">="]
        return self._put(*taken.span(), self.random.choice(others))

    def _rename_all(self) -> str:
        words = [word for word in dict.fromkeys(_WORD.findall(self.text)) if word.islower()]
        word = self.random.choice(words) if words else "x"
        return re.sub(rf"\b{word}\b", f"{word}_", self.text)

    def _place(self) -> int:
        """Return a place, often the first, the last, or the beginning or end of a word or a line."""
        text, random = self.text, self.random
        place = random.randint(0, len(text))
        match random.randrange(8):
            case 0:
                return random.choice([0, len(text)])
            case 1 | 2:
                return text.find("\n", place) + 1
            case 3:
                return max(text.find("\n", place), 0)
            case 4 | 5:
                found = _WORD.search(text, place)
                return random.choice(found.span()) if found else place
            case _:
                return place

    def _span(self, most: int) -> tuple[int, int]:
        start = self._place()
        return start, min(start + self.random.randint(1, most), len(self.text))

    def _put(self, start: int, end: int, new: str) -> str:
        return self.text[:start] + new + self.text[end:]

    def _type(self) -> str:
        place = self._place()
        blank = self.random.choice(["", "", " ", "\n"])
        return self._put(place, place, blank + self.random.choice(TYPED) + blank)

    def _delete_character(self) -> str:
        return self._put(*self._span(2), "")

    def _delete_word(self) -> str:
        found = _WORD.search(self.text, self._place())
        return self._put(*found.span(), "") if found else self.text

    def _swap_word(self) -> str:
        words = _WORD.findall(self.text)
        found = _WORD.search(self.text, self._place())
        return self._put(*found.span(), self.random.choice(words)) if found else self.text

    def _number(self) -> str:
        numbers = list(re.finditer(r"\b\d+\b", self.text))
        if not numbers:
            return self.text
        return self._put(*self.random.choice(numbers).span(), str(self.random.randint(0, 12)))

    def _rename(self) -> str:
        words = [*dict.fromkeys(_WORD.findall(self.text))]
        if not words:
            return self.text
        word = self.random.choice(words)
        new = self.random.choice([word + "x", *words])
        return re.sub(rf"\b{word}\b", new, self.text, count=self.random.choice([0, 1, 2]))

    def _lines(self) -> list[str]:
        return self.text.split("\n")

    def _delete_line(self) -> str:
        lines = self._lines()
        place = self.random.randrange(len(lines))
        del lines[place : place + self.random.choice([1, 1, 2, 5])]
        return "\n".join(lines)

    def _repeat_line(self) -> str:
        lines = self._lines()
        lines.insert(self.random.randrange(len(lines) + 1), self.random.choice(lines))
        return "\n".join(lines)

    def _swap_lines(self) -> str:
        lines = self._lines()
        one, other = self.random.randrange(len(lines)), self.random.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
        return "\n".join(lines)

    def _break_line(self) -> str:
        place = self._place()
        return self._put(place, place, "\n")

    def _unend(self) -> str:
        ends = list(re.finditer(r"\bend\b( \w+)?", self.text))
        return self._put(*self.random.choice(ends).span(), "") if ends else self.text

    def _paste(self) -> str:
        other = self.random.choice(self._others)
        pieces = _PIECE.findall(other) or [other]
        start = self.random.randint(0, len(other))
        cut = other[start : start + self.random.randint(1, 400)]
        place = self._place()
        return self._put(place, place, self.random.choice([cut, self.random.choice(pieces) + "\n"]))

    def _move_agent(self) -> str:
        pieces = list(_PIECE.finditer(self.text))
        if not pieces:
            return self.text
        taken = self.random.choice(pieces)
        rest = self._put(*taken.span(), "")
        place = self.random.choice(
            [0, len(rest), rest.find("\n", self.random.randint(0, len(rest))) + 1]
        )
        return rest[:place] + taken[0] + "\n" + rest[place:]

    def _undo(self) -> str:
        return self.random.choice(self._before)

    def _start_over(self) -> str:
        return self._before[0]

    def _endings(self) -> str:
        if "\r\n" in self.text:
            return self.text.replace("\r\n", "\n")
        return self.text.replace("\n", "\r\n")
