export type GlossaryTerm = { term: string; meaning: string; onWire: string };

/** Reads the terms of `docs/glossary.md` from its tables: term, meaning and, where it differs, the name on the wire. */
export function readGlossary(markdown: string): GlossaryTerm[] {
  return markdown.split("\n").flatMap((line) => {
    const [, term = "", meaning = "", onWire = ""] = line.split("|").map((cell) => cell.trim());
    return !line.startsWith("|") || term === "term" || /^-+$/.test(term) ? [] : [{ term, meaning, onWire }];
  });
}
