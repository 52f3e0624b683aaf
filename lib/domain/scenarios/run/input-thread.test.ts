import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { defaultInputFormat } from "#lib/domain/models/input-format";
import type { InputFeature } from "#lib/engine/inference/input-features";
import type { OpenFile } from "#lib/platform/threads/messages";
import { setEnvironment } from "#testing/set-environment";
import { runInputTask } from "./input-tasks.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "input-thread-"));
setEnvironment({ DATA_DIR: folder });
afterAll(() => rmSync(folder, { recursive: true }));

const feature = (name: string, type: InputFeature["type"], role: InputFeature["role"]): InputFeature => ({
  name,
  type,
  role,
  required: role !== "upstream",
  missing: 0,
  mean: null,
  median: null,
  min: 1,
  max: 5,
  categories: type === "category" ? ["a", "b"] : null,
  sourceProjectId: null,
  missingAllowed: type === "category",
});

const expected = {
  features: [
    feature("day", "timestamp", "timestamp"),
    feature("price", "number", "input"),
    feature("kind", "category", "input"),
    feature("load", "number", "upstream"),
  ],
  format: defaultInputFormat("day", "Europe/Vienna"),
};

const file =
  (...chunks: string[]): OpenFile =>
  async () =>
    Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

const stored = (key: string) =>
  ["input.bin", "input.json"].map((name) => readFileSync(path.join(folder, "artifacts", key, name)));

const valid = "kind,day,price,load,other\na,2024-01-01,2,1,x\nc,2024-01-02,9,2,y\n,2024-01-03,,3,z\n";

const notes = { computed: [], knownUntil: null };
const limits = { levels: null, rowsMax: 1_000 };

test.each([
  ["a valid file, with warnings", valid],
  ["a valid file without the column that may be missing", "day,kind,price\n2024-01-01,a,1\n"],
  ["a file with issues", `${valid}b,2024-01-03,?,1,x\n,,,\n`],
  ["a file without a column", "day,prize\n2024-01-01,1\n"],
  ["an empty file", ""],
])("for %s a worker thread returns and stores the same as this thread", async (_, text) => {
  const open = file(text.slice(0, 20), text.slice(20));
  const [here, there] = await Promise.all(
    [0, Number.POSITIVE_INFINITY].map((bytes) => {
      const storeAs = bytes === 0 ? "here" : "there";
      const own = ["day", "price", "kind"];
      return runInputTask(
        "read",
        { ...expected, ...limits, own, timestamp: "day", storeAs, notes },
        { bytes, open },
      );
    }),
  );
  expect(there).toEqual(here);
  if (!here!.check.valid) return;
  expect(stored("there")).toEqual(stored("here"));
  expect(here!.columns).toEqual(expect.arrayContaining(["day", "price", "kind"]));
  expect(here!.columns).not.toContain("load");
});

test("a file with issues is not stored, nor a file without a folder to store it in", async () => {
  const open = file("day,price,kind\n2024-01-01,?,a\n");
  const asked = { ...expected, ...limits, own: ["day"], timestamp: "day" };
  await runInputTask("read", { ...asked, storeAs: "faulty", notes }, { bytes: 0, open });
  expect(existsSync(path.join(folder, "artifacts", "faulty"))).toBe(false);
  const fine = file("day,price,kind\n2024-01-01,1,a\n");
  const read = await runInputTask("read", { ...asked, storeAs: null, notes }, { bytes: 0, open: fine });
  expect(read).toMatchObject({ columns: ["day"], rowCount: 1, latest: Date.UTC(2023, 11, 31, 23) });
});

test("for a page of rows a worker thread returns the same as this thread", async () => {
  const open = file("day,price,kind\n2024-01-01,1,a\n2024-01-02,9,c\n2024-01-03,3,\n");
  const asked = {
    ...expected,
    ...limits,
    own: ["day", "price", "kind"],
    timestamp: "day",
    storeAs: "paged",
    notes,
  };
  await runInputTask("read", asked, { bytes: 0, open });
  const [here, there] = await Promise.all(
    [0, Number.POSITIVE_INFINITY].map((bytes) =>
      runInputTask("page", { inputKey: "paged", from: 1, to: 3 }, { bytes, open }),
    ),
  );
  expect(there).toEqual(here);
  expect(here!.columns.map(({ name, values }) => [name, values])).toEqual([
    ["day", ["2024-01-01T23:00:00.000Z", "2024-01-02T23:00:00.000Z"]],
    ["price", [9, 3]],
    ["kind", ["c", null]],
  ]);
});
