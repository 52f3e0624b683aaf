import { createHash } from "node:crypto";
import type { Context } from "#lib/context/context";
import { limits } from "#lib/contract/limits";
import { DomainError } from "#lib/errors/domain-error";
import type { Call } from "./call.ts";
import { type ClaimedKey, claimKey } from "./idempotency-claim.ts";
import { unseal } from "./seal.ts";

/**
 * Answers a creating POST once for each `Idempotency-Key` of a caller: a repetition gets the first answer again. Only
 * successes are kept; after a refusal nothing was created, and the key is free for the mended request.
 *
 * @param bytes of the body
 * @throws {DomainError} `validation_failed`, `idempotency_mismatch`, `idempotency_in_progress`
 */
export async function answerOnce(
  call: Call,
  ctx: Context,
  bytes: Uint8Array,
  run: () => Promise<Response>,
): Promise<Response> {
  const key = call.request.headers.get("idempotency-key");
  if (key === null || !call.declaration.idempotent) return run();
  const claimed = { owner: ownerOf(ctx), key: checkKey(key), requestHash: hashRequest(call.request, bytes) };
  const found = await claimKey(ctx.db, claimed);
  if ("first" in found) return replay(found.first, claimed);
  const { claim } = found;
  let response: Response;
  try {
    response = await run();
  } catch (error) {
    await claim.release();
    throw error;
  }
  if (!response.ok) {
    await claim.release();
    return response;
  }
  const text = await response.text();
  const { status } = response;
  await claim.keep({ status, headers: Object.fromEntries(response.headers), text });
  return new Response(text, { status, headers: response.headers });
}

type First = {
  requestHash: string;
  status: number | null;
  headers: Record<string, string> | null;
  body: Uint8Array | null;
};

function replay(first: First, claimed: ClaimedKey): Response {
  if (first.requestHash !== claimed.requestHash) {
    const message =
      "This Idempotency-Key was used with another request: use a new key for a new request, or repeat the first one exactly.";
    throw new DomainError("idempotency_mismatch", message);
  }
  if (first.status === null || first.body === null) {
    const message = "The first request with this Idempotency-Key is still running: wait, then send it again.";
    throw new DomainError("idempotency_in_progress", message, { retryAfterSeconds: 1 });
  }
  const text = unseal(first.body);
  if (text === null) throw new Error("A kept answer was sealed with another AUTH_SECRET");
  return new Response(text, {
    status: first.status,
    headers: { ...first.headers, "Idempotent-Replayed": "true" },
  });
}

const ownerOf = ({ actor }: Context) =>
  actor.kind === "api-key" ? `key:${actor.apiKeyId}` : `user:${actor.userId}`;

function checkKey(key: string): string {
  if (key.length >= 1 && key.length <= limits.idempotencyKeyMax) return key;
  const message = `The header Idempotency-Key takes 1 to ${limits.idempotencyKeyMax} characters.`;
  throw new DomainError("validation_failed", message, {
    details: [{ field: "Idempotency-Key", code: "too_big", message }],
  });
}

/** A body that streams is not hashed: its length and type stand for it. */
function hashRequest(request: Request, bytes: Uint8Array): string {
  const { pathname, search } = new URL(request.url);
  const { headers } = request;
  const shape = [
    request.method,
    pathname,
    search,
    headers.get("content-type"),
    headers.get("content-length"),
  ];
  return createHash("sha256").update(JSON.stringify(shape)).update("\0").update(bytes).digest("hex");
}
