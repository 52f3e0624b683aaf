import type { Etag } from "#components/api/client.ts";
import type { ResponseOf } from "#components/api/route-types.ts";
import { changeResource } from "./change-resource.ts";
import { type Conflict, type EditedField, mergeEdits } from "./merge-edits.ts";

/** How a form edits a stored resource. */
export type Edit<Values, P extends string> = {
  /** Path of the resource after `/api/v1`. */
  path: P;
  fields: readonly EditedField[];
  /** Returns the form's values for the stored resource. */
  read(stored: ResponseOf<"GET", P>): Values;
  /** Changes this version of the resource. `changed` are the paths of the fields to change. */
  send(edits: { values: Values; changed: readonly string[] }, etag: Etag): Promise<unknown>;
};

/** A field has changed elsewhere since the form began with it, so saving would lose one of two texts. */
export class EditConflictError<Values = unknown> extends Error {
  override readonly name = "EditConflictError";
  readonly conflicts: readonly Conflict[];
  readonly stored: Values;

  constructor(conflicts: readonly Conflict[], stored: Values) {
    const labels = conflicts.map(({ label }) => label).join(", ");
    super(`Changed elsewhere in the meantime: ${labels}. Nothing was saved.`);
    this.conflicts = conflicts;
    this.stored = stored;
  }
}

/**
 * Saves the fields that differ from those with which the form began. Keeps all others as they are stored now.
 *
 * @returns the values as saved
 * @throws {EditConflictError} if a field to change has changed elsewhere
 */
export function saveEdits<Values extends object, P extends string>(
  { path, fields, read, send }: Edit<Values, P>,
  { seen, mine }: { seen: Values; mine: Values },
): Promise<Values> {
  return changeResource(path, async (resource, etag) => {
    const stored = read(resource);
    const { changed, values, conflicts } = mergeEdits(fields, { seen, mine, stored });
    if (conflicts.length > 0) throw new EditConflictError(conflicts, stored);
    if (changed.length > 0) await send({ values, changed }, etag);
    return values;
  });
}
