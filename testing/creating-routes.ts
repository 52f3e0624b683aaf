import type { Sql } from "postgres";
import type { PopulatedProject } from "./populated-project.ts";
import { type RouteCase, routeCases } from "./route-cases.ts";
import { validCalls } from "./valid-calls.ts";

/** Returns the POST routes that create, which are those with `idempotent` in their declaration. */
export async function creatingRoutes(): Promise<[name: string, item: RouteCase][]> {
  const cases = await routeCases();
  return cases.filter(({ handler }) => handler.declaration.idempotent).map((item) => [item.name, item]);
}

/** Tables that the creations add a row to, by operation id. */
const tables: Record<string, string> = {
  createProject: "projects",
  createMember: "user",
  addProjectMember: "project_members",
  createApiKey: "api_keys",
  rotateApiKey: "api_keys",
  createWebhook: "webhooks",
  // Its entry in the audit log, because it adds no webhook.
  rotateWebhook: "audit_log",
  testWebhook: "webhook_deliveries",
  createCheckpoint: "checkpoints",
  importCheckpoint: "checkpoints",
  createComparison: "comparisons",
  // Its entry in the audit log, because it replaces a former link.
  createComparisonLink: "audit_log",
  createScenario: "scenarios",
  createScenarioRun: "scenario_runs",
  createOverride: "scenario_overrides",
  createUpload: "uploads",
  appendDatasetRows: "datasets",
  restoreDatasetVersion: "datasets",
  trainModel: "jobs",
  importModel: "jobs",
  retryJob: "jobs",
};

export const countedOperations = Object.keys(tables);

const tableOf = ({ handler }: RouteCase) => tables[handler.declaration.operationId]!;

export async function countCreated(sql: Sql, item: RouteCase): Promise<number> {
  const table = tableOf(item);
  const [row] =
    table === "datasets"
      ? await sql`select sum(last) as count from (select max(version) as last from datasets group by project_id)`
      : await sql`select count(*) from ${sql(table)}`;
  return Number(row!.count);
}

/** Returns the number of rows that the transaction which stored the response of a key has written. */
export async function countStoredWith(sql: Sql, item: RouteCase, key: string): Promise<number> {
  const [row] = await sql`
    select count(*) from ${sql(tableOf(item))} as created, idempotency_keys as stored
    where stored.key = ${key} and stored.answer is not null and created.xmin = stored.xmin`;
  return Number(row!.count);
}

/** Body field that the calls vary, by operation id. Its value does not affect validity. */
const variedFields: Record<string, string> = {
  createProject: "description",
  createMember: "name",
  createApiKey: "name",
  createCheckpoint: "description",
  importCheckpoint: "description",
  createScenario: "description",
  createComparison: "name",
  createComparisonLink: "expiresInDays",
  createOverride: "reason",
  rotateApiKey: "overlapSeconds",
  createWebhook: "url",
  rotateWebhook: "overlapSeconds",
  trainModel: "seed",
  appendDatasetRows: "fileName",
  importModel: "modelName",
};
/** Numeric fields, and their smallest value. */
const numericFields: Record<string, number> = { overlapSeconds: 0, seed: 0, expiresInDays: 1 };

/** Returns a function that creates valid calls of one URL. Each variant is another call. */
export async function repeatableCall(item: RouteCase, project: PopulatedProject) {
  const { body, ...parts } = await validCalls[item.name]!(project);
  const field = variedFields[item.handler.declaration.operationId];
  /** @param variant changes the body, or the query of a route without a body */
  return (variant = 0) => {
    // Without a field to vary, the address varies.
    const whole = body === undefined ? undefined : JSON.stringify(body);
    if (body === undefined || (typeof body === "object" && field === undefined))
      return item.call({ ...parts, body: whole, ...(variant && { query: { variant: `${variant}` } }) });
    if (typeof body === "string") return item.call({ ...parts, body: `${body}${variant},0\n` });
    const text = field === "url" ? `https://example.com/${variant}` : `Number ${variant}`;
    const least = numericFields[field!];
    const value = least === undefined ? text : least + variant;
    return item.call({ ...parts, body: JSON.stringify({ ...(body as object), [field!]: value }) });
  };
}
