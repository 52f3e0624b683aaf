import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { Job } from "#lib/contract/jobs";
import { dailyDemand } from "#testing/sample-series";
import { type Demo, data, expect, test } from "./signed-in.ts";

const address = ({ project, scenarios }: Demo, rest = "") =>
  `/projects/${project.id}/scenarios/compare?ids=${scenarios
    .slice(0, 3)
    .map(({ id }) => id)
    .join(",")}${rest}`;
const chartOf = (page: Page) => page.getByRole("figure").first();
const crosshair = (page: Page) => chartOf(page).getByRole("slider");

test("the crosshair is moved by arrow keys and tells every value, and keys zoom, pan and reset", async ({
  page,
  demo,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(address(demo));
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "3");
  // Asked by the page's head, and by its scripts not once more; and no page that nobody has pointed at. Once the answer
  // is there, the shades are asked for, and when the channel is, everything anew.
  await expect(page.locator("link[rel=preload][as=fetch]")).toHaveCount(1);
  const shades = () => asked.findIndex((url) => url.includes("/extrapolation?"));
  await expect.poll(shades).not.toBe(-1);
  const first = asked.slice(0, shades());
  expect(first.filter((url) => url.includes("/api/") && url.includes("/scenarios/compare?"))).toHaveLength(1);
  expect(asked.filter((url) => url.includes("_rsc="))).toEqual([]);
  await crosshair(page).focus();
  await page.keyboard.press("ArrowRight");
  const point = await crosshair(page).getAttribute("aria-valuetext");
  for (const { title } of demo.scenarios.slice(0, 3)) expect(point).toContain(title);
  await page.keyboard.press("ArrowRight");
  await expect(crosshair(page)).not.toHaveAttribute("aria-valuetext", point!);
  await page.keyboard.press("+");
  await expect(page).toHaveURL(/[?&]from=/);
  const zoomed = page.url();
  await page.keyboard.press("PageDown");
  await expect(page).not.toHaveURL(zoomed);
  await page.keyboard.press("0");
  await expect(page).not.toHaveURL(/[?&]from=/);

  expect(new Set(asked.filter((url) => url.includes("/extrapolation"))).size).toBe(1);

  // The wheel zooms what has the focus, and scrolls the page otherwise.
  await crosshair(page).hover();
  await page.mouse.wheel(0, -300);
  await expect(page).toHaveURL(/[?&]from=/);
});

test("a picture that stays the same is not drawn again; all input before a frame is drawn in that frame, once, and none of it is lost", async ({
  page,
  demo,
}) => {
  type Counting = Window & { drawn: number };
  await page.addInitScript(() => {
    const counting = window as unknown as Counting;
    counting.drawn = 0;
    const { reset } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.reset = function () {
      if (this.canvas === document.querySelector("figure canvas")) counting.drawn++;
      reset.call(this);
    };
  });
  // Comes after the lines, and has nothing to shade here, whatever scenarios other tests have made.
  const shades = page.waitForResponse((response) => response.url().includes("/extrapolation?"));
  const isOutside = ({ code }: { code: string }) => code === "outside_range" || code === "unseen_category";
  const scenarios = demo.scenarios.filter(({ warnings }) => !warnings.some(isOutside));
  await page.goto(address({ ...demo, scenarios }));
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "3");
  expect(await (await shades).json()).toMatchObject({
    data: { scenarios: [{ spans: [] }, { spans: [] }, { spans: [] }] },
  });
  await crosshair(page).focus();
  const { before, drawn, part } = await crosshair(page).evaluate(async (area) => {
    const counting = window as unknown as Counting;
    const before = counting.drawn;
    const { left, width } = area.getBoundingClientRect();
    for (let turn = 0; turn < 2; turn++) {
      const wheel = { deltaY: -100, clientX: left + width / 2, cancelable: true };
      area.dispatchEvent(new WheelEvent("wheel", wheel));
    }
    await new Promise(requestAnimationFrame);
    const at = (name: string, value: string) =>
      Number(document.querySelector(`[role=slider][aria-label="${name}"]`)!.getAttribute(value));
    const whole = at("Last shown", "aria-valuemax") - at("First shown", "aria-valuemin");
    const shown = at("Last shown", "aria-valuenow") - at("First shown", "aria-valuenow");
    return { before, drawn: counting.drawn - before, part: shown / whole };
  });
  expect([before, drawn]).toEqual([1, 1]);
  // Each turn of the wheel leaves four fifths.
  expect(part).toBeCloseTo(0.64, 2);
});

