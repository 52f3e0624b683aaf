/** Small series on which tests train models, as plain CSV. Each call returns the same text. */

const DAY_MS = 86_400_000;
const START = Date.UTC(2023, 0, 1);

const dayText = (day: number) => new Date(START + day * DAY_MS).toISOString().slice(0, 10);
const temperature = (day: number) =>
  12 + 9 * Math.sin((2 * Math.PI * (day - 100)) / 365) + 3 * Math.sin(1.7 * day) + ((day * 7919) % 13) / 6;

/** Returns `day,temp`: a yearly season with daily variations. */
export function dailyTemperature(days: number): string {
  const rows = Array.from({ length: days }, (_, day) => `${dayText(day)},${temperature(day).toFixed(3)}`);
  return `day,temp\n${rows.join("\n")}\n`;
}

/** Returns `date,price,demand`. The demand depends on the temperature, the price and the day of the week. */
export function dailyDemand(days: number): string {
  const rows = Array.from({ length: days }, (_, day) => {
    const price = 5 + ((day * 31) % 11) / 3;
    const demand = 200 - 4 * temperature(day) - 6 * price + (day % 7 < 5 ? 20 : 0);
    return `${dayText(day)},${price.toFixed(3)},${demand.toFixed(3)}`;
  });
  return `date,price,demand\n${rows.join("\n")}\n`;
}
