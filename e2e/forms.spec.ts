import type { Job } from "#lib/contract/jobs";
import type { Member } from "#lib/contract/members";
import type { Project } from "#lib/contract/projects";
import type { Scenario } from "#lib/contract/scenarios";
import { finish } from "./jobs.ts";
import { data, expect, test, unique } from "./signed-in.ts";

const denied = (message: string, details: object[] = []) => ({
  success: false,
  error: { code: "forbidden", message, requestId: "sent-by-a-test", details },
});

test("selects the default checkpoint of an upstream project, also if another one is newer", async ({
  page,
  demo,
}) => {
  const upstream = await data<Project>(
    page.request,
    "get",
    `/projects/${demo.project.dependencies[0]!.projectId}`,
  );
  await finish(page.request, `/projects/${upstream.id}/checkpoints`, { label: unique("Newer") });
  await page.goto(`/projects/${demo.project.id}/scenarios?open=new-scenario`);
  const field = page.getByLabel(`Upstream checkpoint: ${upstream.name}`);
  await expect(field.getByRole("option", { name: /Newer/ })).toBeAttached();
  await expect(field).toHaveValue(upstream.defaultCheckpointId!);
});

test("keeps a description that another member has changed when a checkpoint is renamed", async ({
  page,
  demo,
}) => {
  const list = `/projects/${demo.project.id}/checkpoints`;
  const [label, renamed] = [unique("Shared"), unique("Renamed")];
  const { checkpointId } = await finish<{ checkpointId: string }>(page.request, list, { label });
  await page.goto(list);
  await page.getByRole("button", { name: `Actions for ${label}` }).click();
  await page.getByRole("menuitem", { name: "Rename or describe" }).click();
  await data(page.request, "put", `${list}/${checkpointId}`, { description: "Before the winter" });
  await page.getByLabel("Label").fill(renamed);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(`“${renamed}” was changed.`)).toBeVisible();
  await expect(page.getByRole("row", { name: renamed })).toContainText("Before the winter");
  await data(page.request, "delete", `${list}/${checkpointId}`);
});

