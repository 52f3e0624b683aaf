import type { ErrorBody } from "#lib/contract/common";
import { checkAnswer } from "./check-answer.ts";

/** Headers that identify a caller. */
export type Caller = { headers: Record<string, string> };

export const nobody: Caller = { headers: {} };
export const withKey = (key: string): Caller => ({ headers: { "x-api-key": key } });

export type RouteCall = {
  /** Default: GET without a body, otherwise POST. */
  method?: string;
  /** Path of the URL. Routes read their ids from `params` instead. */
  path?: string;
  params?: Record<string, string>;
  query?: Record<string, string | string[]>;
  /** Sent as JSON. Strings and bytes are sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
  as?: Caller;
};

/** `T` is the type that the test expects of `data`. Only the test's assertions check it. */
export type RouteAnswer<T = unknown> = {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed body; undefined if it is not JSON. */
  body: unknown;
  /** Field `data` of a successful answer. */
  data: T;
  error: ErrorBody["error"] | undefined;
};

type Handler = ((request: Request, context: { params: Promise<unknown> }) => Promise<Response>) & {
  declaration?: { operationId: string };
};

/** Host of the tests' requests. Sessions also send it as their `Origin`. */
export const testHost = "service.test";

/** Calls a route's real handler like Next.js, reads the answer, and checks it against the OpenAPI document. */
export async function callRoute<T = unknown>(
  handler: Handler,
  call: RouteCall = {},
): Promise<RouteAnswer<T>> {
  const { body, params = {}, query = {}, as = nobody } = call;
  const url = new URL(call.path ?? "/api/v1/test", `http://${testHost}`);
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) url.searchParams.append(name, value);
  }
  const raw = typeof body === "string" || body instanceof Uint8Array;
  const method = call.method ?? (body === undefined ? "GET" : "POST");
  const response = await handler(
    new Request(url, {
      method,
      headers: {
        host: testHost,
        "x-client-address": "192.0.2.1",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...as.headers,
        ...call.headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as BodyInit) : JSON.stringify(body) }),
    }),
    { params: Promise.resolve(params) },
  );
  const text = await response.text();
  const json = response.headers.get("content-type")?.includes("json") && text !== "";
  const parsed = json ? JSON.parse(text) : undefined;
  const { status, headers } = response;
  const { operationId } = handler.declaration ?? {};
  checkAnswer({ operationId, method, pathname: url.pathname, status, headers, text, body: parsed });
  return { status, headers, text, body: parsed, data: parsed?.data, error: parsed?.error };
}
