import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { limits } from "#lib/contract/limits";
import { createKey, createProject, testHost } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { runJobsHere } from "#testing/run-jobs";
import { base64, createScenario, createTrainedProject } from "#testing/scenario-factory";
import { setEnvironment } from "#testing/set-environment";
import { POST } from "../../../app/api/mcp/route.ts";
import { ANSWER_CHARACTERS } from "./shorten.ts";
import { tools } from "./tools.ts";

setEnvironment({ RATE_LIMIT_PER_MINUTE: "60", RATE_LIMIT_BURST: "200" });
await createTestDatabase();
const day = (at: number) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
const rows = (count: number, from = 0) =>
  Array.from(
    { length: count },
    (_, at) => `${day(from + at)},${(from + at) % 7},${3 * ((from + at) % 7) + 10}`,
  );
const project = await createTrainedProject({
  csv: `day,x,y\n${rows(120).join("\n")}\n`,
  target: "y",
  timestamp: "day",
  request: { algorithm: "ridge", features: { lags: [] } },
});
const input = (x: number) =>
  `day,x\n${Array.from({ length: 20 }, (_, at) => `${day(120 + at)},${x}`).join("\n")}\n`;
const plan = await createScenario(project, { title: "Plan", fileData: base64(input(2)) });
const { id: otherProjectId } = await createProject();
const stranger = await createKey({ projectId: otherProjectId });

/** Connects the official client to the real route. */
async function connect(key: string): Promise<Client> {
  const client = new Client({ name: "tests", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`http://${testHost}/api/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: async (url, init) => {
      const method = init?.method ?? "GET";
      if (method !== "POST") return new Response(null, { status: 405 });
      return POST(new Request(url, init as RequestInit));
    },
  });
  await client.connect(transport);
  return client;
}

const agent = await connect(project.as.key);
type Answer = {
  isError?: boolean;
  text: string; // biome-ignore lint/suspicious/noExplicitAny: answers of every tool
  data: Record<string, any>;
};
async function ask(name: string, args: Record<string, unknown> = {}, client = agent): Promise<Answer> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const [{ text }] = content as unknown as [{ text: string }];
  return { text, data: structuredContent as Answer["data"], ...(isError && { isError }) };
}

/** Sends a body as it stands. */
const send = (body: string, headers: Record<string, string> = {}) =>
  POST(
    new Request(`http://${testHost}/api/mcp`, {
      method: "POST",
      body,
      headers: {
        authorization: `Bearer ${project.as.key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
    }),
  );
const message = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

describe("the tools", () => {
  test("are few, described by their operations, and marked", async () => {
    const listed = (await agent.listTools()).tools;
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const { name, description, inputSchema, annotations } of listed) {
      expect(description!.length, name).toBeGreaterThan(20);
      expect(annotations).toMatchObject({
        readOnlyHint: !["create_scenario", "add_actuals"].includes(name),
        destructiveHint: false,
      });
      expect(Object.keys(inputSchema.properties ?? {}), name).not.toContain("projectId");
      for (const [field, one] of Object.entries(inputSchema.properties ?? {}))
        expect(JSON.stringify(one), `${name} ${field}`).toMatch(/description|\$ref/);
    }
    expect(JSON.stringify(listed).length).toBeLessThan(60_000);
  });

  test("describe the project", async () => {
    const { data } = await ask("describe_project");
    expect(data).toMatchObject({
      name: "Demand",
      target: "y",
      data: { rowCount: 120, frequency: "P1D" },
      page: `http://${testHost}/projects/${project.projectId}`,
    });
    expect(data.inputs).toContainEqual(
      expect.objectContaining({ name: "x", type: "number", min: 0, max: 6 }),
    );
  });

  test("list scenarios, and read one with its predictions", async () => {
    expect((await ask("list_scenarios", { limit: 5 })).data.scenarios).toMatchObject([
      { id: plan.id, title: "Plan" },
    ]);
    const { data, text } = await ask("read_scenario", { scenarioId: plan.id, maxPoints: 10 });
    expect(data).toMatchObject({ title: "Plan", rowCount: 20, status: "Completed" });
    expect(data.predictions.values.length).toBeLessThanOrEqual(10);
    expect(JSON.parse(text)).toEqual(data);
    expect(data.page).toBe(`http://${testHost}/projects/${project.projectId}/scenarios/${plan.id}`);
  });

  test("predict rows as the API does, and check inputs", async () => {
    const { data } = await ask("predict", { input: { day: [day(120), day(121)], x: [2, 3] } });
    expect(data.predictions).toHaveLength(2);
    const missing = await ask("predict", { input: { day: [day(120)] } });
    expect(missing).toMatchObject({ isError: true, text: expect.stringMatching(/^input_invalid: [\s\S]*x/) });
    expect((await ask("validate_input", { csv: input(3) })).data).toMatchObject({
      valid: true,
      rowCount: 20,
    });
    const { data: invalid } = await ask("validate_input", { csv: "day,z\n2024-05-01,1\n" });
    expect(invalid).toMatchObject({ valid: false });
  });

  test("create a scenario, wait for it, and compare it with the causes", async () => {
    const creating = ask("create_scenario", {
      title: "More",
      baseScenarioId: plan.id,
      adjustments: [{ feature: "x", operation: "add", value: 2 }],
      waitSeconds: 30,
    });
    const isCreated = Promise.race([creating.then(() => true), runUntilCreated()]);
    await isCreated;
    const { data: more } = await creating;
    expect(more).toMatchObject({ title: "More", status: "Completed", job: { status: "Completed" } });
    // The tool uses the default checkpoint instead of a new one.
    expect((await ask("list_checkpoints")).data.checkpoints).toHaveLength(1);
    const { data } = await ask("compare_scenarios", { ids: `${plan.id},${more.id}` });
    expect(data.why).toMatchObject([{ scenarioId: more.id, parts: [{ kind: "input", feature: "x" }] }]);
    expect(data.why[0].totalDifference).toBeCloseTo(data.differences[1].totalDifference, 6);
    const { data: later } = await ask("create_scenario", { title: "Later", csv: input(1), waitSeconds: 0 });
    expect(later.job.status).toBe("Pending");
    await runJobsHere(project.projectId);
    expect((await ask("read_job", { jobId: later.job.id })).data).toMatchObject({ status: "Completed" });
  });

  test("find what matters, and what reaches a goal", async () => {
    const { data } = await ask("run_sensitivity", { scenarioId: plan.id });
    expect(data.features).toContainEqual(expect.objectContaining({ feature: "x" }));
    const { data: found } = await ask("goal_seek", {
      scenarioId: plan.id,
      levers: [{ feature: "x", operation: "add", min: -2, max: 4, step: 1 }],
      goal: { statistic: "mean", relation: "atLeast", value: 20 },
    });
    expect(found).toMatchObject({ status: "reached", adjustments: [{ feature: "x" }] });
  });

  test("append actual values, and compare with them", async () => {
    const { data } = await ask("add_actuals", { csv: `day,x,y\n${rows(5, 120).join("\n")}\n` });
    expect(data).toMatchObject({ rowCount: 125 });
    expect((await ask("list_actuals", { scenarioId: plan.id })).data).toMatchObject({ errors: { rows: 5 } });
    const record = await ask("read_track_record", { scenarioId: plan.id });
    expect(record.data).toMatchObject({ runs: 1, errors: { rows: 5 } });
  });
});

