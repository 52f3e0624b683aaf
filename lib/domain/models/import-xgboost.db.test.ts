import { describe, expect, it, vi } from "vitest";
import type { Model } from "#lib/contract/models";
import type { Prediction } from "#lib/contract/predictions";
import { callRoute } from "#testing/api";
import { newImportProject } from "#testing/import-project";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { base64 } from "#testing/scenario-factory";
import { xgboostStump } from "#testing/xgboost-stump";
import { GET as currentRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";

await createTestDatabase();
// An import starts two processes, one of them with a low priority.
vi.setConfig({ testTimeout: 120_000 });

describe("an XGBoost file", () => {
  it("gives its feature names, and missing values pass its trees", async () => {
    const { projectId, as, start } = await newImportProject();
    const stump = { ...xgboostStump, split_indices: [1, 0, 0] };
    const learner = {
      feature_names: ["temp °C", "wind"],
      gradient_booster: { name: "gbtree", model: { trees: [stump] } },
      learner_model_param: { base_score: "5E-1", num_feature: "2" },
      objective: { name: "reg:squarederror" },
    };
    const fields = { modelName: "X", target: "y", targetMetric: "mae", format: "xgboost-json" };
    const fileData = base64(JSON.stringify({ learner }));
    const predict = (input: object) =>
      callRoute<Prediction>(predictRoute, { params: { projectId }, as, body: { input } });
    await runJobHere((await start({ ...fields, fileData })).data.jobId);
    const named = await predict({ wind: [0, 1, null], "temp °C": [null, 1, 2] });
    expect(named.data?.predictions).toEqual([-0.5, 2.5, -0.5]);
    // Feature names in the request take precedence.
    const inputs = [{ feature: "a" }, { feature: "b" }];
    const labelledRows = base64("a,b,y\n1,0,-0.5\n1,1,2.5\n");
    await runJobHere((await start({ ...fields, fileData, inputs, labelledRows })).data.jobId);
    expect((await predict({ a: [1], b: [null] })).data?.predictions).toEqual([-0.5]);
    const body = { input: { a: [1, null], b: [null, 1] }, include: ["contributions"] };
    const explained = await callRoute<Prediction>(predictRoute, { params: { projectId }, as, body });
    // 40% of the cover has the leaf -1, 60% the leaf 2.
    expect(explained.data.contributions).toMatchObject({
      method: "exact",
      scale: "prediction",
      baseValue: expect.closeTo(1.3, 9),
      features: ["a", "b"],
      values: [
        [0, expect.closeTo(-1.8, 9)],
        [0, expect.closeTo(1.2, 9)],
      ],
    });
  });

  it("is used up to its best iteration, which the model states, and in all rounds on request", async () => {
    const { projectId, as, start } = await newImportProject();
    const leaf = (value: number) => ({
      left_children: [-1],
      right_children: [-1],
      split_indices: [0],
      split_conditions: [value],
      default_left: [0],
      sum_hessian: [1],
    });
    const learner = {
      attributes: { best_iteration: "1", best_score: "0.8" },
      feature_names: ["x"],
      gradient_booster: { name: "gbtree", model: { trees: [leaf(1), leaf(2), leaf(4)] } },
      learner_model_param: { base_score: "[5E-1]", num_feature: "1" },
      objective: { name: "reg:squarederror" },
    };
    const fields = { modelName: "X", target: "y", targetMetric: "mae", format: "xgboost-json" };
    const fileData = base64(JSON.stringify({ learner }));
    for (const [rounds, prediction, stated] of [
      [undefined, 3.5, "2 of 3 rounds are used"],
      ["all", 7.5, "3 of 3 rounds are used"],
    ] as const) {
      await runJobHere((await start({ ...fields, fileData, ...(rounds && { rounds }) })).data.jobId);
      const body = { input: { x: [1] } };
      const { data } = await callRoute<Prediction>(predictRoute, { params: { projectId }, as, body });
      expect(data.predictions).toEqual([prediction]);
      const model = await callRoute<Model>(currentRoute, { params: { projectId }, as });
      expect(model.data.warnings).toContainEqual(
        expect.objectContaining({ code: "best_iteration", message: expect.stringContaining(stated) }),
      );
    }
  });

  it.each([
    ["feature_names.0", { feature_names: ["a\0b"] }],
    ["feature_names.0", { feature_names: ["a\uD800b"] }],
    ["objective.name", { objective: { name: "a\0b" } }],
  ])(
    "ends Failed with the reason for a text of an XGBoost file that cannot be stored: %s",
    async (field, change) => {
      const { start } = await newImportProject();
      const learner = {
        gradient_booster: { name: "gbtree", model: { trees: [xgboostStump] } },
        learner_model_param: { base_score: "5E-1", num_feature: "1" },
        objective: { name: "reg:squarederror" },
        ...change,
      };
      const fields = { modelName: "X", target: "y", targetMetric: "mae", format: "xgboost-json" };
      const { data } = await start({ ...fields, fileData: base64(JSON.stringify({ learner })) });
      const { status, errorCode, errorMessage } = await runJobHere(data.jobId);
      expect([status, errorCode, errorMessage]).toEqual([
        "Failed",
        "model_invalid",
        `The XGBoost model is wrong: learner.${field} contains a character that is not allowed: NUL or an unpaired surrogate.`,
      ]);
    },
  );
});
