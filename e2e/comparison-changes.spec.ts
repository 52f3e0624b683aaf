import type { Page } from "@playwright/test";
import type { Project } from "#lib/contract/projects";
import { dailyDemand } from "#testing/sample-series";
import { finish } from "./jobs.ts";
import { data, expect, test, unique } from "./signed-in.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const days = 1_500;

/** Path of the scenarios, for page and API. */
let list: string;
let ids: string[];

/** Creates a project with three scenarios of four years, each with a higher price. */
test.beforeAll(async ({ playwright, session }) => {
  const baseURL = process.env.E2E_BASE_URL!;
  const request = await playwright.request.newContext({ baseURL, storageState: session });
  const { id } = await data<Project>(request, "post", "/projects", { name: unique("Comparison changes") });
  list = `/projects/${id}/scenarios`;
  const dataset = { fileData: base64(dailyDemand(200)), target: "demand", timestamp: "date" };
  await data(request, "put", `/projects/${id}/dataset`, dataset);
  await finish(request, `/projects/${id}/models/train`, { algorithm: "ridge", features: { lags: [] } });
  const lines = dailyDemand(200 + days)
    .trim()
    .split("\n")
    .slice(201);
  ids = await Promise.all(
    [0, 1, 2].map(async (more) => {
      const rows = lines
        .map((line) => line.split(","))
        .map(([day, price]) => `${day},${Number(price) + more}`);
      const body = { title: `Plus ${more}`, fileData: base64(`date,price\n${rows.join("\n")}\n`) };
      return (await finish<{ scenarioId: string }>(request, list, body)).scenarioId;
    }),
  );
  await request.dispose();
});

const compare = (rest: string) => `${list}/compare?ids=${ids.join(",")}${rest}`;
const tableOf = (page: Page) => page.getByRole("region", { name: "Values" });

test("moves only one end of the span by its handle at the end of the range", async ({ page }) => {
  await page.goto(compare("&bucket=rows"));
  await page.getByRole("slider", { name: "Point of the chart" }).first().focus();
  await page.keyboard.press("+");
  await expect(page).toHaveURL(/[?&]from=/);
  const [first, last] = ["First shown", "Last shown"].map((name) => page.getByRole("slider", { name }));
  // The day. Its time disappears when the points of the span have arrived.
  const end = (await last!.getAttribute("aria-valuetext"))!.split(", ").slice(0, 2).join(", ");
  await first!.focus();
  const start = (await first!.getAttribute("aria-valuemin"))!;
  await expect(async () => {
    await page.keyboard.press("ArrowLeft");
    await expect(first!).toHaveAttribute("aria-valuenow", start, { timeout: 50 });
  }).toPass();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(last!).toHaveAttribute("aria-valuetext", new RegExp(`^${end}`));
});

test("shows the whole of a saved comparison that is opened from a zoomed one", async ({ page }) => {
  await data(page.request, "post", `${list.replace("/scenarios", "/comparisons")}`, {
    name: "Two",
    scenarioIds: ids.slice(0, 2),
  });
  await page.goto(compare("&bucket=rows"));
  await page.getByRole("slider", { name: "Point of the chart" }).first().focus();
  await page.keyboard.press("+");
  await expect(page).toHaveURL(/[?&]from=/);
  await page.getByRole("button", { name: "Saved comparisons" }).click();
  await page.getByRole("button", { name: "Open Two" }).click();
  await expect(page).not.toHaveURL(/[?&]from=/);
  for (const [name, end] of [
    ["First shown", "aria-valuemin"],
    ["Last shown", "aria-valuemax"],
  ] as const) {
    const handle = page.getByRole("slider", { name });
    await expect(handle).toHaveAttribute("aria-valuenow", (await handle.getAttribute(end))!);
  }
});

test("exports the explained difference over the buckets of the page", async ({ page }) => {
  const explained = () => page.waitForRequest((request) => request.url().includes("/difference?"));
  const spanOf = (url: string) => {
    const query = new URL(url).searchParams;
    return [query.get("from"), query.get("to")];
  };
  const shown = explained();
  const { firstTimestamp } = await data<{ firstTimestamp: string }>(page.request, "get", `${list}/${ids[0]}`);
  const day = (after: number) =>
    new Date(Date.parse(firstTimestamp) + 86_400_000 * after).toISOString().slice(0, 10);
  await page.goto(compare(`&bucket=month&from=${day(100)}&to=${day(170)}`));
  const span = spanOf((await shown).url());
  const exported = explained();
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "Excel workbook" }).click();
  expect(spanOf((await exported).url())).toEqual(span);
});

