import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { admin, startService } from "../e2e/service.ts";
import { type BenchModel, createBenchModel, createNetwork, inputRows } from "./bench-model.ts";
import {
  type Benchmark,
  type Measurement,
  median,
  ratioOf,
  type Settings,
  temporaryFolder,
} from "./harness.ts";
import type { Load, LoadResult } from "./load-generator.ts";
import { type Session, signIn } from "./session.ts";

type Case = { rowCount: number; connections: number; model: string };

const CASES = [
  { rowCount: 1, connections: 32 },
  { rowCount: 1, connections: 1 },
  { rowCount: 1_000, connections: 32 },
];
const NETWORK_CASES = [1, 1_000].map((rowCount) => ({ rowCount, connections: 1 }));

type Contender = { name: string; port: number; path: string; key?: string; warmMs: number };

/** Rate limit that is counted but never reached. */
const UNREACHED_LIMIT = "100000000";

/**
 * Compares predictions over HTTP by the whole service with a server that only predicts (`bare-server.ts`). The service
 * checks keys, limits and inputs, and counts calls. It answers with its own adapter or through Next.js. A separate
 * process sends the load. The first model consists of trees, which the service evaluates itself; the second is an
 * imported network, which it runs in a guarded process.
 */
export const http: Benchmark = async function* (settings) {
  const { quick, seed, log } = settings;
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
  const session = await signIn(service.url, admin);
  const short = quick ? 500 : 2_000;
  const port = Number(new URL(service.url).port);
  const at = (id: string) => `/api/v1/projects/${id}/predict`;
  const contendersOf = async (model: BenchModel): Promise<Contender[]> => {
    const { project, key } = await createProject(session, model);
    const file = path.join(folder.path, `${project}.onnx`);
    writeFileSync(file, model.onnx);
    const bare = await startBare(file);
    cleanup.defer(bare.stop);
    // Next.js answers paths with escapes; the service's adapter does not take them.
    const escaped = `%${project.charCodeAt(0).toString(16)}${project.slice(1)}`;
    return [
      { name: "POST …/predict", port, path: at(project), key, warmMs: 2 * short },
      {
        name: "POST …/predict through Next.js",
        port,
        path: at(escaped),
        key,
        warmMs: quick ? 2_000 : 20_000,
      },
      { name: "bare node:http + ONNX Runtime", port: bare.port, path: "/", warmMs: short },
    ];
  };
  const contenders = await contendersOf(trees);
  for (const one of CASES) yield* compare(contenders, { ...one, model: "" }, settings);
  for (const connections of [1, 4]) yield await besideLarge(contenders, connections, settings);
  const imported = await contendersOf(network);
  const first = await send({
    port,
    request: requestOf(imported[0]!, bodyOf(1, seed)),
    connections: 1,
    ms: 1,
  });
  log(`  first call of the imported network: ${first.p50Ms.toFixed(0)} ms`);
  for (const one of NETWORK_CASES)
    yield* compare(imported, { ...one, model: "imported network, " }, settings);
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

async function* compare(
  contenders: Contender[],
  { rowCount, connections, model }: Case,
  { quick, rounds, seed }: Settings,
): AsyncGenerator<Measurement> {
  const body = bodyOf(rowCount, seed);
  const loads = contenders.map((contender) => ({ ...contender, request: requestOf(contender, body) }));
  for (const { port, request, warmMs } of loads) await send({ port, request, connections, ms: warmMs });
  const results = contenders.map((): LoadResult[] => []);
  for (let round = 0; round < rounds; round++) {
    const order = [...loads.keys()];
    if (round % 2 === 1) order.reverse();
    for (const index of order) {
      const { port, request } = loads[index]!;
      results[index]!.push(await send({ port, request, connections, ms: quick ? 300 : 1_500 }));
    }
  }
  // One connection: latency of a response. Several connections: time of the server per response.
  const times = results.map((all) =>
    all.map(({ perSecond, p50Ms }) => (connections === 1 ? p50Ms : 1_000 / perSecond)),
  );
  const what = `${model}${rowCount.toLocaleString("en")} row${rowCount === 1 ? "" : "s"}, ${connections} connection${connections === 1 ? ", p50" : "s"}`;
  const timing = (index: number) => ({ name: contenders[index]!.name, medianMs: median(times[index]!) });
  const describe = (index: number) => {
    const perSecond = Math.round(median(results[index]!.map((one) => one.perSecond)));
    const p99 = median(results[index]!.map((one) => one.p99Ms)).toPrecision(3);
    return `${contenders[index]!.name} ${perSecond.toLocaleString("en")}/s (p99 ${p99} ms)`;
  };
  const others = (ours: number) =>
    [...contenders.keys()]
      .filter((index) => index > 1)
      .map((index) => ({ ...timing(index), ratio: ratioOf(times[ours]!, times[index]!) }));
  yield {
    what,
    ours: timing(0),
    others: others(0),
    rounds,
    note: [...contenders.keys()].map(describe).join(", "),
  };
  yield { what: `${what}, through Next.js`, ours: timing(1), others: others(1), rounds };
}

/** Measures the 99th percentile of one row's latency at one connection, while other connections send large tables. */
async function besideLarge(
  [ours, , bare]: Contender[],
  connections: number,
  { quick, rounds, seed }: Settings,
): Promise<Measurement> {
  const contenders = [ours!, bare!];
  const ms = quick ? 500 : 3_000;
  const results = contenders.map((): { single: LoadResult; large: LoadResult }[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      const { port } = contender;
      const [one, many] = [1, 10_000].map((rows) => requestOf(contender, bodyOf(rows, seed)));
      const others = send({ port, request: many!, connections, ms: 2 * ms });
      await delay(ms / 4); // The process that sends the large tables needs time to start.
      const single = await send({ port, request: one!, connections: 1, ms });
      const large = await others;
      if (round > 0) results[index]!.push({ single, large });
    }
  }
  const times = results.map((all) => all.map(({ single }) => single.p99Ms));
  const notes = contenders.map(({ name }, index) => {
    const p50 = median(results[index]!.map(({ single }) => single.p50Ms)).toPrecision(3);
    const perSecond = median(results[index]!.map(({ large }) => large.perSecond)).toPrecision(3);
    return `${name}: p50 ${p50} ms, and ${perSecond} tables per second`;
  });
  return {
    what: `1 row while ${connections} connection${connections === 1 ? " sends" : "s send"} 10,000 rows, p99`,
    ours: { name: ours!.name, medianMs: median(times[0]!) },
    others: [{ name: bare!.name, medianMs: median(times[1]!), ratio: ratioOf(times[0]!, times[1]!) }],
    rounds,
    note: notes.join(", "),
  };
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
