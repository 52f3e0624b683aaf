import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "@playwright/test";

export const gestures = ["zooming by wheel", "panning by dragging"] as const;
export type Gesture = (typeof gestures)[number];

/** A hand gives no more; a browser makes one of those that come in one frame. */
const EVENT_EVERY_MS = 8;
const SHIFT = 8;

type Place = { x: number; y: number };
const MIDDLE: Place = { x: 700, y: 350 };

/**
 * Real input in the middle of the page's first chart, or of the window, for a while, without waiting for what the page makes
 * of it. The intervals between its frames, and in how many of them something was drawn.
 */
export async function gesture(
  page: Page,
  kind: Gesture,
  forMs: number,
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
    // Something to pan to: half a second of zooming in, and its finer points.
    for (let turn = 0; turn < 20; turn++) await mouse("mouseWheel", at, { deltaX: 0, deltaY: -40 });
    await settle();
    await mouse("mousePressed", at, { ...held, clickCount: 1 });
  }
  const watch = await page.evaluateHandle(() => window.watched.frames());
  const sent: Promise<unknown>[] = [];
  const end = performance.now() + forMs;
  for (let turn = 0; performance.now() < end; turn++) {
    if (kind === "zooming by wheel") {
      sent.push(mouse("mouseWheel", at, { deltaX: 0, deltaY: isThere(turn) ? 20 : -20 }));
    } else sent.push(mouse("mouseMoved", { ...at, x: at.x - away(turn) }, held));
    await sleep(EVENT_EVERY_MS);
  }
  const found = await watch.evaluate((end) => end());
  await Promise.all(sent);
  if (kind === "panning by dragging")
    await mouse("mouseReleased", at, { ...held, buttons: 0, clickCount: 1 });
  await endGesture(page, input, hasChart);
  return found;
}

const TURNS = 80;
/** There and back again. */
const isThere = (turn: number) => turn % (2 * TURNS) >= TURNS;
const away = (turn: number) => 2 * (isThere(turn) ? 2 * TURNS - (turn % (2 * TURNS)) : turn % (2 * TURNS));

async function endGesture(page: Page, input: CDPSession, hasChart: boolean): Promise<void> {
  await input.detach();
  if (!hasChart) return;
  await page.keyboard.press("0");
  await page.waitForURL((url) => !url.searchParams.has("from"));
  await settle();
}

const SETTLES_MS = 700;

/** Until what a page asks for after a gesture or its first chart is there and drawn. */
export const settle = () => sleep(SETTLES_MS);
