import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type BenchModel, createBenchModel, FEATURES, inputRows } from "./bench-model.ts";
import type { Benchmark, Settings } from "./benchmark.ts";
import { httpClient } from "./http-client.ts";
import { type BenchServer, startBare, startFastApi } from "./http-servers.ts";
import type { Load, Seen } from "./load-generator.ts";
import { type Measurement, ratioOf } from "./measure.ts";
import { median } from "./median.ts";
import { provideModel } from "./provide-model.ts";
import { writeData } from "./python-trainer.ts";
import { friedmanTable } from "./synthetic.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const LEAVES = 31;
const CASES = [
  { rowCount: 1, connections: 32 },
  { rowCount: 1, connections: 1 },
  { rowCount: 1_000, connections: 32 },
];

type Contender = { name: string; port: number; path: string; key?: string; warmMs: number };

/**
 * Predictions over HTTP: a service that runs, with keys, limits, checks and counts, by its own adapter and through
 * Next.js, beside servers that only predict. The load comes from a process of its own.
 */
export const http: Benchmark = async function* (settings) {
  const { BENCH_URL: url, BENCH_KEY: key, BENCH_PROJECT: project } = process.env;
  if (!url || !key || !project) {
    const needed = "RATE_LIMIT_PER_MINUTE and RATE_LIMIT_BURST at 100000000";
    const skipped = `start the service with ${needed}, and set BENCH_URL, BENCH_PROJECT (the id of a project made for this) and BENCH_KEY (one of its keys)`;
    yield { what: "over HTTP", skipped };
    return;
  }
  settings.say("  training the model that is asked");
  const bench = await createBenchModel(settings);
  const service = httpClient(url, key);
  const refusal = await provideModel(service, project, bench);
  service.close();
  if (refusal !== null) {
    yield { what: "over HTTP", skipped: refusal };
    return;
  }
  using folder = temporaryFolder();
  const servers: BenchServer[] = [];
  try {
    for await (const server of startServers(folder.path, bench, settings)) {
      if ("skipped" in server) yield server;
      else servers.push(server);
    }
    const short = settings.quick ? 500 : 2_000;
    const port = Number(new URL(url).port);
    const escaped = `%${project.charCodeAt(0).toString(16)}${project.slice(1)}`;
    const at = (id: string) => `/api/v1/projects/${id}/predict`;
    const contenders: Contender[] = [
      { name: "POST …/predict", port, path: at(project), key, warmMs: 2 * short },
      {
        name: "the same through Next.js",
        port,
        path: at(escaped),
        key,
        warmMs: settings.quick ? 2_000 : 20_000,
      },
      ...servers.map((server) => ({ ...server, warmMs: short })),
    ];
    for (const one of CASES) yield* compare(contenders, one, settings);
    for (const connections of [1, 4]) yield await besideLarge(contenders, connections, settings);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
};

async function* startServers(folder: string, bench: BenchModel, { quick, seed }: Settings) {
  const file = path.join(folder, "model.onnx");
  writeFileSync(file, bench.onnx);
  yield await startBare(file);
  const { columns } = friedmanTable(quick ? 500 : 4_000, FEATURES, seed);
  const values = columns.map((column) => {
    if (column.type === "category") throw new TypeError(`${column.name} is no number.`);
    return { name: column.name, values: Float32Array.from(column.values) };
  });
  const learned = {
    columns: values.filter(({ name }) => name !== "y").map(({ values }) => values),
    target: Float64Array.from(values.find(({ name }) => name === "y")!.values),
  };
  writeData(folder, learned, learned);
  for (const learner of ["xgboost", "sklearn"] as const) {
    const server = await startFastApi(learner, folder, { rounds: quick ? 20 : 300, leaves: LEAVES });
    yield typeof server === "string" ? { what: `FastAPI + ${learner}`, skipped: server } : server;
  }
}

async function* compare(
  contenders: Contender[],
  { rowCount, connections }: (typeof CASES)[number],
  { quick, rounds, seed }: Settings,
): AsyncGenerator<Measurement> {
  const body = bodyOf(rowCount, seed);
  const loads = contenders.map((contender) => ({ ...contender, request: requestOf(contender, body) }));
  for (const { port, request, warmMs } of loads) await send({ port, request, connections, ms: warmMs });
  const seen = contenders.map((): Seen[] => []);
  for (let round = 0; round < rounds; round++) {
    const order = [...loads.keys()];
    if (round % 2 === 1) order.reverse();
    for (const index of order) {
      const { port, request } = loads[index]!;
      seen[index]!.push(await send({ port, request, connections, ms: quick ? 300 : 1_500 }));
    }
  }
  // At one connection how long an answer takes; at several how long the server has for each.
  const times = seen.map((all) =>
    all.map(({ perSecond, p50Ms }) => (connections === 1 ? p50Ms : 1_000 / perSecond)),
  );
  const what = `${rowCount.toLocaleString("en")} row${rowCount === 1 ? "" : "s"}, ${connections} connection${connections === 1 ? ", p50" : "s"}`;
  const timing = (index: number) => ({ name: contenders[index]!.name, medianMs: median(times[index]!) });
  const told = (index: number) => {
    const perSecond = Math.round(median(seen[index]!.map((one) => one.perSecond)));
    const p99 = median(seen[index]!.map((one) => one.p99Ms)).toPrecision(3);
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
    note: [...contenders.keys()].map(told).join(", "),
  };
  yield { what: `${what}, through Next.js`, ours: timing(1), others: others(1), rounds };
}

/** How long one row takes while others have tables predicted without pause: the 99th percentile at one connection. */
async function besideLarge(
  [ours, , bare]: Contender[],
  connections: number,
  { quick, rounds, seed }: Settings,
): Promise<Measurement> {
  const contenders = [ours!, bare!];
  const ms = quick ? 500 : 3_000;
  const seen = contenders.map((): { single: Seen; large: Seen }[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      const { port } = contender;
      const [one, many] = [1, 10_000].map((rows) => requestOf(contender, bodyOf(rows, seed)));
      const others = send({ port, request: many!, connections, ms: 2 * ms });
      await delay(ms / 4); // The other load comes from a process that has to start.
      const single = await send({ port, request: one!, connections: 1, ms });
      const large = await others;
      if (round > 0) seen[index]!.push({ single, large });
    }
  }
  const times = seen.map((all) => all.map(({ single }) => single.p99Ms));
  const told = contenders.map(({ name }, index) => {
    const p50 = median(seen[index]!.map(({ single }) => single.p50Ms)).toPrecision(3);
    const perSecond = median(seen[index]!.map(({ large }) => large.perSecond)).toPrecision(3);
    return `${name}: p50 ${p50} ms, and ${perSecond} tables a second`;
  });
  return {
    what: `1 row while ${connections} connection${connections === 1 ? " sends" : "s send"} 10,000 rows, p99`,
    ours: { name: ours!.name, medianMs: median(times[0]!) },
    others: [{ name: bare!.name, medianMs: median(times[1]!), ratio: ratioOf(times[0]!, times[1]!) }],
    rounds,
    note: told.join(", "),
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

async function send(load: Load): Promise<Seen> {
  const child = fork(path.join(import.meta.dirname, "load-generator.ts"));
  try {
    child.send(load);
    const [seen] = (await once(child, "message")) as [Seen | { error: string }];
    if ("error" in seen) throw new Error(seen.error);
    return seen;
  } finally {
    child.disconnect();
  }
}
