import type { Sql } from "postgres";
import type { PopulatedProject } from "./populated-project.ts";
import { type RouteCase, routeCases } from "./route-cases.ts";
import { validCalls } from "./valid-calls.ts";

/** Returns the POST routes that create, which are those with `idempotent` in their declaration. */
export async function creatingRoutes(): Promise<[name: string, item: RouteCase][]> {
  const cases = await routeCases();
  return cases.filter(({ handler }) => handler.declaration.idempotent).map((item) => [item.name, item]);
}

/** Queries that count the creations, by operation id. */
const counts: Record<string, string> = {
  createProject: 'select count(*) from "projects"',
  createMember: 'select count(*) from "user"',
  createApiKey: "select count(*) from api_keys",
  rotateApiKey: "select count(*) from api_keys",
  createCheckpoint: "select count(*) from checkpoints",
  importCheckpoint: "select count(*) from checkpoints",
  createComparison: "select count(*) from comparisons",
  createScenario: "select count(*) from scenarios",
  createUpload: "select count(*) from uploads",
  appendDatasetRows:
    "select sum(last) as count from (select max(version) as last from datasets group by project_id)",
  trainModel: "select count(*) from jobs",
  importModel: "select count(*) from jobs",
  retryJob: "select count(*) from jobs",
};

export const countedOperations = Object.keys(counts);

export async function countCreated(sql: Sql, { handler }: RouteCase): Promise<number> {
  const [row] = await sql.unsafe(counts[handler.declaration.operationId]!);
  return Number(row!.count);
}

/** Body field that the calls vary, by operation id. Its value does not affect validity. */
const variedFields: Record<string, string> = {
  ...{ createProject: "description", createMember: "name", createApiKey: "name" },
  ...{ createCheckpoint: "description", importCheckpoint: "description", createScenario: "description" },
  ...{ createComparison: "name" },
  ...{ rotateApiKey: "overlapSeconds", trainModel: "seed" },
  ...{ appendDatasetRows: "fileName", importModel: "modelName" },
};
const numericFields = ["overlapSeconds", "seed"];

/** Returns a function that creates valid calls of one URL. Each variant is another call. */
export async function repeatableCall(item: RouteCase, project: PopulatedProject) {
  const { body, ...parts } = await validCalls[item.name]!(project);
  const field = variedFields[item.handler.declaration.operationId]!;
  /** @param variant changes the body, or the query of a route without a body */
  return (variant = 0) => {
    if (body === undefined)
      return item.call({ ...parts, ...(variant && { query: { variant: `${variant}` } }) });
    if (typeof body === "string") return item.call({ ...parts, body: `${body}${variant},0\n` });
    const value = numericFields.includes(field) ? variant : `Number ${variant}`;
    return item.call({ ...parts, body: JSON.stringify({ ...(body as object), [field]: value }) });
  };
}
