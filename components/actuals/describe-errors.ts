import type { Shown } from "#components/display/shown.ts";
import { formatNumber, roundedPercent } from "#components/ui/format.ts";
import type { ForecastErrors } from "#lib/contract/actuals";
import { counted } from "#lib/contract/counted";

const percent = (part: number) => `${roundedPercent(100 * part, 1)}\u00a0%`;

/**
 * Describes the errors in one or two sentences, also for readers who cannot see the chart.
 *
 * @param noun what is counted: a time may count more than once if several predictions are of it
 */
export function describeErrors(
  errors: ForecastErrors,
  target: Shown,
  baselineName: string | null,
  noun: "actual" | "prediction" = "actual",
): string {
  const { rows, mae, bias, coverage, baseline, logLoss } = errors;
  if (typeof logLoss === "number") {
    const before = `${counted(rows, noun)}: log loss ${formatNumber(logLoss)}`;
    if (typeof baseline.logLoss !== "number") return `${before}.`;
    const verdict = logLoss <= baseline.logLoss ? "better" : "worse";
    return `${before}. This is ${verdict} than the base rate, with a log loss of ${formatNumber(baseline.logLoss)}.`;
  }
  const parts = [
    `${counted(rows, noun)}: mean absolute error ${target.unit === null ? `${target.format(mae)} in units of ${target.name}` : target.text(mae)}`,
  ];
  if (bias !== null)
    parts.push(`predictions ${target.text(Math.abs(bias))} too ${bias >= 0 ? "high" : "low"} on average`);
  if (coverage !== null) parts.push(`${percent(coverage)} inside the 90 % prediction interval`);
  const sentence = `${parts.join(", ")}.`;
  if (baseline.mae === null || mae === null) return sentence;
  const name = baselineName ?? "naive forecast";
  const verdict = mae <= baseline.mae ? "better" : "worse";
  return `${sentence} This is ${verdict} than the naive forecast (${name}), with a mean absolute error of ${target.text(baseline.mae)}.`;
}
