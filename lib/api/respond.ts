import type { Database } from "#db/client";
import { etagOf, namesTag } from "#lib/api/response/etag";
import { JsonAnswer } from "#lib/api/response/json-answer";
import { isLongJson, jsonPieces } from "#lib/api/response/json-pieces";
import { IfMatch, preconditionFailedError } from "#lib/api/response/precondition";
import { Reply } from "#lib/api/response/reply";
import { streamPieces } from "#lib/api/response/stream-pieces";
import { projectExists } from "#lib/domain/projects/require-project";
import { inProduction } from "#lib/platform/config/environment-variables";
import type { Context } from "#lib/platform/context/context";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { ArtifactNotFoundError } from "#lib/platform/storage/storage-errors";
import type { ApiRequest } from "./api-request.ts";
import type { Call } from "./call.ts";

const validatesResponses = !inProduction();

type Input = {
  params: unknown;
  query: unknown;
  body: unknown;
  request: ApiRequest;
  json?: Uint8Array | undefined;
};

/** Runs the route and wraps its result in the envelope. */
export async function respond(call: Call, ctx: Context, input: Input): Promise<JsonAnswer | Response> {
  if (input.json) return answerFromThread(call, ctx, input);
  const result = await retryOnConcurrentDelete(ctx.db, input.params, () => runGuarded(call, ctx, input));
  if (result instanceof Response) return call.request.method === "HEAD" ? withoutBody(result) : result;
  const { data, headers } = result instanceof Reply ? result : new Reply(result, {});
  if (validatesResponses) checkData(call, data);
  const { status = 200, etag } = call.declaration;
  const body = { success: true, data };
  if (mayStream(call) && isLongJson(data)) {
    const type = { "Content-Type": "application/json" };
    const response = new Response(streamPieces(jsonPieces(body)), {
      status,
      headers: { ...headers, ...type },
    });
    return call.request.method === "HEAD" ? withoutBody(response) : response;
  }
  const answer = JsonAnswer.of(body, status, headers);
  return etag ? withTag(call, answer, etagOf(data)) : answer;
}

/** Tags and stored responses are of complete texts. Long responses of routes with `inThread` come from the thread. */
const mayStream = ({ declaration: { etag, idempotent, inThread } }: Call) =>
  !etag && !idempotent && !inThread;

/** Returns the response of a thread, which serializes it as well. */
async function answerFromThread(call: Call, ctx: Context, input: Input): Promise<JsonAnswer> {
  const { inThread, status = 200 } = call.declaration;
  const text = await retryOnConcurrentDelete(ctx.db, input.params, () =>
    inThread!.run(ctx as never, input as never),
  );
  if (validatesResponses) checkData(call, (JSON.parse(text) as { data: unknown }).data);
  return JsonAnswer.ofText(text, status);
}

/** Frees the content of a response to HEAD. Next.js neither sends nor cancels it, so its files would stay open. */
async function withoutBody({ body, status, headers }: Response): Promise<Response> {
  await body?.cancel();
  return new Response(null, { status, headers });
}

/** Passes `If-Match` to the operation, which compares the tags while the resource is locked. */
async function runGuarded({ declaration, request }: Call, ctx: Context, input: Input): Promise<unknown> {
  const tags = request.headers.get("if-match");
  if (tags === null || !declaration.ifMatch) return declaration.run(ctx as never, input as never);
  const precondition = new IfMatch(tags);
  ctx.precondition = precondition;
  const result = await declaration.run(ctx as never, input as never);
  // A defect of the operation. `preconditions.db.test.ts` tests every such route.
  if (!precondition.checked) throw new Error(`${declaration.operationId} did not check If-Match`);
  return result;
}

function withTag({ request }: Call, answer: JsonAnswer, tag: string): JsonAnswer {
  const { headers } = answer;
  headers.set("ETag", tag);
  if (request.method !== "GET" && request.method !== "HEAD") return answer;
  const ifMatch = request.headers.get("if-match");
  if (ifMatch !== null && !namesTag(ifMatch, tag, { weak: false })) throw preconditionFailedError();
  const known = request.headers.get("if-none-match");
  if (known === null || !namesTag(known, tag, { weak: true })) return answer;
  headers.delete("Content-Type");
  answer.status = 304;
  answer.body = null;
  return answer;
}

/** In development and tests, a response that violates its own schema is an error. */
function checkData({ declaration }: Call, data: unknown): void {
  if (!declaration.response) return;
  const checked = declaration.response.safeParse(data);
  if (checked.success) return;
  throw new Error(`The response of ${declaration.operationId} violates its schema: ${checked.error.message}`);
}

const ATTEMPTS_MAX = 3;

/**
 * Runs an operation while concurrent requests may delete the resources it uses. If an artifact is missing, its row was
 * deleted, too: the operation runs again and finds the current state. If the project itself was deleted, throws
 * `project_not_found` instead of any error except a `DomainError`.
 *
 * @param params of the path, with the project's ID if present
 * @throws {DomainError} `project_not_found`, and the errors of the operation
 */
async function retryOnConcurrentDelete<T>(
  db: Database,
  params: unknown,
  operation: () => Promise<T>,
): Promise<T> {
  const { projectId } = (params ?? {}) as { projectId?: string };
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation();
    } catch (error) {
      if (error instanceof DomainError) throw error;
      if (projectId !== undefined && !(await projectExists(db, projectId)))
        throw standardError("project_not_found");
      if (!(error instanceof ArtifactNotFoundError) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}
