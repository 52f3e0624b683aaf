import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { DomainError } from "#lib/platform/errors/domain-error";
import type { OpenFile } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { setEnvironment } from "#testing/set-environment";
import type { StoredDataset } from "./dataset-table.ts";
import { tasks as datasetTasks, runDatasetTask } from "./dataset-tasks.ts";
import { readCsvFile } from "./read-csv-file.ts";
import type { DatasetSettings } from "./settings.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "dataset-thread-"));
setEnvironment({ DATA_DIR: folder });
afterAll(() => rmSync(folder, { recursive: true }));

/** Large enough that a thread does the work. */
const bytes = Number.POSITIVE_INFINITY;

const settings: DatasetSettings = {
  target: "y",
  timestampColumns: null,
  seriesColumns: null,
  exclude: [],
  categories: [],
  timezone: "UTC",
  missing: [],
  confirmed: [],
  numberFormats: [],
  dateOrder: null,
  reading: {},
  calendar: null,
  resample: null,
};

const fileOf =
  (text: string, chunkBytes = 7): OpenFile =>
  async () =>
    (async function* () {
      const content = Buffer.from(text);
      for (let from = 0; from < content.length; from += chunkBytes)
        yield content.subarray(from, from + chunkBytes);
    })();

/** Returns the stored dataset without the names of its folders, or the error. */
const outcome = (promise: Promise<StoredDataset>) =>
  promise.then(withoutKeys).catch((error: DomainError) => {
    expect(error).toBeInstanceOf(DomainError);
    const { code, message, details, unlisted } = error;
    return { code, message, details, unlisted };
  });

const withoutKeys = ({ parts, ...stored }: StoredDataset) => ({
  ...stored,
  parts: parts.map(({ key: _, ...part }) => part),
});

const tableOf = (key: string) => readFileSync(path.join(folder, "artifacts", key, "table.bin"));

test("a thread builds the same bits as the main thread, and returns the same errors", async () => {
  const cell = fc.constantFrom("1", "2.5", "", "x", "?", '"a,b"', "2024-01-02", "1e400");
  const row = fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => cells.join(","));
  const rows = fc.array(fc.oneof({ weight: 9, arbitrary: fc.constant("3,4.5,k") }, row), { maxLength: 120 });
  const excluded = fc.constantFrom<string[]>([], ["x"], ["z"], ["unknown"]);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(rows, excluded, async (lines, exclude) => {
      const open = fileOf(["x,y,z", ...lines].join("\n"));
      const make = (where: string, size: number) => {
        const input = { settings: { ...settings, exclude }, artifactKey: `${where}/${run}` };
        return outcome(runDatasetTask("make", input, { bytes: size, open }));
      };
      run++;
      const [here, there] = [await make("here", 0), await make("there", bytes)];
      expect(there).toEqual(here);
      if (!("code" in (here as object)))
        expect(tableOf(`there/${run}`).equals(tableOf(`here/${run}`))).toBe(true);
    }),
    { numRuns: 8 },
  );
}, 120_000); // Each run starts a thread, which takes seconds on a busy machine.

test("a thread appends rows as the main thread does", async () => {
  await runDatasetTask("make", { settings, artifactKey: "before" }, { bytes: 0, open: fileOf("x,y\n1,2\n") });
  const parts = [{ key: "before", rows: 1, bytes: 0 }];
  const before = { parts, header: ["x", "y"], warnings: [], lastTimestamp: null };
  const open = fileOf("y,x,extra\n3,4,5\n6,7,8\n");
  const [here, there] = await Promise.all(
    [0, bytes].map((size) =>
      runDatasetTask(
        "append",
        { before, settings, artifactKey: `after/${size}`.toLowerCase() },
        { bytes: size, open },
      ),
    ),
  );
  expect(withoutKeys(there!)).toEqual(withoutKeys(here!));
  expect(here!.parts.map(({ key }) => key)).toEqual(["before", "after/0"]);
  expect(tableOf("after/infinity").equals(tableOf("after/0"))).toBe(true);
});

test("sends only the slice of a large array to the thread", async () => {
  const content = Buffer.from(`x,y\n${"1,2\n".repeat(200_000)}`);
  const open: OpenFile = async () => fileOf(content.toString(), 1 << 16)();
  const { issueCount } = await runDatasetTask("check", {}, { bytes, open });
  expect(issueCount).toBe(0);
});

test("rethrows the error of reading the file", async () => {
  const failing: OpenFile = async () => {
    throw Object.assign(new Error("no such device"), { code: "ENXIO" });
  };
  const reading = runDatasetTask("check", {}, { bytes, open: failing });
  await expect(reading).rejects.toMatchObject({ message: "no such device", code: "ENXIO" });
});

test("stops reading and closes the file after the caller has gone", async () => {
  const gone = new AbortController();
  let closed = false;
  const endless: OpenFile = async () =>
    (async function* () {
      try {
        yield Buffer.from("x,y\n");
        for (let count = 0; ; count++) {
          if (count === 3) gone.abort(new Error("hung up"));
          await setImmediate();
          yield Buffer.from("1,2\n");
        }
      } finally {
        closed = true;
      }
    })();
  const work = { bytes, open: endless, signal: gone.signal };
  const making = runDatasetTask("make", { settings, artifactKey: "gone" }, work);
  await expect(making).rejects.toThrow("hung up");
  expect(closed).toBe(true);
  expect(readdirSync(path.join(folder, "artifacts"))).not.toContain("gone");
  await expect(runDatasetTask("check", {}, work)).rejects.toThrow("hung up");
});

test("rejects a file that fills a thread's memory, and the process survives", async () => {
  const thread = { module: "./dataset-tasks.ts", beside: import.meta.url, heapMb: 24 };
  const runInLittle = taskRunner(datasetTasks, thread);
  const names: OpenFile = async () =>
    (async function* () {
      yield Buffer.from("name\n");
      for (let from = 0; from < 4_000_000; from += 10_000)
        yield Buffer.from(
          Array.from({ length: 10_000 }, (_, i) => `a long name of row ${from + i}\n`).join(""),
        );
    })();
  const reading = runInLittle("check", {}, { bytes, open: names });
  await expect(reading).rejects.toMatchObject({
    code: "input_invalid",
    details: [{ code: "too_much_memory" }],
  });
});

test("rejects cells above the memory limit while reading", async () => {
  let chunks = 0;
  const wide: OpenFile = async () =>
    (async function* () {
      yield Buffer.from("a,b,c,d\n");
      for (; chunks < 1_000; chunks++) yield Buffer.from(",,,\n".repeat(100_000));
    })();
  const rejection = { code: "input_invalid", details: [{ code: "too_many_cells" }] };
  await expect(readCsvFile(wide, {}, 1_000_000)).rejects.toMatchObject(rejection);
  expect(chunks).toBeLessThan(5);
});

test("reads a limited number of files at the same time", async () => {
  let reading = 0;
  let most = 0;
  const two = Promise.withResolvers<void>();
  const counted: OpenFile = async () =>
    (async function* () {
      most = Math.max(most, ++reading);
      if (reading === 2) two.resolve();
      await two.promise;
      yield Buffer.from("x,y\n1,2\n");
      reading--;
    })();
  await Promise.all(Array.from({ length: 6 }, () => runDatasetTask("check", {}, { bytes, open: counted })));
  expect(most).toBeLessThanOrEqual(4);
});
