import { type Caller, type RouteCall, testHost } from "#testing/call-route";

const maxCharacters = 3_000;

/** Formats a request as a `curl` command for a shell. Long bodies are cut. */
export function curlOf({ method, path, query = {}, headers, body }: RouteCall, caller: Caller): string {
  const url = new URL(path!, `http://${testHost}`);
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) url.searchParams.append(name, value);
  }
  const lines = Object.entries({ ...caller.headers, ...headers }).map(
    ([name, value]) => `-H ${quoted(`${name}: ${value}`)}`,
  );
  return [`curl -X ${method} ${quoted(url.href)}`, ...lines, ...bodyOf(body)].join(" ");
}

function bodyOf(body: unknown): string[] {
  if (body === undefined) return [];
  if (typeof body === "string") return [`--data-binary ${quoted(cut(body))}`];
  const encoded = Buffer.from(body as Uint8Array).toString("base64");
  return [`--data-binary @<(base64 -d <<< ${quoted(cut(encoded))})`];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const cut = (text: string) =>
  text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}… (${text.length} characters)`;
