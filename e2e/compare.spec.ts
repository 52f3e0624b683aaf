import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { dailyDemand } from "#testing/sample-series";
import { inspect } from "./inspect.ts";
import { finish } from "./jobs.ts";
import { type Demo, data, expect, test } from "./signed-in.ts";

const address = ({ project, scenarios }: Demo, rest = "") =>
  `/projects/${project.id}/scenarios/compare?ids=${scenarios
    .slice(0, 3)
    .map(({ id }) => id)
    .join(",")}${rest}`;
const chartOf = (page: Page) => page.getByRole("figure").first();
const crosshair = (page: Page) => chartOf(page).getByRole("slider");

test("moves the crosshair with arrow keys and shows every value; keys zoom, pan and reset", async ({
  page,
  demo,
}) => {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.goto(address(demo));
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "4");
  // The page's head requests the comparison, and its scripts must not repeat the request or prefetch other pages. The
  // shading is requested after the response; connecting to the channel refetches everything.
  await expect(page.locator("link[rel=preload][as=fetch]")).toHaveCount(1);
  const shades = () => requested.findIndex((url) => url.includes("/extrapolation?"));
  await expect.poll(shades).not.toBe(-1);
  const first = requested.slice(0, shades());
  expect(first.filter((url) => url.includes("/api/") && url.includes("/scenarios/compare?"))).toHaveLength(1);
  expect(requested.filter((url) => url.includes("_rsc="))).toEqual([]);
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

  expect(new Set(requested.filter((url) => url.includes("/extrapolation"))).size).toBe(1);

  // The wheel zooms only with focus, and scrolls the page otherwise.
  await crosshair(page).hover();
  await page.mouse.wheel(0, -300);
  await expect(page).toHaveURL(/[?&]from=/);
});

test("leaves the browser's shortcuts to the browser while the chart has the focus", async ({
  page,
  demo,
}) => {
  type Recording = Window & { taken: string[] };
  await page.addInitScript(() => {
    const recording = window as unknown as Recording;
    recording.taken = [];
    // After the handlers of the page.
    window.addEventListener("keydown", ({ key, defaultPrevented }) => {
      if (defaultPrevented) recording.taken.push(key);
    });
  });
  await page.goto(address(demo));
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "4");
  const press = async (slider: Locator, keys: readonly string[]) => {
    await slider.focus();
    for (const key of keys) await page.keyboard.press(key);
  };
  await press(crosshair(page), ["Control++", "Control+-", "Control+0", "Alt+ArrowLeft", "ArrowRight"]);
  await press(page.getByRole("slider", { name: "First shown" }), ["Alt+ArrowLeft"]);
  expect(await page.evaluate(() => (window as unknown as Recording).taken)).toEqual(["ArrowRight"]);
});

test("skips redraws of an unchanged chart, and draws all input before a frame once in that frame", async ({
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
  // Shading loads after the lines. It is empty here, regardless of scenarios from other tests.
  const shades = page.waitForResponse((response) => response.url().includes("/extrapolation?"));
  const isOutside = ({ code }: { code: string }) => code === "outside_range" || code === "unseen_category";
  const scenarios = demo.scenarios.filter(({ warnings }) => !warnings.some(isOutside));
  // The past would load after the lines, too.
  await page.goto(address({ ...demo, scenarios }, "&past=false"));
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "3");
  expect(await (await shades).json()).toMatchObject({
    data: { scenarios: [{ spans: [] }, { spans: [] }, { spans: [] }] },
  });
  await crosshair(page).focus();
  const { before, drawn, part } = await crosshair(page).evaluate(async (area) => {
    const counting = window as unknown as Counting;
    const before = counting.drawn;
    const { left, width } = area.getBoundingClientRect();
    for (let step = 0; step < 2; step++) {
      const wheel = { deltaY: -100, clientX: left + width / 2, cancelable: true };
      area.dispatchEvent(new WheelEvent("wheel", wheel));
    }
    await new Promise(requestAnimationFrame);
    const at = (name: string, value: string) =>
      Number(document.querySelector(`[role=slider][aria-label="${name}"]`)!.getAttribute(value));
    const full = at("Last shown", "aria-valuemax") - at("First shown", "aria-valuemin");
    const shown = at("Last shown", "aria-valuenow") - at("First shown", "aria-valuenow");
    return { before, drawn: counting.drawn - before, part: shown / full };
  });
  expect([before, drawn]).toEqual([1, 1]);
  // Each wheel step keeps four fifths of the span.
  expect(part).toBeCloseTo(0.64, 2);
});

