import type { UpdateDataset } from "#lib/contract/dataset-requests";
import type { Dataset } from "#lib/contract/datasets";
import type { Context } from "#lib/platform/context/context";
import { requireNoIssues } from "#lib/platform/errors/domain-error";
import { checkSameReading } from "./check-same-reading.ts";
import { type DatasetRow, settingsOf } from "./current-dataset.ts";
import { runDatasetTask } from "./dataset-tasks.ts";
import { continueDataset } from "./save-dataset.ts";
import { checkColumnsExist, checkSettings, type DatasetSettings } from "./settings.ts";

/**
 * Changes settings of the project's dataset without a file: makes a new version of the stored rows. Models and
 * checkpoints keep their own settings and rows.
 *
 * @throws {DomainError} project_not_found, dataset_not_found, validation_failed for settings, input_invalid for a
 *   target that has neither numbers nor two classes and for reading options that differ from the stored ones,
 *   precondition_failed
 */
export async function updateDataset(
  ctx: Context,
  { projectId, change }: { projectId: string; change: UpdateDataset },
): Promise<Dataset> {
  return continueDataset(ctx, projectId, (current) => {
    const settings = changedSettings(current, change);
    const { columns, warnings } = current.profile;
    const header = columns.map(({ name }) => name);
    checkSettings(settings);
    checkColumnsExist(settings, { header });
    const before = { parts: current.parts, header, warnings };
    const bytes = 8 * current.rowCount * header.length;
    return {
      settings,
      change: "settings",
      make: (artifactKey) =>
        runDatasetTask("update", { before, settings, artifactKey }, { bytes, signal: ctx.signal }),
    };
  });
}

/**
 * @throws {DomainError} validation_failed for a column that is no longer excluded, but whose values were not stored;
 *   input_invalid for another reading
 */
function changedSettings(current: DatasetRow, change: UpdateDataset): DatasetSettings {
  const former = settingsOf(current);
  checkSameReading(change, former);
  const { target = former.target, exclude = former.exclude, confirmed = former.confirmed } = change;
  const { series: seriesColumns = former.seriesColumns } = change;
  const unread = current.profile.warnings
    .filter(({ code }) => code === "excluded_column_unread")
    .map(({ column }) => column!)
    .filter((column) => !exclude.includes(column));
  const details = unread.map((column) => {
    const message = `Column "${column}" is not stored, because values of excluded columns could not be read. Correct the file and upload it again.`;
    return { field: "exclude", column, code: "column_not_stored", message };
  });
  requireNoIssues("validation_failed", details);
  return { ...former, target, exclude, confirmed, seriesColumns };
}
