/** The candidate that a misspelt name most likely meant, or null: at most a third of its letters may differ. */
export function nearestName(name: string, candidates: readonly string[]): string | null {
  const wanted = plain(name);
  let best: string | null = null;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, plain(candidate));
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Case and separators do not count: `windSpeed`, `wind_speed` and `Wind Speed` are one name. */
function plain(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[\s_.-]+/g, "");
}

/** Levenshtein's distance: insertions, deletions and substitutions from one text to the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
