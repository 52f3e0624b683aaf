import { dailyDemand } from "./sample-series.ts";
import { createTrainedProject, type TrainedProject } from "./scenario-factory.ts";

const days = 200;

/** Last day of the training data. */
export const lastDay = "2023-07-19"; // 200 days from 2023-01-01.

/** Creates a project whose model predicts a day's demand from its date and price. */
export const createDemandProject = (): Promise<TrainedProject> =>
  createTrainedProject({ csv: dailyDemand(days), target: "demand", timestamp: "date" });

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
