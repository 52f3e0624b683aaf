import { etagOf, namesTag } from "#lib/api/response/etag";
import { JsonAnswer } from "#lib/api/response/json-answer";
import { changed, IfMatch } from "#lib/api/response/precondition";
import { Reply } from "#lib/api/response/reply";
import { inProduction } from "#lib/config/production";
import type { Context } from "#lib/context/context";
import type { ApiRequest } from "./api-request.ts";
import type { Call } from "./call.ts";
import { whileOthersDelete } from "./retry-on-concurrent-delete.ts";

const checksAnswers = !inProduction();

type Input = {
  params: unknown;
  query: unknown;
  body: unknown;
  request: ApiRequest;
  json?: Uint8Array | undefined;
};

/** Runs the route and puts what it returns into the envelope. */
export async function respond(call: Call, ctx: Context, input: Input): Promise<JsonAnswer | Response> {
  if (input.json) return answerFromThread(call, ctx, input);
  const result = await whileOthersDelete(ctx.db, input.params, () => runGuarded(call, ctx, input));
  if (result instanceof Response) return result;
  const { data, status, headers } = result instanceof Reply ? result : new Reply(result, {});
  if (checksAnswers) checkData(call, data);
  const answer = JsonAnswer.of({ success: true, data }, status ?? call.declaration.status ?? 200, headers);
  return call.declaration.etag ? withTag(call, answer, etagOf(data)) : answer;
}

/** The same from a thread, which has written it as well. */
async function answerFromThread(call: Call, ctx: Context, input: Input): Promise<JsonAnswer> {
  const { inThread, status = 200 } = call.declaration;
  const text = await whileOthersDelete(ctx.db, input.params, () =>
    inThread!.run(ctx as never, input as never),
  );
  if (checksAnswers) checkData(call, (JSON.parse(text) as { data: unknown }).data);
  return JsonAnswer.ofText(text, status);
}

/** Hands `If-Match` to the operation, which compares under the lock of what it changes. */
async function runGuarded({ declaration, request }: Call, ctx: Context, input: Input): Promise<unknown> {
  const tags = request.headers.get("if-match");
  if (tags === null || !declaration.ifMatch) return declaration.run(ctx as never, input as never);
  const precondition = new IfMatch(tags);
  ctx.precondition = precondition;
  const result = await declaration.run(ctx as never, input as never);
  // A mistake of ours that the table of changing routes finds.
  if (!precondition.checked) throw new Error(`${declaration.operationId} did not look at If-Match`);
  return result;
}

function withTag({ request }: Call, answer: JsonAnswer, tag: string): JsonAnswer {
  const { headers } = answer;
  headers.set("ETag", tag);
  if (request.method !== "GET" && request.method !== "HEAD") return answer;
  const wanted = request.headers.get("if-match");
  if (wanted !== null && !namesTag(wanted, tag, { weak: false })) throw changed();
  const known = request.headers.get("if-none-match");
  if (known === null || !namesTag(known, tag, { weak: true })) return answer;
  headers.delete("Content-Type");
  answer.status = 304;
  answer.body = null;
  return answer;
}

/** In development and tests an answer that breaks its own contract is an error, not a surprise for a client. */
function checkData({ declaration }: Call, data: unknown): void {
  if (!declaration.response) return;
  const checked = declaration.response.safeParse(data);
  if (checked.success) return;
  throw new Error(`The answer of ${declaration.operationId} breaks its schema: ${checked.error.message}`);
}
