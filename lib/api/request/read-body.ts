import { createHash } from "node:crypto";
import type { ApiRequest } from "#lib/api/api-request";
import type { Call } from "#lib/api/call";
import type { AnyDeclaration } from "#lib/api/route-declaration";
import { limits } from "#lib/contract/limits";
import { DomainError, issueError } from "#lib/platform/errors/domain-error";

/** Returns the body limit of a route, in bytes. */
export const bodyLimit = ({ bodyLimitBytes }: AnyDeclaration) => bodyLimitBytes ?? limits.jsonBytes;

/**
 * Reads the whole body. Rejects it as soon as its declared or received size exceeds the limit.
 *
 * @throws {DomainError} `payload_too_large`, `validation_failed` for a truncated body
 */
export async function readBodyBytes(request: ApiRequest, limitBytes: number): Promise<Buffer> {
  if (isShort(request, limitBytes)) return asBuffer(await request.bytes().catch(throwTruncated));
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamBody(request, limitBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns whether the declared size is small enough to keep the body in memory, however slowly it arrives. */
export function isShort({ headers }: ApiRequest, limitBytes: number = limits.jsonBytes): boolean {
  const declared = headers.get("content-length");
  return declared !== null && Number(declared) <= Math.min(limitBytes, limits.jsonBytes);
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/**
 * Returns the SHA-256 of the body, in hexadecimal. Does not keep the body.
 *
 * @throws {DomainError} the errors of `readBodyBytes`
 */
export async function hashBody({ declaration, request }: Call): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of streamBody(request, bodyLimit(declaration))) hash.update(chunk);
  return hash.digest("hex");
}

/** Streams the body. Throws the errors of `readBodyBytes`. */
export async function* streamBody(request: ApiRequest, limitBytes: number): AsyncGenerator<Uint8Array> {
  rejectDeclaredSize(request, limitBytes);
  let bytes = 0;
  for await (const chunk of readChunks(request)) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) throw tooLargeError(limitBytes);
    yield chunk;
  }
}

async function* readChunks({ body }: ApiRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (cause) {
    throwTruncated(cause);
  }
}

/** A disconnected client does not receive this response. A `DomainError`, so that the log records no outage. */
function throwTruncated(cause: unknown): never {
  const message = "The connection ended before the whole body arrived.";
  throw new DomainError("validation_failed", message, { cause });
}

/** @throws {DomainError} `payload_too_large` if the declared size exceeds the limit */
export function rejectDeclaredSize(request: ApiRequest, limitBytes: number): void {
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) throw tooLargeError(limitBytes);
}

export function tooLargeError(limitBytes: number): DomainError {
  const limit = `${limitBytes.toLocaleString("en")} bytes`;
  return new DomainError("payload_too_large", `The body exceeds the limit of ${limit}. Send a smaller body.`);
}

/** @throws {DomainError} `unsupported_media_type` with the supported types */
export function checkContentType(request: ApiRequest, accepted: readonly string[]): void {
  const coding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (coding !== "identity") {
    const message = `Content-Encoding ${coding.slice(0, 40)} is not supported. Send the body without encoding.`;
    throw unsupportedError("Content-Encoding", message);
  }
  const [type = "", ...parameters] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
  const charset = parameters.map((item) => item.trim()).find((item) => item.startsWith("charset="));
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (accepted.includes(type.trim()) && utf8) return;
  const message = `Send the body as ${accepted.join(" or ")} in UTF-8, with a matching header Content-Type.`;
  throw unsupportedError("Content-Type", message);
}

function unsupportedError(field: string, message: string): DomainError {
  return issueError("unsupported_media_type", { field, code: "unsupported_media_type", message });
}

/**
 * Parses JSON in UTF-8.
 *
 * @param namesField field whose keys are the caller's own names, which may include `__proto__`
 * @throws {DomainError} `malformed_json`, also for a key `__proto__` elsewhere: no field has this name, and it would
 *   change the object's prototype
 */
export function parseJsonBytes(bytes: Uint8Array, namesField?: string): unknown {
  const text = decodeUtf8(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (text.trim() === "") throw malformedError("The body is empty. Send a JSON object.");
    throw malformedError(`The body is not valid JSON: ${place(error)}`, error);
  }
  // Escapes can also spell the name, so only the parser can find it.
  if (text.includes("__proto__") || protoEscape.test(text))
    rejectPrototypeKeys(text, hasProtoName(value, namesField));
  return value;
}

/** Escapes of the letters of `__proto__`. */
const protoEscape = /\\u00(?:5f|6f|7[024])/i;

/** Returns whether the caller's own names include `__proto__`. */
function hasProtoName(body: unknown, field: string | undefined): boolean {
  const isObject = (value: unknown) => typeof value === "object" && value !== null;
  if (field === undefined || !isObject(body) || !Object.hasOwn(body as object, field)) return false;
  const names = (body as Record<string, unknown>)[field];
  return isObject(names) && Object.hasOwn(names as object, "__proto__");
}

function rejectPrototypeKeys(text: string, allowsOne: boolean): void {
  let prototypes = 0;
  try {
    JSON.parse(text, (key, value) => {
      if (key === "__proto__") prototypes++;
      return value;
    });
  } catch (error) {
    throw malformedError("The body is nested too deeply. Use fewer levels.", error);
  }
  if (prototypes > (allowsOne ? 1 : 0))
    throw malformedError("The body contains the key __proto__, which is not allowed. Remove it.");
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw malformedError("The body is not valid UTF-8. Encode it in UTF-8.", error);
  }
}

/** Describes the syntax error without the excerpt of the body that the parser's message may include. */
function place(error: unknown): string {
  const start = /Unexpected token '([NITF])'/.exec(String(error))?.[1];
  if (start !== undefined)
    return `no value starts with ${start}. Send null instead of NaN, Infinity and None, and write true and false in lower case.`;
  const position = /position (\d+)/.exec(String(error))?.[1];
  return position === undefined
    ? "it ends too early or has a syntax error."
    : `look at position ${position}.`;
}

const malformedError = (message: string, cause?: unknown) =>
  new DomainError("malformed_json", message, { cause });
