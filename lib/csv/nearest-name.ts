/** Edits allowed: a third of the name, at least one, so that `tmp` suggests `temp` but `a` does not suggest `b`. */
function allowedEdits(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

/**
 * The candidate nearest to a name, or null if none is near. Case and the signs between words count for little:
 * `WindSpeed`, `wind_speed` and `wind speed` are the same to it.
 */
export function nearestName(name: string, candidates: readonly string[]): string | null {
  const wanted = plain(name);
  let best: string | null = null;
  let bestDistance = allowedEdits(wanted) + 1;
  for (const candidate of candidates) {
    if (candidate === "") continue;
    const offered = plain(candidate);
    if (offered === wanted) return candidate;
    if (wanted.length < 2 || Math.abs(offered.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, offered);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function plain(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[\s_.-]+/g, "");
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment) from one text to another. */
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
