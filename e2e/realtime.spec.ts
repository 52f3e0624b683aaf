import type { Page } from "@playwright/test";
import type { Checkpoint } from "#lib/contract/checkpoints";
import type { Job } from "#lib/contract/jobs";
import type { RealtimeConnection } from "#lib/contract/realtime";
import { data, expect, test } from "./signed-in.ts";

test("shows a checkpoint created over the API without a reload", async ({ page, demo }) => {
  await page.goto(`/projects/${demo.project.id}/checkpoints`);
  await expect(page.getByRole("status").filter({ hasText: "Live" })).toBeVisible({ timeout: 30_000 });
  await page.evaluate(() => {
    (window as { untouched?: boolean }).untouched = true;
  });
  await data(page.request, "post", `/projects/${demo.project.id}/checkpoints`, {
    label: "Made over the API",
  });
  await expect(page.getByRole("cell", { name: "Made over the API", exact: true })).toBeVisible({
    timeout: 30_000,
  });
  expect(await page.evaluate(() => (window as { untouched?: boolean }).untouched)).toBe(true);
});

/** Seconds since the newest event of a project was sent; infinite without a recent one. */
async function quietSeconds({ request }: Page, projectId: string): Promise<number> {
  const path = `/realtime?projectId=${projectId}`;
  const { secondsSinceLastEvent } = await data<RealtimeConnection>(request, "get", path);
  return secondsSinceLastEvent ?? Number.POSITIVE_INFINITY;
}

test("shows what another client changed before the page had subscribed", async ({ page, demo }) => {
  // A hidden page does not poll.
  await page.addInitScript(() => {
    Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
  });
  const held = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/app\//, async (socket) => {
    await held.promise;
    socket.connectToServer();
  });
  const path = `/projects/${demo.project.id}/checkpoints`;
  await page.goto(path);
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  const label = "Made before it subscribed";
  const { jobId } = await data<{ jobId: string }>(page.request, "post", path, { label });
  const status = async () => (await data<Job>(page.request, "get", `/jobs/${jobId}`)).status;
  await expect.poll(status).toBe("Completed");
  await expect.poll(() => quietSeconds(page, demo.project.id)).toBeGreaterThan(0);
  await expect(page.getByRole("cell", { name: label, exact: true })).toHaveCount(0);
  held.resolve();
  await expect(page.getByRole("cell", { name: label, exact: true })).toBeVisible();
});

test("does not read its data again after the subscription if there was no event", async ({ page, demo }) => {
  const { projectId } = demo.project.dependencies[0]!;
  await expect.poll(() => quietSeconds(page, projectId), { timeout: 60_000 }).toBeGreaterThan(30);
  const reads: string[] = [];
  page.on("request", (request) => reads.push(request.url()));
  const asked = () => page.waitForResponse((response) => response.url().includes("/api/v1/realtime?"));
  const [second] = await Promise.all([asked().then(asked), page.goto(`/projects/${projectId}/checkpoints`)]);
  await second.finished();
  const before = reads.length;
  // A request of the page that follows everything the answer has caused.
  await page.evaluate(() => fetch("/api/v1/me").then((answer) => answer.text()));
  expect(reads.slice(before)).toEqual([expect.stringMatching(/\/api\/v1\/me$/)]);
});

/** Realtime channel that can be cut and restored. */
async function withMortalChannel(page: Page) {
  let dead = false;
  const ends = new Set<() => void>();
  await page.routeWebSocket(/\/app\//, (socket) => {
    if (dead) return void socket.close({ code: 1001 });
    socket.connectToServer();
    ends.add(() => void socket.close({ code: 1001 }));
  });
  return {
    die() {
      dead = true;
      for (const end of ends) end();
      ends.clear();
    },
    comeBack() {
      dead = false;
    },
  };
}

test("shows the same final page with, without and with an interrupted channel", async ({
  page: live,
  context,
  demo,
}) => {
  const [polling, dying] = [await context.newPage(), await context.newPage()];
  await polling.route("**/api/v1/realtime**", (route) => route.abort());
  const channel = await withMortalChannel(dying);
  const pages = [live, polling, dying];
  const path = `/projects/${demo.project.id}/checkpoints`;
  const showsState = (page: Page, name: "Live" | "Polling") =>
    expect(page.getByRole("status").filter({ hasText: name })).toBeVisible({ timeout: 30_000 });
  const shows = (page: Page, label: string, count = 1) =>
    expect(page.getByRole("cell", { name: label, exact: true })).toHaveCount(count, { timeout: 30_000 });
  const make = (label: string) => data(live.request, "post", path, { label });
  for (const page of pages) await page.goto(path);
  await Promise.all([showsState(live, "Live"), showsState(polling, "Polling"), showsState(dying, "Live")]);

  await make("Before it dies");
  await Promise.all(pages.map((page) => shows(page, "Before it dies")));
  channel.die();
  await showsState(dying, "Polling");
  await make("While it is dead");
  const all = await data<Checkpoint[]>(live.request, "get", path);
  const { id } = all.find(({ label }) => label === "Before it dies")!;
  await data(live.request, "delete", `${path}/${id}`);
  await shows(live, "Before it dies", 0);
  channel.comeBack();
  await showsState(dying, "Live");
  await make("When it is back");

  for (const page of pages) {
    await shows(page, "While it is dead");
    await shows(page, "When it is back");
    await shows(page, "Before it dies", 0);
  }
  // Relative times update independently on each page, so the test compares absolute times.
  const screen = (page: Page) =>
    page.getByRole("main").evaluate((main) => {
      const copy = main.cloneNode(true) as HTMLElement;
      for (const time of copy.querySelectorAll("time")) time.textContent = time.dateTime;
      return copy.textContent;
    });
  await expect.poll(async () => new Set(await Promise.all(pages.map(screen))).size).toBe(1);
  await Promise.all([showsState(live, "Live"), showsState(polling, "Polling"), showsState(dying, "Live")]);
});
