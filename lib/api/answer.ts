import type { Database } from "#db/client";
import { authenticate } from "#lib/api/caller/authenticate";
import { authorize } from "#lib/api/caller/authorize";
import { limitCalls } from "#lib/api/caller/limit-calls";
import { rejectCrossOrigin } from "#lib/api/caller/origin";
import { writeExhaustedLimits, writeUnusedLimits } from "#lib/api/caller/rate-limit-headers";
import { rejectUsedKey, respondIdempotently } from "#lib/api/idempotency/respond-idempotently";
import { parseBody, parseQuery } from "#lib/api/request/parse-request";
import { errorAnswer, toDomainError } from "#lib/api/response/error-answer";
import type { JsonAnswer } from "#lib/api/response/json-answer";
import { RequestWork, runAs } from "#lib/platform/concurrency/current-work";
import type { Actor, Context, IdempotencyHold, Precondition } from "#lib/platform/context/context";
import { database } from "#lib/platform/database/process-database";
import { DomainError } from "#lib/platform/errors/domain-error";
import { newId } from "#lib/platform/ids/new-id";
import { logger } from "#lib/platform/log/logger";
import type { ApiRequest } from "./api-request.ts";
import { type Call, CallResources } from "./call.ts";
import { countError } from "./count-error.ts";
import { logCall } from "./log-call.ts";
import { parsePath } from "./path-params.ts";
import { respond } from "./respond.ts";
import { type AnyDeclaration, effectOf } from "./route-declaration.ts";

/** Responds to one request to a declared route. Never throws. */
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
    const isGone = hasDisconnected(request, error);
    const reported = isGone ? disconnectedError(error) : toDomainError(error);
    cause = isGone || reported === error ? undefined : error;
    if (reported.code === "rate_limited") writeExhaustedLimits(call.headers, reported);
    if (!isGone) countError(declaration.operationId, reported);
    response = errorAnswer(reported, call.requestId);
  } finally {
    await resources.release().catch((err: unknown) => {
      logger().error({ err, requestId: call.requestId }, "resources of the request were not released");
    });
  }
  if (!headers.has("RateLimit")) writeUnusedLimits(headers);
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

/** Takes the path from an absolute URL without parsing the URL again, because this runs for each request. */
const pathOf = (url: string) => url.slice(url.indexOf("/", url.indexOf("//") + 2)).split(/[?#]/, 1)[0]!;

const hasDisconnected = ({ signal }: ApiRequest, error: unknown) => signal.aborted && signal.reason === error;

/** Returns the response to a disconnected client, which only the log shows: a client that leaves is no error to count. */
function disconnectedError(cause: unknown): DomainError {
  return new DomainError("validation_failed", "The client closed the connection.", { cause });
}

async function perform(call: Call, rawParams: unknown): Promise<JsonAnswer | Response> {
  const { declaration, request } = call;
  const db = database();
  const isPublic = declaration.auth === "public";
  if (isPublic) rejectCrossOrigin(request);
  const caller = isPublic ? null : await authenticate(request, db);
  call.actor = caller?.actor ?? null;
  if (call.actor?.kind === "api-key") await limitCalls(db, call.actor.apiKeyId, call.headers);
  const params = declaration.params ? parsePath(declaration.params, rawParams) : undefined;
  const projectId = projectOf(params);
  const { auth: access } = declaration;
  if (caller)
    await authorize({ access, effect: effectOf(declaration, request.method) }, caller, projectId, db);
  const query = parseQuery(declaration, request);
  // Handlers of public routes do not read the actor.
  const ctx = new CallContext(db, call.actor as Actor, call.requestId, request);
  const { body, bodyHash, json } = await parseBody(call).catch(async (error: unknown) => {
    await rejectUsedKey(call, ctx, error);
    throw error;
  });
  return runAs(new RequestWork(projectId ?? null), () =>
    respondIdempotently(call, ctx, bodyHash, (once) =>
      respond(call, once, { params, query, body, request, json }),
    ),
  );
}

function projectOf(params: unknown): string | undefined {
  return (params as { projectId?: string } | undefined)?.projectId;
}

/**
 * Context that a request passes to an operation. A class, because a getter in an object literal keeps each such object
 * and its contents alive longer. Collecting them takes a fifth of the time of a small request
 * (docs/decisions/0174-predictions-in-front-of-next.md).
 */
class CallContext implements Context {
  readonly db: Database;
  readonly actor: Actor;
  readonly requestId: string;
  hold: IdempotencyHold | undefined;
  precondition: Precondition | undefined;
  readonly #request: ApiRequest;

  constructor(db: Database, actor: Actor, requestId: string, request: ApiRequest) {
    this.db = db;
    this.actor = actor;
    this.requestId = requestId;
    this.#request = request;
  }

  /** Read from the request only on access, because creating the signal is costly and few operations read it. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }
}
