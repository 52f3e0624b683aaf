import { counted } from "#lib/contract/counted";
import type { DatasetChanges } from "#lib/contract/dataset-versions";
import type { Dataset } from "#lib/contract/datasets";
import type { Warning } from "#lib/contract/warnings";
import type { Context } from "#lib/platform/context/context";
import { settingsOf } from "./current-dataset.ts";
import { presentDataset } from "./present.ts";
import { continueDataset } from "./save-dataset.ts";
import { requireVersion, versionChanges } from "./version-changes.ts";

/**
 * Makes a new version with the rows and settings of an earlier one. Its warnings name models and scenarios that used rows
 * which are removed.
 *
 * @throws {DomainError} project_not_found, dataset_not_found, version_not_found, precondition_failed, quota_exceeded
 */
export async function restoreVersion(
  ctx: Context,
  { projectId, versionId }: { projectId: string; versionId: string },
): Promise<Dataset> {
  return continueDataset(ctx, projectId, async (current) => {
    const version = await requireVersion(ctx.db, { projectId, versionId });
    const changes = await versionChanges(ctx, current, version);
    const { rowCount, frequency, firstTimestamp, lastTimestamp, parts, reading, profile } = version;
    const warnings = [
      ...warningsOf(changes),
      ...profile.warnings.filter(({ code }) => !code.endsWith("_removed_rows")),
    ];
    const { lastTargetTimestamp, plannedRows, series } = presentDataset(version);
    const times = {
      lastTargetTimestamp,
      plannedRows,
      series,
      firstTimestamp: firstTimestamp?.getTime() ?? null,
      lastTimestamp: lastTimestamp?.getTime() ?? null,
    };
    return {
      fileName: version.fileName,
      settings: settingsOf(version),
      change: "restored",
      restoredId: version.id,
      // The rows are stored already.
      make: async () => ({ ...profile, warnings, rowCount, frequency, ...times, parts, reading }),
    };
  });
}

const NAMES_SHOWN = 3;

function warningsOf({ rowCount, models, scenarios }: DatasetChanges): Warning[] {
  const removed = counted(rowCount.removed, "row");
  const warn = (code: string, names: string[], text: string, advice: string): Warning[] => {
    if (names.length === 0) return [];
    const more = names.length - NAMES_SHOWN;
    const listed = `${names.slice(0, NAMES_SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    const message = `Restoring the earlier version removed ${removed}. ${text}: ${listed}. ${advice}`;
    return [{ code, message, rows: rowCount.removed }];
  };
  return [
    ...warn(
      "models_of_removed_rows",
      models.map(({ modelName, trainedAt }) => `${modelName} of ${trainedAt.slice(0, 10)}`),
      "Models that were trained on them",
      "Train a model on the restored rows.",
    ),
    ...warn(
      "scenarios_of_removed_rows",
      scenarios.map(({ title }) => `"${title}"`),
      "Scenarios that are no longer compared with them as actuals",
      "Their errors change.",
    ),
  ];
}
