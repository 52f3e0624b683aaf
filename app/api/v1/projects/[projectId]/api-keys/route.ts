import { z } from "zod";
import { createApiKey } from "#lib/api-keys/create-api-key";
import { listApiKeys } from "#lib/api-keys/list-api-keys";
import { CreateApiKey, CreatedApiKey, ListedApiKey } from "#lib/contract/api-keys";
import { ListQuery } from "#lib/contract/common";
import { defineRoute } from "#lib/http/define-route";
import { ProjectPath } from "#lib/http/path-params";
import { pageReply, pageStart } from "#lib/http/response/pagination";

export const GET = defineRoute({
  operationId: "listApiKeys",
  tag: "API keys",
  summary: "List a project's API keys",
  description: "The newest first, revoked and expired ones too.",
  auth: "admin",
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
  description: "The answer is the only one that ever holds the key itself.",
  auth: "admin",
  params: ProjectPath,
  body: CreateApiKey,
  response: CreatedApiKey,
  status: 201,
  idempotent: true,
  run: (ctx, { params, body }) => createApiKey(ctx, { ...params, ...body }),
});
