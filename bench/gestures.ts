import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "@playwright/test";

export const gestures = ["zooming by wheel", "panning by dragging"] as const;
type Gesture = (typeof gestures)[number];

/** A real mouse sends events no faster, and the browser merges the events of one frame. */
const EVENT_EVERY_MS = 8;
/** Modifier bit of the Shift key in the DevTools protocol. */
const SHIFT = 8;

type Place = { x: number; y: number };
const MIDDLE: Place = { x: 700, y: 350 };

/**
 * Sends real input to the middle of the page's first chart, or of the window, without waiting for its effect. Returns
 * the intervals between frames in milliseconds, and the number of frames in which the chart was drawn.
 */
export async function gesture(
  page: Page,
  kind: Gesture,
  durationMs: number,
): Promise<{ intervals: number[]; drawn: number }> {
  const chart = page.getByRole("figure").first().getByRole("slider");
  const hasChart = (await chart.count()) > 0;
  if (hasChart) await chart.focus();
  const box = hasChart ? await chart.boundingBox() : null;
  const at = box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : MIDDLE;
  await page.mouse.move(at.x, at.y);
  const input = await page.context().newCDPSession(page);
  const mouse = (type: string, place: Place, more: Record<string, unknown> = {}) =>
    input.send("Input.dispatchMouseEvent", { type: type as "mouseMoved", ...place, ...more });
  const held = { button: "left", buttons: 1, modifiers: SHIFT };
  if (kind === "panning by dragging") {
    // Zooms in first, so that there is something to pan to, and waits for the finer points.
    for (let event = 0; event < 20; event++) await mouse("mouseWheel", at, { deltaX: 0, deltaY: -40 });
    await settle();
    await mouse("mousePressed", at, { ...held, clickCount: 1 });
  }
  const watch = await page.evaluateHandle(() => window.watched.frames());
  const sent: Promise<unknown>[] = [];
  const end = performance.now() + durationMs;
  for (let event = 0; performance.now() < end; event++) {
    if (kind === "zooming by wheel") {
      sent.push(mouse("mouseWheel", at, { deltaX: 0, deltaY: isReturning(event) ? 20 : -20 }));
    } else sent.push(mouse("mouseMoved", { ...at, x: at.x - distance(event) }, held));
    await sleep(EVENT_EVERY_MS);
  }
  const frames = await watch.evaluate((end) => end());
  await Promise.all(sent);
  if (kind === "panning by dragging")
    await mouse("mouseReleased", at, { ...held, buttons: 0, clickCount: 1 });
  await endGesture(page, input, hasChart);
  return frames;
}

/** Number of events in each direction. */
const ONE_DIRECTION = 80;
const BOTH_DIRECTIONS = 2 * ONE_DIRECTION;
const isReturning = (event: number) => event % BOTH_DIRECTIONS >= ONE_DIRECTION;
/** Returns the distance from the start in pixels: it grows, then shrinks to 0. */
const distance = (event: number) => {
  const at = event % BOTH_DIRECTIONS;
  return 2 * (isReturning(event) ? BOTH_DIRECTIONS - at : at);
};

/** Resets the zoom and waits for the page. */
async function endGesture(page: Page, input: CDPSession, hasChart: boolean): Promise<void> {
  await input.detach();
  if (!hasChart) return;
  await page.keyboard.press("0");
  await page.waitForURL((url) => !url.searchParams.has("from"));
  await settle();
}

const SETTLE_MS = 700;

/** Waits for a fixed time, in which the page fetches and draws its data after a gesture or the first chart. */
export const settle = () => sleep(SETTLE_MS);
