import type { TrainModel } from "#lib/contract/train-model";
import { dailyDemand } from "./sample-series.ts";
import { createTrainedProject, type TrainedProject } from "./scenario-factory.ts";

const days = 200;

/** Last day of the training data. */
export const lastDay = "2023-07-19"; // 200 days from 2023-01-01.

/** Header, and rows of the training data and of the 20 days after it: date, price and demand. */
export const demandLines = dailyDemand(days + 20)
  .trim()
  .split("\n");

/** Returns some of these days as CSV, counted from 0. */
export const demandCsv = (from: number, to: number) =>
  `${[demandLines[0], ...demandLines.slice(1 + from, 1 + to)].join("\n")}\n`;

/** Creates a project whose model predicts a day's demand from its date and price. */
export const createDemandProject = (request?: TrainModel): Promise<TrainedProject> =>
  createTrainedProject({
    csv: demandCsv(0, days),
    target: "demand",
    timestamp: "date",
    ...(request && { request }),
  });

/** Returns the days after the training data, as rows of `date,price`. */
export const laterDays = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const date = new Date(Date.UTC(2023, 0, 1 + days + i)).toISOString().slice(0, 10);
    return { date, price: 5 + i / 4 };
  });

export const daysCsv = (rows: { date: string; price: number | string }[]): string =>
  `date,price\n${rows.map(({ date, price }) => `${date},${price}`).join("\n")}\n`;

/** Returns a function that creates calls in the project with its key. `scenarioId` selects a scenario. */
export const callIn =
  ({ projectId, as }: TrainedProject) =>
  ({ scenarioId, ...rest }: { scenarioId?: string; [key: string]: unknown } = {}) => ({
    params: { projectId, ...(scenarioId === undefined ? {} : { scenarioId }) },
    as,
    ...rest,
  });
