import { periodName } from "#components/actuals/record-periods.ts";
import type { ForecastErrors } from "#lib/contract/actuals";
import { counted } from "#lib/contract/counted";
import type { TrackRecord } from "#lib/contract/track-record";

type PeriodUnit = TrackRecord["period"];
type Overrides = NonNullable<TrackRecord["overrides"]>;

const RECENT = 6;

/** Says in which of the latest periods the forecast was too high or too low: "Too low in 5 of the last 6 months." */
export function biasText(periods: readonly { bias: number | null }[], period: PeriodUnit): string {
  const recent = periods.slice(-RECENT);
  const count = (sign: number) => recent.filter(({ bias }) => Math.sign(bias ?? 0) === sign).length;
  const [high, low] = [count(1), count(-1)];
  const isOne = recent.length === 1;
  const span = isOne ? `the only ${period}` : `the last ${counted(recent.length, period)}`;
  if (high === 0 && low === 0) return `Neither too high nor too low in ${span}.`;
  if (high === low) return `Too high in ${high} and too low in ${low} of ${span}.`;
  const most = Math.max(high, low);
  return `Too ${high > low ? "high" : "low"} in ${isOne ? span : `${most} of ${span}`}.`;
}

/** Mean absolute error; of classes, the log loss. */
const errorOf = ({ logLoss, mae }: Pick<ForecastErrors["baseline"], "logLoss" | "mae">) => logLoss ?? mae;

/**
 * Says since when the forecast was better or no better than the naive one: "Better than the naive forecast since Mar 2026. In all,
 * better in 7 of 9 months." Empty without a naive forecast.
 */
export function sinceText({
  periods,
  period,
  timezone,
}: Pick<TrackRecord, "periods" | "period" | "timezone">): string {
  const verdicts = periods.flatMap(({ from, baseline, ...own }) => {
    const [error, naive] = [errorOf(own), errorOf(baseline)];
    return error === null || naive === null ? [] : [{ from, isBetter: error < naive }];
  });
  const last = verdicts.at(-1);
  if (last === undefined) return "";
  const first = verdicts[verdicts.findLastIndex(({ isBetter }) => isBetter !== last.isBetter) + 1]!;
  const verdict = `${last.isBetter ? "Better" : "No better"} than the naive forecast`;
  const all = counted(verdicts.length, period);
  if (verdicts.length === 1) return `${verdict} in the only ${period}.`;
  if (first === verdicts[0]) return `${verdict} in all ${all}.`;
  const name = periodName(first.from, { period, timezone });
  const better = verdicts.filter(({ isBetter }) => isBetter).length;
  return `${verdict} since ${period === "week" ? `the week of ${name}` : name}. In all, better in ${better} of ${all}.`;
}

/** Says in how many periods overrides made the forecast better or worse. */
export function overrideText({ periods }: Pick<Overrides, "periods">, period: PeriodUnit): string {
  const count = (test: (change: number) => boolean) =>
    periods.filter(({ effective, calculated }) => test((effective.mae ?? 0) - (calculated.mae ?? 0))).length;
  const [worse, better] = [count((change) => change > 0), count((change) => change < 0)];
  const all = counted(periods.length, period);
  if (worse === 0 && better === 0) return `Overrides made the forecast neither better nor worse in ${all}.`;
  if (worse === 0) return `Overrides made the forecast better in ${better} of ${all}.`;
  const rest = better === 0 ? "" : `, and better in ${better}`;
  return `Overrides made the forecast worse in ${worse} of ${all}${rest}.`;
}

/** Names a group of steps ahead: "1 step", "3–4 steps". */
export const stepsName = ({ fromStep, toStep }: { fromStep: number; toStep: number }): string =>
  fromStep === toStep
    ? counted(toStep, "step")
    : `${fromStep.toLocaleString("en")}–${counted(toStep, "step")}`;
