import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { findAddress } from "#lib/api/address/find-methods";
import { routeMethods } from "#lib/api/address/route-methods";

/** What Next.js builds of a route (nextjs.org/docs/app/api-reference/adapters/invoking-entrypoints). */
type Entrypoint = {
  handler(
    request: IncomingMessage,
    response: ServerResponse,
    context: { requestMeta: RequestMeta },
  ): Promise<unknown>;
};

type RequestMeta = { relativeProjectDir: string; initURL: string; params: Record<string, string> };

/** Read by route handlers of Next.js, whose own router takes them away. */
const internalHeaders = ["x-middleware-set-cookie", "x-nextjs-data"];

/**
 * Gives the API's calls to the route handlers that Next.js built, without its router: that finds in many steps what is
 * known here already, and takes a third of a small call (docs/decisions/0105-route-handlers-without-the-router.md).
 *
 * @param root the folder that holds `.next`
 * @returns what answers a request where it is one that a route of the API takes, and tells whether it has
 */
export function routeHandlers(root: string) {
  const built = path.join(root, ".next", "server");
  const require = createRequire(path.join(built, "/"));
  const files = filesByAddress(built);
  const relativeProjectDir = path.relative(process.cwd(), root);

  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const { url = "/", headers } = request;
    if (!url.startsWith("/api/")) return false;
    const found = findAddress(url.split("?", 1)[0]!);
    if (found === null) return false;
    for (const name of internalHeaders) if (headers[name] !== undefined) delete headers[name];
    // Loaded once; of a module that itself imports by `import` there comes a promise.
    const { handler }: Entrypoint = await require(files.get(found.path)!);
    const initURL = `http://${headers.host ?? "localhost"}${url}`;
    await handler(request, response, { requestMeta: { relativeProjectDir, initURL, params: found.params } });
    return true;
  };
}

function filesByAddress(built: string): ReadonlyMap<string, string> {
  const manifest = JSON.parse(readFileSync(path.join(built, "app-paths-manifest.json"), "utf8"));
  const entries = Object.keys(routeMethods).map((address): [string, string] => {
    const file: unknown = manifest[`${address.replace(/\{(\w+)\}/g, "[$1]")}/route`];
    if (typeof file !== "string") throw new Error(`Next.js built no route handler for ${address}.`);
    return [address, path.join(built, file)];
  });
  return new Map(entries);
}
