/** An instant for people, in UTC: 2023-07-19, or 2023-07-19 13:00 UTC where it is not the beginning of a day. */
export function tellTime(instant: number): string {
  const text = new Date(instant).toISOString();
  return text.endsWith("T00:00:00.000Z")
    ? text.slice(0, 10)
    : `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`;
}
