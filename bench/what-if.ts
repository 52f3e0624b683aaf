import path from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { limits } from "#lib/contract/limits";
import { admin, startService } from "../e2e/service.ts";
import { findChromium } from "../scripts/check/chromium.ts";
import { frames, openContext, openPage, settle } from "./browser.ts";
import { type Benchmark, type Measurement, measure, temporaryFolder } from "./harness.ts";
import { hourlyCsv, hourlyTrainingCsv, TRAINING_ROWS } from "./hourly-csv.ts";
import { type Session, signIn } from "./session.ts";
import { createTrainedProject } from "./trained-project.ts";

/** Measures the preview of a scenario with edited inputs on a new service: its response, and from the slider to the paint. */
export const whatIf: Benchmark = async function* ({ quick, rounds, seed, log }) {
  using folder = temporaryFolder();
  log("  starting a service");
  const service = await startService(path.join(folder.path, "data"));
  try {
    const session = await signIn(service.url, admin);
    const trees = quick ? 20 : 300;
    const apart = await createScenario(session, { rows: quick ? 500 : 10_000, trees, lags: [] }, seed);
    // As many as the page's worker predicts.
    const rows = quick ? 500 : limits.previewRowsTogether;
    const together = await createScenario(session, { rows, trees, lags: [1, 24] }, seed);
    let factor = 1;
    for (const { address, what } of [apart, together]) {
      yield await measure({
        what: `${what}, preview`,
        ours: {
          name: "response",
          run() {
            factor += 0.01;
            return session.post(`${address}/preview`, {
              adjustments: [{ feature: "price", operation: "multiply", value: factor }],
              maxPoints: 1_000,
              levels: [0.5, 0.8],
            });
          },
        },
        others: [],
        rounds,
      });
    }
    const executablePath = findChromium();
    if (executablePath === null) {
      yield { what: "slider", skipped: "Chromium is missing: set CHROMIUM_PATH" };
      return;
    }
    await using browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    await using context = await openContext(browser, session);
    const blank = await openPage(context, null, 1);
    for (const { address, what } of [apart, together]) {
      const page = await openEditor(context, `${session.url}${address}`);
      yield await fromSliderToPaint(page, { what, rounds });
      yield* frames({ page, blank, kind: "dragging a slider", what }, { quick, rounds });
      await page.close();
    }
  } finally {
    await service.stop();
  }
};

/** Opens a scenario's page with its inputs beside the chart. */
async function openEditor(context: BrowserContext, url: string): Promise<Page> {
  const page = await openPage(context, url, 1);
  const worker = page.waitForEvent("worker");
  await page.getByRole("button", { name: "Edit inputs" }).click();
  await worker;
  await settle();
  return page;
}

async function fromSliderToPaint(
  page: Page,
  { what, rounds }: { what: string; rounds: number },
): Promise<Measurement> {
  const slider = page.getByRole("slider", { name: "Change of price" });
  let ms = 0;
  return measure({
    what: `${what}, from a step of the slider to the painted chart`,
    ours: {
      name: "scenario page",
      async run() {
        await slider.press("ArrowRight");
        ms = await page.evaluate(() => window.watched.painted());
        await settle();
      },
      ownMs: () => ms,
    },
    others: [],
    rounds,
  });
}

async function createScenario(
  session: Session,
  { rows, trees, lags }: { rows: number; trees: number; lags: number[] },
  seed: number,
): Promise<{ address: string; what: string }> {
  const { at, checkpointId } = await createTrainedProject(session, {
    training: hourlyTrainingCsv(seed),
    timestamp: "time",
    request: {
      algorithm: "gradient_boosting",
      features: { lags, calendar: true },
      hyperparameters: { rounds: trees, earlyStopping: false },
    },
  });
  const { scenarioId } = await session.job<{ scenarioId: string }>(`${at}/scenarios`, {
    title: "Plan",
    checkpointId,
    fileName: "plan.csv",
    fileData: hourlyCsv({ first: TRAINING_ROWS, count: rows, seed: seed + 1 }),
  });
  const kind = lags.length > 0 ? " that build on each other" : "";
  return {
    address: `${at}/scenarios/${scenarioId}`,
    what: `${rows.toLocaleString("en")} rows${kind} × ${trees} trees`,
  };
}
