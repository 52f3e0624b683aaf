import { createHash } from "node:crypto";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { ByteReader, EndOfBytes } from "./byte-reader.ts";
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

/** A manifest lists every feature with up to 1,000 categories. */
const MANIFEST_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Reads a checkpoint's file and checks every byte of it: headers and padding are compared with the only ones that can be
 * there, contents with their hashes, and the manifest, which has those, with its own.
 *
 * @param keep whether the files' contents are wanted; else the map is empty, and little memory is taken
 * @throws {ModelInvalid} saying where it is not what was exported
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
      await expectBytes(reader, tarHeader(name, bytes), `the file "${name}" is not where it should be`);
      const hash = createHash("sha256");
      const parts: Uint8Array[] = [];
      for await (const piece of reader.pieces(bytes)) {
        hash.update(piece);
        if (keep) parts.push(piece);
      }
      if (hash.digest("hex") !== sha256)
        throw altered(`"${name}" has another SHA-256 than the manifest says`);
      await expectBytes(reader, tarPadding(bytes), `there is something behind "${name}"`);
      if (keep) files.set(name, Buffer.concat(parts));
    }
    await expectBytes(reader, TAR_END, "there is something behind the last file");
    if (!(await reader.atEnd())) throw altered("there is something behind its end");
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
      "The file is no checkpoint as this service exports them. Send it as it was downloaded, neither packed nor unpacked. (A model from elsewhere is imported on the model's page, or by POST …/models/import.)",
    );
  }
  const bytes = await reader.exactly(size);
  await expectBytes(reader, tarPadding(size), "there is something behind the manifest");
  const hash = manifestHashText(bytes);
  await expectBytes(
    reader,
    tarHeader(MANIFEST_HASH_NAME, hash.length),
    "the manifest's hash is not where it should be",
  );
  await expectBytes(reader, hash, "the manifest has another SHA-256 than the one beside it");
  await expectBytes(reader, tarPadding(hash.length), "there is something behind the manifest's hash");
  return parseManifest(bytes);
}

function parseManifest(bytes: Uint8Array): CheckpointManifest {
  const json = parseJson(bytes);
  const version = ManifestVersion.safeParse(json);
  if (!version.success) throw new ModelInvalid("The checkpoint's manifest is none of this service.");
  const { version: form, engine } = version.data;
  if (form !== 1 || engine > ENGINE_VERSION) {
    throw new ModelInvalid(
      `The checkpoint was exported by a newer service (file ${form}, engine ${engine}; here they are 1 and ${ENGINE_VERSION}): bring this one up to date.`,
    );
  }
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
    throw new ModelInvalid("The checkpoint's manifest is no JSON.", { cause });
  }
}

async function expectBytes(reader: ByteReader, expected: Uint8Array, otherwise: string): Promise<void> {
  const found = await reader.exactly(expected.length);
  if (!found.equals(expected)) throw altered(otherwise);
}

function altered(what: string): ModelInvalid {
  return new ModelInvalid(`The checkpoint's file was altered since it was exported: ${what}.`);
}
