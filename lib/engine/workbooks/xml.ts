import { UnreadableFileError } from "#lib/engine/csv/unreadable-file";

/** Receives the elements of a document in order. Names have no prefix; `attributes` is the text behind the name. */
export type XmlSink = {
  open(name: string, attributes: string): void;
  close(name: string): void;
  text(text: string): void;
};

/** Longest tag or text. A cell of Excel has at most 32,767 characters. */
const LENGTH_MAX = 1 << 21;

const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Replaces the five entities of XML and references to characters. Documents cannot declare others. */
function unescapeXml(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
      return code > 0x10ffff ? "" : String.fromCodePoint(code);
    },
  );
}

/** Attributes in single quotes, or with spaces that no program writes. */
const UNUSUAL = /['\t\n\r]|\s=|=\s/;

/** Returns the value of an attribute, or undefined. */
export function attribute(attributes: string, name: string): string | undefined {
  const at = attributes.indexOf(` ${name}="`);
  if (at !== -1) {
    const from = at + name.length + 3;
    return unescapeXml(attributes.slice(from, attributes.indexOf('"', from)));
  }
  if (!UNUSUAL.test(attributes)) return undefined;
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return match === null ? undefined : unescapeXml(match[1] ?? match[2]!);
}

/**
 * Reads the elements of an XML document that arrives in pieces. Only what workbooks use: a document type is rejected, so
 * that no entity can be declared.
 */
export class XmlReader {
  readonly #sink: XmlSink;
  #held = "";
  #depth = 0;

  constructor(sink: XmlSink) {
    this.#sink = sink;
  }

  /** Whether every element is closed. */
  get isComplete(): boolean {
    return this.#depth === 0 && this.#held.trim() === "";
  }

  /** @throws {UnreadableFileError} */
  push(piece: string): void {
    const text = this.#held === "" ? piece : this.#held + piece;
    let from = 0;
    for (;;) {
      const tag = text.indexOf("<", from);
      if (tag === -1) break;
      const end = endOfTag(text, tag);
      if (end === -1) break;
      if (tag > from) this.#sink.text(unescapeXml(text.slice(from, tag)));
      this.#tag(text, tag, end);
      from = end;
    }
    this.#held = text.slice(from);
    if (this.#held.length > LENGTH_MAX)
      throw new UnreadableFileError(
        "broken_workbook",
        "The workbook has a text that is too long to be a cell.",
      );
  }

  /** Passes on the tag from `at`, `<`, to before `end`. */
  #tag(text: string, at: number, end: number): void {
    const second = text.charCodeAt(at + 1);
    if (second === QUESTION) return;
    if (second === EXCLAMATION) {
      if (text.startsWith("<![CDATA[", at)) this.#sink.text(text.slice(at + 9, end - 3));
      else if (!text.startsWith("<!--", at))
        throw new UnreadableFileError(
          "broken_workbook",
          "The workbook declares a document type, which Excel never does.",
        );
      return;
    }
    if (second === SLASH) {
      this.#depth--;
      this.#sink.close(localName(text.slice(at + 2, end - 1).trimEnd()));
      return;
    }
    const isEmpty = text.charCodeAt(end - 2) === SLASH;
    const last = isEmpty ? end - 2 : end - 1;
    let nameEnd = at + 1;
    while (nameEnd < last && text.charCodeAt(nameEnd) > BLANK) nameEnd++;
    const name = localName(text.slice(at + 1, nameEnd));
    this.#sink.open(name, text.slice(nameEnd, last));
    if (isEmpty) this.#sink.close(name);
    else this.#depth++;
  }
}

const EXCLAMATION = 33;
const SLASH = 47;
const QUESTION = 63;
const BLANK = 32;

const localName = (name: string) => name.slice(name.indexOf(":") + 1);

/** Returns the place behind a tag, or -1 if the text ends before. */
function endOfTag(text: string, at: number): number {
  const behind = (mark: string) => {
    const markAt = text.indexOf(mark, at);
    return markAt === -1 ? -1 : markAt + mark.length;
  };
  if (text.charCodeAt(at + 1) === EXCLAMATION) {
    if (text.length < at + 9) return -1;
    if (text.startsWith("<!--", at)) return behind("-->");
    if (text.startsWith("<![CDATA[", at)) return behind("]]>");
  }
  // A quoted value may contain the end of a tag.
  for (let end = text.indexOf(">", at); end !== -1; end = text.indexOf(">", end + 1)) {
    if (isOutsideQuotes(text, at, end)) return end + 1;
  }
  return -1;
}

function isOutsideQuotes(text: string, from: number, to: number): boolean {
  let quote = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (quote === 0 && (code === 34 || code === 39)) quote = code;
    else if (code === quote) quote = 0;
  }
  return quote === 0;
}
