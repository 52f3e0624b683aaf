import type { z } from "zod";
import type { Table } from "#lib/contract/table";
import { textIssues } from "#lib/contract/text-issues";
import { checkPipeline } from "#lib/engine/features/check-pipeline";
import { createGrid } from "#lib/engine/features/grid";
import { type FeaturePipeline, type FeatureStep, targetReads } from "#lib/engine/features/pipeline";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { checkedTable, NUMBER_MAX } from "#lib/engine/table/check-table";
import { findColumn } from "#lib/engine/table/columns";
import { checkLearner } from "./check-learner.ts";
import { featureSources } from "./feature-sources.ts";
import {
  type CalibrationFile,
  MembersSchema,
  type ModelState,
  ReferenceSchema,
  requiredSchemas,
  type UpstreamFile,
} from "./file-schemas.ts";
import type { InputFeature } from "./input-features.ts";
import { LEARNER_FILE } from "./learner-file.ts";
import { MEMBERS_FILE } from "./members.ts";
import type { ModelSchema } from "./model-files.ts";
import { OUT_OF_SAMPLE_FILE, readOutOfSample } from "./out-of-sample-file.ts";
import { SERIES_METRICS_FILE, SeriesMetricsSchema } from "./series-metrics-file.ts";

type Files = ReadonlyMap<string, Uint8Array>;

const HISTORY_FILE = "history.bin";
const HELD_OUT_FILE = "heldout.bin";
const EXPLAIN_FILE = "explain.json";

/** Maximum number of steps that the stored rows span; predictions hold one number for each step. */
const SPAN_MAX = 10_000_000;
/** Furthest target value that a step may read: what the API accepts for lags, windows and differences. */
const LOOK_BACK_MAX = 20_000;

/**
 * Checks every file of a model that another service may have written, each by a schema and against the others. Only
 * `model.onnx`, which has its own checks, and files of other layers are left out.
 *
 * @throws {ModelInvalid} with the file, the field and the expected value
 * @throws {InvalidFeatureStep} for features.json
 */
export function checkFiles(files: Files): void {
  const state = checkJson("state.json", files, requiredSchemas["state.json"]);
  const { inputFeatures } = checkJson("schema.json", files, requiredSchemas["schema.json"]) as ModelSchema;
  const upstream = checkJson("upstream.json", files, requiredSchemas["upstream.json"]);
  const calibration = checkJson("calibration.json", files, requiredSchemas["calibration.json"]);
  checkJson("metrics.json", files, requiredSchemas["metrics.json"]);
  const pipeline = checkPipeline(parseJson("features.json", files.get("features.json")));
  checkState(state, inputFeatures);
  checkUpstream(upstream, inputFeatures);
  checkSteps(pipeline, state, inputFeatures);
  if (calibration?.scale) checkScale(calibration.scale, state, inputFeatures);
  const end = checkRows(files, state, inputFeatures);
  if (files.has(SERIES_METRICS_FILE)) checkJson(SERIES_METRICS_FILE, files, SeriesMetricsSchema);
  const explain = files.get(EXPLAIN_FILE);
  if (state.imported !== null) {
    if (explain !== undefined) checkJson(EXPLAIN_FILE, files, ReferenceSchema);
    return;
  }
  const name = state.version === 1 ? EXPLAIN_FILE : LEARNER_FILE;
  const series = {
    pipeline,
    end,
    isSeries: state.grid !== null,
    seriesColumns: state.series?.columns ?? null,
    isOfClasses: state.classes !== undefined,
    checkSteps: (steps: FeaturePipeline, file: string) => checkSteps(steps, state, inputFeatures, file),
  };
  checkLearner(name, parseJson(name, files.get(name)), series);
  const members = files.get(MEMBERS_FILE);
  if (members === undefined) return;
  for (const member of checkJson(MEMBERS_FILE, files, MembersSchema))
    checkLearner(MEMBERS_FILE, member, series);
}

/**
 * Parses a file by a schema.
 *
 * @throws {ModelInvalid} with the file, the field and the expected value
 */
export function checkJson<T extends z.ZodType>(name: string, files: Files, schema: T): z.output<T> {
  const parsed = schema.safeParse(parseJson(name, files.get(name)));
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw invalid(name, path.join("."), message);
}

