import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { csvDownload } from "#lib/api/response/csv-download";
import { TemplateQuery } from "#lib/contract/scenario-list";
import { inputTemplate } from "#lib/domain/scenarios/input-template";

export const GET = defineRoute({
  operationId: "getScenarioTemplate",
  tag: "Scenarios",
  summary: "Download a CSV template",
  description:
    "Returns the header of a scenario's input for a checkpoint, by default the current model, and one example row. Upstream features are left out, because the service computes them.",
  auth: "project",
  params: ProjectPath,
  query: TemplateQuery,
  rawResponses: { "text/csv": { description: "Header and one example row." } },
  errors: ["checkpoint_not_found", "no_trained_model"],
  async run(ctx, { params, query }) {
    const { title, pieces } = await inputTemplate(ctx, { ...query, ...params });
    return csvDownload(title, pieces);
  },
});
