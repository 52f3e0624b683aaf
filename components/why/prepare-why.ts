import { axisOf, type ChartAxis } from "#components/chart/axis.ts";
import { type Displays, Shown } from "#components/display/shown.ts";
import type { SeriesCalendar } from "#components/time/period.ts";
import { formatInteger, formatSigned } from "#components/ui/format.ts";
import { palette } from "#components/ui/palette.ts";
import { counted } from "#lib/contract/counted";
import type { DifferencePart, Explanation } from "#lib/contract/scenario-differences";

/** Step from the baseline's total to the scenario's total. `from` and `to` are relative to the baseline. */
type WhyStep = {
  id: string;
  name: string;
  note: string | null;
  color: string;
  value: number;
  from: number;
  to: number;
  /** Contribution at each point. */
  values: Float64Array;
};

export type PreparedWhy = ChartAxis & {
  steps: WhyStep[];
  total: number;
  /** How totals and parts are shown: as the target, or as log-odds. */
  scale: Shown;
  /** Whether any part differs from zero. */
  hasParts: boolean;
  /** Lowest and highest position of all steps, including 0. */
  span: [number, number];
  summary: string;
  remarks: string[];
};

type Titles = {
  baseline: string;
  scenario: string;
  /** Labels of both checkpoints: "Winter → Spring". */
  checkpoints: string;
};
type Names = { target: Shown; displays: Displays; calendar?: SeriesCalendar };

/** Number of parts drawn separately; the smaller ones are merged. */
const PARTS_MAX = 7;

/** Prepares the parts of a difference for charts and text. */
export function prepareWhy(difference: Explanation, titles: Titles, names: Names): PreparedWhy {
  const scale = difference.scale === "log_odds" ? new Shown("Log-odds", "log-odds") : names.target;
  const axis = axisOf(difference, names.calendar);
  const parts = mergeSmall(difference.parts);
  let at = 0;
  const steps = parts.map((part, index): WhyStep => {
    const from = at;
    at += part.total;
    return {
      ...partText(part, titles.checkpoints, names.displays),
      color: palette[index % palette.length]!,
      value: part.total,
      from,
      to: at,
      values: axis.xs.map((_, point) => part.values[point] ?? 0),
    };
  });
  const places = [0, at, ...steps.map(({ to }) => to)];
  return {
    ...axis,
    steps,
    total: difference.totalDifference,
    scale,
    hasParts: parts.some(({ values, total }) => total !== 0 || values.some((value) => value !== 0)),
    span: [Math.min(...places), Math.max(...places)],
    summary: summaryText(difference, steps, { ...titles, scale }),
    remarks: remarksOf(difference, titles),
  };
}

type NamedPart = Omit<DifferencePart, "kind"> & { kind: DifferencePart["kind"] | "others"; count?: number };

function mergeSmall(parts: readonly DifferencePart[]): NamedPart[] {
  if (parts.length <= PARTS_MAX + 1) return [...parts];
  const rest = parts.slice(PARTS_MAX);
  return [
    ...parts.slice(0, PARTS_MAX),
    {
      kind: "others",
      feature: null,
      projectId: null,
      count: rest.length,
      total: rest.reduce((sum, { total }) => sum + total, 0),
      values: rest[0]!.values.map((_, point) =>
        rest.reduce((sum, { values }) => sum + (values[point] ?? 0), 0),
      ),
    },
  ];
}

/**
 * Names a part of a difference.
 *
 * @param checkpoints labels of both checkpoints
 */
export function partText(
  { kind, feature, component, count }: Omit<NamedPart, "values" | "total">,
  checkpoints: string,
  displays: Displays,
): Pick<WhyStep, "id" | "name" | "note"> {
  const id = `${kind} ${feature ?? component ?? ""}`;
  const name = displays(feature ?? "").name;
  if (kind === "input") return { id, name, note: null };
  if (kind === "upstream") return { id, name, note: "upstream prediction" };
  if (kind === "checkpoint") return { id, name: "Checkpoint", note: checkpoints };
  if (kind === "history") {
    const part = component && { level: "level and trend", season: "season" }[component];
    return {
      id,
      name: part ? `History: ${part}` : "History",
      note: "earlier target values used by the model",
    };
  }
  if (kind === "overrides") return { id, name: "Overrides", note: "values that people replaced or moved" };
  if (kind === "others") return { id, name: `${count} smaller parts`, note: null };
  return { id, name: "Not explained", note: null };
}

function summaryText(
  difference: Explanation,
  steps: readonly WhyStep[],
  { scale, ...titles }: Titles & { scale: Shown },
): string {
  const { totalDifference, commonRows } = difference;
  const rows = `over ${counted(commonRows, "row")}`;
  if (commonRows === 0) return `${titles.scenario} and ${titles.baseline} have no rows in common.`;
  if (steps.length === 0) return `${titles.scenario} and ${titles.baseline} are the same ${rows}.`;
  if (difference.differences.every((one) => one === 0) && steps.every(({ value }) => value === 0)) {
    const names = steps.map(({ name }) => name).join(", ");
    return `${titles.scenario} and ${titles.baseline} predict the same ${rows}. Differences in ${names} have no effect here.`;
  }
  const where = totalDifference < 0 ? "below" : "above";
  const format = scale.formatOf([totalDifference, ...steps.map(({ value }) => value)]);
  const parts = steps.map(({ name, value }) => `${name} ${formatSigned(value, format)}`).join(", ");
  return `${titles.scenario} is ${scale.withUnit(format(Math.abs(totalDifference)))} ${where} ${titles.baseline} in total ${rows}: ${parts}.`;
}

function remarksOf(
  { method, scale, commonRows, splitRows, onlyInBaseline, onlyInScenario }: Explanation,
  { baseline, scenario }: Titles,
): string[] {
  const remarks: string[] = [];
  if (scale === "log_odds")
    remarks.push("Parts are sums of log-odds, log(p / (1 − p)): effects on probabilities do not add up.");
  if (method === "none") {
    remarks.push(
      "The model uses earlier target values, and there are too many rows to run it for each part.",
    );
  } else if (method === "sampled") {
    remarks.push("There are many parts. Their sizes are estimates that add up to the total.");
  }
  if (method !== "none" && splitRows < commonRows) {
    remarks.push(
      `Based on ${formatInteger(splitRows)} of ${counted(commonRows, "row")}. Totals are scaled up.`,
    );
  }
  for (const [title, count] of [
    [baseline, onlyInBaseline],
    [scenario, onlyInScenario],
  ] as const) {
    if (count > 0) remarks.push(`Excludes ${counted(count, "row")} that only ${title} has.`);
  }
  return remarks;
}
