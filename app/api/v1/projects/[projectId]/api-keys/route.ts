import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { CreateApiKey, CreatedApiKey, ListedApiKey } from "#lib/contract/api-keys";
import { ListQuery } from "#lib/contract/common";
import { createApiKey } from "#lib/domain/api-keys/create-api-key";
import { listApiKeys } from "#lib/domain/api-keys/list-api-keys";

export const GET = defineRoute({
  operationId: "listApiKeys",
  tag: "API keys",
  summary: "List a project's API keys",
  description: "Returns keys newest first, including revoked and expired keys.",
  auth: "manage",
  params: ProjectPath,
  query: ListQuery,
  response: z.array(ListedApiKey),
  run: async (ctx, { params, query, request }) =>
    pageReply(request, await listApiKeys(ctx, { ...params, limit: query.limit, after: pageStart(request) })),
});

export const POST = defineRoute({
  operationId: "createApiKey",
  tag: "API keys",
  summary: "Create an API key",
  description: "Only this response contains the key itself.",
  auth: "manage",
  params: ProjectPath,
  body: CreateApiKey,
  response: CreatedApiKey,
  status: 201,
  idempotent: true,
  records: ["api-key.created"],
  run: (ctx, { params, body }) => createApiKey(ctx, { ...params, ...body }),
});