test("shows small multiples, percentages and a table of all rows, and exports files", async ({
  page,
  demo,
}) => {
  await page.goto(address(demo));
  await page.getByRole("button", { name: "One by one" }).click();
  await expect(page.getByRole("figure").locator('canvas[data-lines="3"]')).toHaveCount(2);
  await page.getByRole("button", { name: "Per cent" }).click();
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "2");
  await page.getByRole("button", { name: "Table" }).click();
  const values = page.getByRole("region", { name: "Values" });
  await expect(values.getByRole("row")).toHaveCount(1 + demo.scenarios[0]!.rowCount!);
  await page.getByRole("button", { name: "Predictions" }).click();

  // A hidden line stays hidden in a copied link, and can be shown again.
  const second = chartOf(page).locator("~ ul").getByRole("button", { name: demo.scenarios[1]!.title });
  await second.click();
  await expect(page).toHaveURL(new RegExp(`hidden=${demo.scenarios[1]!.id}`));
  await page.reload();
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "3");
  await expect(second).toHaveAttribute("aria-pressed", "false");
  await second.click();
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "4");

  for (const [format, begins] of [
    ["CSV, all points in view", "timestamp,"],
    ["SVG", "<svg"],
    ["PNG", "\u0089PNG"],
  ] as const) {
    await page.getByRole("button", { name: "Export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: format }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(
      /^Predictions of Demand, 3 scenarios, baseline .+\.(csv|svg|png)$/,
    );
    expect((await readFile(await file.path(), "latin1")).startsWith(begins)).toBe(true);
  }
});

test("draws actuals over predictions, also in small multiples, until switched off", async ({ page }) => {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const csv = dailyDemand(200);
  const { id } = await data<{ id: string }>(page.request, "post", "/projects", {
    name: "Comparison with actuals",
  });
  const dataset = { fileData: base64(csv), target: "demand", timestamp: "date" };
  await data(page.request, "put", `/projects/${id}/dataset`, dataset);
  await finish(page.request, `/projects/${id}/models/train`, { algorithm: "ridge", features: { lags: [] } });
  const { checkpointId } = await finish<{ checkpointId: string }>(
    page.request,
    `/projects/${id}/checkpoints`,
    {},
  );
  // Actuals exist for half of the days; each scenario has a higher price.
  const lines = dailyDemand(300).trim().split("\n").slice(101);
  const runWith = async (more: number) => {
    const rows = lines.map((line) => line.split(",")).map(([day, price]) => `${day},${Number(price) + more}`);
    const body = {
      title: `Plus ${more}`,
      checkpointId,
      fileData: base64(`date,price\n${rows.join("\n")}\n`),
    };
    return (await finish<{ scenarioId: string }>(page.request, `/projects/${id}/scenarios`, body)).scenarioId;
  };
  const ids = await Promise.all([0, 1, 2].map(runWith));
  await page.goto(`/projects/${id}/scenarios/compare?ids=${ids.join(",")}`);
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "4");
  await page.getByRole("button", { name: "One by one" }).click();
  await expect(page.getByRole("figure").locator('canvas[data-lines="3"]')).toHaveCount(2);
  await expect(page.getByRole("figure").locator("canvas")).toHaveCount(2);
  await page.getByRole("checkbox", { name: "Actuals" }).uncheck();
  await expect(page.getByRole("figure").locator('canvas[data-lines="3"]')).toHaveCount(2);
  await expect(page).toHaveURL(/[?&]actuals=false/);
  await page.reload();
  await expect(page.getByRole("figure").locator('canvas[data-lines="3"]')).toHaveCount(2);

  await page.goto(`/projects/${id}/scenarios/${ids[0]}`);
  const actuals = page.locator("section", { hasText: "Accuracy against actuals" }).last();
  await expect(actuals.getByRole("table")).toBeVisible({ timeout: 30_000 });
  expect(await inspect(page, "actuals", { within: "main" })).toEqual([]);
});

test("explains an invalid selection and offers the next step", async ({ page, demo }) => {
  await page.goto(address(demo).replace("?ids=", `?ids=${crypto.randomUUID()},`));
  await expect(page.getByText("1 of the 4 scenarios was not found")).toBeVisible();
  await page.getByRole("button", { name: "Compare the other 3" }).click();
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "4");

  const many = Array.from({ length: 21 }, () => crypto.randomUUID());
  await page.goto(`/projects/${demo.project.id}/scenarios/compare?ids=${many.join(",")}`);
  await expect(page.getByText("21 scenarios are too many")).toBeVisible();
  await page.goto(`/projects/${demo.project.id}/scenarios/compare?ids=${demo.scenarios[0]!.id}`);
  await expect(page.getByText("Nothing to compare yet")).toBeVisible();

  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(address(demo));
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "4");
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
});

test("keeps the chart in place and values in view on a phone when weeks are incomplete", async ({
  page,
  demo,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(address(demo));
  await expect(chartOf(page).locator("canvas")).toHaveAttribute("data-lines", "4");
  const top = async () => (await chartOf(page).boundingBox())!.y;
  const before = await top();
  await page.getByLabel("Points").selectOption("week");
  await expect(page.getByText(/^Incomplete: Week of /)).toBeVisible();
  expect(await top()).toBe(before);
  await page.getByRole("button", { name: "Table" }).click();
  const first = page.getByRole("region", { name: "Values" }).getByRole("row").nth(1);
  await expect(first.getByRole("cell").first()).toContainText(/Week of .*Incomplete week/);
  await first.scrollIntoViewIfNeeded();
  await expect(first.getByRole("cell").nth(1)).toBeInViewport();
});
