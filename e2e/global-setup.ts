import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { startService } from "./service.ts";

/**
 * One service with the demo for all tests here; they find it at `E2E_BASE_URL` and its data folder at `E2E_DATA_DIR`.
 * What it printed stands in `.test-data` afterwards.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "prediction-service-e2e-"));
  chmodSync(folder, 0o755);
  const dataDir = path.join(folder, "data");
  const service = await startService(dataDir, { DEMO: "1" });
  process.env.E2E_BASE_URL = service.url;
  process.env.E2E_DATA_DIR = dataDir;
  return async () => {
    await service.stop();
    const log = path.resolve(import.meta.dirname, "..", ".test-data");
    mkdirSync(log, { recursive: true });
    writeFileSync(path.join(log, "service.log"), service.output());
    rmSync(folder, { recursive: true, force: true });
  };
}
