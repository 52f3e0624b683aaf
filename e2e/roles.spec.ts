import type { Locator, Page } from "@playwright/test";
import type { Job } from "#lib/contract/jobs";
import type { Member } from "#lib/contract/members";
import type { ProjectRole } from "#lib/contract/project-roles";
import type { Scenario } from "#lib/contract/scenarios";
import { dailyDemand } from "#testing/sample-series";
import { finish } from "./jobs.ts";
import { data, expect, test, unique } from "./signed-in.ts";
import { takePictures } from "./take-pictures.ts";

/** Names of controls that change nothing stored. Every other control on the pages of a project needs `useMay`. */
const harmless = [
  /^(Search|Theme$|Light$|Dark$|System$|Account|Sign out$|Use the (dark|light) theme$|Close$|Done$|Actions for |Scenarios that use )/,
  // Downloads and copies.
  /^(Image|(PNG|SVG) image|CSV|Excel workbook|Export|Copy|Inputs and predictions|With 50|Predictions by point)/,
  // Lists: filters, order, selection, rows.
  /^(List|Tree|Status|Source|Checkpoint|Tag|Author|Order|Scenario|Kind|Member)$/,
  /^(Select |Clear selection|Compare|Details|Open |(Earlier|Later) rows|Authors|Reasons|Periods|Ridge regression|Roles )/,
  // Charts: measures, spans and buckets.
  /^(Predictions|Differences|Per cent|Cumulative|One by one|Table|Scatter|Actual|Residuals|Past|Points|50, 80)/,
  /^(Months|Quarters|Years|From|To|As of|Row|Explain row \d+|Choose scenarios|Saved comparisons|Set as baseline|Other|Plan)/,
  // Predictions that are not stored.
  /^(Date|Price|± 10 %|± 1 std\. dev\.|Min and max|Sum|Mean|Edit inputs|Undo|Redo|Scenario to edit|Changes|Values)/,
  /^(Operation on|Change of|Value for|Remove change|Only where …|Reset Price|Add an input|Find the setting)/,
  /^(Statistic|Relation|Goal|Limit of every row|(Input|Operation|Smallest value|Largest value|Step) \d)/,
  // Pages in the palette.
  /^(All projects|API reference|Data|Model|Checkpoints|Scenarios|Track record|Jobs|Settings|Both)/,
];

let project = "";
let scenarioIds: string[] = [];

/** Creates a project whose pages offer as much as possible: newer rows, models and runs, and a job that can be repeated. */
test.beforeAll(async ({ playwright, baseURL, session }) => {
  const headers = { origin: baseURL! };
  const request = await playwright.request.newContext({ baseURL: baseURL!, storageState: session });
  const lines = dailyDemand(200).trim().split("\n");
  const csv = (from: number, to: number) =>
    Buffer.from(`${[lines[0], ...lines.slice(1 + from, 1 + to)].join("\n")}\n`).toString("base64");
  const { id } = await data<{ id: string }>(request, "post", "/projects", { name: unique("Roles") });
  project = `/projects/${id}`;
  await data(request, "patch", project, { access: "restricted" });
  const file = { fileData: csv(0, 180), target: "demand", timestamp: "date" };
  await data(request, "put", `${project}/dataset`, file);
  const train = { algorithm: "ridge", features: { lags: [] }, horizon: 14 };
  await finish(request, `${project}/models/train`, train);
  for (const title of ["Plan", "Other"])
    await finish(request, `${project}/scenarios`, { title, endDate: "2023-07-13" });
  const scenarios = await data<Scenario[]>(request, "get", `${project}/scenarios`);
  scenarioIds = scenarios.map((one) => one.id);
  const override = { operation: "add", value: 4, reason: "Fair", from: "2023-07-02", to: "2023-07-03" };
  await data(request, "post", `${project}/scenarios/${scenarioIds[0]}/overrides`, override);
  await data(request, "post", `${project}/comparisons`, { name: "Both", scenarioIds });
  await finish(request, `${project}/models/train`, { ...train, seed: 7 });
  await data(request, "post", `${project}/dataset/rows`, { fileData: csv(180, 200) });
  const type = { ...headers, "content-type": "text/csv" };
  await request.post(`/api/v1${project}/uploads`, { headers: type, data: "date,demand\n" });
  // All candidates take seconds, so the training is cancelled before it ends.
  const all = { ...train, algorithm: "auto" };
  const { jobId } = await data<{ jobId: string }>(request, "post", `${project}/models/train`, all);
  await data(request, "post", `/jobs/${jobId}/cancel`, {});
  const job = async () => (await data<Job>(request, "get", `/jobs/${jobId}`)).status;
  await expect.poll(job, { timeout: 60_000 }).toBe("Cancelled");
  await request.dispose();
});

/** Signs out, and signs in as a new member of the project. */
async function becomeMember(page: Page, role: ProjectRole): Promise<void> {
  const credentials = { email: `${crypto.randomUUID()}@example.com`, password: "battery staple" };
  const body = { ...credentials, name: unique(role), role: "analyst" };
  const { id: userId } = await data<Member>(page.request, "post", "/members", body);
  await data(page.request, "post", `${project}/members`, { userId, role });
  await page.context().clearCookies();
  const headers = { origin: process.env.E2E_BASE_URL! };
  const answer = await page.request.post("/api/auth/sign-in/email", { headers, data: credentials });
  expect(answer.ok()).toBe(true);
}

