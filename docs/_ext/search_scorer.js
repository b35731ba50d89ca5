// What people look for in the order in which it helps them: pages to read, then names of Python one by one,
// then why things were decided as they are, and what changed when. Within each, as Sphinx has it.
var Scorer = {
  score: ([docname, , , , score, , kind]) => {
    if (/^(decisions|project)\//.test(docname)) return score - 400;
    if (kind === "object" || /^reference\/(api|schemas)\//.test(docname)) return score - 200;
    // Every page of a code has what it is about in its title: pages that explain it come before.
    if (/^reference\/codes\//.test(docname)) return score - 8;
    return score;
  },

  // The rest is what Sphinx has.
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
