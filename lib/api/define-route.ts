import type { z } from "zod";
import type { Access } from "#lib/api/caller/authorize";
import { answer } from "./answer.ts";
import type { AnyDeclaration, RouteDeclaration, RouteHandler } from "./route-declaration.ts";

/**
 * Creates a Next.js route handler from a declaration. Order: request ID, authentication, rate limit, tenant and role,
 * reading and parsing, idempotency and preconditions, `run`, envelope. Every error becomes the error envelope.
 */
export function defineRoute<
  A extends Access,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
>(declaration: RouteDeclaration<A, P, Q, B, R>): RouteHandler<B, R> {
  const declared: AnyDeclaration = declaration;
  const handler: (request: Request, context: { params: Promise<unknown> }) => Promise<Response> = async (
    request,
    context,
  ) => {
    const answered = await answer(declared, request, await context.params);
    return answered instanceof Response ? answered : answered.toResponse();
  };
  return Object.assign(handler, { declaration: declared });
}
