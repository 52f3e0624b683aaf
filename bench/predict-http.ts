import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type BenchModel, inputRows } from "./bench-model.ts";
import type { Settings, Skipped } from "./benchmark.ts";
import { type Answer, type Client, httpClient } from "./http-client.ts";
import { type Measurement, measure } from "./measure.ts";
import { provideModel } from "./provide-model.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const WHAT = "over HTTP";
const AT_ONCE = 16;

/** The whole way through a service that runs, against a bare server with the same model. */
export async function* predictOverHttp(
  bench: BenchModel,
  settings: Settings,
): AsyncGenerator<Measurement | Skipped> {
  const { BENCH_URL: url, BENCH_KEY: key, BENCH_PROJECT: project } = process.env;
  if (!url || !key || !project) {
    const needed = "RATE_LIMIT_PER_MINUTE and RATE_LIMIT_BURST at 1000000";
    const skipped = `start the service with ${needed}, and set BENCH_URL, BENCH_PROJECT (the id of a project made for this) and BENCH_KEY (one of its keys)`;
    yield { what: WHAT, skipped };
    return;
  }
  using folder = temporaryFolder();
  const file = path.join(folder.path, "model.onnx");
  writeFileSync(file, bench.onnx);
  const child = fork(path.join(import.meta.dirname, "bare-server.ts"), [file]);
  const ended = once(child, "exit");
  const service = httpClient(url, key);
  try {
    const [port] = await Promise.race([
      once(child, "message"),
      ended.then(() => Promise.reject(new Error("The bare server did not start."))),
    ]);
    const bare = httpClient(`http://127.0.0.1:${port}`);
    try {
      const reason = await provideModel(service, project, bench);
      if (reason !== null) yield { what: WHAT, skipped: reason };
      else yield* compare(service, `/api/v1/projects/${project}/predict`, bare, settings);
    } finally {
      bare.close();
    }
  } finally {
    service.close();
    child.kill();
    await ended;
  }
}

async function* compare(
  service: Client,
  servicePath: string,
  bare: Client,
  { quick, rounds, seed }: Settings,
): AsyncGenerator<Measurement> {
  const cases = [
    { rowCount: 1, atOnce: 1, repeat: quick ? 5 : 100 },
    { rowCount: 1, atOnce: AT_ONCE, repeat: quick ? 2 : 10 },
    { rowCount: 1_000, atOnce: 1, repeat: quick ? 2 : 10 },
  ];
  for (const { rowCount, atOnce, repeat } of cases) {
    const columns = inputRows(rowCount, seed + 2).columns.flatMap((column) =>
      column.type === "category" ? [] : [[column.name, Array.from(column.values)] as const],
    );
    const body = JSON.stringify({ input: Object.fromEntries(columns) });
    const ask = (client: Client, where: string) => async () =>
      (await Promise.all(Array.from({ length: atOnce }, () => client.post(where, body)))).map(predictionsOf);
    const [ours, theirs] = [ask(service, servicePath), ask(bare, "/")];
    checkSame((await ours())[0]!, (await theirs())[0]!);
    const rows = `${rowCount.toLocaleString("en")} row${rowCount === 1 ? "" : "s"}`;
    yield await measure({
      what: atOnce === 1 ? `${rows} ${WHAT}` : `${atOnce} requests of ${rows} at once ${WHAT}`,
      ours: { name: "POST …/predict", run: ours },
      others: [{ name: "bare node:http", run: theirs }],
      rounds,
      repeat,
    });
  }
}

function predictionsOf({ status, body }: Answer): number[] {
  if (status !== 200) throw new Error(`The service answered ${status}: ${JSON.stringify(body)}`);
  return (body as { data: { predictions: number[] } }).data.predictions;
}

function checkSame(ours: number[], bare: number[]): void {
  const differs = ours.findIndex((value, row) => Math.abs(value - bare[row]!) > 1e-5 * Math.abs(value));
  if (ours.length !== bare.length || differs !== -1)
    throw new Error("The service and the bare server disagree.");
}
