import { trainingCsv, uploaded } from "./batch.ts";
import { BatchService } from "./batch-service.ts";
import type { Settings } from "./benchmark.ts";
import { type Measurement, measure } from "./measure.ts";
import { overSizes } from "./over-sizes.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const TREES = 300;

/** The job of a scenario of ever more rows, and the most that a new worker held in it. */
export async function* growthOfRows(settings: Settings): AsyncGenerator<Measurement> {
  const { quick, rounds, seed, say } = settings;
  using folder = temporaryFolder();
  say("  starting a PostgreSQL and a worker");
  await using service = await BatchService.start(folder.path);
  await service.startWorker();
  await service.train(Buffer.from(trainingCsv(settings)), quick ? 20 : TREES);
  const first = await uploaded(service, folder.path, 1_000, seed);
  const { checkpointId } = await service.compute(first, null);
  const sizes = quick ? [100, 1_000] : [1_000, 10_000, 100_000, 1_000_000, 10_000_000];
  yield* overSizes(sizes, async (rowCount) => {
    const uploadId = await uploaded(service, folder.path, rowCount, seed);
    await service.startWorker();
    let ms = 0;
    const measurement = await measure({
      what: `a scenario's job, of ${rowCount.toLocaleString("en")} rows`,
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
