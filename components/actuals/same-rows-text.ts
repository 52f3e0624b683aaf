import { formatInteger, formatNumber } from "#components/ui/format.ts";
import type { CheckpointRecord, ForecastErrors, ModelChanges } from "#lib/contract/actuals";
import { counted } from "#lib/contract/counted";

/** Names the series whose rows were measured, such as `300 of 10,000 series`. */
export function sampledText({ measured, count }: NonNullable<CheckpointRecord["series"]>): string {
  const all = counted(count, "series", "series");
  return measured === count ? all : `${formatInteger(measured)} of ${all}`;
}

/** Returns the error of two models on the same rows; null if they were not measured. */
export function sameRowsErrors({ sameRows }: Pick<ModelChanges, "sameRows">) {
  const isClasses = sameRows?.after.logLoss !== undefined;
  const errorOf = (errors: ForecastErrors | undefined) => errors?.logLoss ?? errors?.rmse ?? null;
  const [before, after] = [errorOf(sameRows?.before), errorOf(sameRows?.after)];
  if (before === null || after === null) return null;
  return { name: isClasses ? "log loss" : "RMSE", before, after };
}

/** Says that a model is newer than the one of a run, and how their errors compare if that one is the previous model. */
export function newerModelText(changes: ModelChanges | undefined, usedModelId: string | null): string {
  const errors = changes && changes.beforeId === usedModelId ? sameRowsErrors(changes) : null;
  if (errors === null) return "A newer model exists.";
  const { name, before, after } = errors;
  return `A newer model exists (${name} ${formatNumber(before)} → ${formatNumber(after)} on the same rows).`;
}