test("does not select a scenario again whose deletion is undone", async ({ page, demo }) => {
  const list = `/projects/${demo.project.id}/scenarios`;
  const { id, checkpointId, dependentProjectCheckpoints } = demo.scenarios[0]!;
  const titles = [unique("Kept"), unique("Deleted")];
  const made: string[] = [];
  for (const title of titles) {
    const body = { title, baseScenarioId: id, checkpointId, dependentProjectCheckpoints };
    made.push((await finish<{ scenarioId: string }>(page.request, list, body)).scenarioId);
  }
  await page.goto(list);
  for (const title of titles) await page.getByRole("checkbox", { name: `Select ${title}` }).check();
  await expect(page.getByText("2 scenarios selected")).toBeVisible();
  await page.getByRole("button", { name: `Actions for ${titles[1]}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByText("1 scenario selected")).toBeVisible();
  // The end of a deletion removes the scenario from the same record as Undo, but changes nothing that a test could await.
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("checkbox", { name: `Select ${titles[1]}` })).not.toBeChecked();
  await expect(page.getByText("1 scenario selected")).toBeVisible();
  for (const one of made) await data(page.request, "delete", `${list}/${one}`);
});

test("reports a missing and an invalid step of a recipe", async ({ page, demo }) => {
  await page.goto(`/projects/${demo.project.id}/scenarios/${demo.scenarios[0]!.id}`);
  await page.getByRole("button", { name: "Adjust a copy" }).click();
  const dialog = page.getByRole("dialog");
  const add = dialog.getByRole("button", { name: "Add a step" });
  await dialog.getByRole("button", { name: "Create scenario" }).click();
  await expect(add).toBeFocused();
  await expect(add).toHaveAccessibleDescription(/^Without a step, the copy equals/);
  await add.click();
  await expect(dialog.getByText(/^Without a step/)).toBeHidden();
  await dialog.getByLabel("Value", { exact: true }).fill("1e999");
  await dialog.getByRole("button", { name: "Create scenario" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
});

test("creates one project, also if the next page is slow", async ({ page }) => {
  let requests = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/v1/projects")) requests++;
  });
  const held = Promise.withResolvers<void>();
  await page.route(/\/projects\/[^/]+\/data/, async (route) => {
    await held.promise;
    await route.fallback();
  });
  await page.goto("/projects");
  await page.getByRole("button", { name: "New project" }).click();
  const dialog = page.getByRole("dialog");
  const name = unique("Once");
  await dialog.getByLabel("Name").fill(name);
  const create = dialog.getByRole("button", { name: "Create project" });
  const created = page.waitForResponse((response) => response.request().method() === "POST");
  await create.click();
  await created;
  // The button is gone, so no second click can create another project.
  await expect(dialog).toBeHidden();
  held.resolve();
  await expect(page.getByRole("heading", { name: "Upload the first dataset" })).toBeVisible({
    timeout: 30_000,
  });
  expect(requests).toBe(1);
});

test("reports that a member could not be enabled", async ({ page, demo }) => {
  const member = await data<Member>(page.request, "post", "/members", {
    name: unique("Disabled"),
    email: `${Date.now()}@example.com`,
    password: "a long password",
    role: "analyst",
  });
  await data(page.request, "patch", `/members/${member.id}`, { disabled: true });
  await page.goto(`/projects/${demo.project.id}/settings`);
  await page.route(`**/members/${member.id}`, (route) =>
    route.fulfill({ status: 403, json: denied("Denied by this test.") }),
  );
  await page.getByRole("button", { name: `Actions for ${member.name}` }).click();
  await page.getByRole("menuitem", { name: "Enable" }).click();
  await expect(page.getByText("Denied by this test.")).toBeVisible();
});

test("takes another row number after the field was emptied", async ({ page, demo }) => {
  await page.goto(`/projects/${demo.project.id}/scenarios/${demo.scenarios[0]!.id}`);
  const row = page.getByLabel("Row", { exact: true });
  await row.focus();
  await row.press("End");
  await row.press("Backspace");
  await row.pressSequentially("7");
  await expect(row).toHaveValue("7");
  await expect(page.getByRole("button", { name: "Explain row 7", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

test("shows why a scenario failed, also after many other jobs", async ({ page, demo }) => {
  const { project, scenarios } = demo;
  const scenario = scenarios[0]!;
  const at = `**/api/v1/projects/${project.id}/scenarios/${scenario.id}`;
  const failed: Scenario = { ...scenario, status: "Failed", summary: null };
  await page.route(at, (route) => route.fulfill({ json: { success: true, data: failed } }));
  await page.route(`**/api/v1/jobs/project/${project.id}*`, (route) =>
    route.fulfill({ json: { success: true, data: [] } }),
  );
  const job = await data<Job>(page.request, "get", `/jobs/${scenario.jobId}`);
  const error = { code: "internal_error", message: "The model did not fit.", retryable: false };
  await page.route(`**/api/v1/jobs/${scenario.jobId}`, (route) =>
    route.fulfill({ json: { success: true, data: { ...job, status: "Failed", error } } }),
  );
  await page.goto(`/projects/${project.id}/scenarios/${scenario.id}`);
  await expect(page.getByText("The model did not fit.")).toBeVisible();
});

test("reports an API key that no header can hold", async ({ page, demo }) => {
  await page.goto("/docs#listCheckpoints");
  const operation = page.locator("article#listCheckpoints");
  await operation.getByRole("button", { name: "Try it" }).click();
  await operation.getByLabel("X-API-Key").fill("mps_…");
  await operation.getByLabel("projectId").fill(demo.project.id);
  const send = operation.getByRole("button", { name: "Send GET" });
  await send.click();
  await expect(operation.getByRole("alert")).toBeVisible();
  await expect(send).toBeEnabled();
});

test("keeps the fields of a scenario that changed elsewhere while its dialog was open", async ({
  page,
  demo,
}) => {
  const { id: baseScenarioId, checkpointId, dependentProjectCheckpoints } = demo.scenarios[0]!;
  const before = unique("Before");
  const body = { title: before, baseScenarioId, checkpointId, dependentProjectCheckpoints };
  const list = `/projects/${demo.project.id}/scenarios`;
  const { scenarioId } = await finish<{ scenarioId: string }>(page.request, list, body);
  const scenario = `${list}/${scenarioId}`;
  await page.goto(list);
  await page.getByRole("button", { name: `Actions for ${before}` }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Save" });
  await expect(save).toBeDisabled();
  await dialog.getByLabel("Notes").fill("Checked.");
  const title = unique("Renamed");
  await data(page.request, "patch", scenario, { title });
  await save.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("link", { name: title })).toBeVisible();
  expect(await data<Scenario>(page.request, "get", scenario)).toMatchObject({ title, notes: "Checked." });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect
    .poll(() => data<Scenario>(page.request, "get", scenario))
    .toMatchObject({ title, notes: null });
});

test("saves a comparison once on a double click", async ({ page, demo }) => {
  const [first, second] = demo.scenarios;
  await page.goto(`/projects/${demo.project.id}/scenarios/compare?ids=${first!.id},${second!.id}`);
  await page.getByRole("button", { name: "Saved comparisons" }).click();
  const dialog = page.getByRole("dialog");
  const name = unique("Twice");
  await dialog.getByRole("textbox").first().fill(name);
  let requests = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/comparisons")) requests++;
  });
  await dialog.getByRole("button", { name: "Save", exact: true }).dblclick();
  await expect(dialog.getByText(name)).toBeVisible();
  expect(requests).toBe(1);
  const saved = await data<{ name: string }[]>(
    page.request,
    "get",
    `/projects/${demo.project.id}/comparisons`,
  );
  expect(saved.filter((one) => one.name === name)).toHaveLength(1);
});

test("names the empty and invalid fields of a goal, and of edits, when they are sent", async ({
  page,
  demo,
}) => {
  await page.goto(`/projects/${demo.project.id}/scenarios/${demo.scenarios[0]!.id}`);
  const card = page.locator("form").filter({ has: page.getByRole("button", { name: "Find the setting" }) });
  const goal = card.getByLabel(/^Goal/);
  await goal.fill("");
  await card.getByLabel("Step 1").fill("0");
  await card.getByRole("button", { name: "Find the setting" }).click();
  await expect(goal).toBeFocused();
  await expect(goal).toHaveAccessibleDescription("Enter a number");
  await expect(card.getByLabel("Step 1")).toHaveAccessibleDescription("Enter a number above 0");
  await goal.fill("1000");
  await expect(card.getByText("Enter a number", { exact: true })).toBeHidden();
  // The value of a number that the browser cannot read is empty, like that of no limit.
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  await card.getByLabel("Step 1").fill("0.01");
  const limit = card.getByLabel("Limit of every row");
  await limit.pressSequentially("9e");
  await card.getByRole("button", { name: "Find the setting" }).click();
  await expect(limit).toBeFocused();
  await limit.fill("");
  await page.getByRole("button", { name: "Edit inputs" }).click();
  const panel = page.getByRole("region", { name: "Edit inputs" });
  await panel.getByRole("button", { name: "Save as scenario" }).click();
  await expect(panel.getByRole("alert")).toHaveText("Change an input first.");
  expect(sent.filter((url) => url.endsWith("/goal-seek"))).toEqual([]);
});

test("asks for the file of a scenario also while the columns of the model load", async ({ page, demo }) => {
  const loaded = Promise.withResolvers<void>();
  await page.route("**/checkpoints/*", async (route) => {
    await loaded.promise;
    await route.fallback();
  });
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await page.goto(`/projects/${demo.project.id}/scenarios?open=new-scenario`);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("tab", { name: "Upload a CSV" }).click();
  await dialog.getByLabel("Title").fill("Early");
  await dialog.getByRole("button", { name: "Create scenario" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Choose a file.");
  expect(sent.filter((url) => url.endsWith("/scenarios"))).toEqual([]);
  loaded.resolve();
  await expect(dialog.getByLabel("Choose a CSV or Excel file")).toBeAttached();
});
