import { createHash } from "node:crypto";
import type { ApiRequest } from "#lib/api/api-request";
import type { Call } from "#lib/api/call";
import type { AnyDeclaration } from "#lib/api/route-declaration";
import { limits } from "#lib/contract/limits";
import { DomainError } from "#lib/platform/errors/domain-error";

/** How many bytes a route takes at most. */
export const bodyLimit = ({ bodyLimitBytes }: AnyDeclaration) => bodyLimitBytes ?? limits.jsonBytes;

/**
 * The whole body. Refused as soon as it is known to be too large: by what it declares, or by the bytes that came.
 *
 * @throws {DomainError} `payload_too_large`, `validation_failed` for one that is cut off
 */
export async function readBodyBytes(request: ApiRequest, limitBytes: number): Promise<Buffer> {
  if (isShort(request, limitBytes)) return asBuffer(await request.bytes().catch(cutOff));
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamBody(request, limitBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Whether a body says so itself: one that may be kept in memory however slowly it comes. */
export function isShort({ headers }: ApiRequest, limitBytes: number = limits.jsonBytes): boolean {
  const declared = headers.get("content-length");
  return declared !== null && Number(declared) <= Math.min(limitBytes, limits.jsonBytes);
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/**
 * SHA-256 of the body, in hexadecimal; nothing of it is kept.
 *
 * @throws {DomainError} as `readBodyBytes`
 */
export async function hashBody({ declaration, request }: Call): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of streamBody(request, bodyLimit(declaration))) hash.update(chunk);
  return hash.digest("hex");
}

/** The body as it comes; throws as `readBodyBytes`. */
export async function* streamBody(request: ApiRequest, limitBytes: number): AsyncGenerator<Uint8Array> {
  refuseDeclaredSize(request, limitBytes);
  let bytes = 0;
  for await (const chunk of arriving(request)) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) throw tooLarge(limitBytes);
    yield chunk;
  }
}

async function* arriving({ body }: ApiRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (cause) {
    cutOff(cause);
  }
}

/** Where the caller hangs up nobody reads the refusal, but the log must not call it an outage of ours. */
function cutOff(cause: unknown): never {
  const message = "The connection ended before the whole body had come.";
  throw new DomainError("validation_failed", message, { cause });
}

/** @throws {DomainError} `payload_too_large` for a body that says so itself */
export function refuseDeclaredSize(request: ApiRequest, limitBytes: number): void {
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) throw tooLarge(limitBytes);
}

export function tooLarge(limitBytes: number): DomainError {
  const limit = `${limitBytes.toLocaleString("en")} bytes`;
  return new DomainError("payload_too_large", `The body is larger than the ${limit} that are allowed here.`);
}

/** @throws {DomainError} `unsupported_media_type` naming what is accepted */
export function checkContentType(request: ApiRequest, accepted: readonly string[]): void {
  const coding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (coding !== "identity") {
    const message = `Send the body as it is: Content-Encoding ${coding.slice(0, 40)} is not accepted.`;
    throw unsupported("Content-Encoding", message);
  }
  const [type = "", ...parameters] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
  const charset = parameters.map((item) => item.trim()).find((item) => item.startsWith("charset="));
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (accepted.includes(type.trim()) && utf8) return;
  const message = `Send the body as ${accepted.join(" or ")} in UTF-8, and say so in the header Content-Type.`;
  throw unsupported("Content-Type", message);
}

function unsupported(field: string, message: string): DomainError {
  return new DomainError("unsupported_media_type", message, {
    details: [{ field, code: "unsupported_media_type", message }],
  });
}

/**
 * Parses JSON in UTF-8.
 *
 * @param namesField the field whose keys are names of the caller's own, `__proto__` one like others
 * @throws {DomainError} `malformed_json`, also for a key `__proto__`, which no field is called and which would change
 *   what an object is
 */
export function parseJsonBytes(bytes: Uint8Array, namesField?: string): unknown {
  const text = decodeUtf8(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (text.trim() === "") throw malformed("The body is empty: send a JSON object.");
    throw malformed(`The body is not valid JSON: ${place(error)}`, error);
  }
  // An escape may spell the name as well, so that the parser itself has to look.
  if (text.includes("__proto__") || text.includes("\\u"))
    refusePrototypeKeys(text, ownNames(value, namesField));
  return value;
}

/** Whether the caller's own names hold a `__proto__`. */
function ownNames(body: unknown, field: string | undefined): boolean {
  const isObject = (value: unknown) => typeof value === "object" && value !== null;
  if (field === undefined || !isObject(body) || !Object.hasOwn(body as object, field)) return false;
  const names = (body as Record<string, unknown>)[field];
  return isObject(names) && Object.hasOwn(names as object, "__proto__");
}

function refusePrototypeKeys(text: string, oneIsName: boolean): void {
  let prototypes = 0;
  try {
    JSON.parse(text, (key, value) => {
      if (key === "__proto__") prototypes++;
      return value;
    });
  } catch (error) {
    throw malformed("The body is nested too deeply.", error);
  }
  if (prototypes > (oneIsName ? 1 : 0))
    throw malformed("The body holds a key __proto__, which is not accepted.");
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw malformed("The body is not valid UTF-8.", error);
  }
}

/** The parser's words without the excerpt of the body that newer engines put into them. */
function place(error: unknown): string {
  const start = /Unexpected token '([NITF])'/.exec(String(error))?.[1];
  if (start !== undefined)
    return `no value begins with ${start}; write null for NaN, Infinity and None, and true and false in lower case.`;
  const position = /position (\d+)/.exec(String(error))?.[1];
  return position === undefined ? "it ends too early or has a wrong form." : `look at position ${position}.`;
}

const malformed = (message: string, cause?: unknown) => new DomainError("malformed_json", message, { cause });
