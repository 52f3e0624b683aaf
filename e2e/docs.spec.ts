import type { Page } from "@playwright/test";
import { errorCodes } from "#lib/contract/error-codes";
import { keepOnly, runAxe, violationLines } from "./axe.ts";
import { data, expect, signedOut, test } from "./signed-in.ts";

/** Opens the form of an operation. */
async function tryIt(page: Page, operationId: string) {
  const operation = page.locator(`article#${operationId}`);
  await operation.getByRole("button", { name: "Try it" }).click();
  const form = operation.getByRole("form", { name: `Try ${operationId}` });
  await expect(form).toBeVisible();
  return form;
}

/** Page of a reader without a session. The tests share it, because the reference takes seconds to load. */
let reader: Page;
const foreign: string[] = [];
const issues: string[] = [];

test.beforeAll(async ({ browser }) => {
  const baseURL = process.env.E2E_BASE_URL!;
  const context = await browser.newContext({ baseURL, storageState: signedOut });
  reader = await context.newPage();
  reader.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== baseURL) foreign.push(request.url());
  });
  reader.on("console", (message) => message.type() === "error" && issues.push(message.text()));
  await reader.goto("/docs");
});

test.afterAll(() => reader.context().close());

test("loads nothing from other hosts and describes every operation of the document", async () => {
  const link = reader.getByRole("link", { name: "openapi.json" });
  const answer = await reader.request.get((await link.getAttribute("href"))!);
  const described = (await answer.json()) as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  expect(described.openapi).toMatch(/^3\.1/);
  const ids = Object.values(described.paths).flatMap((item) =>
    Object.values(item).map((one) => one.operationId),
  );
  const shown = await reader.locator("main article[id]").evaluateAll((all) => all.map(({ id }) => id));
  expect(shown).toEqual(expect.arrayContaining(ids));
  const glossary = reader.locator("#glossary");
  await expect(glossary.getByRole("cell", { name: "downstream project", exact: true })).toBeVisible();
  await reader.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(reader.getByRole("link", { name: "Objects" })).toHaveAttribute("aria-current", "location");
  expect(foreign).toEqual([]);
  expect(issues).toEqual([]);
});

test("lists every error code, with links from each operation", async () => {
  await reader.goto("/docs#createScenario");
  const table = reader.getByRole("table").filter({ hasText: "Meaning and remedy" });
  await expect(table.getByRole("row")).toHaveCount(Object.keys(errorCodes).length + 1);
  const operation = reader.locator("article#createScenario");
  await expect(operation.getByRole("heading", { name: "Create a scenario" })).toBeInViewport();
  await operation.getByText("Failures:").click();
  await operation.getByRole("link", { name: "dependency_checkpoint_required" }).click();
  await expect(reader).toHaveURL(/#error-dependency_checkpoint_required$/);
  await expect(table.getByText("The request names no checkpoint for an upstream project.")).toBeInViewport();
});

test("sends a request with a key and no session, and shows status, headers and body", async ({
  page,
  demo,
}) => {
  const path = `/projects/${demo.project.id}/api-keys`;
  const { key, id } = await data<{ key: string; id: string }>(page.request, "post", path, { name: "Docs" });
  await reader.goto("/docs#listCheckpoints");
  const form = await tryIt(reader, "listCheckpoints");
  await form.getByLabel("X-API-Key").fill(`${key.slice(0, -1)}!`);
  await form.getByLabel("projectId").fill(demo.project.id);
  await form.getByRole("button", { name: "Send GET" }).click();
  await expect(form.getByRole("status")).toContainText("401");
  await expect(form.getByText('"code": "api_key_invalid"')).toBeVisible();

  await form.getByLabel("X-API-Key").fill(key);
  await form.getByRole("button", { name: "Send GET" }).click();
  await expect(form.getByRole("status")).toContainText("200");
  await expect(form.getByText('"isDefault": true')).toBeVisible();
  await form.getByText(/\d+ headers/).click();
  await expect(form.getByText("x-request-id:")).toBeVisible();

  // The next operation uses the same key.
  const other = await tryIt(reader, "getProject");
  await expect(other.getByLabel("X-API-Key")).toHaveValue(key);
  await data(page.request, "delete", `${path}/${id}`);
});

test("fits a narrow screen in both themes", async () => {
  await reader.setViewportSize({ width: 390, height: 840 });
  await reader.goto("/docs#createScenario");
  await tryIt(reader, "createScenario");
  for (const colorScheme of ["light", "dark"] as const) {
    await reader.emulateMedia({ colorScheme });
    const overflow = await reader.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  }
  await reader.getByText("Contents").click();
  await reader.getByRole("link", { name: "Rate limits" }).click();
  await expect(reader.getByRole("heading", { name: "Rate limits" })).toBeInViewport();
});

test("prefills the form for a signed-in reader's project and sends its body", async ({ page, demo }) => {
  await page.goto("/docs#predict");
  await page.getByLabel("Examples for").selectOption(demo.project.id);
  const form = await tryIt(page, "predict");
  await expect(form.getByLabel("projectId")).toHaveValue(demo.project.id);
  await expect(form.getByRole("textbox", { name: /^Body/ })).toHaveValue(/"input"/);
  await form.getByRole("button", { name: "Send POST" }).click();
  await expect(form.getByRole("status")).toContainText("200");
  await expect(form.getByText('"predictions"')).toBeVisible();

  await form.getByRole("textbox", { name: /^Body/ }).fill('{ "input": ');
  await form.getByRole("button", { name: "Send POST" }).click();
  await expect(form.getByText('"code": "malformed_json"')).toBeVisible();
  await keepOnly(page, "article#predict");
  expect(violationLines(await runAxe(page, "article#predict"))).toEqual([]);
});
