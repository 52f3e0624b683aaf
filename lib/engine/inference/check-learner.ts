import { checkPipeline } from "#lib/engine/features/check-pipeline";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import type { LinearModel } from "#lib/engine/learners/linear-design";
import type { Ensemble, Tree } from "#lib/engine/learners/tree";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { featureCount } from "#lib/engine/panel-model/global-features";
import { isTree } from "#lib/engine/trees/tree-program";
import { featureSources } from "./feature-sources.ts";
import type { SeriesLearner } from "./learner.ts";
import { type BlendFile, singleLearnerOf, TREE_ARRAYS } from "./learner-file.ts";
import { type LearnerFile, LearnerSchema, type PanelFile, type StoredFile } from "./learner-schema.ts";
import { panelIssue } from "./panel-file.ts";

/** Steps from a method's first observation to the end of the series: each prediction reads them all. */
const OBSERVATIONS_MAX = 10_000_000;

type Series = {
  pipeline: FeaturePipeline;
  /** Whether the model has a regular series, which series methods continue. */
  isSeries: boolean;
  /** Series columns of the model; null for one series. */
  seriesColumns: readonly string[] | null;
  /** Whether the learner predicts log-odds. */
  isOfClasses: boolean;
  /** Grid index after the last row of the series. */
  end: number;
  /** Checks that a pipeline belongs to the other files. @throws {ModelInvalid} */
  checkSteps: (pipeline: FeaturePipeline, name: string) => void;
};

/**
 * Checks a learner's file: its fields, its trees, and one coefficient for each model input of the pipeline.
 *
 * @throws {ModelInvalid} with the file, the field and the expected value
 */
export function checkLearner(name: string, json: unknown, series: Series): void {
  const wrong = (field: string, message: string) =>
    new ModelInvalid(`${name} is wrong at ${field || "its root"}: ${message}.`);
  const parsed = LearnerSchema.safeParse(json);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw wrong(path.join("."), message);
  }
  const issue = storedIssue(name, parsed.data, series);
  if (issue) throw wrong(...issue);
}

function storedIssue(name: string, file: StoredFile, series: Series): Issue | null {
  if (file.kind === "panel") return panelFileIssue(file, series);
  if (series.seriesColumns !== null)
    return ["kind", "the series columns in state.json need a learner of many series"];
  return file.kind === "blend" ? blendIssue(name, file, series) : learnerIssue(file, series);
}

function panelFileIssue(file: PanelFile, series: Series): Issue | null {
  const { seriesColumns, pipeline, end } = series;
  if (seriesColumns === null) return ["kind", "a learner of many series needs series columns in state.json"];
  const issue = panelIssue(file, { modelInputs: featureSources(pipeline).length, columns: seriesColumns });
  if (issue) return issue;
  const far = file.local.findIndex(({ methods }) =>
    methods.some(({ start }) => end - start > OBSERVATIONS_MAX),
  );
  if (far !== -1) return [`local.${far}.methods`, `use at most ${OBSERVATIONS_MAX} steps before the end`];
  if (file.global === null) return null;
  const { ensemble: trees, ...plan } = file.global;
  const found = bytesIssue(trees) ?? treesIssue(singleLearnerOf(trees) as Ensemble, featureCount(plan));
  return found ? [`global.ensemble.${found[0]}`, found[1]] : null;
}

function blendIssue(name: string, { parts }: BlendFile, series: Series): Issue | null {
  if (series.isOfClasses) return ["kind", "blends predict no classes"];
  const sum = parts.reduce((total, { weight }) => total + weight, 0);
  if (Math.abs(sum - 1) > 1e-6) return ["parts", `the weights add up to ${sum}, expected 1`];
  for (const [at, part] of parts.entries()) {
    const pipeline = checkPipeline(part.pipeline);
    series.checkSteps(pipeline, name);
    const issue = learnerIssue(part.learner, { ...series, pipeline });
    if (issue) return [`parts.${at}.learner.${issue[0]}`, issue[1]];
  }
  return null;
}

function learnerIssue(file: Exclude<LearnerFile, BlendFile>, series: Series): Issue | null {
  const short = file.kind === "trees" && bytesIssue(file);
  if (short) return short;
  const learner = singleLearnerOf(file);
  if (series.isOfClasses && learner.kind === "series") return ["kind", "series methods predict no classes"];
  if (series.isOfClasses && learner.kind === "trees" && learner.link)
    return ["link", "use none for the classes in state.json"];
  const count = featureSources(series.pipeline).length;
  if (learner.kind === "trees") return treesIssue(learner, count);
  return learner.kind === "linear" ? linearIssue(learner, count) : seriesIssue(learner, count, series);
}

type Issue = [field: string, message: string];

const mismatch = (field: string, actual: number, expected: number): Issue => [
  field,
  `found ${actual}, expected ${expected}, the number of model inputs in features.json`,
];

/** Returns an array whose bytes do not hold one value for each node. */
function bytesIssue({ nodes, nodeCounts }: Extract<LearnerFile, { kind: "trees" }>): Issue | null {
  const count = nodeCounts.reduce((sum, each) => sum + each, 0);
  for (const [field, type] of Object.entries(TREE_ARRAYS)) {
    const expected = count * type.BYTES_PER_ELEMENT;
    const actual = Buffer.byteLength(nodes[field as keyof typeof nodes], "base64");
    if (actual !== expected) return [`nodes.${field}`, `found ${actual} bytes, expected ${expected}`];
  }
  return null;
}

function treesIssue({ featureCount, trees, baseValue, base, link }: Ensemble, count: number): Issue | null {
  if (featureCount !== count) return mismatch("featureCount", featureCount, count);
  if (base && link) return ["base", "use it only without a link"];
  const issue = base && linearIssue(base, count);
  if (issue) return [`base.${issue[0]}`, issue[1]];
  if (!Number.isFinite(Math.fround(baseValue))) return ["baseValue", "use a number of 32 bits"];
  const broken = trees.findIndex((tree) => !isTree(tree) || !hasRows(tree, count));
  return broken === -1 ? null : ["nodes", `tree ${broken + 1} is not a finite tree of the model's inputs`];
}

function hasRows({ feature, missingLeft, cover }: Tree, count: number): boolean {
  return (
    feature.every((tested) => tested >= -1 && tested < count) &&
    missingLeft.every((side) => side <= 1) &&
    cover.every((rows) => Number.isFinite(rows) && rows >= 0)
  );
}

function linearIssue(model: LinearModel, count: number): Issue | null {
  for (const field of ["coefficients", "means"] as const)
    if (model[field].length !== count) return mismatch(field, model[field].length, count);
  return null;
}

function seriesIssue(
  { methods, inputs }: SeriesLearner,
  count: number,
  { isSeries, end }: Series,
): Issue | null {
  if (!isSeries) return ["kind", "series methods need a regular series in state.json"];
  const far = methods.findIndex(({ start }) => end - start > OBSERVATIONS_MAX);
  if (far !== -1) return [`methods.${far}.start`, `use at most ${OBSERVATIONS_MAX} steps before the end`];
  const issue = inputs && linearIssue(inputs, count);
  return issue && [`inputs.${issue[0]}`, issue[1]];
}
