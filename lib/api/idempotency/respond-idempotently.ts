import { createHash } from "node:crypto";
import type { Call } from "#lib/api/call";
import { hashBody } from "#lib/api/request/read-body";
import { etagOf } from "#lib/api/response/etag";
import { JsonAnswer } from "#lib/api/response/json-answer";
import { limits } from "#lib/contract/limits";
import type { Context } from "#lib/platform/context/context";
import { DomainError } from "#lib/platform/errors/domain-error";
import { inProgressError, mismatchError, wrongLengthError } from "./idempotency-errors.ts";
import { findStored, holdKey, KeyHold, type Stored, storedResponse } from "./key-hold.ts";

/**
 * Processes a creating POST once per `Idempotency-Key` and caller. A repeated request receives the first response
 * again. Only successes are stored, in the transaction that creates the resource (`storeIdempotentResponse`). After an
 * error nothing was created, and the key is free for the corrected request.
 *
 * @param bodyHash SHA-256 of the parsed body, in hexadecimal. null if the body streams
 * @throws {DomainError} `validation_failed`, `idempotency_mismatch`, `idempotency_in_progress`
 */
export async function respondIdempotently(
  call: Call,
  ctx: Context,
  bodyHash: string | null,
  run: (ctx: Context) => Promise<JsonAnswer | Response>,
): Promise<JsonAnswer | Response> {
  const { declaration, request, requestId } = call;
  const key = request.headers.get("idempotency-key");
  if (key === null || !declaration.idempotent) return run(ctx);
  if (key.length < 1 || key.length > limits.idempotencyKeyMax) throw wrongLengthError(key.length);
  const callHash = hashCall(call);
  const hold = await holdKey(ctx.db, { owner: ownerOf(ctx), key, requestId, callHash, bodyHash });
  if (!(hold instanceof KeyHold)) return replay(call, hold, { callHash, bodyHash });
  try {
    ctx.hold = hold;
    const answer = await run(ctx);
    // A defect of the operation. `routes.db.test.ts` tests every such route.
    if (answer.body !== hold.answer) throw new Error(`${declaration.operationId} did not store its response`);
    return answer;
  } finally {
    await hold.end();
  }
}

/**
 * Rejects an invalid body under a key that holds a response: only a valid body gets one, so this body is another.
 *
 * @param error of the body
 * @throws {DomainError} `idempotency_mismatch`
 */
export async function rejectUsedKey(
  { declaration, request }: Call,
  ctx: Context,
  error: unknown,
): Promise<void> {
  const key = request.headers.get("idempotency-key");
  const isInvalid =
    error instanceof DomainError && ["malformed_json", "validation_failed"].includes(error.code);
  if (!isInvalid || !key || key.length > limits.idempotencyKeyMax || !declaration.idempotent) return;
  if (await findStored(ctx.db, { owner: ownerOf(ctx), key })) throw mismatchError();
}

async function replay(
  call: Call,
  first: Stored,
  { callHash, bodyHash }: Pick<Stored, "callHash" | "bodyHash">,
): Promise<JsonAnswer> {
  if (first.callHash !== callHash) throw mismatchError();
  // While the first body streams in, the service cannot compare the two bodies.
  if (first.bodyHash === null) throw inProgressError();
  if (first.bodyHash !== (bodyHash ?? (await hashBody(call)))) throw mismatchError();
  const text = storedResponse(first);
  if (text === null) throw inProgressError();
  const { etag, status = 200 } = call.declaration;
  const answer = JsonAnswer.ofText(text, status, { "Idempotent-Replayed": "true" });
  if (etag) answer.headers.set("ETag", etagOf(JSON.parse(text).data));
  return answer;
}

const ownerOf = ({ actor }: Context) =>
  actor.kind === "api-key" ? `key:${actor.apiKeyId}` : `user:${actor.userId}`;

/**
 * Hashes the request without its body: method, path, query, and the media type of a raw body.
 */
function hashCall({ declaration, request }: Call): string {
  const { pathname, search } = new URL(request.url);
  const type =
    declaration.rawBody && request.headers.get("content-type")?.toLowerCase().split(";")[0]?.trim();
  return createHash("sha256")
    .update(JSON.stringify([request.method, pathname, search, type]))
    .digest("hex");
}
