const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Stands for a character outside the base64 alphabet. */
const FOREIGN = 0xff;

/** Part of a body: text of a file field, text outside file fields (`field: null`), or the end of a field. */
type BodyPart = { field: string | null; bytes: Uint8Array; ends?: true };

/**
 * Separates the files in a JSON body from the other text while the body arrives. Files are the strings in the named fields
 * of the outermost object. The other text contains placeholders instead, so its JSON has the same syntax errors as the body.
 */
export class FileFields {
  readonly #fields: ReadonlySet<string>;
  readonly #placeholder: (field: string) => string;
  #depth = 0;
  #outermostIsObject = false;
  #expectsKey = false;
  /** File field whose value comes next or is being read; null for other values. */
  #field: string | null = null;
  #inside: "structure" | "text" | "key" | "file" = "structure";
  /** In a string: whether the last character was a backslash that escapes the next one. */
  #escaped = false;
  /** In a key: its bytes with the quotes. In a file: the bytes of an incomplete escape. */
  #pending: number[] = [];
  /** In a file: whether any bytes have arrived. An empty string stays in the JSON. */
  #begun = false;

  /** @param placeholder returns a JSON string without quotes and escapes */
  constructor(fields: readonly string[], placeholder: (field: string) => string) {
    this.#fields = new Set(fields);
    this.#placeholder = placeholder;
  }

  *scan(chunk: Uint8Array): Generator<BodyPart> {
    let at = 0;
    while (at < chunk.length)
      at = yield* this.#inFile ? this.#scanFile(chunk, at) : this.#scanRest(chunk, at);
  }

  get #inFile(): boolean {
    return this.#inside === "file";
  }

  /** @returns position where a file starts, after its opening quote, or the end of the chunk */
  *#scanRest(chunk: Uint8Array, from: number): Generator<BodyPart, number> {
    let at = from;
    while (at < chunk.length && !this.#inFile) this.#look(chunk[at++]!);
    yield { field: null, bytes: chunk.subarray(from, at) };
    this.#begun = false;
    return at;
  }

  /** Processes one byte outside files. */
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

  /** @returns position of the file's closing quote, or the end of the chunk */
  *#scanFile(chunk: Uint8Array, from: number): Generator<BodyPart, number> {
    let at = from;
    while (at < chunk.length) {
      if (this.#pending.length > 0) {
        this.#pending.push(chunk[at++]!);
        const character = unescaped(this.#pending);
        if (character === null) continue;
        // An invalid escape goes to the other text, where it is the same syntax error.
        if (character === "invalid") yield { field: null, bytes: Uint8Array.from(this.#pending) };
        else yield* this.#partOfFile(Uint8Array.of(character));
        this.#pending = [];
        continue;
      }
      const stop = firstOf(chunk, at);
      if (stop > at) yield* this.#partOfFile(chunk.subarray(at, stop));
      at = stop;
      if (chunk[at] === QUOTE) {
        if (this.#begun) yield { field: this.#field, bytes: new Uint8Array(0), ends: true };
        // The closing quote belongs to the other text, where it ends the placeholder.
        this.#inside = "text";
        this.#field = null;
        return at;
      }
      if (at < chunk.length) this.#pending.push(chunk[at++]!);
    }
    return at;
  }

  *#partOfFile(bytes: Uint8Array): Generator<BodyPart> {
    if (!this.#begun) yield { field: null, bytes: new TextEncoder().encode(this.#placeholder(this.#field!)) };
    this.#begun = true;
    yield { field: this.#field, bytes };
  }
}

/** Returns the position of the next quote or backslash, or the end of the chunk. */
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
    return null; // The key stays in the other text, which is therefore invalid JSON and is rejected.
  }
}

const simpleEscapes: Record<string, string> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "\\": "\\",
  "/": "/",
};

/** Returns the character of a valid escape, or `FOREIGN` if it is not ASCII. null if the escape is incomplete. */
function unescaped(bytes: readonly number[]): number | "invalid" | null {
  const kind = String.fromCharCode(bytes[1]!);
  if (kind !== "u") return simpleEscapes[kind]?.charCodeAt(0) ?? "invalid";
  if (bytes.length < 6) return null;
  const digits = String.fromCharCode(...bytes.slice(2));
  if (!/^[0-9a-f]{4}$/i.test(digits)) return "invalid";
  const code = Number.parseInt(digits, 16);
  return code < 0x80 ? code : FOREIGN;
}