test("shows each value below its own scenario while the selection changes", async ({ page }) => {
  await page.goto(compare("&bucket=rows&view=table"));
  const cells = tableOf(page).getByRole("row").nth(1).getByRole("cell");
  await expect(cells.nth(2)).not.toHaveText("");
  const value = async (column: number) => /^[\d,.]+/.exec((await cells.nth(column).textContent())!)?.[0];
  const [second, third] = [await value(2), await value(3)];
  expect(second).not.toBe(third);
  // The chart's points arrive later than the table's.
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/scenarios/compare?*", async (route) => {
    if (!route.request().url().includes("limit=")) await promise;
    await route.continue();
  });
  const rows = page.waitForResponse((response) => response.url().includes("limit="));
  await page.getByRole("button", { name: "Choose scenarios" }).click();
  await page.getByRole("dialog").getByLabel("Plus 0").uncheck();
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  await (await rows).finished();
  await expect(tableOf(page).getByRole("columnheader")).toHaveCount(4);
  await expect(cells.nth(1)).toHaveText("–");
  expect([await value(2), await value(3)]).toEqual([second, third]);
  resolve();
  await expect(tableOf(page).getByRole("columnheader")).toHaveCount(3);
});

test("shows the rows of a table that becomes shorter, and requests no others", async ({ page }) => {
  await page.goto(compare("&bucket=rows&view=table"));
  await expect(tableOf(page)).toHaveAttribute("tabindex", "0");
  await tableOf(page).evaluate((region) => region.scrollTo(0, region.scrollHeight));
  await expect(tableOf(page).locator(`[aria-rowindex="${days + 1}"]`)).toBeVisible();
  const offsets: number[] = [];
  page.on("request", (request) => {
    const query = new URL(request.url()).searchParams;
    if (query.get("bucket") === "month" && query.has("limit")) offsets.push(Number(query.get("offset")));
  });
  await page.getByLabel("Points").selectOption("By month");
  await expect(tableOf(page).locator('[aria-rowindex="50"]')).not.toContainText("…");
  expect([...new Set(offsets)]).toEqual([0]);
});

test("keeps the operation and the order of changes when a slider passes its start", async ({ page }) => {
  await page.goto(`${list}/${ids[0]}`);
  await page.getByRole("button", { name: "Edit inputs" }).click();
  const panel = page.getByRole("region", { name: "Edit inputs" });
  const slider = panel.getByRole("slider", { name: "Change of Price" });
  await slider.press("ArrowRight");
  const days = panel.getByLabel("From");
  await days.fill(new Date(Date.parse(await days.inputValue()) + 86_400_000).toISOString().slice(0, 10));
  await panel.getByLabel("Operation on Price").selectOption("Set to");
  await panel.getByRole("button", { name: "Whole scenario" }).click();
  const changes = panel.getByRole("listitem");
  await expect(changes).toHaveText([/^Price times 1.01$/, /^Price set to/]);
  await slider.press("ArrowLeft");
  await expect(changes).toHaveText([/^Price set to/]);
  await expect(panel.getByLabel("Operation on Price")).toHaveValue("multiply");
  await slider.press("ArrowLeft");
  await expect(changes).toHaveText([/^Price times 0.99$/, /^Price set to/]);
  // All moves of the slider until it loses the focus are one change.
  await page.keyboard.press("Control+z");
  await expect(changes).toHaveText([/^Price times 1.01$/, /^Price set to/]);
});

test("keeps a name that another tab has changed when the description is saved", async ({ page }) => {
  const path = list.replace("/scenarios", "");
  await page.goto(`${path}/settings`);
  const name = page.getByLabel("Name", { exact: true }).first();
  await expect(name).toHaveValue(/Comparison changes/);
  const renamed = unique("Renamed");
  await data(page.request, "patch", path, { name: renamed });
  await page.getByLabel("Description").first().fill("Four years of prices");
  const saved = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  expect(await (await saved).json()).toMatchObject({
    data: { name: renamed, description: "Four years of prices" },
  });
  await expect(name).toHaveValue(renamed);
});

test("keeps a text that is typed at the moment when newer values arrive", async ({ page }) => {
  const path = list.replace("/scenarios", "");
  await page.goto(`${path}/settings`);
  await expect(page.getByLabel("Name", { exact: true }).first()).toHaveValue(/./);
  const renamed = unique("Renamed meanwhile");
  const description = page.getByLabel("Description").first();
  // Types after React has shown the newer name, and before its effects set the fields.
  await description.evaluate((field, name) => {
    new MutationObserver((_, observer) => {
      if (!document.body.textContent.includes(name)) return;
      observer.disconnect();
      const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")!;
      set!.call(field, "Typed meanwhile");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }).observe(document, { subtree: true, childList: true, characterData: true });
  }, renamed);
  await data(page.request, "patch", path, { name: renamed });
  await expect(page.getByTitle(renamed).first()).toBeVisible();
  await expect(description).toHaveValue("Typed meanwhile");
});

test("shows the whole comparison after a link with an invalid span or a foreign baseline", async ({
  page,
}) => {
  for (const rest of ["&from=2026-13-45", `&baselineId=${crypto.randomUUID()}`]) {
    await page.goto(compare(`&bucket=month${rest}`));
    await page.getByRole("button", { name: "Show the whole comparison" }).click();
    await expect(page.locator("canvas[data-lines]").first()).toHaveAttribute("data-lines", "4");
    await expect(page).toHaveURL(/compare\?ids=[^&]+&bucket=month$/);
  }
});
