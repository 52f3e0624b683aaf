import type { Warning } from "#lib/contract/warnings";
import { tooGood } from "#lib/engine/leakage/too-good";
import type { ModelSummary } from "#lib/engine/training/model-summary";

/** Codes of a dataset's warnings that explain why a model is too good. */
const reasons = new Set(["equals_target", "explains_target"]);

/**
 * Warns if a model is too good for its naive forecast, and repeats the dataset's warnings that explain it. Columns that
 * the user confirmed are not suspected.
 */
export function tooGoodWarnings(
  summary: ModelSummary,
  { warnings, confirmed }: { warnings: readonly Warning[]; confirmed: readonly string[] },
): Warning[] {
  const suspicion = tooGood(summary);
  if (suspicion === null) return [];
  const columns = suspicion.columns.filter((name) => !confirmed.includes(name));
  if (columns.length === 0) return [];
  const [column = null, ...more] = columns;
  const names = columns.map((name) => `"${name}"`).join(", ");
  const message = `The model is too good to be true: it has less than a thousandth of the squared error of the ${summary.classification ? "base rate" : "naive forecast"}. Check whether ${names} ${more.length === 0 ? "gives" : "give"} the target away.`;
  return [
    {
      code: "too_good",
      column: more.length === 0 ? column : null,
      message,
      columns,
      evidence: { r2: suspicion.r2 },
    },
    ...warnings.filter(({ code }) => reasons.has(code)),
  ];
}
