import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import type { Job } from "#lib/contract/jobs";
import { expectCompleted } from "./jobs.ts";
import { MiB, type OwnWeb, startOwnWeb } from "./own-web.ts";
import { processorTicks, residentMb } from "./process-figures.ts";

// Incomplete downloads of many rows, from a separate web process.

test.describe.configure({ timeout: 300_000 });

const rowCount = 300_000;
let own: OwnWeb;
let scenario: string;

test.beforeAll(async () => {
  own = await startOwnWeb("Downloads");
  const project = `/projects/${own.project}`;
  const fileData = (rows: number, line: (row: number) => string, header: string) =>
    Buffer.from(`${header}\n${Array.from({ length: rows }, (_, row) => line(row)).join("\n")}\n`).toString(
      "base64",
    );
  const known = fileData(200, (row) => `${row % 20},${(row * 7) % 20},${(row % 20) + 1}`, "a,b,y");
  await own.ask("PUT", `${project}/dataset`, { target: "y", fileData: known });
  const training = await own.ask<{ jobId: string }>("POST", `${project}/models/train`, {
    algorithm: "ridge",
  });
  await done(training.jobId);
  const rows = fileData(rowCount, (row) => `${row / 7},${row / 11}`, "a,b");
  const body = { title: "Many rows", fileData: rows };
  const made = await own.ask<{ jobId: string; scenarioId: string }>("POST", `${project}/scenarios`, body);
  await done(made.jobId);
  scenario = `${project}/scenarios/${made.scenarioId}`;
});

test.afterAll(() => own.stop());

const done = (jobId: string) => expectCompleted(() => own.ask<Job>("GET", `/jobs/${jobId}`));

/** Returns a response without reading its body. */
async function download(headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const request = get(`${own.web.url}/api/v1${scenario}/predictions`, {
    headers: { ...own.headers, ...headers, Accept: "text/csv" },
    agent: false,
  });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return answer;
}

test("uses little memory and no CPU time for an unread download or a disconnected client", async () => {
  const before = residentMb(own.web.pid);
  const answer = await download();
  const works = async () => {
    const { all } = processorTicks(own.web.pid);
    await delay(500);
    return processorTicks(own.web.pid).all - all;
  };
  // In ticks of 10 ms; the full download takes more than a second.
  await expect.poll(works).toBeLessThan(10);
  expect(residentMb(own.web.pid) - before).toBeLessThan(150);
  answer.destroy();
  await expect.poll(works).toBeLessThan(10);
});

test("sends a complete download, and aborts it if the scenario is deleted meanwhile, compressed or not", async () => {
  const complete = await download();
  let bytes = 0;
  let last = "";
  for await (const piece of complete) {
    bytes += piece.length;
    last = `${last}${piece}`.slice(-200);
  }
  expect(bytes).toBeGreaterThan(10 * MiB);
  expect(last.split("\r\n").at(-2)).toMatch(`${(rowCount - 1) / 7},${(rowCount - 1) / 11},`);

  const answers = await Promise.all([download(), download({ "Accept-Encoding": "gzip" })]);
  await own.ask("DELETE", scenario);
  for (const answer of answers) {
    const rest = async () => {
      for await (const _ of answer);
    };
    await expect(rest()).rejects.toThrow("aborted");
    expect(answer.complete).toBe(false);
  }
});
