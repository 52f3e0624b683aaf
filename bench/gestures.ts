import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";

/** Gestures on a chart. */
export const chartGestures = ["zooming by wheel", "panning by dragging"] as const;
/** Gesture on the first slider of an input. */
export const sliderGesture = "dragging a slider";
export type Gesture = (typeof chartGestures)[number] | typeof sliderGesture;

/** A real mouse sends events no faster, and the browser merges the events of one frame. */
const EVENT_EVERY_MS = 8;
/** Modifier bit of the Shift key in the DevTools protocol. */
const SHIFT = 8;

type Place = { x: number; y: number };
const MIDDLE: Place = { x: 700, y: 350 };

/**
 * Sends real input to the middle of the page's first chart or slider, or of the window, without waiting for its effect. Returns
 * the intervals between frames in milliseconds, and the number of frames in which the chart was drawn.
 */
export async function gesture(
  page: Page,
  kind: Gesture,
  durationMs: number,
): Promise<{ intervals: number[]; drawn: number }> {
  const isOnSlider = kind === sliderGesture;
  const chart = page.getByRole("figure").first().getByRole("slider");
  const control = isOnSlider ? page.getByRole("slider", { name: /^Change of / }).first() : chart;
  const hasControl = (await control.count()) > 0;
  if (hasControl) await control.focus();
  const box = hasControl ? await control.boundingBox() : null;
  const at = box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : MIDDLE;
  await page.mouse.move(at.x, at.y);
  const input = await page.context().newCDPSession(page);
  const mouse = (type: string, place: Place, more: Record<string, unknown> = {}) =>
    input.send("Input.dispatchMouseEvent", { type: type as "mouseMoved", ...place, ...more });
  const held = { button: "left", buttons: 1, ...(!isOnSlider && { modifiers: SHIFT }) };
  if (kind === "panning by dragging") {
    // Zooms in first, so that there is something to pan to, and waits for the finer points.
    for (let event = 0; event < 20; event++) await mouse("mouseWheel", at, { deltaX: 0, deltaY: -40 });
    await settle();
  }
  if (kind !== "zooming by wheel") await mouse("mousePressed", at, { ...held, clickCount: 1 });
  const watch = await page.evaluateHandle(() => window.watched.frames());
  const sent: Promise<unknown>[] = [];
  const end = performance.now() + durationMs;
  for (let event = 0; performance.now() < end; event++) {
    if (kind === "zooming by wheel") {
      sent.push(mouse("mouseWheel", at, { deltaX: 0, deltaY: isReturning(event) ? 20 : -20 }));
    } else {
      const moved = isOnSlider ? distance(event) / SLIDER_PART : distance(event);
      sent.push(mouse("mouseMoved", { ...at, x: at.x - moved }, held));
    }
    await sleep(EVENT_EVERY_MS);
  }
  const frames = await watch.evaluate((end) => end());
  await Promise.all(sent);
  if (kind !== "zooming by wheel") await mouse("mouseReleased", at, { ...held, buttons: 0, clickCount: 1 });
  await input.detach();
  if (hasControl) await (isOnSlider ? settle() : resetZoom(page));
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

/** Part of a chart's drag that stays within half a slider. */
const SLIDER_PART = 8;

/** Resets the zoom and waits for the page. */
async function resetZoom(page: Page): Promise<void> {
  await page.keyboard.press("0");
  await page.waitForURL((url) => !url.searchParams.has("from"));
  await settle();
}

const SETTLE_MS = 700;

/** Waits for a fixed time, in which the page fetches and draws its data after a gesture or the first chart. */
export const settle = () => sleep(SETTLE_MS);
