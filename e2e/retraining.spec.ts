import type { Checkpoint } from "#lib/contract/checkpoints";
import type { Scenario } from "#lib/contract/scenarios";
import { finish } from "./jobs.ts";
import { data, expect, test, unique } from "./signed-in.ts";

const rows = Array.from({ length: 60 }, (_, row) => `${(row % 7) + 0.5},${40 - 3 * (row % 7)}`);
const base64 = (text: string) => Buffer.from(text).toString("base64");
let project = "";

test.beforeAll(async ({ playwright, baseURL, session }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL!, storageState: session });
  const { id } = await data<{ id: string }>(request, "post", "/projects", { name: unique("Retraining") });
  project = `/projects/${id}`;
  const dataset = { target: "sales", fileData: base64(`price,sales\n${rows.join("\n")}\n`) };
  await data(request, "put", `${project}/dataset`, dataset);
  await finish(request, `${project}/models/train`, { algorithm: "ridge" });
  for (const title of ["North", "South"]) {
    const checkpoints = await data<Checkpoint[]>(request, "get", `${project}/checkpoints`);
    const checkpoint = checkpoints[0] && { checkpointId: checkpoints[0].id };
    await finish(request, `${project}/scenarios`, { title, ...checkpoint, fileData: base64("price\n3\n") });
  }
  await finish(request, `${project}/models/train`, { algorithm: "ridge", seed: 7 });
  await request.dispose();
});

test("proposes the current model for a new scenario after a training, and says why", async ({ page }) => {
  await page.goto(`${project}/scenarios?open=new-scenario`);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Checkpoint", { exact: true })).toHaveValue("");
  await expect(dialog.getByText(/newer than the default checkpoint/)).toBeVisible();
  const [old] = await data<Checkpoint[]>(page.request, "get", `${project}/checkpoints`);
  // The label that the new checkpoint gets: today's label is taken.
  await expect(dialog.getByText(`Default: ${old!.label}_02`)).toBeVisible();
  await dialog.getByLabel("Checkpoint", { exact: true }).selectOption(old!.id);
  await expect(dialog.getByText(/choose the current model/)).toBeVisible();
});

test("runs scenarios again on the current model, which is saved once", async ({ page }) => {
  await page.goto(`${project}/scenarios`);
  const tick = async (title: string) => page.getByLabel(`Select ${title}`, { exact: true }).check();
  await expect(async () => {
    await tick("North");
    await tick("South");
    await page.getByRole("button", { name: "Run again" }).click({ timeout: 2_000 });
    await expect(page.getByRole("dialog")).toBeVisible({ timeout: 2_000 });
  }).toPass();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Checkpoint")).toHaveValue("");
  const [old] = await data<Checkpoint[]>(page.request, "get", `${project}/checkpoints`);
  await dialog.getByRole("button", { name: "Run 2 scenarios" }).click();
  await expect(page.getByText("Running 2 scenarios.")).toBeVisible();
  const all = async () => data<Scenario[]>(page.request, "get", `${project}/scenarios`);
  await expect
    .poll(async () => (await all()).map(({ id, runId, status }) => [status, runId !== id]), {
      timeout: 60_000,
    })
    .toEqual([
      ["Completed", true],
      ["Completed", true],
    ]);
  const used = new Set((await all()).map(({ checkpointId }) => checkpointId));
  expect(used.size).toBe(1);
  expect([...used]).not.toContain(old!.id);
  expect((await all()).map(({ title }) => title).toSorted()).toEqual(["North", "South"]);
});

test("gives copies of one scenario titles that name the change, and their own colours", async ({ page }) => {
  const all = await data<Scenario[]>(page.request, "get", `${project}/scenarios`);
  const north = all.find(({ title }) => title === "North")!;
  for (const presses of [1, 2]) {
    await page.goto(`${project}/scenarios/${north.id}`);
    await page.getByRole("button", { name: "Edit inputs" }).click();
    const panel = page.getByRole("region", { name: "Edit inputs" });
    const slider = panel.getByRole("slider").first();
    for (let press = 0; press < presses; press++) await slider.press("ArrowRight");
    await panel.getByRole("button", { name: "Save as scenario" }).click();
    await expect(panel.getByText(/^Saved\./)).toBeVisible();
  }
  const copies = (await data<Scenario[]>(page.request, "get", `${project}/scenarios`)).filter(
    ({ baseScenarioId, adjustments }) => baseScenarioId === north.id && adjustments.length > 0,
  );
  expect(copies.map(({ title }) => title).toSorted()).toEqual(["North, Price +1 %", "North, Price +2 %"]);
  expect(new Set([north, ...copies].map(({ color }) => color)).size).toBe(3);
});

test("names the lines of a comparison at their ends, also in one colour", async ({ page }) => {
  const dates = (from: number) =>
    Array.from({ length: 12 }, (_, day) => `2027-01-${String(day + 1).padStart(2, "0")},${from + day}`);
  const { id } = await data<{ id: string }>(page.request, "post", "/projects", {
    name: unique("One colour"),
  });
  const path = `/projects/${id}`;
  const history = Array.from({ length: 90 }, (_, day) => {
    const date = new Date(Date.UTC(2026, 9, 1) + day * 86_400_000).toISOString().slice(0, 10);
    return `${date},${day % 9},${50 + (day % 9) * 3}`;
  });
  const fileData = base64(`date,price,sales\n${history.join("\n")}\n`);
  await data(page.request, "put", `${path}/dataset`, { target: "sales", timestamp: "date", fileData });
  await finish(page.request, `${path}/models/train`, { algorithm: "ridge", features: { lags: [] } });
  const ids: string[] = [];
  for (const [title, from] of [
    ["Base 2027", 1],
    ["Base 2027, price +10 %", 4],
    ["Other", 7],
  ] as const) {
    const body = { title, fileData: base64(`date,price\n${dates(from).join("\n")}\n`) };
    ids.push((await finish<{ scenarioId: string }>(page.request, `${path}/scenarios`, body)).scenarioId);
  }
  await page.goto(`${path}/scenarios/compare?ids=${ids.join(",")}`);
  const names = page.locator("[data-line-ends]").first().locator("text");
  await expect(names).toHaveCount(4);
  expect((await names.allTextContents()).toSorted()).toEqual(["Actual", "Base 2027", "Other", "price +10 %"]);
});
