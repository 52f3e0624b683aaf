import { setTimeout as sleep } from "node:timers/promises";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import type { Session } from "../e2e/session.ts";
import { findChromium } from "../scripts/check/chromium.ts";
import { type Measurement, measure, median, type Settings } from "./harness.ts";

const VIEWPORT = { width: 1280, height: 800 };

/** A gesture on the first chart, or on the first slider of an input. */
type Gesture = "zooming by wheel" | "dragging a slider";

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

/**
 * Opens a browser with the cookies of the session.
 *
 * @throws {Error} if Chromium is missing
 */
export async function openContext({ url, cookie }: Session): Promise<BrowserContext> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error("Chromium is missing: set CHROMIUM_PATH.");
  const options = { executablePath, args: ["--no-sandbox"], viewport: VIEWPORT };
  const context = await chromium.launchPersistentContext("", options);
  await context.addCookies(
    cookie.split("; ").map((one) => {
      const equals = one.indexOf("=");
      return { name: one.slice(0, equals), value: one.slice(equals + 1), url };
    }),
  );
  return context;
}

/**
 * Opens a page that watches its own frames, and waits for its first chart.
 *
 * @param address null: a blank page
 * @param lines number of lines in the first chart
 */
export async function openPage(
  context: BrowserContext,
  address: string | null,
  lines: number,
): Promise<Page> {
  const page = await context.newPage();
  await watchPage(page, lines);
  await page.goto(address ?? "data:text/html,<title>Blank</title>");
  if (address !== null) await page.waitForFunction(() => window.watched.firstChart > 0);
  await settle();
  return page;
}

/** A real mouse sends events no faster, and the browser merges the events of one frame. */
const EVENT_EVERY_MS = 8;
const MIDDLE = { x: 700, y: 350 };

/**
 * Sends real input to the middle of the page's first chart or slider, or of the window, without waiting for its effect. Returns
 * the intervals between frames in milliseconds, and the number of frames in which the chart was drawn.
 */
async function gesture(
  page: Page,
  kind: Gesture,
  durationMs: number,
): Promise<{ intervals: number[]; drawn: number }> {
  const isOnSlider = kind === "dragging a slider";
  const chart = page.getByRole("figure").first().getByRole("slider");
  const control = isOnSlider ? page.getByRole("slider", { name: /^Change of / }).first() : chart;
  const hasControl = (await control.count()) > 0;
  if (hasControl) await control.focus();
  const box = hasControl ? await control.boundingBox() : null;
  const at = box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : MIDDLE;
  await page.mouse.move(at.x, at.y);
  const input = await page.context().newCDPSession(page);
  const mouse = (type: "mousePressed" | "mouseReleased" | "mouseMoved" | "mouseWheel", more: object) =>
    input.send("Input.dispatchMouseEvent", { type, ...at, ...more });
  const held = { button: "left", buttons: 1 };
  if (isOnSlider) await mouse("mousePressed", { ...held, clickCount: 1 });
  const watch = await page.evaluateHandle(() => window.watched.frames());
  const sent: Promise<unknown>[] = [];
  const end = performance.now() + durationMs;
  for (let event = 0; performance.now() < end; event++) {
    const place = event % (2 * ONE_DIRECTION);
    const isReturning = place >= ONE_DIRECTION;
    const moved = (isReturning ? 2 * ONE_DIRECTION - place : place) / 4;
    sent.push(
      isOnSlider
        ? mouse("mouseMoved", { ...held, x: at.x - moved })
        : mouse("mouseWheel", { deltaX: 0, deltaY: isReturning ? 20 : -20 }),
    );
    await sleep(EVENT_EVERY_MS);
  }
  const recorded = await watch.evaluate((end) => end());
  await Promise.all(sent);
  if (isOnSlider) await mouse("mouseReleased", { ...held, buttons: 0, clickCount: 1 });
  await input.detach();
  if (hasControl && !isOnSlider) {
    await page.keyboard.press("0");
    await page.waitForURL((url) => !url.searchParams.has("from"));
  }
  await settle();
  return recorded;
}

/** Number of events until the gesture goes back. */
const ONE_DIRECTION = 80;
const SETTLE_MS = 700;

/** Waits for a fixed time, in which the page fetches and draws its data after a gesture or the first chart. */
export const settle = () => sleep(SETTLE_MS);

/** Paint times that the page records itself, in milliseconds. */
type Watched = {
  /** Time from navigation until the first chart is painted; 0 before. */
  firstChart: number;
  /**
   * Starts to record frames. The returned function ends the recording. It returns the intervals between frames and the
   * number of frames in which a canvas was drawn.
   */
  frames(): () => { intervals: number[]; drawn: number };
};

declare global {
  interface Window {
    watched: Watched;
  }
}

/** Adds `window.watched` to the page's next documents. */
async function watchPage(page: Page, lines: number): Promise<void> {
  await page.addInitScript((lines) => {
    let draws = 0;
    // A message that is posted before a frame is painted arrives after it.
    const afterPaint = (run: () => void) =>
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = run;
        channel.port2.postMessage(null);
      });
    const { reset } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.reset = function () {
      draws++;
      reset.call(this);
    };
    const findChart = () => {
      if (document.querySelector(`canvas[data-lines="${lines}"]`) === null) requestAnimationFrame(findChart);
      else
        afterPaint(() => {
          window.watched.firstChart = performance.now();
        });
    };
    requestAnimationFrame(findChart);
    window.watched = {
      firstChart: 0,
      frames() {
        const times: number[] = [];
        let drawn = 0;
        let before = draws;
        let id = 0;
        const tick = (time: number) => {
          times.push(time);
          if (draws > before) drawn++;
          before = draws;
          id = requestAnimationFrame(tick);
        };
        id = requestAnimationFrame(tick);
        return () => {
          cancelAnimationFrame(id);
          return { intervals: times.slice(1).map((time, at) => time - times[at]!), drawn };
        };
      },
    };
  }, lines);
}
