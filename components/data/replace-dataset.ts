import { api } from "#components/api/client.ts";
import { changeResource } from "#components/edit/change-resource.ts";
import { EditConflictError } from "#components/edit/save-edits.ts";
import { counted } from "#lib/contract/counted";
import type { PutDataset } from "#lib/contract/dataset-requests";
import type { Dataset } from "#lib/contract/datasets";

/**
 * Stores the first dataset, or replaces the version that the user knows.
 *
 * @param seen ID of that version; null for the first dataset
 * @throws {EditConflictError} if there is another version
 */
export async function replaceDataset(
  projectId: string,
  body: PutDataset,
  seen: string | null,
): Promise<Dataset> {
  const project = `/projects/${projectId}` as const;
  const path = `${project}/dataset` as const;
  if (seen === null && !(await api.get(project)).hasDataset) {
    return api.putNew(path, body);
  }
  return changeResource(path, (stored, etag) => {
    if (stored.id === seen) return api.put(path, body, etag);
    const mine = `${body.fileName}, target ${body.target}`;
    const theirs = `${stored.fileName ?? "sent by a program"}, target ${stored.target}, ${counted(stored.rowCount, "row")}`;
    throw new EditConflictError([{ path: "dataset", label: "Dataset", mine, stored: theirs }], stored);
  });
}
