import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { FullConfig } from "@playwright/test";
import { createDataFolder } from "#testing/run-folder";
import { startService } from "./service.ts";

/**
 * Starts a service with the demo for each worker; `playwright.config.ts` assigns it. Writes the services' output to
 * `.test-data` at the end.
 */
export default async function setup({ workers }: FullConfig): Promise<() => Promise<void>> {
  const folder = createDataFolder("forkcast-e2e-");
  chmodSync(folder, 0o755);
  const start = async (worker: number) => {
    const dataDir = path.join(folder, `data-${worker}`);
    const service = await startService(dataDir, {
      DEMO: "1",
      WEBHOOKS_ALLOW_PRIVATE: "1",
      COMPARISON_LINKS: "1",
    });
    process.env[`E2E_BASE_URL_${worker}`] = service.url;
    process.env[`E2E_DATA_DIR_${worker}`] = dataDir;
    return service;
  };
  const starts = await Promise.allSettled(Array.from({ length: workers }, (_, worker) => start(worker)));
  const services = starts.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const stop = async () => {
    await Promise.all(services.map((service) => service.stop()));
    const log = path.resolve(import.meta.dirname, "..", ".test-data");
    mkdirSync(log, { recursive: true });
    const outputs = services.map((service) => service.output());
    writeFileSync(path.join(log, "service.log"), outputs.join("\n\n"));
    rmSync(folder, { recursive: true, force: true });
  };
  const failed = starts.find((one) => one.status === "rejected");
  if (failed === undefined) return stop;
  await stop();
  throw failed.reason;
}
