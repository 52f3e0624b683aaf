import { describe, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { TrainingCancelled, TrainingImpossible } from "#lib/engine/learners/training-errors";
import { fitInThread } from "./fit-in-thread.ts";
import type { FitInput } from "./fit-input.ts";
import { fitModel } from "./fit-model.ts";

function waves(rows: number): Table {
  const at = (value: (i: number) => number) => Float64Array.from({ length: rows }, (_, i) => value(i));
  return {
    rowCount: rows,
    columns: [
      { name: "at", type: "timestamp", values: at((i) => Date.UTC(2024, 0, 1, i)) },
      { name: "x", type: "number", values: at((i) => Math.sin(i / 3)) },
      { name: "y", type: "number", values: at((i) => 5 * Math.sin(i / 3) + Math.cos(i / 24)) },
    ],
  };
}

const input = (rows: number, rounds: number): FitInput => ({
  table: waves(rows),
  target: "y",
  timestamp: "at",
  request: { algorithm: "gradient_boosting", hyperparameters: { rounds, earlyStopping: false } },
});

describe("fitInThread", () => {
  test("returns the same files as fitModel, with increasing progress", async () => {
    const fractions: number[] = [];
    const fitted = await fitInThread(input(300, 40), { onProgress: (fraction) => fractions.push(fraction) });
    const here = await fitModel(input(300, 40));
    expect([...fitted.files.keys()]).toEqual([...here.files.keys()]);
    for (const [name, bytes] of here.files)
      expect(new Uint8Array(fitted.files.get(name)!)).toEqual(new Uint8Array(bytes));
    expect(fractions.at(-1)).toBe(1);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  });

  test("takes the memory of a table that the caller no longer reads, also if columns share it", async () => {
    const withUpstream = () => {
      const own = input(300, 10);
      const sourceProjectId = "11111111-1111-4111-8111-111111111111";
      return { ...own, upstream: [{ column: own.table.columns[1]!, sourceProjectId }] };
    };
    const spent = withUpstream();
    const { files } = await fitInThread(spent, { isSpent: true });
    const here = await fitModel(withUpstream());
    expect(new Uint8Array(files.get("learner.json")!)).toEqual(
      new Uint8Array(here.files.get("learner.json")!),
    );
    expect(spent.table.columns.map((column) => "values" in column && column.values.length)).toEqual([
      0, 0, 0,
    ]);
  });

  test("ends its thread after many series, because it would keep their memory", async () => {
    const { table } = input(120, 10);
    const codes = new Int32Array(120);
    const columns: Column[] = [
      ...table.columns,
      { name: "store", type: "category", codes, categories: ["A"] },
    ];
    await fitInThread({ table: { ...table, columns }, target: "y", timestamp: "at", series: ["store"] });
    let started = 0;
    const count = () => started++;
    process.on("worker", count);
    await fitInThread(input(300, 10));
    process.off("worker", count);
    expect(started).toBe(1);
  });

  test("rejects with the reason if training is impossible", async () => {
    const impossible = fitInThread({ ...input(300, 10), target: "nothing" });
    await expect(impossible).rejects.toThrow(TrainingImpossible);
    await expect(impossible).rejects.toThrow('no column "nothing"');
  });

  test("starts one thread for several trainings in sequence, also after a failure", async () => {
    await fitInThread(input(300, 10));
    let started = 0;
    const count = () => started++;
    process.on("worker", count);
    try {
      await expect(fitInThread({ ...input(300, 10), target: "nothing" })).rejects.toThrow(TrainingImpossible);
      const { files } = await fitInThread(input(300, 10));
      const here = await fitModel(input(300, 10));
      expect(new Uint8Array(files.get("learner.json")!)).toEqual(
        new Uint8Array(here.files.get("learner.json")!),
      );
      expect(started).toBe(0);
      await Promise.all([fitInThread(input(300, 10)), fitInThread(input(300, 10))]);
      expect(started).toBe(1);
    } finally {
      process.off("worker", count);
    }
  });

  test("stops shortly after an abort, however much work remains", async () => {
    const controller = new AbortController();
    const fit = fitInThread(input(20_000, 5_000), {
      signal: controller.signal,
      onProgress: (_, stage) => {
        if (stage === "train") controller.abort();
      },
    });
    await expect(fit).rejects.toThrow(TrainingCancelled);
    await expect(fitInThread(input(300, 10), { signal: controller.signal })).rejects.toThrow(
      TrainingCancelled,
    );
  }, 60_000); // Prepares 20,000 rows before the training begins.
});
