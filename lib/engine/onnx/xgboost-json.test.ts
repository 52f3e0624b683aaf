import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { treeShap } from "#lib/engine/explanation/tree-shap";
import { openSession } from "#lib/engine/runtime/session";
import { predictEnsemble } from "#testing/predict-ensemble";
import { xgboostStump } from "#testing/xgboost-stump";
import { ModelInvalid } from "./onnx-errors.ts";
import { largestBelow, readXgboostJson, xgboostToOnnx } from "./xgboost-json.ts";

/** A model in XGBoost's format: two features, one tree of three nodes, and one with a pruned node. */
function modelJson() {
  const stump = { ...xgboostStump, split_type: [0, 0, 0] };
  const pruned = {
    left_children: [3, -1, -1, -1],
    right_children: [1, -1, -1, -1],
    split_indices: [1, 0, 1, 0],
    split_conditions: [0, 0.25, 99, -0.25],
    default_left: [0, 0, 0, 0],
    sum_hessian: [10, 3, 0, 7],
    split_type: [0, 0, 0, 0],
  };
  return {
    version: [3, 0, 0],
    learner: {
      attributes: {} as Record<string, string>,
      feature_names: ["a", "b"],
      gradient_booster: { name: "gbtree", model: { trees: [stump, pruned] } },
      learner_model_param: { base_score: "[5E-1]", num_class: "0", num_target: "1", num_feature: "2" },
      objective: { name: "reg:squarederror" },
    },
  };
}

function bytesOf(json: unknown) {
  return new TextEncoder().encode(JSON.stringify(json));
}

const a = Float32Array.of(0.4999, 0.5, Number.NaN, 0.5, 0);
const b = Float32Array.of(-1, -1, Number.NaN, 0, 1);
// Values below the condition go left, others right, and missing values as default_left states.
const margins = [0.5 - 1 - 0.25, 0.5 + 2 - 0.25, 0.5 - 1 + 0.25, 0.5 + 2 + 0.25, 0.5 - 1 + 0.25];

async function predictOnnx(json: unknown) {
  const session = await openSession(xgboostToOnnx(readXgboostJson(bytesOf(json))));
  return Array.from(await session.predict([a, b], 5));
}

