import { once } from "node:events";
import http from "node:http";
import path from "node:path";
import { admin, startService, type TestService } from "../e2e/service.ts";
import type { Benchmark, Settings, Skipped } from "./benchmark.ts";
import { compareInBrowser } from "./compare-in-browser.ts";
import { type ComparedProject, createComparedProject } from "./compared-project.ts";
import { type Measurement, measure } from "./measure.ts";
import { type Session, signIn } from "./session.ts";
import { randomWalk } from "./synthetic.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const MAX_POINTS = 1_000;
/** Of the service: each takes some seconds. */
const STARTS_MAX = 3;
/** As the dashboard's zooms are: a stretch somewhere in the middle. */
const ZOOM = { from: "2028-01-01T00:00:00Z", to: "2029-07-01T00:00:00Z" };

/** Comparing scenarios by a service of the bench's own: its answers, and the page in a browser. */
export const compare: Benchmark = async function* (settings) {
  const { quick, seed, say } = settings;
  using folder = temporaryFolder();
  const dataDir = path.join(folder.path, "data");
  say("  starting a service");
  let service = await startService(dataDir);
  try {
    const sizes = quick ? { manyRows: 2_000, longRows: 5_000 } : { manyRows: 100_000, longRows: 1_000_000 };
    const session = await signIn(service.url, admin);
    const project = await createComparedProject(session, { ...sizes, seed, say });
    const restart = async () => {
      await service.stop();
      service = await startService(dataDir, portsOf(service));
    };
    yield* answers({ session, project, sizes, restart }, settings);
    yield* compareInBrowser(session, project, settings);
  } finally {
    await service.stop();
  }
};

type Filled = {
  session: Session;
  project: ComparedProject;
  sizes: { manyRows: number; longRows: number };
  restart(): Promise<void>;
};

async function* answers(
  { session, project, sizes, restart }: Filled,
  { rounds, seed }: Settings,
): AsyncGenerator<Measurement | Skipped> {
  const of = (ids: readonly string[], more?: Record<string, string>) =>
    comparison(project.projectId, ids, more);
  const many = `20 × ${sizes.manyRows.toLocaleString("en")}`;
  const long = `3 × ${sizes.longRows.toLocaleString("en")}`;
  const points = (count: number, rows: number) => {
    const series = Array.from({ length: count }, (_, index) => randomWalk(rows, seed + index));
    return {
      name: "every point as JSON, from memory, not sent",
      run: () => JSON.stringify(series.map((values) => Array.from(values))),
    };
  };
  const cases = [
    { what: many, address: of(project.many), others: [points(20, sizes.manyRows)] },
    { what: `${many}, a zoom`, address: of(project.many, ZOOM), others: [] },
    { what: long, address: of(project.long), others: [points(3, sizes.longRows)] },
    { what: `${long}, a zoom`, address: of(project.long, ZOOM), others: [] },
  ];
  for (const { what, address, others } of cases) {
    let bytes = 0;
    const ask = async () => {
      bytes = await receive(session, address);
    };
    const result = await measure({
      what: `${what}, answer of at most ${MAX_POINTS} points`,
      ours: { name: "warm", run: ask },
      others,
      rounds,
    });
    yield { ...result, note: `${Math.round(bytes / 1e3).toLocaleString("en")} kB` };
  }
  let coldMs = 0;
  yield await measure({
    what: `${many}, the first answer of a service that has just started`,
    ours: {
      name: "cold",
      async run() {
        await restart();
        const start = performance.now();
        await receive(session, of(project.many));
        coldMs = performance.now() - start;
      },
      ownMs: () => coldMs,
    },
    others: [],
    rounds: Math.min(rounds, STARTS_MAX),
  });
}

/** Where the dashboard asks for a comparison. */
export const comparison = (projectId: string, ids: readonly string[], more: Record<string, string> = {}) =>
  `/api/v1/projects/${projectId}/scenarios/compare?${new URLSearchParams({
    ...{ ids: ids.join(","), maxPoints: String(MAX_POINTS) },
    ...more,
  })}`;

/** Reads an answer to its end, as it is sent to programs: not compressed, not parsed. Its length in bytes. */
export async function receive({ url, cookie }: Session, address: string): Promise<number> {
  const [response] = (await once(http.get(url + address, { headers: { cookie } }), "response")) as [
    http.IncomingMessage,
  ];
  let bytes = 0;
  for await (const piece of response) bytes += (piece as Buffer).length;
  if (response.statusCode !== 200) throw new Error(`The comparison was answered ${response.statusCode}.`);
  return bytes;
}

/** A service that is started again is found where it was. */
function portsOf({ url }: TestService): Record<string, string> {
  return { PORT: new URL(url).port };
}
