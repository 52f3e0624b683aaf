import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { checkFiles } from "#lib/engine/inference/check-files";
import { presentContributions } from "#lib/engine/inference/contributions";
import { loadModel } from "#lib/engine/inference/load-model";
import { localRunner } from "#lib/engine/inference/local-runner";
import { predictorOf } from "#lib/engine/inference/plain-model";
import { dropColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { sales } from "#testing/sales-model";

/**
 * A model's files in base64, with the predictions for rows 131 to 165 of `sales(165)` by the service that wrote them.
 */
type Written = {
  files: Record<string, string>;
  predictions: number[];
  lower: number[];
  upper: number[];
  contributions: { baseValue: number; features: string[]; first: number[] };
};

const folder = path.join(import.meta.dirname, "../../../testing/engine-1");

test.each(["trees", "poisson-trees", "ridge", "seasonal-naive", "rows-without-times"])(
  "a model of version 1 returns bit-identical predictions: %s",
  async (name) => {
    const file = gunzipSync(readFileSync(path.join(folder, `${name}.json.gz`)));
    const { files, ...expected } = JSON.parse(file.toString()) as Written;
    checkFiles(new Map(Object.entries(files).map(([file, text]) => [file, Buffer.from(text, "base64")])));
    const read = async (wanted: string) => Buffer.from(files[wanted]!, "base64");
    const model = await loadModel(
      read,
      localRunner(() => read("model.onnx")),
    );
    expect(model.state.version).toBe(1);
    const unused = name === "rows-without-times" ? ["day", "sales"] : ["sales"];
    const rows = sliceRows(dropColumns(sales(165), unused), 130);
    const include = { intervals: true, contributions: true };
    const { predictions, intervals, contributions, warnings } = await model.predict(rows, { include });
    expect([...predictions]).toEqual(expected.predictions);
    expect([...intervals!.lower]).toEqual(expected.lower);
    expect([...intervals!.upper]).toEqual(expected.upper);
    const { baseValue, features, values } = presentContributions(contributions!);
    expect({ baseValue, features, first: [...values[0]!] }).toEqual(expected.contributions);
    expect(warnings.some(({ code }) => code === "in_sample")).toBe(false);
    const plain = model.plain();
    if (plain) expect((await predictorOf(plain)!(rows)).predictions).toEqual(predictions);
    expect((await model.outOfSample()).validation.row).toHaveLength(0);
  },
);
