import { z } from "zod";
import { publicOrigin } from "#lib/api/caller/origin";
import type { Method, RouteHandler, RouteTable } from "#lib/api/route-declaration";
import type { ErrorBody } from "#lib/contract/common";
import { clientAddressHeader } from "#lib/platform/context/client-address-header";

/** Method and path of an operation of the API. */
export type Operation = `${Method} /api/v1/${string}`;

/** Calls an operation of the key's project. Throws {FailedCall} if it fails. */
export type CallOperation = <T>(operation: Operation, values?: Record<string, unknown>) => Promise<T>;

/** Failure of an operation, with the text that a model reads. */
export class FailedCall extends Error {
  constructor({ code, message, details = [] }: ErrorBody["error"]) {
    const listed = details
      .slice(0, 10)
      .map((detail) => `- ${detail.field ? `${detail.field}: ` : ""}${detail.message}`);
    super([`${code}: ${message}`, ...listed].join("\n"));
  }
}

export async function handlerOf(routes: RouteTable, operation: Operation): Promise<RouteHandler> {
  const [method, path] = operation.split(" ") as [Method, string];
  const handler = (await routes[path]?.())?.[method];
  if (handler === undefined) throw new Error(`${operation} is no operation`);
  return handler;
}

/** Returns the fields of an operation's path, query or body. */
export function fieldsOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>;
  // The body of a preprocessed request.
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.out as z.ZodType);
  return {};
}

/**
 * Returns a function that calls operations as a client with the key does: through the route's own handler, which
 * authenticates, limits, authorizes and validates.
 */
export function operationCaller(
  routes: RouteTable,
  { request, key, projectId }: { request: Request; key: string; projectId: string },
): CallOperation {
  const forwarded = ["host", "x-forwarded-proto", clientAddressHeader].flatMap((name): [string, string][] => {
    const value = request.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return async <T>(operation: Operation, given: Record<string, unknown> = {}): Promise<T> => {
    const handler = await handlerOf(routes, operation);
    const [method, path] = operation.split(" ") as [Method, string];
    const values: Record<string, unknown> = { ...given, projectId };
    const { declaration } = handler;
    const params = pick(values, fieldsOf(declaration.params));
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const url = new URL(address, publicOrigin(request));
    for (const [name, value] of Object.entries(pick(values, fieldsOf(declaration.query)))) {
      for (const one of [value].flat()) url.searchParams.append(name, String(one));
    }
    const headers = new Headers([...forwarded, ["x-api-key", key], ["accept", "application/json"]]);
    const { signal } = request;
    const init: RequestInit = { method, headers, signal };
    if (declaration.body !== undefined) {
      headers.set("content-type", "application/json");
      init.body = JSON.stringify(pick(values, fieldsOf(declaration.body)));
    }
    const response = await handler(new Request(url, init), { params: Promise.resolve(params) });
    const answer = (await response.json()) as { success: true; data: T } | ErrorBody;
    if (!answer.success) throw new FailedCall(answer.error);
    return answer.data;
  };
}

/** Returns the values of the fields, without those that are not given. */
function pick(values: Record<string, unknown>, fields: Record<string, z.ZodType>): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(fields).flatMap((name) => (values[name] == null ? [] : [[name, values[name]]])),
  );
}
