/** Formats an instant for messages, in UTC: `2023-07-19` at midnight, otherwise `2023-07-19 13:00 UTC`. */
export function formatInstant(instant: number): string {
  const text = new Date(instant).toISOString();
  return text.endsWith("T00:00:00.000Z")
    ? text.slice(0, 10)
    : `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`;
}
