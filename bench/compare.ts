import { once } from "node:events";
import http from "node:http";
import path from "node:path";
import { chromium } from "@playwright/test";
import { admin, startService } from "../e2e/service.ts";
import { findChromium } from "../scripts/check/chromium.ts";
import { frames, openContext, openPage } from "./browser.ts";
import { type Benchmark, type Measurement, measure, type Settings, temporaryFolder } from "./harness.ts";
import { hourlyCsv, hourlyTrainingCsv, TRAINING_ROWS } from "./hourly-csv.ts";
import { type Session, signIn } from "./session.ts";
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
  const sizes = quick ? { manyRows: 2_000, longRows: 5_000 } : { manyRows: 100_000, longRows: 1_000_000 };
  const session = await signIn(service.url, admin);
  const project = await createComparedProject(session, { ...sizes, seed, log });
  yield* responses({ session, project, sizes }, settings);
  const executablePath = findChromium();
  if (executablePath === null) {
    yield { what: "20 scenarios in a browser", skipped: "Chromium is missing: set CHROMIUM_PATH" };
    return;
  }
  await using browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  await using context = await openContext(browser, session);
  const address = `/projects/${project.projectId}/scenarios/compare?ids=${project.many.join(",")}`;
  const page = await openPage(context, session.url + address, project.many.length);
  const blank = await openPage(context, null, project.many.length);
  yield* frames({ page, blank, kind: "zooming by wheel", what: "20 scenarios" }, settings);
};

async function* responses(
  {
    session,
    project,
    sizes,
  }: { session: Session; project: ComparedProject; sizes: { manyRows: number; longRows: number } },
  { rounds, seed }: Settings,
): AsyncGenerator<Measurement> {
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

/** Ids of a project and its scenarios: `many` of moderate length, and a few `long` ones. */
type ComparedProject = { projectId: string; many: string[]; long: string[] };

const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8c564b"];

/**
 * Creates a project with scenarios through the public API. Its model predicts an hourly series, with intervals, from
 * the calendar and one input. Each scenario has an uploaded CSV file.
 */
async function createComparedProject(
  session: Session,
  {
    manyRows,
    longRows,
    seed,
    log,
  }: { manyRows: number; longRows: number; seed: number; log(text: string): void },
): Promise<ComparedProject> {
  const { projectId, at, checkpointId } = await createTrainedProject(session, {
    training: hourlyTrainingCsv(seed),
    timestamp: "time",
    request: { algorithm: "ridge", features: { lags: [], calendar: true } },
  });
  const create = async (title: string, index: number, rows: number) => {
    const { scenarioId } = await session.job<{ scenarioId: string }>(`${at}/scenarios`, {
      title,
      checkpointId,
      color: PALETTE[index % PALETTE.length],
      fileData: hourlyCsv({
        first: TRAINING_ROWS,
        count: rows,
        seed: seed + index,
        // Noise around a level for each scenario makes the lines of the chart as steep as possible.
        price: (random) => random * 8 + index / 10,
      }),
      fileName: `${title}.csv`,
    });
    return scenarioId;
  };
  const series = async (name: string, count: number, rows: number) => {
    log(`  ${count} scenarios of ${rows.toLocaleString("en")} rows`);
    const ids: string[] = [];
    for (let index = 0; index < count; index++) ids.push(await create(`${name} ${index + 1}`, index, rows));
    return ids;
  };
  return {
    projectId,
    many: await series("Plan", 20, manyRows),
    long: await series("Century", 3, longRows),
  };
}
