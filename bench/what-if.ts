import path from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { limits } from "#lib/contract/limits";
import { startService } from "../e2e/service.ts";
import { openSession, type Session } from "../e2e/session.ts";
import { frames, openContext, openPage, settle } from "./browser.ts";
import { type Benchmark, temporaryFolder } from "./harness.ts";
import { hourlyCsv, hourlyTrainingCsv, TRAINING_ROWS } from "./hourly-csv.ts";
import { createTrainedProject, requestOfTrees } from "./trained-project.ts";

/** Measures the frames of a page that predicts while a slider of an input is dragged, beside those of a blank page. */
export const whatIf: Benchmark = async function* ({ quick, rounds, seed, log }) {
  using folder = temporaryFolder();
  log("  starting a service");
  const service = await startService(path.join(folder.path, "data"));
  try {
    const session = await openSession(service.url);
    const trees = quick ? 20 : 300;
    const apart = await createScenario(session, { rows: quick ? 500 : 10_000, trees, lags: [] }, seed);
    // As many as the page's worker predicts.
    const rows = quick ? 500 : limits.previewRowsTogether;
    const together = await createScenario(session, { rows, trees, lags: [1, 24] }, seed);
    await using context = await openContext(session);
    const blank = await openPage(context, null, 1);
    for (const { address, what } of [apart, together]) {
      const page = await openEditor(context, `${session.url}${address}`);
      yield* frames({ page, blank, kind: "dragging a slider", what }, { quick, rounds });
      await page.close();
    }
  } finally {
    await service.stop();
  }
};

/** Opens a scenario's page with its inputs beside the chart. */
async function openEditor(context: BrowserContext, url: string): Promise<Page> {
  const page = await openPage(context, url, 1);
  const worker = page.waitForEvent("worker");
  await page.getByRole("button", { name: "Edit inputs" }).click();
  await worker;
  await settle();
  return page;
}

async function createScenario(
  session: Session,
  { rows, trees, lags }: { rows: number; trees: number; lags: number[] },
  seed: number,
): Promise<{ address: string; what: string }> {
  const { at, checkpointId } = await createTrainedProject(session, {
    training: hourlyTrainingCsv(seed),
    timestamp: "time",
    request: { ...requestOfTrees(trees), features: { lags, calendar: true } },
  });
  const { scenarioId } = await session.job<{ scenarioId: string }>(`${at}/scenarios`, {
    title: "Plan",
    checkpointId,
    fileName: "plan.csv",
    fileData: hourlyCsv({ first: TRAINING_ROWS, count: rows, seed: seed + 1 }),
  });
  const kind = lags.length > 0 ? " that build on each other" : "";
  return {
    address: `${at}/scenarios/${scenarioId}`,
    what: `${rows.toLocaleString("en")} rows${kind} × ${trees} trees`,
  };
}
