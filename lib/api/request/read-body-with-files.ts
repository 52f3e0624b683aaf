import { createHash } from "node:crypto";
import type { CallResources } from "#lib/api/call";
import { limits } from "#lib/contract/limits";
import { Base64Decoder } from "#lib/platform/encoding/base64";
import { type DomainError, issueError } from "#lib/platform/errors/domain-error";
import { ScratchFile } from "#lib/platform/storage/scratch-file";
import { newSentFileName, offerSentFile, type SentFile } from "#lib/platform/storage/sent-files";
import { FileFields } from "./file-fields.ts";
import { tooLargeError } from "./read-body.ts";

/** Files up to this size stay in memory. */
const memoryBytes = 1 << 16;

/** Returns the size limit of a body with this number of files: base64 with every slash escaped, plus the other text. */
export const bodyWithFilesLimit = (files: number): number =>
  files * 2 * Math.ceil(limits.csvBytes / 3) * 4 + limits.jsonBytes;

/**
 * Reads a JSON body whose named fields may hold files in base64. Decodes the files while they arrive and writes them to
 * disk, so that concurrent large bodies use no memory.
 *
 * @param resources hold the files
 * @returns the JSON with file names in place of the files (see `findSentFile`)
 * @throws {DomainError} `payload_too_large`, `malformed_json` for a field that occurs twice; and the errors of `chunks`
 */
export async function readBodyWithFiles(
  chunks: AsyncIterable<Uint8Array>,
  fields: readonly string[],
  resources: CallResources,
): Promise<Buffer> {
  const rest: Uint8Array[] = [];
  let restBytes = 0;
  const files = new Map<string, IncomingFile>();
  const body = new FileFields(fields, (field) => {
    if (files.has(field)) {
      const message = `The field ${field} occurs twice in the body. Send it once.`;
      throw issueError("malformed_json", { field, code: "repeated", message });
    }
    const name = newSentFileName();
    const file = resources.use(new IncomingFile(field));
    resources.use(offerSentFile(name, file));
    files.set(field, file);
    return name;
  });
  for await (const chunk of chunks) {
    for (const { field, bytes, ends } of body.scan(chunk)) {
      if (field === null) {
        restBytes += bytes.length;
        if (restBytes > limits.jsonBytes) throw tooLargeError(limits.jsonBytes);
        // A copy, because a view of a few bytes would keep the whole chunk in memory.
        rest.push(new Uint8Array(bytes));
      } else if (ends) await files.get(field)!.end();
      else await files.get(field)!.write(bytes);
    }
  }
  return Buffer.concat(rest);
}

class IncomingFile implements SentFile, AsyncDisposable {
  readonly #field: string;
  readonly #decoder = new Base64Decoder();
  readonly #content = new ScratchFile(memoryBytes);
  readonly #hash = createHash("sha256");

  constructor(field: string) {
    this.#field = field;
  }

  get bytes(): number {
    return this.#content.bytes;
  }

  get issue(): string | null {
    return this.#decoder.issue?.message ?? null;
  }

  write(text: Uint8Array): Promise<void> {
    return this.#append(this.#decoder.push(text));
  }

  end(): Promise<void> {
    return this.#append(this.#decoder.finish());
  }

  async #append(decoded: Uint8Array): Promise<void> {
    if (this.bytes + decoded.length > limits.csvBytes) throw fileTooLargeError(this.#field, limits.csvBytes);
    if (this.#decoder.issue !== null) return;
    this.#hash.update(decoded);
    await this.#content.write(decoded);
  }

  sha256(): string {
    return this.#hash.copy().digest("hex");
  }

  read(): AsyncIterable<Uint8Array> {
    return this.#content.read();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#content[Symbol.asyncDispose]();
  }
}

function fileTooLargeError(field: string, limitBytes: number): DomainError {
  const message = `${field} exceeds the limit of ${limitBytes / (1 << 20)} MiB. Send a larger CSV with POST …/uploads.`;
  return issueError("payload_too_large", { field, code: "payload_too_large", message });
}
