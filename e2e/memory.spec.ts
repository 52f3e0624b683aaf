import { expect, test } from "@playwright/test";
import type { Job } from "#lib/contract/jobs";
import { limits } from "#lib/contract/limits";
import { expectCompleted } from "./jobs.ts";
import { csvOf, fileBody } from "./large-bodies.ts";
import { length, MiB, type OwnWeb, startOwnWeb, statusAndCode } from "./own-web.ts";
import { watch } from "./process-figures.ts";
import { repeat } from "./raw-client.ts";

// Memory budgets of a web process: how far the largest requests may raise its peak memory. Other clients send requests
// meanwhile.

test.describe.configure({ timeout: 600_000 });

/**
 * Growth of the web process to its peak, in megabytes: about half as much again as the largest of three runs on a busy
 * machine of two cores. They measured 158 for the comparison, 261 for the body and 36 for the upload (of 2 GiB).
 */
const budgetsMb = { comparison: 240, body: 400, upload: 60 };

let own: OwnWeb;

test.beforeAll(async () => {
  own = await startOwnWeb("Memory");
});

test.afterAll(() => own.stop());

/** Checks the budget of a request, and that other clients were served during it. */
async function withinBudget<T>(budget: keyof typeof budgetsMb, request: () => Promise<T>): Promise<T> {
  const { result, grownMb, answered } = await watch(own.web.pid, own.otherRequest, request);
  console.log(`${budget}: ${grownMb.toFixed(0)} MB of ${budgetsMb[budget]} MB`);
  expect(grownMb).toBeLessThan(budgetsMb[budget]);
  expect(answered).toBeGreaterThan(budget === "upload" ? 10 : 0);
  return result;
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

const done = (jobId: string) => expectCompleted(() => own.ask<Job>("GET", `/jobs/${jobId}`));

test("compares 20 scenarios of 20,000 rows", async () => {
  const project = `/projects/${own.project}`;
  const known = Array.from({ length: 200 }, (_, row) => `${row % 20},${(row % 20) + (row % 7)}`);
  await own.ask("PUT", `${project}/dataset`, { target: "y", fileData: base64(`a,y\n${known.join("\n")}\n`) });
  await done(
    (await own.ask<{ jobId: string }>("POST", `${project}/models/train`, { algorithm: "ridge" })).jobId,
  );
  const rows = Array.from({ length: 20_000 }, (_, row) => `${(row * 7_919) % 2_003}\n`);
  const fileData = base64(`a\n${rows.join("")}`);
  const made = await Promise.all(
    Array.from({ length: limits.compareMax }, (_, index) =>
      own.ask<{ jobId: string; scenarioId: string }>("POST", `${project}/scenarios`, {
        title: `Scenario ${index}`,
        fileData,
      }),
    ),
  );
  for (const { jobId } of made) await done(jobId);
  const ids = made.map(({ scenarioId }) => scenarioId).join(",");
  const compare = (query: string) =>
    own.ask<{ series: unknown[] }>("GET", `${project}/scenarios/compare?ids=${ids}${query}`);
  const { series } = await withinBudget("comparison", () => compare(""));
  expect(series).toHaveLength(limits.compareMax);
});

test("accepts 64 MiB of decoded CSV in fileData", async () => {
  const body = fileBody(csvOf(limits.csvBytes));
  const answer = await withinBudget("body", () =>
    own.send(`/projects/${own.project}/dataset`, body, { method: "PUT", headers: length(body[0]!.length) }),
  );
  expect(statusAndCode(answer)).toBe("200");
});

/** A large part of the largest upload, which `UPLOAD_BYTES=2147483648` sends whole. Memory does not depend on the size. */
const uploadBytes = Number(process.env.UPLOAD_BYTES ?? 256 * MiB);

test("stores a long upload completely, and rejects one byte above 2 GiB", async () => {
  const type = { "Content-Type": "text/csv" };
  const rows = Buffer.from("2024-01-01,1.5,abc\n".repeat(50_000));
  const upload = (bytes: number, body: Iterable<Uint8Array>) =>
    own.send(`/projects/${own.project}/uploads`, body, { headers: { ...type, ...length(bytes) } });
  const stored = await withinBudget("upload", () => upload(uploadBytes, repeat(rows, uploadBytes)));
  expect(stored.data).toMatchObject({ bytes: uploadBytes });
  expect(statusAndCode(await upload(limits.uploadBytes + 1, []))).toBe("413 payload_too_large");
});
