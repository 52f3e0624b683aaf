import type { LinearModel } from "#lib/engine/learners/linear-design";
import type { Tree } from "#lib/engine/learners/tree";
import type { BlendPart, Learner, SingleLearner } from "./learner.ts";
import type { LearnerFile, LinearFile } from "./learner-schema.ts";
import { jsonFile, readJson } from "./model-files.ts";

export const LEARNER_FILE = "learner.json";

export const TREE_ARRAYS = {
  feature: Int32Array,
  threshold: Float32Array,
  left: Int32Array,
  right: Int32Array,
  missingLeft: Uint8Array,
  value: Float32Array,
  cover: Float64Array,
} as const;

export type BlendFile = Extract<LearnerFile, { kind: "blend" }>;
type SingleFile = Exclude<LearnerFile, BlendFile>;
type TreeField = keyof typeof TREE_ARRAYS;
type TreeBytes = Record<TreeField, string>;

const FIELDS = Object.keys(TREE_ARRAYS) as TreeField[];

export function writeLearner(learner: Learner): Uint8Array {
  if (learner.kind === "blend") {
    const parts = learner.parts.map((part) => ({
      ...part,
      learner: readJson<SingleFile>(writeLearner(part.learner)),
    }));
    return jsonFile({ version: 1, kind: "blend", parts } satisfies LearnerFile);
  }
  if (learner.kind === "series") {
    const { inputs } = learner;
    return jsonFile({ version: 1, ...learner, inputs: inputs && linearFile(inputs) } satisfies LearnerFile);
  }
  if (learner.kind === "linear") return jsonFile(linearFile(learner));
  const nodes = Object.fromEntries(
    FIELDS.map((field) => {
      const parts = learner.trees.map((tree) => bytesOf(tree[field]));
      return [field, Buffer.concat(parts).toString("base64")];
    }),
  ) as TreeBytes;
  const { baseValue, featureCount, trees, link, center, scale, base } = learner;
  const nodeCounts = trees.map((tree) => tree.feature.length);
  return jsonFile({
    version: 1,
    kind: "trees",
    baseValue,
    featureCount,
    ...(link && { link }),
    ...(scale !== undefined && { center, scale }),
    ...(base && { base: linearFile(base) }),
    nodeCounts,
    nodes,
  } satisfies LearnerFile);
}

function linearFile({ coefficients, intercept, means }: LinearModel): LinearFile {
  return { version: 1, kind: "linear", coefficients: [...coefficients], intercept, means: [...means] };
}

function linearOf({ coefficients, intercept, means }: LinearFile): LinearModel {
  return {
    kind: "linear",
    coefficients: Float64Array.from(coefficients),
    intercept,
    means: Float64Array.from(means),
  };
}

export function readLearner(bytes: Uint8Array): Learner {
  return learnerOf(readJson<LearnerFile>(bytes));
}

export function learnerOf(file: LearnerFile): Learner {
  return file.kind === "blend" ? { kind: "blend", parts: file.parts.map(partOf) } : singleLearnerOf(file);
}

function partOf({ weight, factor, pipeline, learner }: BlendFile["parts"][number]): BlendPart {
  return { weight, ...(factor !== undefined && { factor }), pipeline, learner: singleLearnerOf(learner) };
}

export function singleLearnerOf(file: SingleFile): SingleLearner {
  if (file.kind === "linear") return linearOf(file);
  if (file.kind === "series") {
    const { version: _, inputs, ...rest } = file;
    return { ...rest, inputs: inputs && linearOf(inputs) };
  }
  const decoded = Object.fromEntries(
    FIELDS.map((field) => [field, Buffer.from(file.nodes[field], "base64")]),
  ) as Record<TreeField, Buffer>;
  let offset = 0;
  const trees = file.nodeCounts.map((count) => {
    const tree = Object.fromEntries(
      FIELDS.map((field) => {
        const type = TREE_ARRAYS[field];
        const size = type.BYTES_PER_ELEMENT;
        const slice = Uint8Array.from(decoded[field].subarray(offset * size, (offset + count) * size));
        return [field, new type(slice.buffer)];
      }),
    ) as unknown as Tree;
    offset += count;
    return tree;
  });
  const { baseValue, featureCount, link, center = 0, scale = 1, base } = file;
  return {
    kind: "trees",
    baseValue,
    featureCount,
    trees,
    center,
    scale,
    ...(link && { link }),
    ...(base && { base: linearOf(base) }),
  };
}

function bytesOf(values: ArrayBufferView): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
