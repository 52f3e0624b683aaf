import type { Page } from "@playwright/test";
import { errorCodes } from "#lib/contract/error-codes";
import { runAxe, violationLines } from "./axe.ts";
import { data, expect, signedOut, test } from "./signed-in.ts";

/** Opens the form of an operation. */
async function tryIt(page: Page, operationId: string) {
  const operation = page.locator(`article#${operationId}`);
  await operation.getByRole("button", { name: "Try it" }).click();
  const form = operation.getByRole("form", { name: `Try ${operationId}` });
  await expect(form).toBeVisible();
  return form;
}

test("loads nothing from other hosts and describes every operation of the document", async ({ browser }) => {
  const context = await browser.newContext({ storageState: signedOut });
  const page = await context.newPage();
  const foreign: string[] = [];
  const issues: string[] = [];
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== process.env.E2E_BASE_URL) foreign.push(request.url());
  });
  page.on("console", (message) => message.type() === "error" && issues.push(message.text()));
  await page.goto("/docs");
  const link = page.getByRole("link", { name: "openapi.json" });
  const answer = await page.request.get((await link.getAttribute("href"))!);
  const described = (await answer.json()) as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  expect(described.openapi).toMatch(/^3\.1/);
  const ids = Object.values(described.paths).flatMap((item) =>
    Object.values(item).map((one) => one.operationId),
  );
  const shown = await page.locator("main article[id]").evaluateAll((all) => all.map(({ id }) => id));
  expect(shown).toEqual(expect.arrayContaining(ids));
  const glossary = page.locator("#glossary");
  await expect(glossary.getByRole("cell", { name: "downstream project", exact: true })).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(page.getByRole("link", { name: "Objects" })).toHaveAttribute("aria-current", "location");
  expect(foreign).toEqual([]);
  expect(issues).toEqual([]);
  await context.close();
});

test("lists every error code, with links from each operation", async ({ page }) => {
  await page.goto("/docs#createScenario");
  const table = page.getByRole("table").filter({ hasText: "Meaning and remedy" });
  await expect(table.getByRole("row")).toHaveCount(Object.keys(errorCodes).length + 1);
  const operation = page.locator("article#createScenario");
  await expect(operation.getByRole("heading", { name: "Create a scenario" })).toBeInViewport();
  await operation.getByText("Failures:").click();
  await operation.getByRole("link", { name: "dependency_checkpoint_required" }).click();
  await expect(page).toHaveURL(/#error-dependency_checkpoint_required$/);
  await expect(table.getByText("The request names no checkpoint for an upstream project.")).toBeInViewport();
});

test("sends a request with a key and no session, and shows status, headers and body", async ({
  page,
  demo,
  browser,
}) => {
  const path = `/projects/${demo.project.id}/api-keys`;
  const { key, id } = await data<{ key: string; id: string }>(page.request, "post", path, { name: "Docs" });
  const context = await browser.newContext({ storageState: signedOut });
  const stranger = await context.newPage();
  await stranger.goto("/docs#listCheckpoints");
  const form = await tryIt(stranger, "listCheckpoints");
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
  const other = await tryIt(stranger, "getProject");
  await expect(other.getByLabel("X-API-Key")).toHaveValue(key);
  await context.close();
  await data(page.request, "delete", `${path}/${id}`);
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
  expect(violationLines(await runAxe(page, "article#predict"))).toEqual([]);
});

test("fits a narrow screen in both themes", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 840 });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // Uses a different URL each time to force a full load.
    await page.goto(`/docs?${colorScheme}#createScenario`);
    await tryIt(page, "createScenario");
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  }
  await page.getByText("Contents").click();
  await page.getByRole("link", { name: "Rate limits" }).click();
  await expect(page.getByRole("heading", { name: "Rate limits" })).toBeInViewport();
});