describe("a message", () => {
  test.each([
    ["no key", {}, "api_key_missing", 'Bearer realm="API key"'],
    ["another scheme", { authorization: "Basic abc" }, "api_key_missing", 'Bearer realm="API key"'],
    [
      "an unknown key",
      { authorization: "Bearer mps_x" },
      "api_key_invalid",
      'Bearer realm="API key", error="invalid_token"',
    ],
  ])("with %s is answered with 401", async (_what, headers, code, challenge) => {
    const response = await send(message("tools/list"), { authorization: "", ...headers });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, challenge]);
    expect(await response.json()).toMatchObject({ success: false, error: { code } });
  });

  test("cannot reach another project", async () => {
    const foreign = await connect(stranger.key);
    for (const [name, args] of [
      ["read_scenario", { scenarioId: plan.id }],
      ["read_job", { jobId: plan.jobId }],
      ["run_sensitivity", { scenarioId: plan.id }],
      ["compare_scenarios", { ids: `${plan.id},${plan.id}` }],
    ] as const)
      expect(await ask(name, args, foreign), name).toMatchObject({
        isError: true,
        text: expect.stringMatching(/_not_found:|validation_failed:/),
      });
    expect((await ask("list_scenarios", {}, foreign)).data.scenarios).toEqual([]);
  });

  test("needs the scope of the operation", async () => {
    const reader = await connect((await createKey({ projectId: project.projectId, scopes: ["read"] })).key);
    expect((await ask("list_scenarios", {}, reader)).isError).toBeUndefined();
    for (const [name, args] of [
      ["predict", { input: { day: [day(120)], x: [1] } }],
      ["create_scenario", { title: "No" }],
      ["add_actuals", { csv: "day,x,y\n" }],
    ] as const)
      expect(await ask(name, args, reader), name).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^forbidden: /),
      });
  });

  test("that is malformed, too large, a batch or of an unknown tool gets an answer", async () => {
    expect((await send("{")).status).toBe(400);
    expect((await send(JSON.stringify({ hello: 1 }))).status).toBe(400);
    expect((await send(message("tools/list", { filler: "x".repeat(limits.jsonBytes) }))).status).toBe(413);
    expect((await send("x=1", { "content-type": "text/plain" })).status).toBe(415);
    const batch = await send(`[${message("tools/list")},${message("tools/list")}]`);
    expect(batch.status).toBeLessThan(500);
    await expect(ask("drop_tables")).rejects.toThrow(/drop_tables/);
    expect(await ask("list_scenarios", { projectId: otherProjectId })).toMatchObject({
      isError: true,
      text: expect.stringContaining("Unknown arguments: projectId"),
    });
  });

  test("counts towards the key's limit, and so do its calls", async () => {
    const headers = { authorization: `Bearer ${(await createKey({ projectId: project.projectId })).key}` };
    const remaining = async () => {
      const listing = { name: "list_checkpoints", arguments: {} };
      const response = await send(message("tools/call", listing), headers);
      await response.text();
      return Number(/r=(\d+)/.exec(response.headers.get("ratelimit")!)![1]);
    };
    const first = await remaining();
    for (let call = 0; call < 9; call++) await remaining();
    // One for each message would be ten, less one for each second that passed.
    expect(first - (await remaining())).toBeGreaterThan(12);
    const sent = await Promise.all(Array.from({ length: 300 }, () => send(message("tools/list"), headers)));
    const limited = sent.find(({ status }) => status === 429)!;
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("has a short answer, however much there is", async () => {
    const columns = Array.from({ length: 200 }, () => `${Math.random()}`.repeat(20));
    const invalid = await ask("validate_input", { csv: `${columns.join(",")}\n1\n` });
    expect(invalid.text.length).toBeLessThanOrEqual(ANSWER_CHARACTERS);
  });
});

/** Runs the jobs of the project until one has run. */
async function runUntilCreated(): Promise<boolean> {
  for (;;) {
    if ((await runJobsHere(project.projectId)).length > 0) return true;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
