import { abbreviates } from "./abbreviation.ts";

/**
 * Returns the allowed edits: a third of the name, at least one. `tmp` suggests `temp`, but `a` does not suggest `b`.
 */
function allowedEdits(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

/** Maximum character comparisons per search. Names and candidates are untrusted and can be many and long. */
const STEPS_MAX = 250_000;

/** Maximum candidates that are compared with abbreviations. */
const ABBREVIATIONS_MAX = 1_000;

/**
 * Returns the candidate most similar to a name, or else one that abbreviates it, or null. Ignores case, separators and
 * accent encoding: `WindSpeed`, `wind_speed` and `wind speed` are equal.
 */
export function nearestName(name: string, candidates: readonly string[]): string | null {
  return nameFinder(candidates)(name);
}

/** Returns a `nearestName` search over fixed candidates, for several names. */
export function nameFinder(candidates: readonly string[]): (name: string) => string | null {
  const offers = candidates.filter((name) => name !== "").map((name) => ({ name, text: plain(name) }));
  return (name) => {
    const plainName = plain(name);
    const same = offers.find(({ text }) => text === plainName);
    if (same !== undefined || plainName.length < 2) return same?.name ?? null;
    let best: string | null = null;
    let bestDistance = allowedEdits(plainName) + 1;
    let steps = 0;
    for (const { name: candidate, text } of offers) {
      if (Math.abs(text.length - plainName.length) >= bestDistance) continue;
      steps += plainName.length * text.length;
      if (steps > STEPS_MAX) break;
      const distance = editDistance(plainName, text);
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return best ?? abbreviated(name, offers);
  };
}

/** Returns the first candidate that abbreviates the name, or that the name abbreviates: `hum` and `humidity`. */
function abbreviated(name: string, offers: readonly { name: string }[]): string | null {
  const found = offers
    .slice(0, ABBREVIATIONS_MAX)
    .find((offer) => abbreviates(offer.name, name) || abbreviates(name, offer.name));
  return found?.name ?? null;
}

function plain(name: string): string {
  return name
    .slice(0, 100)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_.-]+/g, "");
}

/** Returns the number of insertions, deletions, substitutions and adjacent swaps (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let twoBefore: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, twoBefore[j - 2]! + 1);
      }
      row.push(cost);
    }
    twoBefore = before;
    before = row;
  }
  return before[b.length]!;
}
