import { defineRoute } from "#lib/api/define-route";
import { OpenSharedComparison, SharedComparison } from "#lib/contract/shared-comparisons";
import { openSharedComparison } from "#lib/domain/comparison/open-shared-comparison";

export const POST = defineRoute({
  operationId: "openSharedComparison",
  tag: "Scenarios",
  summary: "Open a shared comparison",
  description:
    "Returns the comparison of a link, as `GET …/scenarios/compare` does. The token is in the body, so that no log has it. A link that has expired or was revoked returns 404.",
  auth: "public",
  body: OpenSharedComparison,
  bodyLimitBytes: 10_000,
  response: SharedComparison,
  errors: ["not_found", "scenario_not_ready"],
  records: "none because it only reads",
  run: ({ db, requestId }, { request: { headers, signal }, body }) =>
    openSharedComparison({ db, requestId, signal }, { ...body, headers }),
});
