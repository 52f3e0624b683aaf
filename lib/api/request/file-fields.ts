const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Stands for a character that no base64 has. */
const FOREIGN = 0xff;

/** Part of a body: of the text in a field that holds a file, of everything else (`field: null`), or a field's end. */
export type BodyPart = { field: string | null; bytes: Uint8Array; ends?: true };

/**
 * Parts the files in a JSON body from the rest while it comes in: the texts of the named fields of the outermost object.
 * The rest has `stand-in` texts in their place; whatever else is wrong with the JSON is wrong with the rest as well.
 */
export class FileFields {
  readonly #fields: ReadonlySet<string>;
  readonly #standIn: (field: string) => string;
  #depth = 0;
  #outermostIsObject = false;
  #expectsKey = false;
  /** The field that a value is awaited for. */
  #field: string | null = null;
  #inside: "structure" | "text" | "key" | "file" = "structure";
  /** Of a text: whether the last character was a backslash that escapes the next. */
  #escaped = false;
  /** Of a key, its bytes with the quotes; of a file, those of an escape that is not whole yet. */
  #pending: number[] = [];
  /** Of a file, whether there was anything of it: an empty text is left where it is. */
  #begun = false;

  /** @param standIn gives a JSON text without quotes or escapes */
  constructor(fields: readonly string[], standIn: (field: string) => string) {
    this.#fields = new Set(fields);
    this.#standIn = standIn;
  }

  *scan(chunk: Uint8Array): Generator<BodyPart> {
    let at = 0;
    while (at < chunk.length)
      at = yield* this.#inFile ? this.#scanFile(chunk, at) : this.#scanRest(chunk, at);
  }

  get #inFile(): boolean {
    return this.#inside === "file";
  }

  /** @returns where the rest is interrupted by a file: behind its opening quote, or behind the chunk */
  *#scanRest(chunk: Uint8Array, from: number): Generator<BodyPart, number> {
    let at = from;
    while (at < chunk.length && !this.#inFile) this.#look(chunk[at++]!);
    yield { field: null, bytes: chunk.subarray(from, at) };
    this.#begun = false;
    return at;
  }

  /** Takes note of a byte of the rest. */
  #look(byte: number): void {
    if (this.#inside === "structure") this.#lookAtStructure(byte);
    else {
      if (this.#inside === "key") this.#pending.push(byte);
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#endText();
    }
  }

  #lookAtStructure(byte: number): void {
    const outermost = this.#depth === 1 && this.#outermostIsObject;
    switch (String.fromCharCode(byte)) {
      case '"':
        if (outermost && this.#expectsKey) {
          this.#inside = "key";
          this.#pending = [QUOTE];
        } else if (outermost && this.#field !== null) this.#inside = "file";
        else this.#inside = "text";
        break;
      case "{":
      case "[":
        if (this.#depth++ === 0) this.#outermostIsObject = this.#expectsKey = byte === 0x7b;
        break;
      case "}":
      case "]":
        this.#depth--;
        break;
      case ":":
        if (outermost) this.#expectsKey = false;
        break;
      case ",":
        if (outermost) {
          this.#expectsKey = true;
          this.#field = null;
        }
    }
  }

  #endText(): void {
    if (this.#inside === "key") {
      const name = keyName(this.#pending);
      this.#field = name !== null && this.#fields.has(name) ? name : null;
      this.#pending = [];
    }
    this.#inside = "structure";
  }

  /** @returns where the file's text ends in the chunk: at its closing quote, or behind the chunk */
  *#scanFile(chunk: Uint8Array, from: number): Generator<BodyPart, number> {
    let at = from;
    while (at < chunk.length) {
      if (this.#pending.length > 0) {
        this.#pending.push(chunk[at++]!);
        const character = unescaped(this.#pending);
        if (character === null) continue;
        this.#pending = [];
        yield* this.#partOfFile(Uint8Array.of(character));
        continue;
      }
      const stop = firstOf(chunk, at);
      if (stop > at) yield* this.#partOfFile(chunk.subarray(at, stop));
      at = stop;
      if (chunk[at] === QUOTE) {
        if (this.#begun) yield { field: this.#field, bytes: new Uint8Array(0), ends: true };
        // The quote itself belongs to the rest, where it ends the stand-in.
        this.#inside = "text";
        this.#field = null;
        return at;
      }
      if (at < chunk.length) this.#pending.push(chunk[at++]!);
    }
    return at;
  }

  *#partOfFile(bytes: Uint8Array): Generator<BodyPart> {
    if (!this.#begun) yield { field: null, bytes: new TextEncoder().encode(this.#standIn(this.#field!)) };
    this.#begun = true;
    yield { field: this.#field, bytes };
  }
}

/** Where the next quote or backslash stands; behind the chunk if there is none. */
function firstOf(chunk: Uint8Array, from: number): number {
  const quote = chunk.indexOf(QUOTE, from);
  const before = quote === -1 ? chunk : chunk.subarray(0, quote);
  const backslash = before.indexOf(BACKSLASH, from);
  return backslash === -1 ? before.length : backslash;
}

function keyName(bytes: readonly number[]): string | null {
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes))) as string;
  } catch {
    return null; // The rest is not valid either, and is refused.
  }
}

const simpleEscapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** The character of an escape, where it is whole: its code if it is ASCII. */
function unescaped(bytes: readonly number[]): number | null {
  const kind = String.fromCharCode(bytes[1]!);
  if (kind !== "u") return (simpleEscapes[kind] ?? kind).charCodeAt(0);
  if (bytes.length < 6) return null;
  const digits = String.fromCharCode(...bytes.slice(2));
  const code = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : FOREIGN;
  return code < 0x80 ? code : FOREIGN;
}