/** Opens a page of the project, and waits until its parts are loaded. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(`${project}/${address}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator(".animate-pulse")).toHaveCount(0);
}

/** Returns the names of the enabled controls in a part of the page that are not known to be harmless. */
async function controls(part: Locator): Promise<string[]> {
  const names = await part
    .locator("button, input, select, textarea, [role=menuitem], [role=option], a[href*='open=']")
    .evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility() && !one.matches(":disabled, [data-disabled]"))
        // The palette lists other projects, which other tests create and name.
        .filter((one) => one.closest("[role=group][aria-label=Projects]") === null)
        .map((one) => {
          const label = (one as HTMLInputElement).labels?.[0]?.textContent;
          return (one.getAttribute("aria-label") ?? label ?? one.textContent).trim();
        }),
    );
  return names.filter((name) => !harmless.some((pattern) => pattern.test(name)));
}

type Place = readonly [address: string, reveal?: (page: Page) => Promise<void>];

/** Opens pages with their menus, and what each one reveals. Returns the controls that are not harmless. */
async function walk(page: Page, places: readonly Place[]): Promise<string[]> {
  const found = new Set<string>();
  for (const [address, reveal] of places) {
    await open(page, address);
    await reveal?.(page);
    const add = async (part: Locator) => {
      for (const name of await controls(part)) found.add(`${address}: ${name}`);
    };
    await add(page.locator("body"));
    const menus = page.locator("main [aria-haspopup=menu]");
    if (reveal) continue;
    for (let at = 0; at < (await menus.count()); at++) {
      await menus.nth(at).click();
      await add(page.getByRole("menu"));
      await page.keyboard.press("Escape");
      await expect(page.getByRole("menu")).toBeHidden();
    }
  }
  return [...found];
}

/** Pages of a project, with panels, dialogs and addresses that open a form. */
function places(): Place[] {
  const scenario = `scenarios/${scenarioIds[0]}`;
  const compare = `scenarios/compare?ids=${scenarioIds.join()}`;
  return [
    ...["data", "model", "checkpoints", "scenarios", "record", "jobs", "settings", scenario, compare],
    ...["model?open=train", "model?open=save", "model?open=import"],
    ...["scenarios?open=new-scenario", "settings?open=new-key"],
  ]
    .map((address): Place => [address])
    .concat([
      ["scenarios", (page) => page.getByLabel("Select Plan").check()],
      [
        scenario,
        async (page) => {
          await page.getByRole("button", { name: "Edit inputs" }).click();
          const panel = page.getByRole("region", { name: "Edit inputs" });
          await panel.getByRole("slider").first().press("ArrowRight");
          await expect(panel.getByRole("button", { name: "Remove change 1" })).toBeVisible();
        },
      ],
      [
        scenario,
        async (page) => {
          await page.getByRole("button", { name: "Find the setting" }).click();
          await expect(page.locator("form [aria-live=polite]")).toBeVisible();
        },
      ],
      [
        compare,
        async (page) => {
          await page.getByRole("button", { name: "Saved comparisons" }).click();
          await expect(page.getByRole("button", { name: "Open Both" })).toBeVisible();
        },
      ],
      [
        "scenarios",
        async (page) => {
          await page.keyboard.press("Control+k");
          await expect(page.getByRole("option", { name: "Compare scenarios" })).toBeVisible();
        },
      ],
    ]);
}

test("offers a viewer nothing that changes the project", async ({ page }) => {
  // Walks through twenty pages.
  test.slow();
  await becomeMember(page, "viewer");
  const forbidden: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 403) forbidden.push(`${response.request().method()} ${response.url()}`);
  });
  expect(await walk(page, places())).toEqual([]);
  expect(forbidden).toEqual([]);
  for (const section of ["data", "model", "scenarios", "jobs", "settings", `scenarios/${scenarioIds[0]}`]) {
    await open(page, section);
    await takePictures(page, `viewer-${section.split("/")[0]}${section.includes("/") ? "-page" : ""}`);
  }
});

test("names who fills an empty project to a viewer", async ({ page }) => {
  const full = project;
  const { id } = await data<{ id: string }>(page.request, "post", "/projects", { name: unique("Empty") });
  project = `/projects/${id}`;
  await data(page.request, "patch", project, { access: "restricted" });
  await becomeMember(page, "viewer");
  const sections = ["data", "model", "checkpoints", "scenarios", "record", "jobs"];
  expect(
    await walk(
      page,
      sections.map((section) => [section]),
    ),
  ).toEqual([]);
  for (const section of sections) {
    await open(page, section);
    await expect(page.locator("main")).toContainText(/Analysts and admins of the project/);
    await takePictures(page, `viewer-empty-${section}`);
  }
  project = full;
});

test("offers an analyst the work on a project, but not its settings", async ({ page }) => {
  await becomeMember(page, "analyst");
  const settings = ["settings", "settings?open=new-key"].map((address): Place => [address]);
  const found = await walk(page, [["data"], ...settings]);
  expect(found).toEqual(expect.arrayContaining(["data: Replace", "data: Edit row 200", "data: Restore"]));
  // Uploads are data.
  expect(found.filter((name) => name.startsWith("settings"))).toEqual([
    "settings: Delete 12 B",
    "settings?open=new-key: Delete 12 B",
  ]);
});
