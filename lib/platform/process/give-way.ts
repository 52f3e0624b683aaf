import { getPriority, setPriority } from "node:os";

/**
 * Lowers the priority of the calling thread, and of the threads and processes that it starts later. On a machine with
 * few processors, threads that answer requests then take precedence. A priority that is lower already stays, because
 * raising it needs privileges. Only Linux has priorities of threads; elsewhere the call would change the process.
 *
 * @param niceness 0 is the normal priority, 19 the lowest
 */
export function giveWay(niceness: number): void {
  if (process.platform === "linux") setPriority(Math.max(niceness, getPriority()));
}
