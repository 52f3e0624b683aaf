import {
  type APIRequestContext,
  type BrowserContext,
  test as base,
  expect,
  type Page,
} from "@playwright/test";
import type { Project } from "#lib/contract/projects";
import type { Scenario } from "#lib/contract/scenarios";
import { admin, findDemo } from "./service.ts";

/** Signs in through the page. */
async function signIn(page: Page): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Projects" })).toBeVisible();
}

/** Calls the API with the page's session and a browser's `Origin`. */
export async function data<T>(
  request: APIRequestContext,
  method: "get" | "post" | "put" | "patch" | "delete",
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await request[method](`/api/v1${path}`, {
    headers: { origin: process.env.E2E_BASE_URL! },
    ...(body !== undefined && { data: body }),
  });
  expect(response.ok(), `${method} ${path}: ${await response.text()}`).toBe(true);
  return ((await response.json()) as { data: T }).data;
}

export type Demo = { project: Project; scenarios: Scenario[] };

/** Returns a name that is unique across test runs. */
export const unique = (name: string) => `${name} ${Date.now().toString(36)}`;

/** Slows the processor of the page down by `SLOW` times, as on an old laptop. */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env.SLOW ?? 1);
  if (rate === 1) return;
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
}

/** Returns the clipboard's text. */
export const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Page without a session. */
export const signedOut: StorageState = { cookies: [], origins: [] };

/** Tests with a signed-in page, and the demo's downstream project with its scenarios. */
export const test = base.extend<{ demo: Demo }, { session: StorageState }>({
  /** Signs in once per worker, through the page. */
  session: [
    async ({ browser }, use) => {
      const context = await browser.newContext({ baseURL: process.env.E2E_BASE_URL! });
      await signIn(await context.newPage());
      const session = await context.storageState();
      await context.close();
      await use(session);
    },
    { scope: "worker" },
  ],
  storageState: ({ session }, use) => use(session),
  page: async ({ page }, use) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await slowDown(page);
    const unguarded: string[] = [];
    page.on("request", (request) => {
      const isEdit = request.method() === "PATCH" || request.method() === "PUT";
      // The first dataset of a project replaces nothing.
      if (isEdit && !request.headers()["if-match"] && !request.url().endsWith("/dataset"))
        unguarded.push(`${request.method()} ${request.url()}`);
    });
    await use(page);
    expect(unguarded, "changes without If-Match").toEqual([]);
  },
  demo: async ({ page }, use) => {
    const project = findDemo(await data<Project[]>(page.request, "get", "/projects"));
    const scenarios = await data<Scenario[]>(page.request, "get", `/projects/${project.id}/scenarios`);
    await use({ project, scenarios: scenarios.filter(({ status }) => status === "Completed") });
  },
});

export { expect };
