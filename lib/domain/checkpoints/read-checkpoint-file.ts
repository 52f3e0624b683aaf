import { createHash } from "node:crypto";
import { textIssues } from "#lib/contract/text-issues";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import {
  CheckpointManifest,
  ENGINE_VERSION,
  MANIFEST_HASH_NAME,
  MANIFEST_NAME,
  ManifestVersion,
  manifestHashText,
  requiredFiles,
} from "./checkpoint-file.ts";
import { sizeInHeader, TAR_BLOCK, TAR_END, tarHeader, tarPadding } from "./tar.ts";

/** Upper limit of the manifest's size: it lists every feature with up to 1,000 categories. */
const MANIFEST_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Reads a checkpoint's file and checks every byte. Headers and padding must equal the only possible ones. Contents
 * must match the hashes in the manifest, and the manifest must match its own hash.
 *
 * @param keep whether to keep the files' contents; if false, the map is empty and memory use is small
 * @throws {ModelInvalid} with the place where the file differs from the export
 */
export async function readCheckpointFile(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { keep }: { keep: boolean },
): Promise<{ manifest: CheckpointManifest; files: Map<string, Uint8Array> }> {
  const reader = new ByteReader(source);
  try {
    const manifest = await readManifest(reader);
    const files = new Map<string, Uint8Array>();
    for (const [name, { bytes, sha256 }] of Object.entries(manifest.files)) {
      await expectBytes(reader, tarHeader(name, bytes), `"${name}" is not at its expected position`);
      const hash = createHash("sha256");
      const parts: Uint8Array[] = [];
      for await (const piece of reader.pieces(bytes)) {
        hash.update(piece);
        if (keep) parts.push(piece);
      }
      if (hash.digest("hex") !== sha256)
        throw altered(`the SHA-256 of "${name}" does not match the manifest`);
      await expectBytes(reader, tarPadding(bytes), `unexpected bytes follow "${name}"`);
      if (keep) files.set(name, Buffer.concat(parts));
    }
    await expectBytes(reader, TAR_END, "unexpected bytes follow the last file");
    if (!(await reader.atEnd())) throw altered("unexpected bytes follow its end");
    return { manifest, files };
  } catch (error) {
    if (error instanceof EndOfBytes) throw new ModelInvalid("The checkpoint's file was cut short.");
    throw error;
  } finally {
    await reader.close();
  }
}

async function readManifest(reader: ByteReader): Promise<CheckpointManifest> {
  const header = await reader.atMost(TAR_BLOCK);
  const size = sizeInHeader(header);
  if (!(size <= MANIFEST_BYTES_MAX && header.equals(tarHeader(MANIFEST_NAME, size)))) {
    throw new ModelInvalid(
      "The file is not a checkpoint that this service exported. Send it as it was downloaded, neither packed nor unpacked. (Import a model of another tool on the model's page, or by POST …/models/import.)",
    );
  }
  const bytes = await reader.exactly(size);
  await expectBytes(reader, tarPadding(size), "unexpected bytes follow the manifest");
  const hash = manifestHashText(bytes);
  await expectBytes(
    reader,
    tarHeader(MANIFEST_HASH_NAME, hash.length),
    "the manifest's hash is not at its expected position",
  );
  await expectBytes(reader, hash, "the manifest does not match its SHA-256");
  await expectBytes(reader, tarPadding(hash.length), "unexpected bytes follow the manifest's hash");
  return parseManifest(bytes);
}

function parseManifest(bytes: Uint8Array): CheckpointManifest {
  const json = parseJson(bytes);
  const version = ManifestVersion.safeParse(json);
  if (!version.success) throw new ModelInvalid("The checkpoint's manifest is not in this service's format.");
  const { version: form, engine } = version.data;
  if (form !== 1 || engine > ENGINE_VERSION) {
    throw new ModelInvalid(
      `The checkpoint was exported by a newer service: file format ${form}, engine ${engine}. This service reads file format 1 and engines up to ${ENGINE_VERSION}. Update this service.`,
    );
  }
  const [unstorable] = textIssues(json);
  if (unstorable) throw new ModelInvalid(`The checkpoint's manifest is wrong: ${unstorable.message}.`);
  const parsed = CheckpointManifest.safeParse(json);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new ModelInvalid(
      `The checkpoint's manifest is wrong at ${path.join(".") || "its root"}: ${message}.`,
    );
  }
  const missing = requiredFiles.filter((name) => !Object.hasOwn(parsed.data.files, name));
  if (missing.length > 0) throw new ModelInvalid(`The checkpoint lacks ${missing.join(", ")}.`);
  return parsed.data;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ModelInvalid("The checkpoint's manifest is not valid JSON.", { cause });
  }
}

async function expectBytes(reader: ByteReader, expected: Uint8Array, otherwise: string): Promise<void> {
  const bytes = await reader.exactly(expected.length);
  if (!bytes.equals(expected)) throw altered(otherwise);
}

function altered(what: string): ModelInvalid {
  return new ModelInvalid(`The checkpoint's file was altered since it was exported: ${what}.`);
}

/** Thrown if the stream ends before the requested number of bytes. */
class EndOfBytes extends Error {
  override readonly name = "EndOfBytes";
}

/** Reads a stream by counted bytes. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    this.#source =
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  /** Yields the next `bytes` bytes in pieces of any size. @throws {EndOfBytes} */
  async *pieces(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      if (!(await this.#fill())) throw new EndOfBytes();
      const piece = this.#take(left);
      left -= piece.length;
      yield piece;
    }
  }

  /** Returns the next `bytes` bytes. @throws {EndOfBytes} */
  async exactly(bytes: number): Promise<Buffer> {
    const chunk = await this.atMost(bytes);
    if (chunk.length < bytes) throw new EndOfBytes();
    return chunk;
  }

  /** Returns the next `bytes` bytes, or fewer at the end of the stream. */
  async atMost(bytes: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for (let left = bytes; left > 0 && (await this.#fill()); ) {
      const piece = this.#take(left);
      parts.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(parts);
  }

  /** Returns whether the stream has no more bytes. */
  async atEnd(): Promise<boolean> {
    return !(await this.#fill());
  }

  /** Cancels the stream. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  #take(most: number): Uint8Array {
    const piece = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#source.next();
      if (done) return false;
      this.#rest = value;
    }
    return true;
  }
}
