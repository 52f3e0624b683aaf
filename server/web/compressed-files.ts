import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";

const prefix = "/_next/static/";
const types: Record<string, string> = {
  ".js": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
};
const acceptsBrotli = /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;

/**
 * Sends scripts and styles that the build has compressed with Brotli. They are an eighth smaller than the gzip that
 * Next.js creates for each answer. Caches may keep them for ever, because their names change with their content.
 *
 * @param folder `.next/static` of the build; read once
 * @returns a function that sends the requested file and returns true; false for a request that Next.js must answer
 */
export function compressedFiles(folder: string) {
  const files = new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".br"))
      .map((name) => [prefix + name.slice(0, -".br".length), readFileSync(path.join(folder, name))]),
  );
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = "" } = request;
    const body = files.get(url);
    const type = types[path.extname(url)];
    const accepted = acceptsBrotli.test(String(request.headers["accept-encoding"]));
    if (method !== "GET" || !body || !type || !accepted) return false;
    response.writeHead(200, {
      "Content-Type": type,
      "Content-Encoding": "br",
      "Content-Length": body.length,
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
    });
    response.end(body);
    return true;
  };
}
