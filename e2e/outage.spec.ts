import { readFileSync } from "node:fs";
import path from "node:path";
import { startTcpProxy } from "#testing/tcp-proxy";
import { startWeb } from "./service.ts";
import { expect, test } from "./signed-in.ts";

// Each process reconnects to the database by itself. Until then, requests receive 503 with `Retry-After`.

test("shows an error page during a database outage, and recovers in the same process", async ({ page }) => {
  const dataDir = process.env.E2E_DATA_DIR!;
  const url = readFileSync(path.join(dataDir, "secrets", "database-url"), "utf8");
  const { hostname: host, port } = new URL(url);
  const database = { host, port: Number(port) };
  await using way = await startTcpProxy(database);
  const web = await startWeb(dataDir, { DATABASE_URL: way.via(url) });
  try {
    const projects = `${web.url}/projects`;
    await page.goto(projects);
    const list = page.getByRole("heading", { name: "Projects", exact: true });
    await expect(list).toBeVisible();

    database.port = 1; // No server listens on port 1.
    way.cut();
    const answer = await page.request.get(`${web.url}/api/v1/projects`);
    expect([answer.status(), answer.headers()["retry-after"]]).toEqual([503, "5"]);
    expect(await answer.json()).toMatchObject({ success: false, error: { code: "service_unavailable" } });
    await page.goto(projects);
    await expect(page.getByRole("heading", { name: "This page cannot be loaded" })).toBeVisible();
    expect(await page.content()).not.toMatch(/ECONN|select |\bat .*\.js/);

    database.port = Number(port);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(list).toBeVisible();
  } finally {
    await web.stop();
  }
});
