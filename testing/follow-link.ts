import { callRoute, type RouteAnswer, type RouteCall } from "./call-route.ts";

/** Returns the URL of the next page from the header `Link`; null on the last page. */
export function nextAddress({ headers }: RouteAnswer): URL | null {
  const link = headers.get("link");
  if (link === null) return null;
  const [, address] = /^<([^>]+)>; rel="next"$/.exec(link)!;
  return new URL(address!);
}

/** Calls the route with the path and query of the URL. */
export function follow<T>(
  handler: Parameters<typeof callRoute>[0],
  { pathname, searchParams }: URL,
  call: RouteCall,
): Promise<RouteAnswer<T>> {
  const names = [...new Set(searchParams.keys())];
  const query = Object.fromEntries(names.map((name) => [name, searchParams.getAll(name)]));
  return callRoute<T>(handler, { ...call, path: pathname, query });
}
