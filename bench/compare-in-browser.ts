import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { findChromium } from "../scripts/check/chromium.ts";
import type { Settings, Skipped } from "./benchmark.ts";
import type { ComparedProject } from "./compared-project.ts";
import { gesture, gestures, settle } from "./gestures.ts";
import { type Measurement, measure } from "./measure.ts";
import { median } from "./median.ts";
import { watchPage } from "./page-watch.ts";
import type { Session } from "./session.ts";

const VIEWPORT = { width: 1280, height: 800 };
const BLANK = "data:text/html,<title>Blank</title>";

/** Comparing twenty scenarios in headless Chromium, beside a page on which nothing is drawn. */
export async function* compareInBrowser(
  session: Session,
  { projectId, many }: ComparedProject,
  settings: Settings,
): AsyncGenerator<Measurement | Skipped> {
  const executablePath = findChromium();
  if (executablePath === null) {
    yield { what: "20 scenarios in a browser", skipped: "there is no Chromium: set CHROMIUM_PATH to one" };
    return;
  }
  await using browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const address = `${session.url}/projects/${projectId}/scenarios/compare?ids=${many.join(",")}`;
  yield* firstChart(browser, session, { address, lines: many.length }, settings);
  await using context = await signedIn(browser, session);
  const page = await context.newPage();
  const blank = await context.newPage();
  await watchPage(page, many.length);
  await watchPage(blank, many.length);
  await blank.goto(BLANK);
  await page.goto(address);
  await page.waitForFunction(() => window.watched.firstChart > 0);
  await settle();
  yield* oneChange(page, settings);
  yield* frames(page, blank, settings);
}

async function* firstChart(
  browser: Browser,
  session: Session,
  { address, lines }: { address: string; lines: number },
  { rounds }: Settings,
): AsyncGenerator<Measurement> {
  let ms = 0;
  const open = async (context: BrowserContext) => {
    const page = await context.newPage();
    await watchPage(page, lines);
    await page.goto(address, { waitUntil: "commit" });
    await page.waitForFunction(() => window.watched.firstChart > 0);
    ms = await page.evaluate(() => window.watched.firstChart);
    await settle();
    await page.close();
  };
  await using returning = await signedIn(browser, session);
  yield await measure({
    what: "20 scenarios, from navigation to the first painted chart",
    ours: {
      name: "scripts known",
      run: () => open(returning),
      ownMs: () => ms,
    },
    others: [
      {
        name: "a browser that was never here",
        async run() {
          await using context = await signedIn(browser, session);
          await open(context);
        },
        ownMs: () => ms,
      },
    ],
    rounds,
  });
}

/** Another view: prepared, rendered by React, drawn and painted. */
async function* oneChange(page: Page, { rounds }: Settings): AsyncGenerator<Measurement> {
  // A page behind another gets a frame a second.
  await page.bringToFront();
  for (const view of ["Differences", "Cumulative", "Predictions"]) {
    let ms = 0;
    yield await measure({
      what: `20 scenarios, from the press on "${view}" to its first paint`,
      ours: {
        name: "compare page",
        async run() {
          await page.getByRole("button", { name: "Per cent", exact: true }).click();
          await page.evaluate(() => window.watched.painted());
          await page.getByRole("button", { name: view, exact: true }).click();
          ms = await page.evaluate(() => window.watched.painted());
        },
        ownMs: () => ms,
      },
      others: [],
      rounds,
    });
  }
}

async function* frames(page: Page, blank: Page, { quick, rounds }: Settings): AsyncGenerator<Measurement> {
  const forMs = quick ? 400 : 2_000;
  for (const kind of gestures) {
    const seen: { ours: number[]; blank: number[]; drawn: number; ms: number } = {
      ...{ ours: [], blank: [], drawn: 0, ms: 0 },
    };
    let latest = 0;
    const run = async (where: Page, into: number[]) => {
      await where.bringToFront();
      const found = await gesture(where, kind, forMs);
      into.push(...found.intervals);
      latest = median(found.intervals);
      return found;
    };
    const result = await measure({
      what: `20 scenarios, a frame during ${kind}`,
      ours: {
        name: "compare page",
        async run() {
          const { intervals, drawn } = await run(page, seen.ours);
          seen.drawn += drawn;
          seen.ms += intervals.reduce((sum, ms) => sum + ms, 0);
        },
        ownMs: () => latest,
      },
      others: [{ name: "blank page", run: () => run(blank, seen.blank), ownMs: () => latest }],
      rounds,
    });
    const perSecond = ((seen.drawn / seen.ms) * 1_000).toFixed(1);
    yield {
      ...result,
      note: `the chart was drawn ${perSecond} times a second; ${told(seen.ours)}; blank page: ${told(seen.blank)}`,
    };
  }
}

const LATE_MS = 20;

function told(intervals: readonly number[]): string {
  const sorted = [...intervals].sort((a, b) => a - b);
  const high = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  const late = intervals.filter((ms) => ms > LATE_MS).length;
  const most = sorted.at(-1) ?? Number.NaN;
  return `95th percentile ${high.toFixed(1)} ms, ${late} of ${intervals.length} frames over ${LATE_MS} ms, longest ${most.toFixed(1)} ms`;
}

async function signedIn(browser: Browser, { url, cookie }: Session): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  await context.addCookies(
    cookie.split("; ").map((one) => {
      const equals = one.indexOf("=");
      return { name: one.slice(0, equals), value: one.slice(equals + 1), url };
    }),
  );
  return context;
}
