import os from "node:os";

export type Machine = {
  cores: number;
  processor: string;
  memoryGb: number;
  platform: string;
  node: string;
  /** Load average of the last minute. If it is far above 0, absolute times mean nothing. */
  load: number;
};

export function describeMachine(): Machine {
  return {
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model.trim() ?? "unknown",
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    load: Math.round(os.loadavg()[0]! * 10) / 10,
  };
}
