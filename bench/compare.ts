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
/** Maximum number of measured service starts, because each takes some seconds. */
const STARTS_MAX = 3;
/** Range inside the scenarios, like a zoom of the dashboard. Quick scenarios end before it. */
const ZOOM = { from: "2028-01-01T00:00:00Z", to: "2029-07-01T00:00:00Z" };

/** Measures comparisons of scenarios on a new service: its responses, and its page in a browser. */
export const compare: Benchmark = async function* (settings) {
  const { quick, seed, log } = settings;
  using folder = temporaryFolder();
  const dataDir = path.join(folder.path, "data");
  log("  starting a service");
  let service = await startService(dataDir);
  try {
    const sizes = quick ? { manyRows: 2_000, longRows: 5_000 } : { manyRows: 100_000, longRows: 1_000_000 };
    const session = await signIn(service.url, admin);
    const project = await createComparedProject(session, { ...sizes, seed, log });
    const restart = async () => {
      await service.stop();
      service = await startService(dataDir, portEnvironment(service));
    };
    yield* responses({ session, project, sizes, restart }, settings);
    yield* compareInBrowser(session, project, settings);
  } finally {
    await service.stop();
  }
};

type PreparedService = {
  session: Session;
  project: ComparedProject;
  sizes: { manyRows: number; longRows: number };
  /** Restarts the service on the same port. */
  restart(): Promise<void>;
};

async function* responses(
  { session, project, sizes, restart }: PreparedService,
  { rounds, seed }: Settings,
): AsyncGenerator<Measurement | Skipped> {
  const addressOf = (ids: readonly string[], more?: Record<string, string>) =>
    comparison(project.projectId, ids, more);
  const many = `20 × ${sizes.manyRows.toLocaleString("en")}`;
  const long = `3 × ${sizes.longRows.toLocaleString("en")}`;
  const points = (count: number, rows: number) => {
    const series = Array.from({ length: count }, (_, index) => randomWalk(rows, seed + index));
    return {
      name: "every point to JSON in memory, not sent",
      run: () => JSON.stringify(series.map((values) => Array.from(values))),
    };
  };
  const cases = [
    { what: many, address: addressOf(project.many), others: [points(20, sizes.manyRows)] },
    { what: `${many}, zoomed`, address: addressOf(project.many, ZOOM), others: [] },
    { what: long, address: addressOf(project.long), others: [points(3, sizes.longRows)] },
    { what: `${long}, zoomed`, address: addressOf(project.long, ZOOM), others: [] },
  ];
  for (const { what, address, others } of cases) {
    let bytes = 0;
    const request = async () => {
      bytes = await receive(session, address);
    };
    const result = await measure({
      what: `${what}, response of at most ${MAX_POINTS} points`,
      ours: { name: "warm", run: request },
      others,
      rounds,
    });
    yield { ...result, note: `${Math.round(bytes / 1e3).toLocaleString("en")} kB` };
  }
  let coldMs = 0;
  yield await measure({
    what: `${many}, first response after a service start`,
    ours: {
      name: "cold",
      async run() {
        await restart();
        const start = performance.now();
        await receive(session, addressOf(project.many));
        coldMs = performance.now() - start;
      },
      ownMs: () => coldMs,
    },
    others: [],
    rounds: Math.min(rounds, STARTS_MAX),
  });
}

/** Returns the path of the dashboard's request for a comparison. */
const comparison = (projectId: string, ids: readonly string[], more: Record<string, string> = {}) =>
  `/api/v1/projects/${projectId}/scenarios/compare?${new URLSearchParams({
    ids: ids.join(","),
    maxPoints: String(MAX_POINTS),
    ...more,
  })}`;

/** Requests an uncompressed response and reads it without parsing. Returns its length in bytes. */
async function receive({ url, cookie }: Session, address: string): Promise<number> {
  const [response] = (await once(http.get(url + address, { headers: { cookie } }), "response")) as [
    http.IncomingMessage,
  ];
  let bytes = 0;
  for await (const piece of response) bytes += (piece as Buffer).length;
  if (response.statusCode !== 200) throw new Error(`The comparison returned status ${response.statusCode}.`);
  return bytes;
}

/** Returns the environment with which a restarted service keeps its port. */
function portEnvironment({ url }: TestService): Record<string, string> {
  return { PORT: new URL(url).port };
}
