import { expect, it } from "vitest";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { testContext } from "./api.ts";
import { inRequest, predict, putDataset, runScenario } from "./csv-entry-points.ts";
import { createTestDatabase } from "./postgres.ts";
import { runJobsHere } from "./run-jobs.ts";
import { createTrainedProject } from "./scenario-factory.ts";
import { encode } from "./write-dialect.ts";

await createTestDatabase();

it("reads scenarios and predictions of a checkpoint with the options of its dataset", async () => {
  const rows = Array.from({ length: 80 }, (_, row) => {
    const price = 1000 + ((row * 37) % 90) * 10.5;
    const share = row % 7 === 0 ? "n.a." : `${(row * 13) % 40},5 %`;
    const bought = `${1 + (row % 28)}/${1 + (row % 12)}/2011`;
    const written = `${Math.floor(price / 1000)}.${String(Math.floor(price % 1000)).padStart(3, "0")},50 €`;
    return `${written};${share};${bought};${price * 2 + ((row * 13) % 40)}`;
  });
  const project = await createTrainedProject({
    csv: ["price;share;bought;y", ...rows].join("\n"),
    target: "y",
    missing: ["n.a."],
    dateOrder: "day-first",
    numberFormats: [
      { column: "price", unit: "€", groupMark: "." },
      { column: "share", unit: "%", decimalMark: "," },
    ],
    request: { algorithm: "gradient_boosting", hyperparameters: { rounds: 10 } },
  });
  const { checkpointId } = await createCheckpoint(testContext(), { ...project, label: "Formats" });
  await runJobsHere(project.projectId);
  // The checkpoint keeps the options when the dataset changes.
  await putDataset(project, { ...inRequest(encode("a,y\n1,2\n", "utf-8")), target: "y" });
  const lines = ["price;share;bought", "1.250,50 €;12,5 %;1/2/2011", "1.500 €;n.a.;3/4/2011"];
  const scenario = await runScenario(project, {
    ...inRequest(encode(lines.join("\n"), "utf-8")),
    checkpointId,
  });
  expect(scenario.predictions).toHaveLength(2);
  for (const input of [
    { price: ["1.250,50 €", "1.500 €"], share: ["12,5 %", "n.a."], bought: ["1/2/2011", "3/4/2011"] },
    { price: [1250.5, 1500], share: [12.5, null], bought: ["2011-02-01", "2011-04-03"] },
  ]) {
    const { data, error } = await predict(project, input);
    expect(error).toBeUndefined();
    expect(data.predictions).toEqual(scenario.predictions);
  }
});
