import { formatColumn } from "#components/ui/format.ts";
import type { LeaderboardEntry } from "#lib/contract/leaderboard";
import { isHigherBetter } from "#lib/contract/metric-names";
import { formatMetric, metricName, referenceName } from "./metric-text.ts";

type CandidateBar = {
  key: string;
  name: string;
  features: string;
  settings: string;
  chosen: boolean;
  mean: number;
  text: string;
  /** Positions as fractions of the chart's width. */
  width: number;
  from: number;
  to: number;
  /** Whether the mean lies beyond the chart. */
  isCut: boolean;
};

/** Multiple of the naive forecast's error, or of the smallest if larger, at which bars are cut. */
const CUT_AT = 2;

export type LeaderboardPicture = {
  metric: string;
  isHigherBetter: boolean;
  bars: CandidateBar[];
  /** Position of the naive forecast, as a fraction of the width. */
  naive: { at: number; name: string; text: string } | null;
  /** Number of candidates that left the search earlier. */
  others: number;
};

export type MemberRow = { name: string; weight: string; error: string };

/** Returns the members of the chosen combination, the largest weight first; null for other models. */
export function prepareMembers(
  entries: readonly LeaderboardEntry[],
): { metric: string; rows: MemberRow[] } | null {
  const entry = entries.find(({ chosen }) => chosen);
  if (!entry?.members) return null;
  const metric = entry.backTest?.metric;
  const rows = entry.members
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ name, weight, error }) => ({
      name,
      weight: `${Math.round(100 * weight)} %`,
      error: formatMetric(metric ?? "", error),
    }));
  return { metric: metric === undefined ? "Error" : metricName(metric), rows };
}

const modes = { recursive: "recursive", direct: "direct", independent: "" };

/**
 * Describes the features, with the forecast mode if the candidate uses earlier target values: "direct lags, direct".
 */
export function featuresText({ features = "–", mode }: LeaderboardEntry): string {
  const way = mode ? modes[mode] : "";
  return way && !features.includes(way) ? `${features}, ${way}` : features;
}

export function settingsText({ settings = {} }: LeaderboardEntry): string {
  const text = (value: number | boolean | string) =>
    typeof value === "number" ? String(Number(value.toPrecision(3))) : String(value);
  return Object.entries(settings)
    .map(
      ([name, value]) => `${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${text(value)}`,
    )
    .join(", ");
}

/** Formats mean and spread: "75.9 ± 10.2". */
export function backTestText({ backTest }: LeaderboardEntry): string {
  if (!backTest || backTest.mean === null) return "–";
  const { metric, mean, spread, folds } = backTest;
  const format = formatColumn([mean, spread]);
  const text = formatMetric(metric, mean, format);
  return folds.length > 1 ? `${text} ± ${formatMetric(metric, spread, format)}` : text;
}

/**
 * Prepares the finalists' back-tests as bars and the naive forecast as a line. Returns null without back-tests to
 * compare, as for older models that did not store them.
 */
export function prepareLeaderboard(entries: readonly LeaderboardEntry[]): LeaderboardPicture | null {
  const metric = entries.find(({ chosen }) => chosen)?.backTest?.metric;
  const furthest = Math.max(...entries.map(({ rung = 0 }) => rung));
  const shown = entries.filter(
    (entry) => entry.rung === furthest && typeof entry.backTest?.mean === "number",
  );
  if (metric === undefined || shown.length === 0) return null;
  const baseline = entries.find(({ algorithm }) => algorithm === "baseline")?.backTest?.mean ?? null;
  const ends = shown.map(({ backTest }) => backTest!.mean! + (backTest!.spread ?? 0));
  // Negative scores, such as an R² worse than that of the mean, have no bar.
  const whole = Math.max(...ends, baseline ?? 0, Number.MIN_VALUE);
  const best = Math.min(...shown.map(({ backTest }) => backTest!.mean!));
  const isCut = !isHigherBetter(metric) && best > 0;
  const largest = isCut ? Math.min(whole, CUT_AT * Math.max(best, baseline ?? 0)) : whole;
  const part = (value: number) => Math.min(1, Math.max(0, value / largest));
  const tried = entries.filter(({ algorithm }) => algorithm !== "baseline");
  return {
    metric: metricName(metric),
    isHigherBetter: isHigherBetter(metric),
    bars: shown.map((entry, i) => {
      const { mean, spread } = entry.backTest!;
      return {
        key: `${i} ${entry.name}`,
        name: entry.name,
        features: featuresText(entry),
        settings: settingsText(entry),
        chosen: entry.chosen === true,
        mean: mean!,
        text: backTestText(entry),
        width: part(mean!),
        from: part(mean! - (spread ?? 0)),
        to: part(mean! + (spread ?? 0)),
        isCut: mean! > largest,
      };
    }),
    naive:
      baseline === null
        ? null
        : { at: part(baseline), name: referenceName(metric), text: formatMetric(metric, baseline) },
    others: tried.length - shown.length,
  };
}
