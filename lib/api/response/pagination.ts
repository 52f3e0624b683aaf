import { z } from "zod";
import type { Page, Position } from "#db/page";
import type { ApiRequest } from "#lib/api/api-request";
import { publicOrigin } from "#lib/api/caller/origin";
import { seal, unseal } from "#lib/platform/config/seal";
import { issueError } from "#lib/platform/errors/domain-error";
import { Reply } from "./reply.ts";

const PositionSchema = z.object({ at: z.string(), id: z.string() });

/**
 * Returns the start position of the requested page. undefined for the first page.
 *
 * @throws {DomainError} `validation_failed` for a cursor that this list did not return
 */
export function pageStart(request: ApiRequest): Position | undefined {
  return readCursor(request, PositionSchema);
}

/** Returns a page of a list, with `Link: <…>; rel="next"` (RFC 8288) if more items exist. */
export function pageReply<T>(request: ApiRequest, { items, next }: Page<T>): Reply<T[]> {
  return new Reply(items, nextLink(request, next));
}

/**
 * Returns the position in the request's cursor, as written by `nextLink`. undefined without a cursor. A cursor is valid
 * only for the list that returned it, including its filters. The page size may change.
 *
 * @param schema of the position
 * @throws {DomainError} `validation_failed` for a cursor that this list did not return
 */
export function readCursor<T extends z.ZodType>(request: ApiRequest, schema: T): z.output<T> | undefined {
  const cursor = new URL(request.url).searchParams.get("cursor");
  if (cursor === null) return undefined;
  const sealed = Buffer.from(cursor, "base64url");
  const text = sealed.toString("base64url") === cursor ? unseal(sealed, subjectOf(request)) : null;
  if (text !== null) return schema.parse(JSON.parse(text));
  const message = "The cursor does not belong to this list. Follow the link in the header Link.";
  throw issueError("validation_failed", { field: "cursor", code: "invalid_cursor", message });
}

/** Returns the `Link` header of the next page. Empty if `position` is null. */
export function nextLink(request: ApiRequest, position: unknown): Record<string, string> {
  if (position === null) return {};
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set("cursor", seal(JSON.stringify(position), subjectOf(request)).toString("base64url"));
  return { Link: `<${publicOrigin(request)}${pathname}?${searchParams}>; rel="next"` };
}

/** Returns the identity of the list that a request reads. */
function subjectOf(request: ApiRequest): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete("cursor");
  searchParams.delete("limit");
  searchParams.sort();
  return `cursor\n${pathname}?${searchParams}`;
}
