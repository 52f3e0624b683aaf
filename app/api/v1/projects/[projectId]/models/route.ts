import { z } from "zod";
import { Model } from "#lib/contract/models";
import { defineRoute } from "#lib/http/define-route";
import { ProjectPath } from "#lib/http/path-params";
import { listModels } from "#lib/models/list-models";

export const GET = defineRoute({
  operationId: "listModels",
  tag: "Models",
  summary: "List the project's models, newest first",
  auth: "project",
  params: ProjectPath,
  response: z.array(Model),
  run: (ctx, { params }) => listModels(ctx, params),
});
