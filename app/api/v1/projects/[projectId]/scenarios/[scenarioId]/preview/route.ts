import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { PreviewRequest, ScenarioPreview } from "#lib/contract/scenario-preview";
import { previewScenario } from "#lib/domain/what-if/preview-scenario";

export const POST = defineRoute({
  operationId: "previewScenario",
  tag: "Scenarios",
  summary: "Preview a scenario with adjustments",
  description:
    "Returns the predictions of a scenario with adjusted inputs, beside its own predictions. A scenario made from this one with the same `adjustments` and checkpoints has equal predictions. Scenarios can have at most 50,000 rows, or 10,000 rows if they use earlier predictions. Of many series, at most 200 are predicted, which `series` and `where` choose, and the points are their sums. With `explain`, also splits the difference between the two by changed input. Changes nothing.",
  auth: "project",
  effect: "predict",
  params: ScenarioPath,
  body: PreviewRequest,
  response: ScenarioPreview,
  errors: ["scenario_not_ready", "series_not_found", "input_invalid"],
  records: "none because it only computes",
  run: (ctx, { params, body }) => previewScenario(ctx, { ...body, ...params }),
});
