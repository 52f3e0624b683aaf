/** Dialect of CSV. Readers must read the same table from all dialects. */
export type Dialect = {
  delimiter: "," | ";" | "\t" | "|";
  newline: "\n" | "\r\n" | "\r";
  encoding: "utf-8" | "utf-8 with mark" | "utf-16le" | "utf-16be";
  quoteAll: boolean;
  /** Whether the last line also ends with `newline`. */
  lastNewline: boolean;
};

const plainDialect: Dialect = {
  delimiter: ",",
  newline: "\n",
  encoding: "utf-8",
  quoteAll: false,
  lastNewline: true,
};

export const dialects: { [K in keyof Dialect]: Dialect[K][] } = {
  delimiter: [",", ";", "\t", "|"],
  newline: ["\n", "\r\n", "\r"],
  encoding: ["utf-8", "utf-8 with mark", "utf-16le", "utf-16be"],
  quoteAll: [false, true],
  lastNewline: [true, false],
};

/**
 * Writes rows of cells as a file, header first. Quotes cells with a possible delimiter, a quote, a line break, or white
 * space at an end.
 */
export function writeDialect(
  rows: readonly (readonly string[])[],
  changes: Partial<Dialect> = {},
): Uint8Array {
  const { delimiter, newline, encoding, quoteAll, lastNewline } = { ...plainDialect, ...changes };
  const cell = (text: string) =>
    quoteAll || /[",;|\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = rows.map((row) => row.map(cell).join(delimiter));
  return encode(lines.join(newline) + (lastNewline ? newline : ""), encoding);
}

export function encode(text: string, encoding: Dialect["encoding"]): Uint8Array {
  if (encoding === "utf-8") return new TextEncoder().encode(text);
  if (encoding === "utf-8 with mark") return new TextEncoder().encode(`\uFEFF${text}`);
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [at, unit] of [0xfeff, ...units(text)].entries())
    view.setUint16(at * 2, unit, encoding === "utf-16le");
  return bytes;
}

function* units(text: string): Generator<number> {
  for (let at = 0; at < text.length; at++) yield text.charCodeAt(at);
}