function parseJson(name: string, bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined) throw new ModelInvalid(`The checkpoint lacks ${name}.`);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ModelInvalid(`${name} is not valid JSON.`, { cause });
  }
  const [unstorable] = textIssues(json);
  if (unstorable) throw new ModelInvalid(`${name} is wrong: ${unstorable.message}.`);
  const huge = hugeNumber(json);
  if (huge !== null) throw invalid(name, huge, `use numbers up to ${NUMBER_MAX}`);
  return json;
}

/** Returns the path of a number beyond the limit; null without one. Does not recurse: files can be nested deeply. */
function hugeNumber(json: unknown): string | null {
  const places = [{ value: json, path: "" }];
  for (const { value, path } of places) {
    if (typeof value === "number" && Math.abs(value) > NUMBER_MAX) return path;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, item] of Object.entries(value)) {
      const isNumber = typeof item === "number";
      if (isNumber ? Math.abs(item) > NUMBER_MAX : typeof item === "object")
        places.push({ value: item, path: path === "" ? key : `${path}.${key}` });
    }
  }
  return null;
}

function invalid(name: string, field: string, message: string): ModelInvalid {
  return new ModelInvalid(`${name} is wrong at ${field || "its root"}: ${message}.`);
}

function checkState(state: ModelState, features: readonly InputFeature[]): void {
  const { timestamp, grid, horizon, imported, algorithm, lastTimestamp } = state;
  const wrong = (field: string, message: string) => invalid("state.json", field, message);
  if ((imported !== null) !== (algorithm === "imported"))
    throw wrong("imported", `the algorithm is "${algorithm}"`);
  if (imported !== null && state.classes !== undefined) throw wrong("classes", "the model is imported");
  if (grid !== null && timestamp === null) throw wrong("grid", "a series needs a timestamp");
  if (lastTimestamp !== null && timestamp === null) throw wrong("lastTimestamp", "there is no timestamp");
  if (horizon !== null && grid === null) throw wrong("horizon", "there is no regular series");
  const isTime = ({ role, type }: InputFeature) =>
    role === "timestamp" || (role === "upstream" && type === "timestamp");
  const time = features.find(({ name }) => name === timestamp);
  if (timestamp !== null && (time?.role !== "timestamp" || time.type !== "timestamp"))
    throw wrong("timestamp", `schema.json has no timestamp "${timestamp}"`);
  if (imported === null && features.some((feature) => isTime(feature) && feature.name !== timestamp))
    throw invalid("schema.json", "inputFeatures", "a timestamp is not that of state.json");
  if (features.some(({ name }) => name === state.target))
    throw invalid("schema.json", "inputFeatures", "the target is an input");
}

function checkUpstream({ features }: UpstreamFile, inputs: readonly InputFeature[]): void {
  const known = inputs.filter(({ role }) => role === "upstream");
  const isKnown = ({ feature, sourceProjectId }: UpstreamFile["features"][number]) =>
    known.some((one) => one.name === feature && one.sourceProjectId === sourceProjectId);
  if (features.length !== known.length || !features.every(isKnown))
    throw invalid("upstream.json", "features", "schema.json has other upstream features");
}

/** Checks that a pipeline belongs to the other files, and reads only columns that an input has. */
function checkSteps(
  pipeline: FeaturePipeline,
  state: ModelState,
  features: readonly InputFeature[],
  file = "features.json",
): void {
  const wrong = (field: string, message: string) => invalid(file, field, message);
  for (const field of ["target", "timestamp", "timezone"] as const)
    if (pipeline[field] !== state[field]) throw wrong(field, `state.json has "${state[field]}"`);
  const { grid } = pipeline;
  const same = (["frequency", "timezone", "start"] as const).every(
    (key) => grid?.[key] === state.grid?.[key],
  );
  if (!same) throw wrong("grid", "state.json has another grid");
  pipeline.steps.forEach((step, at) => {
    const issue = stepIssue(step, features);
    if (issue) throw wrong(`steps.${at}`, issue);
  });
}

