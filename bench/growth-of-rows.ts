import { trainingCsv, uploadRows } from "./batch.ts";
import { BatchService } from "./batch-service.ts";
import type { Settings } from "./benchmark.ts";
import { type Measurement, measure } from "./measure.ts";
import { overSizes } from "./over-sizes.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const TREES = 300;

/** Measures the job of a scenario by its number of rows, and the peak memory of a newly started worker. */
export async function* growthOfRows(settings: Settings): AsyncGenerator<Measurement> {
  const { quick, rounds, seed, log } = settings;
  using folder = temporaryFolder();
  log("  starting PostgreSQL and a worker");
  await using service = await BatchService.start(folder.path);
  await service.startWorker();
  await service.train(Buffer.from(trainingCsv(settings)), quick ? 20 : TREES);
  const first = await uploadRows(service, folder.path, 1_000, seed);
  const { checkpointId } = await service.compute(first, null);
  const sizes = quick ? [100, 1_000] : [1_000, 10_000, 100_000, 1_000_000, 10_000_000];
  yield* overSizes(sizes, async (rowCount) => {
    const uploadId = await uploadRows(service, folder.path, rowCount, seed);
    await service.startWorker();
    let ms = 0;
    const measurement = await measure({
      what: `scenario job, ${rowCount.toLocaleString("en")} rows`,
      ours: {
        name: "ours",
        async run() {
          ms = (await service.compute(uploadId, checkpointId)).ms;
        },
        ownMs: () => ms,
      },
      others: [],
      rounds: rowCount > 2_000_000 ? 1 : rounds,
    });
    return { measurement, megabytes: service.takePeak() };
  });
}
