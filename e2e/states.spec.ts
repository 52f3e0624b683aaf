import type { Project } from "#lib/contract/projects";
import type { ScenarioValidation } from "#lib/contract/scenarios";
import { inspect } from "./inspect.ts";
import { data, expect, test } from "./signed-in.ts";

const rejection = {
  success: false,
  error: { code: "forbidden", message: "Denied by this test.", requestId: "sent-by-a-test" },
};

test("shows the error, its request ID and a retry button after a failed load", async ({ page, demo }) => {
  const { project, scenarios } = demo;
  const at = `/projects/${project.id}`;
  const pages: [address: string, then: string | RegExp][] = [
    [`${at}/data`, "Replace"],
    [`${at}/model`, "Train again"],
    [`${at}/settings`, "Actions for"],
    [`${at}/scenarios/${scenarios[0]!.id}`, "Adjust a copy"],
    ["/audit", /\S/],
    ["/account", /this session/],
  ];
  for (const [address, then] of pages) {
    await page.route("**/api/v1/**", (route) => route.fulfill({ status: 403, json: rejection }));
    await page.goto(address);
    const alerts = page.getByRole("alert").filter({ hasText: "Loading failed" });
    await expect(alerts.first()).toContainText("Denied by this test.");
    await expect(alerts.first()).toContainText("Request sent-by-a-test");
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0, { timeout: 60_000 });
    await page.unroute("**/api/v1/**");
    // The page also refetches by itself, so a button may disappear before the click.
    await expect(async () => {
      const again = alerts.getByRole("button", { name: "Try again" });
      if ((await again.count()) > 0) await again.first().click({ timeout: 2_000 });
      await expect(alerts).toHaveCount(0, { timeout: 2_000 });
    }).toPass();
    await expect(
      page
        .getByRole("main")
        .getByRole("button", { name: then })
        .or(page.getByRole("cell", { name: then }))
        .first(),
      address,
    ).toBeVisible();
  }
});

test("renders lists before any script runs", async ({ page, demo }) => {
  const { project, scenarios } = demo;
  const shown: [address: string, text: string][] = [
    ["/projects", project.name],
    [`/projects/${project.id}/scenarios`, scenarios[0]!.title],
    [`/projects/${project.id}/checkpoints`, scenarios[0]!.checkpointLabel!],
    [`/projects/${project.id}/jobs`, "Run scenario"],
  ];
  for (const [address, text] of shown) {
    const html = (await (await page.request.get(address)).text()).replaceAll(/<script.*?<\/script>/gs, "");
    expect(html, address).toContain(text);
    expect(html, address).not.toContain('aria-label="Loading"');
  }
});

test("answers 404 for pages of projects and scenarios that do not exist", async ({ page, demo }) => {
  const unknown = "00000000-0000-7000-8000-000000000000";
  const foreign = demo.scenarios[0]!;
  const { id } = await data<Project>(page.request, "post", "/projects", { name: "Without scenarios" });
  const sections = [
    "data",
    "model",
    "checkpoints",
    "scenarios",
    "scenarios/compare",
    "record",
    "jobs",
    "settings",
  ];
  const missing: [address: string, title: string][] = [
    ...[unknown, "1"].flatMap((project) =>
      sections.map((section): [string, string] => [`${project}/${section}`, "Project not found"]),
    ),
    [`${unknown}/scenarios/${foreign.id}`, "Project not found"],
    [`${id}/scenarios/${foreign.id}`, "Scenario not found"],
    [`${id}/scenarios/${unknown}`, "Scenario not found"],
    [`${id}/scenarios/1`, "Scenario not found"],
  ];
  for (const [address, title] of missing) {
    const response = await page.goto(`/projects/${address}`);
    expect(response?.status(), address).toBe(404);
    await expect(page.getByRole("heading", { name: title }), address).toBeVisible();
  }
  for (const section of sections) {
    expect((await page.request.get(`/projects/${id}/${section}`)).status(), section).toBe(200);
  }
  await data(page.request, "delete", `/projects/${id}`);
});

test("links sample files that the service accepts", async ({ page, demo }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: "Samples" });
  const at = `/projects/${project.id}`;
  await page.goto(`${at}/data`);
  const files: Buffer[] = [];
  for (const name of ["training data", "scenario input"]) {
    const href = await page.getByRole("link", { name }).getAttribute("href");
    const response = await page.request.get(href!);
    expect(response.headers()["content-type"], name).toMatch(/^text\/csv/);
    files.push(await response.body());
  }
  const [training, input] = files.map((file) => file.toString("base64"));
  const dataset = { fileData: training, target: "demand_mwh", timestamp: "date" };
  await data(page.request, "put", `${at}/dataset`, dataset);
  const validate = `/projects/${demo.project.id}/scenarios/validate`;
  const checked = await data<ScenarioValidation>(page.request, "post", validate, { fileData: input });
  expect(checked).toMatchObject({ valid: true, rowCount: 14 });
  await data(page.request, "delete", at);
});

test("serves the files of the site", async ({ page }) => {
  const robots = await page.request.get("/robots.txt");
  expect(await robots.text()).toBe("User-agent: *\nDisallow: /\n");
  for (const file of ["/favicon.ico", "/apple-touch-icon.png"]) {
    const response = await page.request.get(file);
    expect(response.headers()["content-type"], file).toMatch(/^image\//);
  }
});

test("an empty project links to the next step on each page, which fits and passes WCAG 2.2 AA", async ({
  page,
}) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: "Empty" });
  const at = `/projects/${project.id}`;
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  const pages: [address: string, title: string, next: string][] = [
    [`${at}/data`, "Upload the first dataset", "Choose a CSV or Excel file"],
    [`${at}/model`, "No data yet", "Upload a dataset"],
    [`${at}/checkpoints`, "No checkpoints yet", "Train a model"],
    [`${at}/scenarios`, "No scenarios yet", "New scenario"],
    [`${at}/record`, "Nothing to compare yet", "Go to scenarios"],
    [`${at}/jobs`, "No jobs yet", "New scenario"],
    [`${at}/settings`, "No keys yet", "Create the first key"],
  ];
  for (const [address, title, next] of pages) {
    await page.goto(address);
    await expect(page.getByRole("heading", { name: title }), address).toBeVisible({ timeout: 60_000 });
    const step = page.getByRole("main");
    await expect(
      step
        .getByRole("button", { name: next })
        .or(step.getByRole("link", { name: next }))
        .or(step.getByLabel(next))
        .first(),
      address,
    ).toBeVisible();
    errors.push(...(await inspect(page, `empty ${address.split("/").at(-1)}`)));
  }
  expect(errors).toEqual([]);
  // The first stop of the Tab key leads past the header and the navigation.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.goto(`/projects/00000000-0000-7000-8000-000000000000/scenarios`);
  await expect(page.getByRole("heading", { name: "Project not found" })).toBeVisible();
  await expect(page.getByRole("link", { name: "All projects" }).last()).toBeVisible();
  await data(page.request, "delete", at);
});
