import { format } from "node:util";
import { logger } from "./logger.ts";

const levels = { error: "error", warn: "warn", log: "info", info: "info" } as const;
type Method = keyof typeof levels;

/**
 * Lets what others print go to the log, so that it is redacted and stands in lines of JSON: Next.js tells of its start and
 * prints errors with all their properties, and Node.js those that nobody has caught.
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
    logger().fatal({ err }, "an error that nobody has caught ends the process");
    process.exit(1);
  });
}