/** Checks the features of the scale of errors, and one coefficient for each, the prediction and the step. */
function checkScale(
  { pipeline, coefficients, means }: NonNullable<NonNullable<CalibrationFile>["scale"]>,
  state: ModelState,
  features: readonly InputFeature[],
): void {
  const file = "calibration.json";
  const checked = checkPipeline(pipeline);
  checkSteps(checked, state, features, file);
  if (checked.steps.some((step) => targetReads(step) !== null))
    throw invalid(file, "scale.pipeline", "a step reads the target");
  const expected = featureSources(checked).length + 2;
  for (const [field, { length }] of Object.entries({ coefficients, means }))
    if (length !== expected) throw invalid(file, `scale.${field}`, `found ${length}, expected ${expected}`);
}

function stepIssue(step: FeatureStep, features: readonly InputFeature[]): string | null {
  const typeOf = (name: string) => features.find((feature) => feature.name === name)?.type;
  const read = [...("feature" in step ? [step.feature] : []), ...("other" in step ? [step.other] : [])];
  const unknown = read.find((name) => typeOf(name) === undefined);
  if (unknown !== undefined) return `schema.json has no feature "${unknown}"`;
  const isOfCategories = "categories" in step;
  if (step.op !== "impute" && read.some((name) => (typeOf(name) === "category") !== isOfCategories))
    return `the operation "${step.op}" does not fit the feature's type`;
  const reads = targetReads(step);
  if (reads && reads.furthest > LOOK_BACK_MAX) return `use values at most ${LOOK_BACK_MAX} steps back`;
  if (step.op === "holiday" && step.days.some((day, i) => i > 0 && day <= step.days[i - 1]!))
    return "sort the days";
  return null;
}

/**
 * Checks the stored rows.
 *
 * @returns the grid index after the last row of the series; 0 without a series
 */
function checkRows(files: Files, state: ModelState, features: readonly InputFeature[]): number {
  for (const name of state.files)
    if (!files.has(name)) throw new ModelInvalid(`The checkpoint lacks ${name}.`);
  for (const name of [HISTORY_FILE, HELD_OUT_FILE, OUT_OF_SAMPLE_FILE])
    if (files.has(name) && !state.files.includes(name))
      throw invalid("state.json", "files", `the checkpoint also has ${name}`);
  const history = checkTable(HISTORY_FILE, files);
  const heldOut = checkTable(HELD_OUT_FILE, files);
  const { timestamp, target, grid } = state;
  for (const [name, table] of [[HISTORY_FILE, history] as const, [HELD_OUT_FILE, heldOut] as const]) {
    if (table === null) continue;
    const wrong = features.find((one) => !hasColumn(table, one));
    if (wrong) throw new ModelInvalid(`${name} has no column "${wrong.name}" of the type in schema.json.`);
  }
  const backTests = checkTable(OUT_OF_SAMPLE_FILE, files);
  if (backTests !== null) {
    try {
      readOutOfSample(files.get(OUT_OF_SAMPLE_FILE)!);
    } catch (cause) {
      throw new ModelInvalid(`${OUT_OF_SAMPLE_FILE} is not a table of back-tests.`, { cause });
    }
  }
  if (grid === null || timestamp === null) return 0;
  if (history === null) throw new ModelInvalid(`The checkpoint lacks ${HISTORY_FILE}.`);
  const values = findColumn(history, target);
  if (values === undefined || values.type === "category")
    throw new ModelInvalid(`${HISTORY_FILE} has no numbers of the target "${target}".`);
  return endOfSeries(findColumn(history, timestamp)!, grid);
}

function hasColumn(table: Table, { name, type, role }: InputFeature): boolean {
  const column = findColumn(table, name);
  return role === "upstream" ? column === undefined || column.type === type : column?.type === type;
}

function endOfSeries(times: Table["columns"][number], grid: NonNullable<ModelState["grid"]>): number {
  const { indexOf } = createGrid(grid);
  const values = times.type === "category" ? new Float64Array() : times.values;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const time of values) {
    if (Number.isNaN(time)) continue;
    first = Math.min(first, indexOf(time));
    last = Math.max(last, indexOf(time));
  }
  if (last - first > SPAN_MAX)
    throw new ModelInvalid(`${HISTORY_FILE} spans more than ${SPAN_MAX} steps of its frequency.`);
  return Number.isFinite(last) ? last + 1 : 0;
}

function checkTable(name: string, files: Files): Table | null {
  const bytes = files.get(name);
  if (bytes === undefined) return null;
  try {
    return checkedTable(bytes);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ModelInvalid(`${name} is wrong: ${cause.message}`, { cause });
  }
}