test("one by one, in per cent, as a table of all rows, and as files", async ({ page, demo }) => {
  await page.goto(address(demo));
  await page.getByRole("button", { name: "One by one" }).click();
  await expect(page.getByRole("figure").locator('canvas[data-lines="2"]')).toHaveCount(2);
  await page.getByRole("button", { name: "Per cent" }).click();
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "2");
  await page.getByRole("button", { name: "Table" }).click();
  const values = page.getByRole("region", { name: "Values" });
  await expect(values.getByRole("row")).toHaveCount(1 + demo.scenarios[0]!.rowCount!);
  await page.getByRole("button", { name: "Predictions" }).click();

  // A line that is hidden stays so in a copied link, and comes back.
  const second = chartOf(page).locator("~ ul").getByRole("button", { name: demo.scenarios[1]!.title });
  await second.click();
  await expect(page).toHaveURL(new RegExp(`hidden=${demo.scenarios[1]!.id}`));
  await page.reload();
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "2");
  await expect(second).toHaveAttribute("aria-pressed", "false");
  await second.click();
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "3");

  for (const [format, begins] of [
    ["CSV", "timestamp,"],
    ["SVG", "<svg"],
    ["PNG", "\u0089PNG"],
  ] as const) {
    await page.getByRole("button", { name: "Export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: format }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^Predictions, 3 scenarios, baseline .+\.(csv|svg|png)$/);
    expect((await readFile(await file.path(), "latin1")).startsWith(begins)).toBe(true);
  }
});

test("what was lies over what was predicted, in each of one by one too, until it is switched off", async ({
  page,
}) => {
  const call = <T>(path: string, body: unknown, method: "post" | "put" = "post") =>
    data<T>(page.request, method, path, body);
  const done = async <T extends { jobId: string }>(path: string, body: unknown) => {
    const accepted = await call<T>(path, body);
    const status = async () => (await data<Job>(page.request, "get", `/jobs/${accepted.jobId}`)).status;
    await expect.poll(status, { timeout: 60_000 }).toBe("Completed");
    return accepted;
  };
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const csv = dailyDemand(200);
  const { id } = await call<{ id: string }>("/projects", { name: "What was, compared" });
  const dataset = { fileData: base64(csv), target: "demand", timestamp: "date" };
  await call(`/projects/${id}/dataset`, dataset, "put");
  await done(`/projects/${id}/models/train`, { algorithm: "ridge", features: { lags: [] } });
  const { checkpointId } = await done<{ jobId: string; checkpointId: string }>(
    `/projects/${id}/checkpoints`,
    {},
  );
  // Half of its days are known; dearer each time.
  const lines = dailyDemand(300).trim().split("\n").slice(101);
  const ids: string[] = [];
  for (const more of [0, 1, 2]) {
    const rows = lines.map((line) => line.split(",")).map(([day, price]) => `${day},${Number(price) + more}`);
    const body = {
      title: `Plus ${more}`,
      checkpointId,
      fileData: base64(`date,price\n${rows.join("\n")}\n`),
    };
    const { scenarioId } = await done<{ jobId: string; scenarioId: string }>(
      `/projects/${id}/scenarios`,
      body,
    );
    ids.push(scenarioId);
  }
  await page.goto(`/projects/${id}/scenarios/compare?ids=${ids.join(",")}`);
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "4");
  await page.getByRole("button", { name: "One by one" }).click();
  await expect(page.getByRole("figure").locator('canvas[data-lines="3"]')).toHaveCount(2);
  await expect(page.getByRole("figure").locator("canvas")).toHaveCount(2);
  await page.getByRole("checkbox", { name: "Actual values" }).uncheck();
  await expect(page.getByRole("figure").locator('canvas[data-lines="2"]')).toHaveCount(2);
  await expect(page).toHaveURL(/[?&]actuals=false/);
  await page.reload();
  await expect(page.getByRole("figure").locator('canvas[data-lines="2"]')).toHaveCount(2);
});

test("what cannot be compared is said in words, with a way on", async ({ page, demo }) => {
  await page.goto(address(demo).replace("?ids=", `?ids=${crypto.randomUUID()},`));
  await expect(page.getByText("1 of the 4 scenarios is not there")).toBeVisible();
  await page.getByRole("button", { name: "Compare the other 3" }).click();
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "3");

  const many = Array.from({ length: 21 }, () => crypto.randomUUID());
  await page.goto(`/projects/${demo.project.id}/scenarios/compare?ids=${many.join(",")}`);
  await expect(page.getByText("21 scenarios are too many")).toBeVisible();
  await page.goto(`/projects/${demo.project.id}/scenarios/compare?ids=${demo.scenarios[0]!.id}`);
  await expect(page.getByText("Nothing to compare yet")).toBeVisible();

  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(address(demo));
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "3");
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
});
