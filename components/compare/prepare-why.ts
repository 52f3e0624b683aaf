import { type AxisKind, pointLabel } from "#components/chart/axis.ts";
import { formatInteger, formatNumber, formatSigned } from "#components/ui/format.ts";
import { palette } from "#components/ui/palette.ts";
import { counted } from "#lib/contract/counted";
import type { Difference, DifferencePart } from "#lib/contract/scenario-differences";

/** One step of the way from the baseline's total to the scenario's. `from` and `to` count from the baseline. */
export type WhyStep = {
  id: string;
  name: string;
  note: string | null;
  color: string;
  value: number;
  from: number;
  to: number;
};

export type PreparedWhy = {
  kind: AxisKind;
  steps: WhyStep[];
  total: number;
  /** Whether any part is anything but nothing. */
  hasParts: boolean;
  /** Least and greatest place on the way, 0 among them. */
  span: [number, number];
  /** One x with the part of each step at it: `p0`, `p1`, … */
  points: ({ x: number } & Record<`p${number}`, number>)[];
  summary: string;
  remarks: string[];
};

type Titles = {
  baseline: string;
  scenario: string;
  /** Labels of their checkpoints, "Winter → Spring". */
  checkpoints: string;
};

/** Parts that are drawn one by one; the smaller ones are drawn as one. */
const PARTS_MAX = 7;

/** Everything that the panel draws and says of a difference. */
export function prepareWhy(difference: Difference, titles: Titles): PreparedWhy {
  const parts = mergeSmall(difference.parts);
  let at = 0;
  const steps = parts.map((part, index): WhyStep => {
    const from = at;
    at += part.total;
    return {
      ...stepText(part, titles),
      color: palette[index % palette.length]!,
      value: part.total,
      from,
      to: at,
    };
  });
  const places = [0, at, ...steps.map(({ to }) => to)];
  const xs = difference.timestamps?.map((time) => Date.parse(time)) ?? difference.rows ?? [];
  return {
    kind: difference.timestamps ? "time" : "row",
    steps,
    total: difference.totalDifference,
    hasParts: parts.some(({ values, total }) => total !== 0 || values.some((value) => value !== 0)),
    span: [Math.min(...places), Math.max(...places)],
    points: xs.map((x, point) => {
      const values = parts.map(({ values }, index) => [`p${index}`, values[point] ?? 0]);
      return { x, ...Object.fromEntries(values) };
    }),
    summary: summaryText(difference, steps, titles),
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
      ...{ kind: "others", feature: null, projectId: null, count: rest.length },
      total: rest.reduce((sum, { total }) => sum + total, 0),
      values: rest[0]!.values.map((_, point) =>
        rest.reduce((sum, { values }) => sum + (values[point] ?? 0), 0),
      ),
    },
  ];
}

function stepText(
  { kind, feature, count }: NamedPart,
  { checkpoints }: Titles,
): Pick<WhyStep, "id" | "name" | "note"> {
  const id = `${kind} ${feature ?? ""}`;
  if (kind === "input") return { id, name: feature ?? "", note: null };
  if (kind === "upstream") return { id, name: feature ?? "", note: "another project's prediction" };
  if (kind === "checkpoint") return { id, name: "Checkpoint", note: checkpoints };
  if (kind === "history") return { id, name: "Known before", note: "values that the model looks back at" };
  if (kind === "others") return { id, name: `${count} smaller parts`, note: null };
  return { id, name: "Not explained", note: null };
}

function summaryText(difference: Difference, steps: readonly WhyStep[], titles: Titles): string {
  const { totalDifference, commonRows } = difference;
  const rows = `over ${counted(commonRows, "row")}`;
  if (commonRows === 0) return `${titles.scenario} and ${titles.baseline} have no rows in common.`;
  if (steps.length === 0) return `${titles.scenario} and ${titles.baseline} are the same ${rows}.`;
  if (difference.differences.every((one) => one === 0) && steps.every(({ value }) => value === 0)) {
    const names = steps.map(({ name }) => name).join(", ");
    return `${titles.scenario} and ${titles.baseline} predict the same ${rows}, although ${names} differ: that changes nothing here.`;
  }
  const where = totalDifference < 0 ? "below" : "above";
  const parts = steps.map(({ name, value }) => `${name} ${formatSigned(value)}`).join(", ");
  return `${titles.scenario} is ${formatNumber(Math.abs(totalDifference))} ${where} ${titles.baseline} in total ${rows}: ${parts}.`;
}

function remarksOf(
  { method, commonRows, splitRows, onlyInBaseline, onlyInScenario }: Difference,
  { baseline, scenario }: Titles,
): string[] {
  const remarks: string[] = [];
  if (method === "none") {
    remarks.push(
      "The model looks back at its target, and there are too many rows to run it again as often as a split takes.",
    );
  } else if (method === "sampled") {
    remarks.push("There are many parts: their sizes are estimated, and still add up to the whole.");
  }
  if (method !== "none" && splitRows < commonRows) {
    remarks.push(
      `Split at ${formatInteger(splitRows)} of ${counted(commonRows, "row")}; totals are scaled up from them.`,
    );
  }
  for (const [title, count] of [
    [baseline, onlyInBaseline],
    [scenario, onlyInScenario],
  ] as const) {
    if (count > 0)
      remarks.push(`${counted(count, "row")} that only ${title} has ${count === 1 ? "is" : "are"} left out.`);
  }
  return remarks;
}

/** A row of the table: the point, and the part of each step at it. */
export function pointRow(prepared: PreparedWhy, point: PreparedWhy["points"][number]): string[] {
  return [
    pointLabel(prepared.kind, point.x),
    ...prepared.steps.map((_, index) => formatSigned(point[`p${index}`] ?? 0)),
  ];
}
