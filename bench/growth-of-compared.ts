import path from "node:path";
import { takePeak } from "../e2e/process-figures.ts";
import { admin, startService } from "../e2e/service.ts";
import type { Settings } from "./benchmark.ts";
import { comparison, receive } from "./compare.ts";
import { createComparedProject } from "./compared-project.ts";
import { type Measurement, measure } from "./measure.ts";
import { overSizes } from "./over-sizes.ts";
import { processOf } from "./process-tree.ts";
import { signIn } from "./session.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Measures the response of a comparison by its number of scenarios, and the peak memory of the web process. */
export async function* growthOfCompared({ quick, rounds, seed, log }: Settings): AsyncGenerator<Measurement> {
  using folder = temporaryFolder();
  log("  starting a service");
  const service = await startService(path.join(folder.path, "data"));
  try {
    const session = await signIn(service.url, admin);
    const sizes = { manyRows: quick ? 2_000 : 100_000, longRows: 1_000 };
    const { projectId, many } = await createComparedProject(session, { ...sizes, seed, log });
    const web = process.platform === "linux" ? processOf(service.pid, "web") : null;
    yield* overSizes([2, 5, 10, 20], async (count) => {
      if (web !== null) takePeak(web);
      const measurement = await measure({
        what: `comparison of ${count} scenarios, ${sizes.manyRows.toLocaleString("en")} rows each`,
        ours: { name: "ours", run: () => receive(session, comparison(projectId, many.slice(0, count))) },
        others: [],
        rounds,
        repeat: 5,
      });
      return { measurement, megabytes: web === null ? null : takePeak(web) };
    });
  } finally {
    await service.stop();
  }
}
