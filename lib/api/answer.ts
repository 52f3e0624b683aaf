import { database } from "#db/client";
import { authenticate } from "#lib/api/caller/authenticate";
import { authorize } from "#lib/api/caller/authorize";
import { limitCalls, writeFullLimits, writeNothingLeft } from "#lib/api/caller/rate-limit";
import { answerOnce } from "#lib/api/idempotency/respond-idempotently";
import { parseBody, parseQuery } from "#lib/api/request/parse-request";
import { errorAnswer, toDomainError } from "#lib/api/response/error-answer";
import type { JsonAnswer } from "#lib/api/response/json-answer";
import type { Actor } from "#lib/context/context";
import { DomainError } from "#lib/platform/errors/domain-error";
import { newId } from "#lib/platform/ids/new-id";
import type { ApiRequest } from "./api-request.ts";
import { type Call, CallResources } from "./call.ts";
import { CallContext } from "./call-context.ts";
import { logCall } from "./log-call.ts";
import { parsePath } from "./path-params.ts";
import { respond } from "./respond.ts";
import type { AnyDeclaration } from "./route-declaration.ts";

/** Answers one call of a declared route; never throws. */
export async function answer(
  declaration: AnyDeclaration,
  request: ApiRequest,
  rawParams: unknown,
): Promise<JsonAnswer | Response> {
  const headers = new Map<string, string>();
  const resources = new CallResources();
  const call: Call = { declaration, request, requestId: newId(), actor: null, headers, resources };
  const startedMs = performance.now();
  let response: JsonAnswer | Response;
  let cause: unknown;
  try {
    response = await perform(call, rawParams);
  } catch (error) {
    const told = hasGone(request, error) ? hungUp(error) : toDomainError(error);
    cause = told === error ? undefined : error;
    if (told.code === "rate_limited") writeNothingLeft(call.headers, told);
    response = errorAnswer(told, call.requestId);
  } finally {
    await resources.letGo();
  }
  if (!headers.has("RateLimit")) writeFullLimits(headers);
  response.headers.set("X-Request-Id", call.requestId);
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
  for (const [name, value] of call.headers) response.headers.set(name, value);
  const { requestId, actor } = call;
  const { method, url } = request;
  const { operationId: operation } = declaration;
  const logged = { requestId, operation, method, path: pathOf(url), actor };
  logCall(logged, response.status, performance.now() - startedMs, cause);
  return response;
}

/** Of an absolute address that has been taken apart before: this is done for each call. */
const pathOf = (url: string) => url.slice(url.indexOf("/", url.indexOf("//") + 2)).split(/[?#]/, 1)[0]!;

const hasGone = ({ signal }: ApiRequest, error: unknown) => signal.aborted && signal.reason === error;

/** Nobody reads it, but the log must not call it a failure of ours. */
function hungUp(cause: unknown): DomainError {
  return new DomainError("validation_failed", "The caller ended the connection.", { cause });
}

async function perform(call: Call, rawParams: unknown): Promise<JsonAnswer | Response> {
  const { declaration, request } = call;
  const db = database();
  const caller = declaration.auth === "public" ? null : await authenticate(request, db);
  call.actor = caller?.actor ?? null;
  if (call.actor?.kind === "api-key") await limitCalls(db, call.actor.apiKeyId, call.headers);
  const params = declaration.params ? parsePath(declaration.params, rawParams) : undefined;
  if (caller) await authorize(declaration.auth, caller, projectOf(params), db);
  const query = parseQuery(declaration, request);
  const { body, bodyHash, json } = await parseBody(call);
  // Public routes look at no actor.
  const ctx = new CallContext(db, call.actor as Actor, call.requestId, request);
  return answerOnce(call, ctx, bodyHash, (once) =>
    respond(call, once, { params, query, body, request, json }),
  );
}

function projectOf(params: unknown): string | undefined {
  return (params as { projectId?: string } | undefined)?.projectId;
}
