import { parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { methods } from "#lib/api/route-declaration";
import { PARQUET_TYPE } from "#lib/contract/reading";
import { parseCsv } from "#lib/engine/csv/parse";
import { documentedRoutes } from "../app/api/v1/documented-routes.ts";
import { GET as predictionsRoute } from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as compareRoute } from "../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";
import { GET as templateRoute } from "../app/api/v1/projects/[projectId]/scenarios/template/route.ts";
import { testHost } from "./api.ts";
import { createTestDatabase } from "./postgres.ts";
import { base64, createScenario, createTrainedProject } from "./scenario-factory.ts";

await createTestDatabase();
const day = (at: number) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
const rows = Array.from(
  { length: 80 },
  (_, at) => `${day(at)},${["north", "south"][at % 2]},${at % 7},${at % 5}`,
);
const project = await createTrainedProject({
  csv: `day,site,x,y\n${rows.join("\n")}\n`,
  target: "y",
  timestamp: "day",
  request: { algorithm: "ridge" },
});
const { projectId } = project;
const create = async (x: number) => {
  const input = Array.from({ length: 40 }, (_, at) => `${day(80 + at)},north,${x + (at % 3)}`).join("\n");
  return (await createScenario(project, { title: `Plan ${x}`, fileData: base64(`day,site,x\n${input}\n`) }))
    .id;
};
const [one, other] = [await create(1), await create(2.5)];

type Handler = (request: Request, context: { params: Promise<unknown> }) => Promise<Response>;

/** Calls by operation. Each has a download. */
const calls: Record<string, { handler: Handler; params?: object; queries: string[] }> = {
  listPredictions: {
    handler: predictionsRoute,
    params: { scenarioId: one },
    queries: ["", "?from=2024-04-01", "?bucket=week", "?levels=0.5"],
  },
  compareScenarios: {
    handler: compareRoute,
    queries: [`?ids=${one},${other}`, `?ids=${one},${other}&bucket=month`, `?ids=${one},${other}&levels=0.8`],
  },
  getScenarioTemplate: { handler: templateRoute, queries: [""] },
};

async function download({ handler, params }: (typeof calls)[string], query: string, accept: string) {
  const request = new Request(`http://${testHost}/${query}`, { headers: { ...project.as.headers, accept } });
  const response = await handler(request, { params: Promise.resolve({ projectId, ...params }) });
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining(accept),
  ]);
  return new Uint8Array(await response.arrayBuffer());
}

test("every operation with a CSV also returns Parquet, and nothing else does", async () => {
  const found: string[] = [];
  for (const load of Object.values(documentedRoutes)) {
    const module = await load();
    for (const method of methods) {
      const { operationId, rawResponses = {} } = module[method]?.declaration ?? {};
      expect(PARQUET_TYPE in rawResponses).toBe("text/csv" in rawResponses);
      if ("text/csv" in rawResponses) found.push(operationId!);
    }
  }
  expect(found.toSorted()).toEqual(Object.keys(calls).toSorted());
});

test.each(
  Object.entries(calls).flatMap(([name, call]) => call.queries.map((query) => [name, query, call] as const)),
)("%s%s has the same values in both formats", async (_name, query, call) => {
  const { table } = parseCsv(await download(call, query, "text/csv"));
  const bytes = await download(call, query, PARQUET_TYPE);
  const found = await parquetReadObjects({ file: bytes.buffer });
  expect(found.length).toBe(table.rowCount);
  for (const column of table.columns) {
    const values = found.map((row) => row[column.name]);
    if (["day", "timestamp"].includes(column.name)) expect(values[0]).toBeInstanceOf(Date);
    // Names of buckets are texts, which read as times.
    const numberOf = (value: unknown) => (typeof value === "string" ? Date.parse(value) : Number(value));
    expect(
      values.map((value) => (value == null ? null : column.type === "category" ? value : numberOf(value))),
    ).toEqual(
      column.type === "category"
        ? Array.from(column.codes, (code) => column.categories[code] ?? null)
        : Array.from(column.values, (value) => (Number.isNaN(value) ? null : value)),
    );
  }
});
