import { createTrainedProject, type TrainedProject } from "./scenario-factory.ts";

const DAY = 86_400_000;
const START = Date.UTC(2025, 0, 1);
/** Number of days of the data. */
export const panelDays = 120;

export const panelStores = { A: "south", B: "south", C: "north" } as const;
export const panelItems = ["1", "2"];

export const panelDay = (at: number) => new Date(START + at * DAY).toISOString().slice(0, 10);

/** Returns daily sales of three stores with two items, as CSV. The price of an item changes, and promotions raise its sales. */
export function panelCsv(days = panelDays): string {
  const lines = Object.entries(panelStores).flatMap(([store, region], s) =>
    panelItems.flatMap((item, i) =>
      Array.from({ length: days }, (_, at) => {
        const promo = (at + 3 * s + i) % 9 === 0 ? 1 : 0;
        const price = 5 + (((at >> 4) + s) % 3);
        const noise = ((at * 7919 + s * 104_729 + i * 1_299_709) % 101) / 101;
        const base = 40 * (s + 1) + 15 * i + (at % 7 < 2 ? 12 : 0) - 3 * price;
        const sales = (base * (promo ? 1.4 : 1) + 4 * noise).toFixed(3);
        return [panelDay(at), store, item, region, price, promo, sales].join();
      }),
    ),
  );
  return `date,store,item,region,price,promo,sales\n${lines.join("\n")}\n`;
}

/** Creates a project of many series with a model of them. */
export const createPanelProject = (csv = panelCsv(), series = ["store", "item"]): Promise<TrainedProject> =>
  createTrainedProject({
    name: "Sales",
    csv,
    target: "sales",
    timestamp: "date",
    series,
    request: {},
  });
