import type { Ensemble } from "#lib/engine/learners/tree";
import { type GlobalTrees, PANEL_ARRAYS, type PanelLearner } from "#lib/engine/panel-model/panel-learner";
import { NUMBER_MAX } from "#lib/engine/table/check-table";
import type { StoredLearner } from "./learner.ts";
import { learnerOf, singleLearnerOf, writeLearner } from "./learner-file.ts";
import type { LearnerFile, PanelFile, StoredFile } from "./learner-schema.ts";
import { jsonFile, readJson } from "./model-files.ts";

type TreesFile = Extract<LearnerFile, { kind: "trees" }>;

/** Writes the learner of many series. */
export function writePanel(learner: PanelLearner): Uint8Array {
  const { global, groups, reconciliation, ...rest } = learner;
  const arrays = Object.fromEntries(PANEL_ARRAYS.map((name) => [name, textOf(learner[name])]));
  return jsonFile({
    version: 1,
    ...rest,
    ...(arrays as Record<(typeof PANEL_ARRAYS)[number], string>),
    groups: textOf(Float64Array.from(groups)),
    ...(reconciliation && {
      reconciliation: { ...reconciliation, corrections: textOf(reconciliation.corrections) },
    }),
    global: global && { ...global, ensemble: readJson<TreesFile>(writeLearner(global.ensemble)) },
  } satisfies PanelFile);
}

function panelOf({ version: _, groups, global, reconciliation, ...file }: PanelFile): PanelLearner {
  const arrays = Object.fromEntries(PANEL_ARRAYS.map((name) => [name, numbersOf(file[name])]));
  return {
    ...file,
    ...(arrays as Record<(typeof PANEL_ARRAYS)[number], Float64Array>),
    groups: Int32Array.from(numbersOf(groups)),
    ...(reconciliation && {
      reconciliation: { ...reconciliation, corrections: numbersOf(reconciliation.corrections) },
    }),
    global: global && globalOf(global),
  };
}

const globalOf = (global: NonNullable<PanelFile["global"]>): GlobalTrees => ({
  ...global,
  ensemble: singleLearnerOf(global.ensemble) as Ensemble,
});

/** Reads the learner of any model. */
export function readStoredLearner(bytes: Uint8Array): StoredLearner {
  const file = readJson<StoredFile>(bytes);
  return file.kind === "panel" ? panelOf(file) : learnerOf(file);
}

/** Returns a reason why the parts of a file do not belong together, or not to the model; null if they do. */
export function panelIssue(
  file: PanelFile,
  { modelInputs, columns }: { modelInputs: number; columns: readonly string[] },
): [field: string, message: string] | null {
  if (file.columns.join("\0") !== columns.join("\0"))
    return ["columns", `state.json has the series columns ${columns.map((name) => `"${name}"`).join(", ")}`];
  const series = file.values.length;
  if (file.width !== modelInputs)
    return [
      "width",
      `found ${file.width}, expected ${modelInputs}, the number of model inputs in features.json`,
    ];
  const expected: Record<(typeof PANEL_ARRAYS)[number] | "groups", number> = {
    pooled: file.width,
    typical: file.width,
    effects: series * file.width,
    centers: series * file.width,
    scales: series,
    errors: series,
    groups: series,
  };
  for (const [field, count] of Object.entries(expected)) {
    const bytes = Buffer.byteLength(file[field as keyof typeof expected], "base64");
    if (bytes !== 8 * count) return [field, `found ${bytes} bytes, expected ${8 * count}`];
  }
  const { reconciliation } = file;
  if (reconciliation) {
    const bytes = Buffer.byteLength(reconciliation.corrections, "base64");
    const expectedBytes = 8 * series * reconciliation.steps;
    if (bytes !== expectedBytes)
      return ["reconciliation.corrections", `found ${bytes} bytes, expected ${expectedBytes}`];
    if (!numbersOf(reconciliation.corrections).every((value) => Math.abs(value) <= NUMBER_MAX))
      return ["reconciliation.corrections", `use numbers up to ${NUMBER_MAX}`];
  }
  if (file.local.length !== series) return ["local", `found ${file.local.length}, expected ${series}`];
  const wide = file.values.findIndex((values) => values.length !== file.columns.length);
  if (wide >= 0) return [`values.${wide}`, `use ${file.columns.length} values`];
  const uneven = file.unknown.parts.findIndex(({ values, parts }) => values.length !== parts.length);
  if (uneven >= 0) return [`unknown.parts.${uneven}`, "use one number for each value"];
  const learner = panelOf(file);
  const { scales, errors, groups } = learner;
  // Means are unknown (NaN) where no row has a value.
  const wild = PANEL_ARRAYS.find((name) =>
    learner[name].some((value) => (Number.isNaN(value) ? !MEANS.has(name) : Math.abs(value) > NUMBER_MAX)),
  );
  if (wild !== undefined) return [wild, `use numbers up to ${NUMBER_MAX}`];
  if (!scales.every((scale) => scale > 0)) return ["scales", "use numbers above 0"];
  if (!errors.every((error) => error >= 0 && Number.isFinite(error))) return ["errors", "use numbers from 0"];
  const lacks = groups.some((group) => !(group >= 0 && group < file.weights.length));
  return lacks ? ["groups", "each needs a weight"] : null;
}

const MEANS: ReadonlySet<string> = new Set(["typical", "centers"]);

function textOf(values: Float64Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("base64");
}

function numbersOf(text: string): Float64Array {
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  return new Float64Array(bytes.buffer);
}
