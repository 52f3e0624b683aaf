import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { inProduction } from "#lib/config/production";
import type { Context } from "#lib/context/context";
import { DomainError } from "#lib/errors/domain-error";
import type { Call } from "./call.ts";
import { namesTag } from "./etag.ts";
import { Reply } from "./reply.ts";

type Input = { params: unknown; query: unknown; body: unknown; request: Request };

/** Runs the route and puts what it returns into the envelope. */
export async function respond(call: Call, ctx: Context, input: Input): Promise<Response> {
  const result = await runGuarded(call, ctx, input);
  if (result instanceof Response) return result;
  const { data, status, headers } = result instanceof Reply ? result : new Reply(result, {});
  checkData(call, data);
  const response = Response.json(
    { success: true, data },
    { status: status ?? call.declaration.status ?? 200, headers },
  );
  return call.declaration.etag ? withTag(call, response, call.declaration.etag(data as never)) : response;
}

/**
 * With `If-Match`: compares and runs in one transaction that holds the resource's path, so that of two changes that were
 * made from the same reading only one succeeds.
 */
async function runGuarded(call: Call, ctx: Context, input: Input): Promise<unknown> {
  const { declaration, request } = call;
  const wanted = request.headers.get("if-match");
  if (wanted === null || !declaration.ifMatch) return declaration.run(ctx as never, input as never);
  const { pathname } = new URL(request.url);
  return ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${pathname}, 0))`);
    // A transaction answers the same queries; its own `transaction` is a savepoint.
    const inside = { ...ctx, db: tx as unknown as Database };
    const tag = await declaration.ifMatch?.(inside as never, input as never);
    if (tag === undefined || !namesTag(wanted, tag, { weak: false })) {
      const message = "The resource has changed since you read it. Read it again and repeat the change.";
      throw new DomainError("precondition_failed", message);
    }
    return declaration.run(inside as never, input as never);
  });
}

function withTag(call: Call, response: Response, tag: string): Response {
  const { headers } = response;
  headers.set("ETag", tag);
  const known = call.request.headers.get("if-none-match");
  const reading = call.request.method === "GET" || call.request.method === "HEAD";
  if (!reading || known === null || !namesTag(known, tag, { weak: true })) return response;
  headers.delete("Content-Type");
  return new Response(null, { status: 304, headers });
}

/** In development and tests an answer that breaks its own contract is an error, not a surprise for a client. */
function checkData({ declaration }: Call, data: unknown): void {
  if (inProduction() || !declaration.response) return;
  const checked = declaration.response.safeParse(data);
  if (checked.success) return;
  throw new Error(`The answer of ${declaration.operationId} breaks its schema: ${checked.error.message}`);
}
