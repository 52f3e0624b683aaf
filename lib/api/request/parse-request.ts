import { createHash } from "node:crypto";
import { z } from "zod";
import type { ApiRequest } from "#lib/api/api-request";
import type { Call } from "#lib/api/call";
import type { AnyDeclaration } from "#lib/api/route-declaration";
import { limits } from "#lib/contract/limits";
import { textIssues } from "#lib/contract/text-issues";
import { Slots } from "#lib/platform/concurrency/slots";
import { DomainError } from "#lib/platform/errors/domain-error";
import { perProcess } from "#lib/platform/process/per-process";
import { ScratchFile } from "#lib/platform/storage/scratch-file";
import { hashJson } from "./hash-json.ts";
import {
  bodyLimit,
  checkContentType,
  isShort,
  parseJsonBytes,
  readBodyBytes,
  rejectDeclaredSize,
  streamBody,
} from "./read-body.ts";
import { bodyWithFilesLimit, readBodyWithFiles } from "./read-body-with-files.ts";
import { validationError } from "./validation-error.ts";

/** @throws {DomainError} `validation_failed` with every issue */
export function parseQuery(declaration: AnyDeclaration, request: ApiRequest): unknown {
  if (!declaration.query) return undefined;
  return parse(declaration.query, queryRecord(new URL(request.url).searchParams), "query");
}

const backslash = 0x5c;

function parse(schema: z.ZodType, value: unknown, what: "body" | "query", checksTexts = true): unknown {
  const parsed = parseBySchema(schema, value);
  const texts = checksTexts ? textIssues(value) : [];
  if (!parsed.success || texts.length > 0) throw validationError(parsed.error, what, texts);
  return parsed.data;
}

type ParsedBody = {
  body: unknown;
  /** SHA-256 of the parsed body. null if the route reads the body itself, or repeated requests need not be detected. */
  bodyHash: string | null;
  /** Bytes of the body, if a thread parses it and responds. */
  json?: Uint8Array;
};

/**
 * Parses the JSON body with the route's schema.
 *
 * @throws {DomainError} `unsupported_media_type`, `payload_too_large`, `malformed_json`, `validation_failed`;
 *   `service_unavailable` if too many large bodies are waiting
 */
export async function parseBody(call: Call): Promise<ParsedBody> {
  const { declaration, request } = call;
  const { inThread } = declaration;
  if (declaration.rawBody) {
    checkContentType(request, Object.keys(declaration.rawBody));
    rejectDeclaredSize(request, bodyLimit(declaration));
    return { body: undefined, bodyHash: null };
  }
  if (!declaration.body) {
    if (request.method !== "GET") await rejectFields(request);
    return { body: undefined, bodyHash: emptyBodyHash };
  }
  const nothing = sendsNothing(request) ? declaration.body.safeParse({}) : null;
  if (nothing?.success) return { body: nothing.data, bodyHash: hashJson({}) };
  checkContentType(request, ["application/json"]);
  const json = await readJson(call);
  if (inThread && json.length > inThread.bytes) return { body: undefined, bodyHash: null, json };
  if (!inThread) rejectManyValues(json);
  const value = parseJsonBytes(json, declaration.namesField);
  if (inThread?.isLong(value)) return { body: undefined, bodyHash: null, json };
  const body = parseValue(declaration.body, value, json);
  const isIdempotent = declaration.idempotent && request.headers.get("idempotency-key") !== null;
  return { body, bodyHash: isIdempotent ? hashJson(value) : null };
}

const comma = 0x2c;
const colon = 0x3a;

/**
 * Rejects a body with so many values that validating them would block other requests, even if each has an issue.
 *
 * @throws {DomainError} `validation_failed`
 */
function rejectManyValues(json: Uint8Array): void {
  if (json.length <= limits.jsonSeparators) return;
  let count = 0;
  for (const byte of json) if (byte === comma || byte === colon) count++;
  if (count <= limits.jsonSeparators) return;
  const limit = limits.jsonSeparators.toLocaleString("en");
  const message = `The body has too many values. Send at most ${limit} commas and colons in one request.`;
  throw new DomainError("validation_failed", message);
}

/** Rejects fields that the operation would ignore. Many clients send an empty body or object, which is accepted. */
async function rejectFields(request: ApiRequest): Promise<void> {
  const json = await readBodyBytes(request, limits.jsonBytes);
  const text = json.toString("latin1").trim();
  if (text === "" || /^\{\s*\}$/.test(text)) return;
  checkContentType(request, ["application/json"]);
  parseJsonBody(z.strictObject({}), json);
}

/** Returns whether the request has no body. Such a request counts as `{}` if every field is optional. */
function sendsNothing({ headers }: ApiRequest): boolean {
  const isEmpty = (headers.get("content-length") ?? "0") === "0" && !headers.has("transfer-encoding");
  return isEmpty && !headers.has("content-type");
}

/** @throws {DomainError} `malformed_json`, `validation_failed` with every issue */
export function parseJsonBody<S extends z.ZodType>(
  schema: S,
  json: Uint8Array,
  namesField?: string,
): z.output<S> {
  return parseValue(schema, parseJsonBytes(json, namesField), json);
}

function parseValue<S extends z.ZodType>(schema: S, value: unknown, json: Uint8Array): z.output<S> {
  // Only a backslash escape can produce NUL or an unpaired surrogate.
  return parse(schema, value, "body", json.includes(backslash)) as z.output<S>;
}

/** zod passes issues as arguments of a call, which overflows the stack for more than a hundred thousand issues. */
function parseBySchema(schema: z.ZodType, value: unknown) {
  try {
    return schema.safeParse(value, { reportInput: true });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message = "The body has too many issues to list. Check the types of its values.";
    throw new DomainError("validation_failed", message, { cause });
  }
}

const emptyBodyHash = createHash("sha256").digest("hex");

/** Limits the bodies above one megabyte that are in memory at the same time. Others wait for a slot. */
const largeBodies = perProcess("largeBodies", () => new Slots({ atOnce: 4, waiting: 100, waitMs: 30_000 }));

function readJson(call: Call): Promise<Buffer> {
  const { declaration, request, resources } = call;
  const { fileFields } = declaration;
  if (!fileFields && isShort(request)) return readBodyBytes(request, bodyLimit(declaration));
  const limitBytes = fileFields ? bodyWithFilesLimit(fileFields.length) : bodyLimit(declaration);
  const chunks = streamBody(request, limitBytes);
  return fileFields ? readBodyWithFiles(chunks, fileFields, resources) : readLong(call, chunks);
}

/** Writes the body to disk while it arrives, so that a slow client holds neither memory nor a slot. */
async function readLong({ request, resources }: Call, chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const content = resources.use(new ScratchFile(limits.jsonBytes));
  for await (const chunk of chunks) await content.write(chunk);
  if (content.bytes > limits.jsonBytes) resources.use(await largeBodies().acquire(request.signal));
  return content.whole();
}

/** Returns parameters by name: a string if the name occurs once, else an array. */
function queryRecord(search: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const values = search.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}
