import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { processIdentity } from "#server/postgres/process-identity";
import { startChild } from "./start-child.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "start-child-"));
afterAll(() => rmSync(folder, { recursive: true }));

function script(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

const child = script(
  "child.mts",
  `import { onStop } from ${JSON.stringify(path.resolve(import.meta.dirname, "..", "stop-signals.ts"))};
   onStop((reason) => { console.error("stopping on", reason); process.exit(reason === "disconnect" ? 1 : 0); });
   setInterval(() => {}, 1000);
   console.log("pid", process.pid);`,
);

test("prefixes each output line of a child with its name, and stops the child on request", async () => {
  const lines: string[] = [];
  const first = Promise.withResolvers<void>();
  const running = startChild({
    name: "worker",
    script: child,
    env: process.env,
    log: (name, line) => {
      lines.push(`${name}: ${line.replace(/\d+/, "N")}`);
      first.resolve();
    },
  });
  await first.promise;
  await running.stop();
  expect(await running.exited).toBe("code 0");
  expect(lines).toEqual(["worker: pid N", "worker: stopping on SIGTERM"]);
});

test("a child ends when its parent is killed", async () => {
  const parent = script(
    "parent.mts",
    `import { startChild } from ${JSON.stringify(path.join(import.meta.dirname, "start-child.ts"))};
     startChild({ name: "x", script: ${JSON.stringify(child)}, env: process.env, log: (_, line) => process.send(line) });`,
  );
  const holder = fork(parent, { stdio: "ignore" });
  const [line] = (await once(holder, "message")) as [string];
  const pid = Number(line.replace("pid ", ""));
  expect(processIdentity(pid)).not.toBeNull();
  holder.kill("SIGKILL");
  await expect.poll(() => processIdentity(pid)).toBeNull();
});
