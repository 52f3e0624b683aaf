import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { startService } from "../e2e/service.ts";
import { openSession, type Session } from "../e2e/session.ts";
import { type BenchModel, createBenchModel, createNetwork, inputRows } from "./bench-model.ts";
import {
  type Benchmark,
  type Measurement,
  measure,
  median,
  type Settings,
  temporaryFolder,
} from "./harness.ts";
import type { Load, LoadResult } from "./load-generator.ts";

type Case = { rowCount: number; connections: number; model: string };

const CASES = [
  { rowCount: 1, connections: 32 },
  { rowCount: 1, connections: 1 },
  { rowCount: 1_000, connections: 32 },
];
const NETWORK_CASES = [1, 1_000].map((rowCount) => ({ rowCount, connections: 1 }));

type Contender = { name: string; port: number; path: string; key?: string };

/** Rate limit that is counted but never reached. */
const UNREACHED_LIMIT = "100000000";

/**
 * Compares predictions over HTTP by the whole service with a server that only predicts (`bare-server.ts`). The service
 * checks keys, limits and inputs, and counts calls. A separate process sends the load. The first model consists of trees,
 * which the service evaluates itself; the second is an imported network, which it runs in a guarded process.
 */
export const http: Benchmark = async function* (settings) {
  const { seed, log } = settings;
  log("  training the model");
  const trees = await createBenchModel(settings);
  const network = createNetwork();
  using folder = temporaryFolder();
  log("  starting a service");
  await using cleanup = new AsyncDisposableStack();
  const service = await startService(path.join(folder.path, "data"), {
    RATE_LIMIT_PER_MINUTE: UNREACHED_LIMIT,
    RATE_LIMIT_BURST: UNREACHED_LIMIT,
  });
  cleanup.defer(service.stop);
  const session = await openSession(service.url);
  const port = Number(new URL(service.url).port);
  const contendersOf = async (model: BenchModel): Promise<Contender[]> => {
    const { project, key } = await createProject(session, model);
    const file = path.join(folder.path, `${project}.onnx`);
    writeFileSync(file, model.onnx);
    const bare = await startBare(file);
    cleanup.defer(bare.stop);
    return [
      { name: "POST …/predict", port, path: `/api/v1/projects/${project}/predict`, key },
      { name: "bare node:http + ONNX Runtime", port: bare.port, path: "/" },
    ];
  };
  const contenders = await contendersOf(trees);
  for (const one of CASES) yield await compare(contenders, { ...one, model: "" }, settings);
  const imported = await contendersOf(network);
  const first = await send({
    port,
    request: requestOf(imported[0]!, bodyOf(1, seed)),
    connections: 1,
    ms: 1,
  });
  log(`  first call of the imported network: ${first.p50Ms.toFixed(0)} ms`);
  for (const one of NETWORK_CASES)
    yield await compare(imported, { ...one, model: "imported network, " }, settings);
};

/** Creates a project with the model, and a key for it. */
async function createProject(session: Session, { name, onnx }: BenchModel) {
  const { id: project } = await session.post<{ id: string }>("/projects", { name: "Bench of HTTP" });
  await session.job(`/projects/${project}/models/import`, {
    fileData: Buffer.from(onnx).toString("base64"),
    modelName: name,
    target: "y",
    targetMetric: "rmse",
    inputs: inputRows(1, 0).columns.map(({ name: feature }, index) => ({ feature, input: "X", index })),
  });
  const { key } = await session.post<{ key: string }>(`/projects/${project}/api-keys`, { name: "Bench" });
  return { project, key };
}

/** @param file path of the ONNX model */
async function startBare(file: string): Promise<{ port: number; stop(): Promise<void> }> {
  const child = fork(path.join(import.meta.dirname, "bare-server.ts"), [file]);
  const exited = once(child, "exit");
  const ended = exited.then(() => Promise.reject(new Error("The bare server ended.")));
  ended.catch(() => undefined); // It also ends when it is stopped.
  const [port] = (await Promise.race([once(child, "message"), ended])) as [number];
  return {
    port,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

async function compare(
  contenders: Contender[],
  { rowCount, connections, model }: Case,
  { quick, rounds, seed }: Settings,
): Promise<Measurement> {
  const body = bodyOf(rowCount, seed);
  const results = contenders.map((): LoadResult[] => []);
  const [ours, ...others] = contenders.map((contender, index) => {
    const request = requestOf(contender, body);
    const load = { port: contender.port, request, connections, ms: quick ? 300 : 2_500 };
    return {
      name: contender.name,
      run: async () => results[index]!.push(await send(load)),
      // One connection: latency of a response. Several connections: time of the server per response.
      ownMs() {
        const { p50Ms, perSecond } = results[index]!.at(-1)!;
        return connections === 1 ? p50Ms : 1_000 / perSecond;
      },
    };
  });
  const what = `${model}${rowCount.toLocaleString("en")} row${rowCount === 1 ? "" : "s"}, ${connections} connection${connections === 1 ? ", p50" : "s"}`;
  const measured = await measure({ what, ours: ours!, others, rounds });
  const notes = contenders.map(({ name }, index) => {
    const perSecond = Math.round(median(results[index]!.map((one) => one.perSecond)));
    const p99 = median(results[index]!.map((one) => one.p99Ms)).toPrecision(3);
    return `${name} ${perSecond.toLocaleString("en")}/s (p99 ${p99} ms)`;
  });
  return { ...measured, note: notes.join(", ") };
}

function bodyOf(rowCount: number, seed: number): string {
  const columns = inputRows(rowCount, seed + 2).columns.flatMap((column) =>
    column.type === "category" ? [] : [[column.name, Array.from(column.values)] as const],
  );
  return JSON.stringify({ input: Object.fromEntries(columns) });
}

function requestOf({ port, path, key }: Contender, body: string): string {
  const headers = {
    Host: `127.0.0.1:${port}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    ...(key !== undefined && { "X-API-Key": key }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

/** Sends a load from a new process. */
async function send(load: Load): Promise<LoadResult> {
  const child = fork(path.join(import.meta.dirname, "load-generator.ts"));
  try {
    child.send(load);
    const [result] = (await once(child, "message")) as [LoadResult | { error: string }];
    if ("error" in result) throw new Error(result.error);
    return result;
  } finally {
    child.disconnect();
  }
}
