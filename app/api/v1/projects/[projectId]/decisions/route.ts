import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { DecisionOutcome } from "#lib/contract/saved-comparisons";
import { listDecisions } from "#lib/domain/actuals/list-decisions";

export const GET = defineRoute({
  operationId: "listDecisions",
  tag: "Scenarios",
  summary: "List a project's decisions",
  description:
    "Returns the decisions that saved comparisons record, newest comparison first, with the sum of the actual values that came since. Record one by `PATCH …/comparisons/{comparisonId}`.",
  auth: "project",
  params: ProjectPath,
  response: z.array(DecisionOutcome),
  run: (ctx, { params }) => listDecisions(ctx, params),
});
