import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { findChromium } from "../scripts/check/chromium.ts";
import type { Settings, Skipped } from "./benchmark.ts";
import type { ComparedProject } from "./compared-project.ts";
import { chartGestures, type Gesture, gesture, settle } from "./gestures.ts";
import { type Measurement, measure } from "./measure.ts";
import { median } from "./median.ts";
import { watchPage } from "./page-watch.ts";
import type { Session } from "./session.ts";

const VIEWPORT = { width: 1280, height: 800 };
const BLANK = "data:text/html,<title>Blank</title>";

/** Measures the comparison of twenty scenarios in headless Chromium, next to a blank page. */
export async function* compareInBrowser(
  session: Session,
  { projectId, many }: ComparedProject,
  settings: Settings,
): AsyncGenerator<Measurement | Skipped> {
  const executablePath = findChromium();
  if (executablePath === null) {
    yield { what: "20 scenarios in a browser", skipped: "Chromium is missing: set CHROMIUM_PATH" };
    return;
  }
  await using browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const address = `${session.url}/projects/${projectId}/scenarios/compare?ids=${many.join(",")}`;
  yield* firstChart(browser, session, { address, lines: many.length }, settings);
  await using context = await openContext(browser, session);
  const page = await context.newPage();
  const blank = await context.newPage();
  await watchPage(page, many.length);
  await watchPage(blank, many.length);
  await blank.goto(BLANK);
  await page.goto(address);
  await page.waitForFunction(() => window.watched.firstChart > 0);
  await settle();
  yield* oneChange(page, settings);
  for (const kind of chartGestures) yield* frames({ page, blank, kind, what: "20 scenarios" }, settings);
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
  await using usedContext = await openContext(browser, session);
  yield await measure({
    what: "20 scenarios, from navigation to the first painted chart",
    ours: {
      name: "cached scripts",
      run: () => open(usedContext),
      ownMs: () => ms,
    },
    others: [
      {
        name: "empty browser cache",
        async run() {
          await using context = await openContext(browser, session);
          await open(context);
        },
        ownMs: () => ms,
      },
    ],
    rounds,
  });
}

/** Measures the change to another view: its preparation, React's rendering, drawing and painting. */
async function* oneChange(page: Page, { rounds }: Settings): AsyncGenerator<Measurement> {
  // The browser paints a page in the background only once a second.
  await page.bringToFront();
  for (const view of ["Differences", "Cumulative", "Predictions"]) {
    let ms = 0;
    yield await measure({
      what: `20 scenarios, from the click on "${view}" to its first paint`,
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

/** Measures the intervals between frames during a gesture, on a page and on a blank one. */
export async function* frames(
  { page, blank, kind, what }: { page: Page; blank: Page; kind: Gesture; what: string },
  { quick, rounds }: Pick<Settings, "quick" | "rounds">,
): AsyncGenerator<Measurement> {
  const durationMs = quick ? 400 : 2_000;
  const recorded: { ours: number[]; blank: number[]; drawn: number; ms: number } = {
    ours: [],
    blank: [],
    drawn: 0,
    ms: 0,
  };
  let latest = 0;
  const run = async (target: Page, into: number[]) => {
    await target.bringToFront();
    const frames = await gesture(target, kind, durationMs);
    into.push(...frames.intervals);
    latest = median(frames.intervals);
    return frames;
  };
  const result = await measure({
    what: `${what}, frame interval during ${kind}`,
    ours: {
      name: "page",
      async run() {
        const { intervals, drawn } = await run(page, recorded.ours);
        recorded.drawn += drawn;
        recorded.ms += intervals.reduce((sum, ms) => sum + ms, 0);
      },
      ownMs: () => latest,
    },
    others: [{ name: "blank page", run: () => run(blank, recorded.blank), ownMs: () => latest }],
    rounds,
  });
  const perSecond = ((recorded.drawn / recorded.ms) * 1_000).toFixed(1);
  yield {
    ...result,
    note: `chart drawn ${perSecond} times per second; ${describeIntervals(recorded.ours)}; blank page: ${describeIntervals(recorded.blank)}`,
  };
}

const LATE_MS = 20;

function describeIntervals(intervals: readonly number[]): string {
  const sorted = [...intervals].sort((a, b) => a - b);
  const high = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  const late = intervals.filter((ms) => ms > LATE_MS).length;
  const longest = sorted.at(-1) ?? Number.NaN;
  return `95th percentile ${high.toFixed(1)} ms, ${late} of ${intervals.length} frames over ${LATE_MS} ms, longest ${longest.toFixed(1)} ms`;
}

/** Opens a browser context with the cookies of the session. */
export async function openContext(browser: Browser, { url, cookie }: Session): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  await context.addCookies(
    cookie.split("; ").map((one) => {
      const equals = one.indexOf("=");
      return { name: one.slice(0, equals), value: one.slice(equals + 1), url };
    }),
  );
  return context;
}
