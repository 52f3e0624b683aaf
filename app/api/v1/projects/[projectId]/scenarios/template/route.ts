import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { tableDownload, tableResponses, wantedTable } from "#lib/api/response/table-download";
import { TemplateQuery } from "#lib/contract/scenario-list";
import { inputTemplate } from "#lib/domain/scenarios/input-template";

export const GET = defineRoute({
  operationId: "getScenarioTemplate",
  tag: "Scenarios",
  summary: "Download a template",
  description:
    "Returns the header of a scenario's input for a checkpoint, by default the current model, and one example row. Upstream features are left out, because the service computes them. The template is CSV unless `Accept` names another format.",
  auth: "project",
  params: ProjectPath,
  query: TemplateQuery,
  rawResponses: tableResponses("Header and one example row."),
  errors: ["checkpoint_not_found", "no_trained_model"],
  async run(ctx, { params, query, request }) {
    const { title, parts } = await inputTemplate(ctx, { ...query, ...params });
    return tableDownload(wantedTable(request) ?? "text/csv", title, parts);
  },
});
