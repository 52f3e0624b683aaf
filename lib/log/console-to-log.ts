import { format } from "node:util";
import { logger } from "./logger.ts";

/**
 * Lets what others print as errors and warnings go to the log, so that it is redacted and stands in lines of JSON: Next.js
 * prints errors with all their properties, and Node.js those that nobody has caught.
 */
export function consoleToLog(): void {
  for (const method of ["error", "warn"] as const) {
    console[method] = (...parts: unknown[]) => {
      const err = parts.find((part) => part instanceof Error);
      const words = format(...parts.filter((part) => part !== err));
      logger()[method]({ ...(err ? { err } : {}), part: "console" }, words);
    };
  }
  process.on("uncaughtException", (err) => {
    logger().fatal({ err }, "an error that nobody has caught ends the process");
    process.exit(1);
  });
}
