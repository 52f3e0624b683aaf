import { type ReferenceOperation, sentAs } from "./reference.ts";

/** Content of an operation's form, as text. */
export type Draft = {
  /** API key; empty to use the session. */
  key: string;
  /** Values by parameter name; empty values are not sent. */
  parameters: Readonly<Record<string, string>>;
  /** JSON as typed by the reader. */
  body: string;
  file: File | null;
  /** Media type of the response. */
  accept: string;
};

/**
 * Builds the request for a draft. Does not validate the draft; the service reports problems.
 *
 * @throws {RangeError} for dots in the path, which would address another resource
 * @throws {TypeError} for characters that a header cannot hold
 */
export function buildRequest(
  { method, path, parameters, body }: ReferenceOperation,
  draft: Draft,
): { url: string; init: RequestInit } {
  const headers = new Headers({ accept: draft.accept });
  const query = new URLSearchParams();
  let address = path;
  for (const { name, place, type } of parameters) {
    const value = (draft.parameters[name] ?? "").trim();
    if (value === "" && place !== "path") continue;
    if (place === "path" && (value === "." || value === ".."))
      throw new RangeError(`"${value}" is not a valid ${name}.`);
    if (place === "path") address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === "header") headers.set(name, value);
    else for (const item of repeated(type, value)) query.append(name, item);
  }
  if (draft.key.trim() !== "") headers.set("x-api-key", draft.key.trim());
  const sent = bodyOf(body, draft);
  if (body && sent !== null) headers.set("content-type", sentAs(body));
  return {
    url: query.size > 0 ? `${address}?${query}` : address,
    init: {
      method,
      headers,
      // Omits the session, so that a key works as it does in a program.
      credentials: draft.key.trim() === "" ? "same-origin" : "omit",
      ...(sent !== null && { body: sent }),
    },
  };
}

/** Returns the names of empty path parameters. */
export function missingParameters({ parameters }: ReferenceOperation, draft: Draft): string[] {
  return parameters
    .filter(({ name, required }) => required && !draft.parameters[name]?.trim())
    .map(({ name }) => name);
}

function bodyOf(body: ReferenceOperation["body"], draft: Draft): string | File | null {
  if (!body) return null;
  return sentAs(body) === "application/json" ? draft.body : draft.file;
}

const repeated = (type: string, value: string) =>
  type.startsWith("array of") ? value.split(",").map((item) => item.trim()) : [value];
