/**
 * Returns 600 hourly rentals as CSV: `casual` and `registered` add up to `cnt`, and `instant` counts the rows.
 *
 * @param hasHours whether a separate column `hr` holds the hour, and `dteday` only the day
 */
export function rentals(hasHours = false): string {
  const lines = Array.from({ length: 600 }, (_, row) => {
    const at = new Date(Date.UTC(2024, 0, 1, row)).toISOString();
    const temp = 12 + 6 * Math.sin(row / 24) + ((row * 17) % 5);
    const casual = Math.round(2 * temp) + ((row * 37) % 11);
    const registered = 20 + ((row * 53) % 97) + (row % 24);
    const time = hasHours ? [at.slice(0, 10), row % 24] : [at];
    return [row + 1, ...time, temp.toFixed(1), casual, registered, casual + registered].join();
  });
  return `instant,${hasHours ? "dteday,hr" : "time"},temp,casual,registered,cnt\n${lines.join("\n")}\n`;
}
