import { format } from "node:util";
import { logger } from "./logger.ts";

const levels = { error: "error", warn: "warn", log: "info", info: "info" } as const;
type Method = keyof typeof levels;

/**
 * Redirects the console to the log, which redacts secrets and writes JSON lines. Next.js prints its start and errors
 * with all their properties; Node.js prints uncaught errors.
 */
export function consoleToLog(): void {
  for (const method of Object.keys(levels) as Method[]) {
    console[method] = (...parts: unknown[]) => {
      const err = parts.find((part) => part instanceof Error);
      const words = format(...parts.filter((part) => part !== err));
      logger()[levels[method]]({ ...(err ? { err } : {}), part: "console" }, words);
    };
  }
  process.on("uncaughtException", (err) => {
    logger().fatal({ err }, "uncaught error ends the process");
    process.exit(1);
  });
}
