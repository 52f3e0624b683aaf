import path from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { limits } from "#lib/contract/limits";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { admin, startService } from "../e2e/service.ts";
import { findChromium } from "../scripts/check/chromium.ts";
import type { Benchmark } from "./benchmark.ts";
import { frames, openContext } from "./compare-in-browser.ts";
import { settle, sliderGesture } from "./gestures.ts";
import { type Measurement, measure } from "./measure.ts";
import { notBuilt } from "./not-built.ts";
import { watchPage } from "./page-watch.ts";
import { type Session, signIn } from "./session.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const HOUR = 3_600_000;
const FROM = Date.UTC(2024, 0, 1);
const TRAINING_ROWS = 4_000;

/** Measures the preview of a scenario with edited inputs on a new service: its response, and from the slider to the paint. */
export const whatIf: Benchmark = async function* ({ quick, rounds, seed, log }) {
  const skipped = notBuilt();
  if (skipped !== null) {
    yield { what: "preview of a scenario", skipped };
    return;
  }
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
    const blank = await context.newPage();
    await watchPage(blank, 1);
    await blank.goto("about:blank");
    for (const { address, what } of [apart, together]) {
      const page = await openEditor(context, `${session.url}${address}`);
      yield await fromSliderToPaint(page, { what, rounds });
      yield* frames({ page, blank, kind: sliderGesture, what }, { quick, rounds });
      await page.close();
    }
  } finally {
    await service.stop();
  }
};

/** Opens a scenario's page with its inputs beside the chart. */
async function openEditor(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await watchPage(page, 1);
  await page.goto(url);
  await page.waitForFunction(() => window.watched.firstChart > 0);
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
  const { id: projectId } = await session.post<{ id: string }>("/projects", { name: "Bench of previews" });
  const at = `/projects/${projectId}`;
  await session.put(`${at}/dataset`, {
    fileData: csvOf(0, TRAINING_ROWS, seed, true),
    fileName: "training.csv",
    target: "y",
    timestamp: "time",
  });
  await session.job(`${at}/models/train`, {
    algorithm: "gradient_boosting",
    features: { lags, calendar: true },
    hyperparameters: { rounds: trees, earlyStopping: false },
  });
  const { checkpointId } = await session.job<{ checkpointId: string }>(`${at}/checkpoints`, {});
  const { scenarioId } = await session.job<{ scenarioId: string }>(`${at}/scenarios`, {
    title: "Plan",
    checkpointId,
    fileName: "plan.csv",
    fileData: csvOf(TRAINING_ROWS, rows, seed + 1, false),
  });
  const kind = lags.length > 0 ? " that build on each other" : "";
  return {
    address: `${at}/scenarios/${scenarioId}`,
    what: `${rows.toLocaleString("en")} rows${kind} × ${trees} trees`,
  };
}

/** Returns hourly rows of a price and, for training, a target that depends on the price and the hour, in base64. */
function csvOf(first: number, rows: number, seed: number, withTarget: boolean): string {
  const random = seededRandom(seed);
  const lines = Array.from({ length: rows }, (_, row) => {
    const time = `${new Date(FROM + (first + row) * HOUR).toISOString().slice(0, 19)}Z`;
    const price = random.next() * 10;
    const y = 100 + 20 * Math.sin((2 * Math.PI * (first + row)) / 24) - 3 * price + random.next() * 6;
    return `${time},${price.toFixed(3)}${withTarget ? `,${y.toFixed(3)}` : ""}`;
  });
  return Buffer.from(`time,price${withTarget ? ",y" : ""}\n${lines.join("\n")}\n`).toString("base64");
}
