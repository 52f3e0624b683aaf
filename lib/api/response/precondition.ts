import type { Precondition } from "#lib/platform/context/context";
import { type DomainError, issueError } from "#lib/platform/errors/domain-error";
import { etagOf, namesTag } from "./etag.ts";

/** The header `If-Match` of a change. */
export class IfMatch implements Precondition {
  /** Whether the operation has checked the header. */
  checked = false;
  readonly #tags: string;

  constructor(tags: string) {
    this.#tags = tags;
  }

  async check(read: () => Promise<unknown>): Promise<void> {
    this.checked = true;
    const present = await read();
    if (present === null || !namesTag(this.#tags, etagOf(present), { weak: false }))
      throw preconditionFailedError();
  }
}

export function preconditionFailedError(): DomainError {
  const message =
    "The resource has changed since you read it. Read the resource again and repeat the change.";
  return issueError("precondition_failed", { field: "If-Match", code: "precondition_failed", message });
}
