import { createHash } from "node:crypto";
import type { Call } from "#lib/api/call";
import { hashBody } from "#lib/api/request/read-body";
import { etagOf } from "#lib/api/response/etag";
import { JsonAnswer } from "#lib/api/response/json-answer";
import type { Context } from "#lib/context/context";
import { limits } from "#lib/contract/limits";
import { Claim, claimKey, keptAnswer, type Stored } from "./claim.ts";
import { inProgress, mismatch, wrongLength } from "./refusals.ts";

/**
 * Answers a creating POST once for each `Idempotency-Key` of a caller: a repetition gets the first answer again. Only
 * successes are kept, by the transaction that creates (`keepAnswer`); after a refusal nothing was created, and the key is
 * free for the mended request.
 *
 * @param bodyHash SHA-256 of what the body says, in hexadecimal; null where it streams
 * @throws {DomainError} `validation_failed`, `idempotency_mismatch`, `idempotency_in_progress`
 */
export async function answerOnce(
  call: Call,
  ctx: Context,
  bodyHash: string | null,
  run: (ctx: Context) => Promise<JsonAnswer | Response>,
): Promise<JsonAnswer | Response> {
  const { declaration, request, requestId } = call;
  const key = request.headers.get("idempotency-key");
  if (key === null || !declaration.idempotent) return run(ctx);
  if (key.length < 1 || key.length > limits.idempotencyKeyMax) throw wrongLength(key.length);
  const callHash = hashCall(call);
  const claim = await claimKey(ctx.db, { owner: ownerOf(ctx), key, requestId, callHash, bodyHash });
  if (!(claim instanceof Claim)) return replay(call, claim, { callHash, bodyHash });
  try {
    ctx.claim = claim;
    const answer = await run(ctx);
    // A mistake of ours that the table of creating routes finds.
    if (answer.body !== claim.answer)
      throw new Error(`${declaration.operationId} did not keep what it answers`);
    return answer;
  } finally {
    await claim.end();
  }
}

async function replay(
  call: Call,
  first: Stored,
  { callHash, bodyHash }: Pick<Stored, "callHash" | "bodyHash">,
): Promise<JsonAnswer> {
  if (first.callHash !== callHash) throw mismatch();
  // While the first body still streams in, nobody can say whether this one is the same.
  if (first.bodyHash === null) throw inProgress();
  if (first.bodyHash !== (bodyHash ?? (await hashBody(call)))) throw mismatch();
  const text = keptAnswer(first);
  if (text === null) throw inProgress();
  const { etag, status = 200 } = call.declaration;
  const answer = JsonAnswer.ofText(text, status, { "Idempotent-Replayed": "true" });
  if (etag) answer.headers.set("ETag", etagOf(JSON.parse(text).data));
  return answer;
}

const ownerOf = ({ actor }: Context) =>
  actor.kind === "api-key" ? `key:${actor.apiKeyId}` : `user:${actor.userId}`;

/** What is asked for but for the body, with its type where the route takes several. How it comes makes no difference. */
function hashCall({ declaration, request }: Call): string {
  const { pathname, search } = new URL(request.url);
  const type =
    declaration.rawBody && request.headers.get("content-type")?.toLowerCase().split(";")[0]?.trim();
  return createHash("sha256")
    .update(JSON.stringify([request.method, pathname, search, type]))
    .digest("hex");
}
