import type { Displays, Shown } from "#components/display/shown.ts";
import { formatInteger, formatShare } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";
import { GoalSeekRequest, type GoalSeekResult } from "#lib/contract/goal-seek";
import { limits } from "#lib/contract/limits";
import type { InputFeature } from "#lib/contract/models";

/** Texts of a lever's fields. */
export type LeverFields = {
  feature: string;
  operation: "multiply" | "add" | "set";
  min: string;
  max: string;
  step: string;
};

/** Texts of the form's fields. `most` limits every row; empty: no limit. */
export type GoalFields = {
  levers: LeverFields[];
  statistic: "sum" | "mean" | "max" | "min";
  of: "prediction" | "lower" | "upper";
  relation: "equal" | "atMost" | "atLeast";
  value: string;
  most: string;
  from: string;
  to: string;
};

/** Returns a lever that changes an input by up to a fifth. */
export const newLever = (feature: InputFeature): LeverFields => ({
  feature: feature.name,
  operation: "multiply",
  ...boundsOf("multiply", feature),
});

/** Returns the usual bounds of an operation. */
export function boundsOf(
  operation: LeverFields["operation"],
  feature: InputFeature | undefined,
): Pick<LeverFields, "min" | "max" | "step"> {
  if (operation === "multiply") return { min: "0.8", max: "1.2", step: "0.01" };
  const [min, max] = [feature?.min ?? 0, feature?.max ?? 1];
  const step = Number(((max - min) / 40 || 1).toPrecision(2));
  const reach = Number((10 * step).toPrecision(2));
  return operation === "set"
    ? { min: String(min), max: String(max), step: String(step) }
    : { min: String(-reach), max: String(reach), step: String(step) };
}

type LeverBound = "min" | "max" | "step";

const noNumber = "Enter a number";

/** Returns the error of a number that the request's schema rejects. */
function wrong(code: string, bound: unknown): string {
  if (bound === "max") return "Enter at least the smallest value";
  return code === "too_small"
    ? "Enter a number above 0"
    : `Use at most ${formatInteger(limits.leverValues)} steps`;
}

/** Errors of fields; absent for valid ones. */
export type LeverErrors = Partial<Record<LeverBound, string>>;

export type GoalErrors = Partial<Record<"value" | "most" | "days", string>> & {
  levers: LeverErrors[];
};

/** Returns the request, or the errors of fields that are empty or invalid. */
export function goalRequest(
  fields: GoalFields,
): { request: GoalSeekRequest; errors: null } | { request: null; errors: GoalErrors } {
  const { levers, statistic, of, relation, value, most, from, to } = fields;
  const number = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));
  const parsed = GoalSeekRequest.safeParse({
    levers: levers.map(({ min, max, step, ...lever }) => ({
      ...lever,
      min: number(min),
      max: number(max),
      step: number(step),
    })),
    goal: { statistic, of, relation, value: number(value) },
    ...(most.trim() !== "" && {
      constraints: [{ statistic: "max", of, relation: "atMost", value: number(most) }],
    }),
    ...(from && { from }),
    ...(to && { to }),
  });
  if (parsed.success) return { request: parsed.data, errors: null };
  const errors: GoalErrors = { levers: levers.map(() => ({})) };
  for (const { path, code } of parsed.error.issues) {
    const [part, at, name] = path;
    if (part === "goal") errors.value = noNumber;
    else if (part === "constraints") errors.most = noNumber;
    else if (part !== "levers") errors.days = "Enter existing days.";
    else
      errors.levers[Number(at)]![name as LeverBound] ??=
        code === "invalid_type" ? noNumber : wrong(code, name);
  }
  return { request: null, errors };
}

/** Describes a result in words. */
export function resultText(
  { status, isProven, gap, evaluatedSettings, settings, goal, outside }: GoalSeekResult,
  { value: wanted, relation }: GoalSeekRequest["goal"],
  { target, displays }: { target: Shown; displays: Displays },
): { title: string; details: string[] } {
  const value = target.text(goal);
  const title = {
    reached: `The goal is reached${relation === "equal" && goal !== wanted ? " within 1 %" : ""}: ${value}.`,
    closest: isProven
      ? `No setting reaches the goal. The closest gives ${value}.`
      : `Closest found: ${value}.`,
    infeasible: isProven ? "No setting meets the limit." : "No setting found that meets the limit.",
  }[status];
  const tried = isProven
    ? `Proven: all ${formatInteger(settings)} settings were evaluated.`
    : `Best found among ${formatInteger(evaluatedSettings)} of ${formatInteger(settings)} settings.${gap === null ? "" : ` No setting is closer by more than ${formatShare(gap)}.`}`;
  const beyond = outside.map(
    ({ feature, rows }) => `${displays(feature).name} is outside the known range in ${counted(rows, "row")}.`,
  );
  return {
    title,
    details: [tried, ...(beyond.length > 0 ? beyond : ["All values are inside the known range."])],
  };
}
