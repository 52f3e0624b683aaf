/** Series differ by dash as well as by colour. */
const dashes = ["", "7 4", "2 4", "10 4 2 4", "14 5", "4 2"];

export function dashOf(index: number): string {
  return dashes[index % dashes.length]!;
}
