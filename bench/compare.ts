import { once } from "node:events";
import http from "node:http";
import path from "node:path";
import { startService } from "../e2e/service.ts";
import { openSession, type Session } from "../e2e/session.ts";
import { frames, openContext, openPage } from "./browser.ts";
import { type Benchmark, type Measurement, measure, type Settings, temporaryFolder } from "./harness.ts";
import { hourlyCsv, hourlyTrainingCsv, TRAINING_ROWS } from "./hourly-csv.ts";
import { randomWalk } from "./synthetic.ts";
import { createTrainedProject } from "./trained-project.ts";

const MAX_POINTS = 1_000;
/** Range inside the scenarios, like a zoom of the dashboard. Quick scenarios end before it. */
const ZOOM = { from: "2028-01-01T00:00:00Z", to: "2029-07-01T00:00:00Z" };

/**
 * Measures comparisons of scenarios on a new service: its responses, and the frames of its page in a browser beside those
 * of a blank page.
 */
export const compare: Benchmark = async function* (settings) {
  const { quick, seed, log } = settings;
  using folder = temporaryFolder();
  log("  starting a service");
  await using cleanup = new AsyncDisposableStack();
  const service = await startService(path.join(folder.path, "data"));
  cleanup.defer(service.stop);
  const rowCount = quick ? 2_000 : 100_000;
  const session = await openSession(service.url);
  const { projectId, ids } = await createComparedProject(session, { rowCount, seed, log });
  yield* responses({ session, projectId, ids, rowCount }, settings);
  await using context = await openContext(session);
  const address = `/projects/${projectId}/scenarios/compare?ids=${ids.join(",")}`;
  const page = await openPage(context, session.url + address, ids.length);
  const blank = await openPage(context, null, ids.length);
  yield* frames({ page, blank, kind: "zooming by wheel", what: "20 scenarios" }, settings);
};

async function* responses(
  { session, projectId, ids, rowCount }: Compared & { session: Session; rowCount: number },
  { rounds, seed }: Settings,
): AsyncGenerator<Measurement> {
  const what = `${ids.length} × ${rowCount.toLocaleString("en")}`;
  const series = ids.map((_, index) => randomWalk(rowCount, seed + index));
  const everyPoint = {
    name: "every point to JSON in memory, not sent",
    run: () => JSON.stringify(series.map((values) => Array.from(values))),
  };
  for (const zoom of [null, ZOOM]) {
    const query = new URLSearchParams({ ids: ids.join(","), maxPoints: String(MAX_POINTS), ...zoom });
    const address = `/api/v1/projects/${projectId}/scenarios/compare?${query}`;
    let bytes = 0;
    const request = async () => {
      bytes = await receive(session, address);
    };
    const result = await measure({
      what: `${what}${zoom ? ", zoomed" : ""}, response of at most ${MAX_POINTS} points`,
      ours: { name: "warm", run: request },
      others: zoom ? [] : [everyPoint],
      rounds,
    });
    yield { ...result, note: `${Math.round(bytes / 1e3).toLocaleString("en")} kB` };
  }
}

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

/** A project and its scenarios. */
type Compared = { projectId: string; ids: string[] };

/**
 * Creates a project with 20 scenarios through the public API. Its model predicts an hourly series, with intervals, from
 * the calendar and one input. Each scenario has an uploaded CSV file.
 */
async function createComparedProject(
  session: Session,
  { rowCount, seed, log }: { rowCount: number; seed: number; log(text: string): void },
): Promise<Compared> {
  const { projectId, at, checkpointId } = await createTrainedProject(session, {
    training: hourlyTrainingCsv(seed),
    timestamp: "time",
    request: { algorithm: "ridge", features: { lags: [], calendar: true } },
  });
  log(`  20 scenarios of ${rowCount.toLocaleString("en")} rows`);
  const ids: string[] = [];
  for (let index = 0; index < 20; index++) {
    const { scenarioId } = await session.job<{ scenarioId: string }>(`${at}/scenarios`, {
      title: `Plan ${index + 1}`,
      checkpointId,
      fileName: "plan.csv",
      fileData: hourlyCsv({
        first: TRAINING_ROWS,
        count: rowCount,
        seed: seed + index,
        // Noise around a level for each scenario makes the lines of the chart as steep as possible.
        price: (random) => random * 8 + index / 10,
      }),
    });
    ids.push(scenarioId);
  }
  return { projectId, ids };
}
