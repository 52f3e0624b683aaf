import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { createDataFolder } from "#testing/run-folder";
import { inspect } from "./inspect.ts";
import { startService, type TestService } from "./service.ts";

// Guarantees of the supervisor, on a separate service. For a crash of all processes, see crash.spec.ts.

let folder: string;
let service: TestService;

test.beforeAll(async () => {
  folder = createDataFolder("forkcast-e2e-");
  chmodSync(folder, 0o755);
  service = await startService(path.join(folder, "data"), {
    DEMO: "0",
    ADMIN_EMAIL: "",
    ADMIN_PASSWORD: "",
  });
});

test.afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** Returns the process IDs of the supervisor's parts by title: web, worker, realtime, postgres. */
function parts(): Record<string, number> {
  const list = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  const own = list
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => Number(match?.[2]) === service.pid && !match![3]!.startsWith("/bin/sh "))
    .map(
      (match) =>
        [/(web|worker|realtime|postgres)\b/.exec(match![3]!)?.[1] ?? "?", Number(match![1])] as const,
    );
  return Object.fromEntries(own);
}

const isReady = async () => (await fetch(`${service.url}/api/health/ready`)).status;

test("asks the first visitor of a new service to create the admin", async ({ page }) => {
  await page.goto(service.url);
  await expect(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
  expect(await inspect(page, "first setup")).toEqual([]);
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Create admin" }).click();
  await expect(page.getByRole("heading", { name: "Projects", exact: true })).toBeVisible();
});

test("restarts a dead worker without affecting the web process", async () => {
  const { worker, web } = parts();
  process.kill(worker!, "SIGKILL");
  expect(await isReady()).toBe(200);
  await expect.poll(() => parts().worker ?? worker).not.toBe(worker);
  expect(parts().web).toBe(web);
});

test("restarts a dead database at the same address", async () => {
  const { postgres, web } = parts();
  process.kill(postgres!, "SIGKILL");
  await expect.poll(() => parts().postgres ?? postgres).not.toBe(postgres);
  await expect.poll(isReady).toBe(200);
  expect(parts().web).toBe(web);
});

test("rejects a second service on the same data or port without affecting the first", async () => {
  const dataDir = path.join(folder, "data");
  await expect(startService(dataDir)).rejects.toThrow(/already runs on .*set DATA_DIR/);
  const port = new URL(service.url).port;
  await expect(startService(path.join(folder, "other"), { PORT: port })).rejects.toThrow(
    `PORT is ${port}, but`,
  );
  expect(await isReady()).toBe(200);
});

test("names an invalid variable at startup", async () => {
  await expect(startService(path.join(folder, "other"), { LOG_LEVEL: "loud" })).rejects.toThrow(
    'LOG_LEVEL is "loud": expected one of',
  );
});

test("stops a service that has lost its supervisor, and starts again", async () => {
  const { worker, web, realtime } = parts();
  process.kill(service.pid, "SIGKILL");
  const isGone = (pid: number) => {
    try {
      // A zombie process (state Z) counts as ended.
      return /\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
      return true;
    }
  };
  await expect.poll(() => [worker, web, realtime].every((pid) => isGone(pid!))).toBe(true);
  service = await startService(path.join(folder, "data"), { DEMO: "0" });
  expect(await isReady()).toBe(200);
});

test("ends every part in order on SIGTERM", async () => {
  const before = parts();
  await service.stop();
  expect(service.output()).toContain("[service] stopped");
  expect(Object.keys(parts())).toEqual([]);
  expect(Object.keys(before).sort()).toEqual(["postgres", "realtime", "web", "worker"]);
});
