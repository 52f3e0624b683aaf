import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { processTree } from "../process-tree.ts";
import { start, startService } from "../service.ts";

/** The real service, with a second worker. */
export type System = {
  url: string;
  databaseUrl: string;
  /** Returns the processes of the service, without PostgreSQL, with their memory in megabytes. */
  processes(): { pid: number; title: string; megabytes: number }[];
  output(): string;
  stop(): Promise<void>;
};

/** @param root existing folder for the data of the service */
export async function startSystem(root = os.tmpdir()): Promise<System> {
  const folder = mkdtempSync(path.join(root, "bystander-"));
  chmodSync(folder, 0o755);
  const dataDir = path.join(folder, "data");
  const environment = { DEMO: "0", RATE_LIMIT_PER_MINUTE: "1000000", RATE_LIMIT_BURST: "1000000" };
  const service = await startService(dataDir, environment);
  const second = await start("worker.ts", "takes jobs", { DATA_DIR: dataDir });
  const databaseUrl = readFileSync(path.join(dataDir, "secrets", "database-url"), "utf8");
  return {
    url: service.url.replace("localhost", "127.0.0.1"),
    databaseUrl,
    processes: () =>
      [service.pid, second.pid].flatMap(processTree).filter(({ title }) => !title.includes("postgres")),
    output: () => `${service.output()}\n${second.output()}`,
    async stop() {
      await second.stop();
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
