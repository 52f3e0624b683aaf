import { createHash } from "node:crypto";
import type { z } from "zod";
import type { ApiRequest } from "#lib/api/api-request";
import type { Call } from "#lib/api/call";
import type { AnyDeclaration } from "#lib/api/route-declaration";
import { limits } from "#lib/contract/limits";
import { textFaults } from "#lib/http/request/text-faults";
import { Turns } from "#lib/platform/concurrency/slots";
import { DomainError } from "#lib/platform/errors/domain-error";
import { ScratchFile } from "#lib/platform/storage/scratch-file";
import { hashJson } from "./hash-json.ts";
import {
  bodyLimit,
  checkContentType,
  isShort,
  parseJsonBytes,
  readBodyBytes,
  refuseDeclaredSize,
  streamBody,
} from "./read-body.ts";
import { bodyWithFilesLimit, readBodyWithFiles } from "./read-body-with-files.ts";
import { validationError } from "./validation-error.ts";

/** @throws {DomainError} `validation_failed` naming every fault */
export function parseQuery(declaration: AnyDeclaration, request: ApiRequest): unknown {
  if (!declaration.query) return undefined;
  return parse(declaration.query, queryRecord(new URL(request.url).searchParams), "query");
}

const backslash = 0x5c;

function parse(schema: z.ZodType, value: unknown, what: "body" | "query", mayHoldFaults = true): unknown {
  const parsed = parseBySchema(schema, value);
  const texts = mayHoldFaults ? textFaults(value) : [];
  if (!parsed.success || texts.length > 0) throw validationError(parsed.error, what, texts);
  return parsed.data;
}

export type ParsedBody = {
  body: unknown;
  /** SHA-256 of what it says: null where the route reads it itself, or repetitions are not told apart. */
  bodyHash: string | null;
  /** The bytes, where a thread is to read them and to answer. */
  json?: Uint8Array;
};

/**
 * The JSON body by its schema.
 *
 * @throws {DomainError} `unsupported_media_type`, `payload_too_large`, `malformed_json`, `validation_failed`;
 *   `service_unavailable` where too many large bodies wait
 */
export async function parseBody(call: Call): Promise<ParsedBody> {
  const { declaration, request } = call;
  const { inThread } = declaration;
  if (declaration.rawBody) {
    checkContentType(request, Object.keys(declaration.rawBody));
    refuseDeclaredSize(request, bodyLimit(declaration));
    return { body: undefined, bodyHash: null };
  }
  if (!declaration.body) return { body: undefined, bodyHash: nothingsHash };
  const nothing = sendsNothing(request) ? declaration.body.safeParse({}) : null;
  if (nothing?.success) return { body: nothing.data, bodyHash: hashJson({}) };
  checkContentType(request, ["application/json"]);
  const json = await readJson(call);
  if (inThread && json.length > inThread.bytes) return { body: undefined, bodyHash: null, json };
  const value = parseJsonBytes(json, declaration.namesField);
  const body = parseValue(declaration.body, value, json);
  const isAskedOnce = declaration.idempotent && request.headers.get("idempotency-key") !== null;
  const bodyHash = isAskedOnce ? hashJson(value) : null;
  return inThread?.isLong(body as never) ? { body, bodyHash, json } : { body, bodyHash };
}

/** Without a body at all a request asks for what an empty object does, where every field may be left out. */
function sendsNothing({ headers }: ApiRequest): boolean {
  const isEmpty = (headers.get("content-length") ?? "0") === "0" && !headers.has("transfer-encoding");
  return isEmpty && !headers.has("content-type");
}

/** @throws {DomainError} `malformed_json`, `validation_failed` naming every fault */
export function parseJsonBody<S extends z.ZodType>(
  schema: S,
  json: Uint8Array,
  namesField?: string,
): z.output<S> {
  return parseValue(schema, parseJsonBytes(json, namesField), json);
}

function parseValue<S extends z.ZodType>(schema: S, value: unknown, json: Uint8Array): z.output<S> {
  // What UTF-8 or a JSON string cannot hold takes an escape to spell.
  return parse(schema, value, "body", json.includes(backslash)) as z.output<S>;
}

/** Zod hands faults on as arguments of a call: of more than a hundred thousand the engine's stack runs over. */
function parseBySchema(schema: z.ZodType, value: unknown) {
  try {
    return schema.safeParse(value, { reportInput: true });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message = "The body has more faults than can be told: look at the types of its values.";
    throw new DomainError("validation_failed", message, { cause });
  }
}

const nothingsHash = createHash("sha256").digest("hex");

const shared = globalThis as typeof globalThis & { largeBodies?: Turns };

/** How many bodies of more than a megabyte are taken into memory at the same time, and how long others wait. */
const largeBodies = () => (shared.largeBodies ??= new Turns({ atOnce: 4, waiting: 100, waitMs: 30_000 }));

function readJson(call: Call): Promise<Buffer> {
  const { declaration, request, resources } = call;
  const { fileFields } = declaration;
  if (!fileFields && isShort(request)) return readBodyBytes(request, bodyLimit(declaration));
  const limitBytes = fileFields ? bodyWithFilesLimit(fileFields.length) : bodyLimit(declaration);
  const chunks = streamBody(request, limitBytes);
  return fileFields ? readBodyWithFiles(chunks, fileFields, resources) : readLong(call, chunks);
}

/** On disk while it comes: a slow caller must not hold memory, nor a turn. */
async function readLong({ request, resources }: Call, chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const content = resources.use(new ScratchFile(limits.jsonBytes));
  for await (const chunk of chunks) await content.write(chunk);
  if (content.bytes > limits.jsonBytes) resources.use(await largeBodies().take(request.signal));
  return content.whole();
}

/** A name that comes once is a string, one that comes more often an array. */
function queryRecord(search: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const values = search.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}
