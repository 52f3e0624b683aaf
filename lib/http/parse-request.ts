import { DomainError } from "#lib/errors/domain-error";
import {
  bodyLimit,
  checkContentType,
  parseJsonBytes,
  readBodyBytes,
  refuseDeclaredSize,
} from "./read-body.ts";
import type { AnyDeclaration } from "./route-declaration.ts";
import { validationError } from "./validation-error.ts";

/** @throws {DomainError} `validation_failed` naming every fault */
export function parseQuery(declaration: AnyDeclaration, request: Request): unknown {
  if (!declaration.query) return undefined;
  const { searchParams } = new URL(request.url);
  refuseNul(searchParams);
  const parsed = declaration.query.safeParse(queryRecord(searchParams), { reportInput: true });
  if (!parsed.success) throw validationError(parsed.error, "query");
  return parsed.data;
}

/** PostgreSQL knows no text that holds it. */
function refuseNul(search: URLSearchParams): void {
  const fields = [...search].filter(([, value]) => value.includes("\0")).map(([name]) => name);
  if (fields.length === 0) return;
  const message = `The query holds a NUL character (%00) in ${fields.join(", ")}, which is not accepted.`;
  throw new DomainError("validation_failed", message, {
    details: fields.map((field) => ({ field, code: "nul_character", message })),
  });
}

/**
 * The JSON body by its schema, and the bytes that it was: none where the route takes none, null where it reads them itself.
 *
 * @throws {DomainError} `unsupported_media_type`, `payload_too_large`, `malformed_json`, `validation_failed`
 */
export async function parseBody(
  declaration: AnyDeclaration,
  request: Request,
): Promise<{ body: unknown; bytes: Uint8Array | null }> {
  if (declaration.rawBody) {
    checkContentType(request, Object.keys(declaration.rawBody));
    refuseDeclaredSize(request, bodyLimit(declaration));
    return { body: undefined, bytes: null };
  }
  if (!declaration.body) return { body: undefined, bytes: new Uint8Array(0) };
  checkContentType(request, ["application/json"]);
  const bytes = await readBodyBytes(request, bodyLimit(declaration));
  const parsed = declaration.body.safeParse(parseJsonBytes(bytes), { reportInput: true });
  if (!parsed.success) throw validationError(parsed.error, "body");
  return { body: parsed.data, bytes };
}

/** A name that comes once is a string, one that comes more often an array. */
export function queryRecord(search: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const values = search.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}
