import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

/** Runs a program in a new process after `gatherLines()`. Returns the lines it wrote and the signal that ended it. */
async function run(program: string): Promise<{ lines: { msg: string }[]; signal: string | null }> {
  const start = `const { gatherLines, logger } = await import("#lib/platform/log/logger"); gatherLines();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", `${start}${program}`], {
    env: { PATH: process.env.PATH, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [written, [, signal]] = await Promise.all([text(child.stdout), once(child, "close")]);
  const lines = written
    .trim()
    .split("\n")
    .filter((line) => line !== "");
  return { lines: lines.map((line) => JSON.parse(line)), signal };
}

const numbered = `for (let n = 0; n < 3_000; n++) logger().info(String(n));`;
const all = Array.from({ length: 3_000 }, (_, n) => String(n));

test.each([
  ["comes to its end", ""],
  ["ends itself", "process.exit(0);"],
])("writes every line in order if the process %s", async (_, end) => {
  const { lines } = await run(`${numbered}${end}`);
  expect(lines.map(({ msg }) => msg)).toEqual(all);
});

test("writes warnings and errors at once with all earlier lines, so that a kill loses none of them", async () => {
  const { lines, signal } = await run(
    `logger().info("before"); logger().warn("trouble"); await null; process.kill(process.pid, "SIGKILL");`,
  );
  expect(signal).toBe("SIGKILL");
  expect(lines.map(({ msg }) => msg)).toEqual(["before", "trouble"]);
});

test.each([
  ["gathers lines", "gatherLines();"],
  ["writes lines at once", ""],
])("a process that %s ends although the reader of its log has died", async (_, start) => {
  const program = `const { gatherLines, logger } = await import("#lib/platform/log/logger"); ${start}
    process.on("message", () => { logger().info("calm"); logger().error("unread"); process.exit(7); });
    process.send("ready");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    env: { PATH: process.env.PATH, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  child.stdout!.destroy();
  child.send("end");
  expect(await once(child, "exit")).toEqual([7, null]);
});
