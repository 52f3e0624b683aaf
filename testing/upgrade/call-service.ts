import { POST as signInRoute } from "../../app/api/auth/sign-in/email/route.ts";
import { type Caller, callRoute, type RouteAnswer, testHost } from "../call-route.ts";
import { type CallParts, type RouteCase, routeCases } from "../route-cases.ts";

export type Credentials = { email: string; password: string };

/** Signs in, and returns the session. */
export async function signIn(body: Credentials): Promise<Caller> {
  const origin = `http://${testHost}`;
  const { status, text, headers } = await callRoute(signInRoute, { body, headers: { origin } });
  if (status !== 200) throw new Error(text);
  const cookies = headers.getSetCookie().map((line) => line.split(";")[0]!);
  return { headers: { cookie: cookies.join("; "), origin } };
}

/**
 * Calls a route by its method and its path under `/api/v1`, such as `GET /projects`.
 *
 * @throws if the answer is an error
 */
export async function callService<T>(
  as: Caller,
  methodAndPath: string,
  parts: Omit<CallParts, "params"> = {},
): Promise<RouteAnswer<T>> {
  const [method, path] = methodAndPath.split(" ") as [string, string];
  const { item, params } = await findRoute(method, `/api/v1${path}`);
  const answer = await callRoute<T>(item.handler, { ...item.call({ ...parts, params }), as });
  if (answer.status >= 300) throw new Error(`${methodAndPath}: ${answer.text}`);
  return answer;
}

/** Returns the route of a path. A route with fewer parameters wins, as in Next.js. */
async function findRoute(
  method: string,
  path: string,
): Promise<{ item: RouteCase; params: Record<string, string> }> {
  const cases = (await routeCases()).filter((item) => item.method === method);
  for (const item of cases.toSorted((one, other) => one.ids.length - other.ids.length)) {
    const template = item.name.slice(method.length + 1);
    const found = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`).exec(path);
    if (found) return { item, params: { ...found.groups } };
  }
  throw new Error(`No route for ${method} ${path}`);
}