describe("XGBoost's JSON", () => {
  test("multiplies each DART tree by its weight", async () => {
    const { learner } = modelJson();
    const { model: forest } = learner.gradient_booster;
    const dart = { name: "dart", gbtree: { name: "gbtree", model: forest }, weight_drop: [0.5, 2] };
    const [first] = await predictOnnx({ learner: { ...learner, gradient_booster: dart } });
    expect(first).toBe(0.5 - 1 * 0.5 - 0.25 * 2);
    const short = { learner: { ...learner, gradient_booster: { ...dart, weight_drop: [1] } } };
    expect(() => readXgboostJson(bytesOf(short))).toThrow("one weight per tree");
  });

  test("keeps NaN in the names of features", () => {
    const json = modelJson();
    json.learner.feature_names = ["is: NaN", 'a "quoted",NaN'];
    expect(readXgboostJson(bytesOf(json)).featureNames).toEqual(json.learner.feature_names);
  });

  test("rejects categorical splits, whose conditions XGBoost writes as NaN", () => {
    const json = modelJson();
    json.learner.gradient_booster.model.trees[0]!.split_type[0] = 1;
    const text = JSON.stringify(json).replace('"split_conditions":[0.5,', '"split_conditions":[NaN,');
    expect(() => readXgboostJson(new TextEncoder().encode(text))).toThrow("categorical splits");
  });

  test("predicts like XGBoost at, below and above each condition, and for missing values", async () => {
    expect(await predictOnnx(modelJson())).toEqual(margins);
    const { ensemble, featureNames } = readXgboostJson(bytesOf(modelJson()));
    expect(Array.from(predictEnsemble(ensemble, [a, b]))).toEqual(margins);
    expect(featureNames).toEqual(["a", "b"]);
  });

  test("has contributions that sum to the prediction", () => {
    const { ensemble } = readXgboostJson(bytesOf(modelJson()));
    const { baseValue, values } = treeShap(ensemble, [a, b], [0, 1, 2, 3, 4]);
    values.forEach(([first, second], row) => {
      expect(baseValue + first! + second!).toBeCloseTo(margins[row]!, 12);
    });
  });

  test("applies the objective's link to a base score stored as a prediction", async () => {
    const logistic = modelJson();
    logistic.learner.objective.name = "binary:logistic";
    (await predictOnnx(logistic)).forEach((predicted, row) => {
      // logit(0.5) is 0, where the identity's base is 0.5.
      expect(predicted).toBeCloseTo(1 / (1 + Math.exp(-(margins[row]! - 0.5))), 6);
    });
    const poisson = modelJson();
    poisson.learner.objective.name = "count:poisson";
    (await predictOnnx(poisson)).forEach((predicted, row) => {
      expect(predicted).toBeCloseTo(0.5 * Math.exp(margins[row]! - 0.5), 5);
    });
  });

  test("is cut to the best iteration, unless all rounds are chosen", () => {
    const json = modelJson();
    expect(readXgboostJson(bytesOf(json))).toMatchObject({
      rounds: null,
      ensemble: { trees: { length: 2 } },
    });
    json.learner.attributes = { best_iteration: "0" };
    const best = readXgboostJson(bytesOf(json));
    expect(best).toMatchObject({ rounds: { used: 1, total: 2 }, ensemble: { trees: { length: 1 } } });
    const all = readXgboostJson(bytesOf(json), "all");
    expect(all).toMatchObject({ rounds: { used: 2, total: 2 }, ensemble: { trees: { length: 2 } } });
    json.learner.attributes = { best_iteration: "1" };
    expect(readXgboostJson(bytesOf(json)).rounds).toBeNull();
  });

  test.each<[string, (json: ReturnType<typeof modelJson>) => void, string]>([
    [
      "a linear booster",
      ({ learner }) => (learner.gradient_booster.name = "gblinear"),
      "LinearRegression().fit(X, model.predict(X))",
    ],
    ["another booster", ({ learner }) => (learner.gradient_booster.name = "gbnew"), "gradient_booster.name"],
    [
      "several classes",
      ({ learner }) => (learner.learner_model_param.num_class = "3"),
      "onnxmltools.convert_xgboost",
    ],
    ["an unknown objective", ({ learner }) => (learner.objective.name = "survival:cox"), '"survival:cox"'],
    ["categorical splits", ({ learner }) => (treeOf(learner).split_type = [1, 0, 0]), "categorical"],
    ["a cycle", ({ learner }) => (treeOf(learner).left_children = [1, 2, -1]), "is not a tree"],
    [
      "a child beyond the end",
      ({ learner }) => (treeOf(learner).left_children = [7, -1, -1]),
      "is not a tree",
    ],
    [
      "a feature beyond the last",
      ({ learner }) => (treeOf(learner).split_indices = [2, 0, 0]),
      "feature 2. Valid features are 0 to 1",
    ],
    ["columns of unequal length", ({ learner }) => treeOf(learner).sum_hessian.pop(), "incomplete"],
    [
      "a base score out of range",
      ({ learner }) => (learner.learner_model_param.base_score = "x"),
      "base_score",
    ],
  ])("with %s is rejected", (_, damage, reason) => {
    const json = modelJson();
    damage(json);
    const read = () => readXgboostJson(bytesOf(json));
    expect(read).toThrow(ModelInvalid);
    expect(read).toThrow(reason);
  });

  test("rejects other JSON, and files that are not JSON", () => {
    expect(() => readXgboostJson(bytesOf({ learner: {} }))).toThrow("not an XGBoost model: learner.");
    expect(() => readXgboostJson(bytesOf(null))).toThrow("not an XGBoost model");
    for (const dump of [['{"nodeid":0,"leaf":1}'], [{ nodeid: 0, leaf: 1 }]])
      expect(() => readXgboostJson(bytesOf(dump))).toThrow('booster.save_model("model.json")');
    expect(() => readXgboostJson(Uint8Array.of(0x7b, 0x4c, 0xff))).toThrow("not JSON");
  });
});

function treeOf(learner: ReturnType<typeof modelJson>["learner"]) {
  return learner.gradient_booster.model.trees[0]!;
}

test("`below x` and `up to largestBelow(x)` agree for every float32", () => {
  const float = fc.oneof(
    fc.float({ noNaN: true }),
    fc.constantFrom(0, -0, 2 ** -149, -(2 ** -149), 1, Infinity),
  );
  fc.assert(
    fc.property(float, float, (x, v) => {
      fc.pre(x !== -Infinity);
      for (const value of [v, x, largestBelow(x)]) expect(value <= largestBelow(x)).toBe(value < x);
    }),
  );
});
