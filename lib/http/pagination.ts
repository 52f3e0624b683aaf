import { z } from "zod";
import { Id } from "#lib/contract/common";
import { DomainError } from "#lib/errors/domain-error";
import { publicOrigin } from "./origin.ts";

/** The sort key of the last item of a page, opaque to callers. */
export function encodeCursor(values: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/**
 * Reads a cursor that `encodeCursor` wrote.
 *
 * @param schema of the values; a cursor is the caller's word until it has passed
 * @throws {DomainError} `validation_failed` for anything else
 */
export function decodeCursor<T extends z.ZodType>(cursor: string, schema: T): z.output<T> {
  const parsed = schema.safeParse(parseJson(Buffer.from(cursor, "base64url").toString("utf8")));
  if (parsed.success) return parsed.data;
  const message = "The cursor is none that this list gave: follow the link in the header Link.";
  throw new DomainError("validation_failed", message, {
    details: [{ field: "cursor", code: "invalid_cursor", message }],
  });
}

/** The id in the cursor of a list that is sorted by id; undefined where there is no cursor. */
export function idBefore(cursor: string | undefined): string | undefined {
  return cursor === undefined ? undefined : decodeCursor(cursor, z.tuple([Id]))[0];
}

/** The header of a page that has a next one: `{ Link: '<…>; rel="next"' }`, none where `cursor` is null (RFC 8288). */
export function nextLink(request: Request, cursor: string | null): Record<string, string> {
  if (cursor === null) return {};
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set("cursor", cursor);
  return { Link: `<${publicOrigin(request)}${pathname}?${searchParams}>; rel="next"` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
