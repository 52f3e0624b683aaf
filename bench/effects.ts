import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { InputEffect } from "#lib/contract/input-effects";
import type { Table } from "#lib/contract/table";
import { dropColumns, numericValues } from "#lib/engine/table/columns";
import { fitModel } from "#lib/engine/training/fit-model";
import { csvOfTable } from "#testing/csv-of-table";
import { type Figures, mean, type Skipped, temporaryFolder } from "./harness.ts";

const SCRIPT = path.join(import.meta.dirname, "effects.R");
const WHAT = "effects beside auto.arima() with inputs";

/** A series with the timestamp column `time`. */
export type Sample = { name: string; target: string; frequency: string; horizon: number; table: Table };

/** Compares sign and size of the effects that the chosen model learned with those of R's auto.arima(). */
export async function effectsBesideArima(
  samples: readonly Sample[],
  log: (line: string) => void,
): Promise<Figures | Skipped> {
  const rows: string[][] = [];
  for (const { name, target, frequency, horizon, table } of samples) {
    const coefficients = coefficientsOf(table, target, frequency === "P1M" ? 12 : 7);
    if (coefficients === null)
      return { what: WHAT, skipped: "Rscript with the package forecast is not installed." };
    const { summary } = await fitModel({ table, target, timestamp: "time", frequency, request: { horizon } });
    const inputs = table.columns
      .map((column) => column.name)
      .filter((one) => one !== "time" && one !== target);
    for (const effect of summary.effects ?? []) {
      const coefficient = coefficients[inputs.indexOf(effect.feature)]!;
      const { operation, value } = effect.change;
      const theirs =
        coefficient * changeOf(effect, table) * (effect.unit === "percent" ? 100 / meanOf(table, target) : 1);
      const sign = effect.unit === "percent" ? "%" : "";
      const change = `${{ add: "+", multiply: "× ", set: "= " }[operation]}${value}`;
      rows.push([
        name,
        `${effect.feature} ${change}`,
        ...[effect.effect, theirs].map((one) => one.toPrecision(3) + sign),
      ]);
      log(`  ${rows.at(-1)!.join("  ")}`);
    }
  }
  const titles = ["series", "change", "learned effect", "auto.arima()"];
  return { what: WHAT, table: { title: "Effects of inputs", titles, rows } };
}

/** Returns the mean change of the input in its unit. */
function changeOf({ feature, change: { operation, value } }: InputEffect, table: Table): number {
  return operation === "multiply" ? (value - 1) * meanOf(table, feature) : value;
}

function meanOf(table: Table, name: string): number {
  return mean([...numericValues(table, name)].filter((value) => !Number.isNaN(value)));
}

/** Returns a coefficient for each input; null without R. */
function coefficientsOf(table: Table, target: string, season: number): number[] | null {
  using folder = temporaryFolder();
  const file = path.join(folder.path, "rows.csv");
  writeFileSync(file, csvOfTable(dropColumns(table, ["time"])));
  const { status, stdout } = spawnSync("Rscript", [SCRIPT, file, target, String(season)], {
    encoding: "utf8",
  });
  return status === 0 ? stdout.trim().split("\n").map(Number) : null;
}
