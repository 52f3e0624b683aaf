import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { projectDependencies } from "#db/schema/projects";
import { classesOf, NUMBER_CLASSES } from "#lib/contract/classes";
import type { TrainModel } from "#lib/contract/train-model";
import type { DatasetRow } from "#lib/domain/datasets/current-dataset";
import { requireHolidayPlace, UnknownPlace } from "#lib/engine/features/holiday-days";
import { nearestName } from "#lib/engine/names/nearest-name";
import { unsuitableSettings } from "#lib/engine/training/task-rules";
import { type ErrorDetail, issueError, requireNoIssues } from "#lib/platform/errors/domain-error";

type Features = TrainModel["features"];

/** @throws {DomainError} validation_failed naming the settings that do not suit the dataset's target */
export function checkTask({ target, profile }: DatasetRow, request: TrainModel): void {
  const column = profile.columns.find(({ name }) => name === target);
  if (column === undefined) return;
  // The training itself checks that numbers are 0 and 1.
  const areNumbers = column.type === "number" && request.task === "classification";
  const classes = areNumbers ? NUMBER_CLASSES : classesOf(column);
  const details = unsuitableSettings(request, classes).map((issue) => ({ ...issue, code: "contradiction" }));
  requireNoIssues("validation_failed", details);
}

/** @throws {DomainError} validation_failed naming the country or region without known holidays */
export async function checkHolidays(features: Features): Promise<void> {
  if (features?.holidays === undefined) return;
  try {
    await requireHolidayPlace(features.holidays);
  } catch (error) {
    if (!(error instanceof UnknownPlace)) throw error;
    const { part, message } = error;
    throw issueError("validation_failed", {
      field: `features.holidays.${part}`,
      value: features.holidays[part],
      message,
    });
  }
}

/** @throws {DomainError} validation_failed naming the settings for which the dataset lacks columns or timestamps */
export async function checkFeatures(
  tx: Transaction,
  dataset: DatasetRow,
  {
    features = {},
    hyperparameters = {},
    expectedEffects = {},
  }: Pick<TrainModel, "features" | "hyperparameters" | "expectedEffects">,
): Promise<void> {
  const details: ErrorDetail[] = [];
  if (features.holidays && dataset.timestampColumns === null) {
    details.push({
      field: "features.holidays",
      message: "Holidays need a timestamp, and the data has none.",
    });
  }
  const named = [
    ...(features.combinations ?? []).flatMap((combination, index) =>
      (["feature", "other"] as const).map((part) => ({
        name: combination[part],
        field: `features.combinations.${index}.${part}`,
      })),
    ),
    ...Object.keys(hyperparameters.monotone ?? {}).map((name) => ({
      name,
      field: "hyperparameters.monotone",
    })),
    ...Object.keys(expectedEffects).map((name) => ({ name, field: "expectedEffects" })),
  ];
  if (named.length > 0) {
    const inputs = await numericInputs(tx, dataset);
    for (const { name, field } of named) {
      if (inputs.includes(name)) continue;
      const nearest = nearestName(name, inputs) ?? undefined;
      const message = `"${name}" is not a numeric input column${nearest ? `; did you mean "${nearest}"?` : "."}`;
      details.push({ field, value: name, nearest, message });
    }
  }
  requireNoIssues("validation_failed", details);
}

/** Returns the numeric input columns that a model may use, and the predictions of upstream projects. */
async function numericInputs(tx: Transaction, dataset: DatasetRow): Promise<string[]> {
  const { target, timestampColumns, exclude } = dataset;
  const others = new Set([target, ...(timestampColumns ?? []), ...exclude]);
  const columns = dataset.profile.columns
    .filter(({ name, type }) => type !== "category" && !others.has(name))
    .map(({ name }) => name);
  const upstream = await tx
    .select({ name: projectDependencies.featureName })
    .from(projectDependencies)
    .where(eq(projectDependencies.projectId, dataset.projectId));
  return [...columns, ...upstream.map(({ name }) => name)];
}
