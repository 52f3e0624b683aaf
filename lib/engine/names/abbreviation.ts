/** Shorter names abbreviate too many others. */
const SHORTEST = 3;
const LONGEST = 30;
const WORDS_MAX = 8;

/**
 * Returns whether a name is made of the beginnings of another name's words, or of some of their consonants, in order:
 * `temp` of `temperature`, `wspd` of `windSpeed`, `qty` of `quantity`. Words may be left out.
 */
export function abbreviates(short: string, long: string): boolean {
  if (short.length >= long.length || short.length > 2 * LONGEST) return false;
  const letters = wordsOf(short).join("");
  const words = wordsOf(long).slice(0, WORDS_MAX);
  if (letters.length < SHORTEST || letters.length > LONGEST) return false;
  if (letters.length >= words.join("").length) return false;
  const known = new Map<string, boolean>();
  const fits = (from: number, word: number): boolean => {
    if (from === letters.length) return true;
    if (word === words.length) return false;
    const key = `${from} ${word}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const result =
      beginnings(letters.slice(from), words[word]!).some((length) => fits(from + length, word + 1)) ||
      fits(from, word + 1);
    known.set(key, result);
    return result;
  };
  return fits(0, 0);
}

/** Returns the lengths of the beginnings of `letters` that abbreviate a word, longest first. */
function beginnings(letters: string, word: string): number[] {
  const consonants = `${word.slice(0, 1)}${word.slice(1).replace(/[aeiouäöü]/g, "")}`;
  const lengths: number[] = [];
  for (let length = 1; length <= Math.min(letters.length, word.length); length++) {
    const piece = letters.slice(0, length);
    if (word.startsWith(piece) || isSkeleton(piece, consonants)) lengths.push(length);
  }
  return lengths.reverse();
}

/** Returns whether a piece has the first letter of a word, then some of its consonants in order: `qty` of `quantity`. */
function isSkeleton(piece: string, consonants: string): boolean {
  if (piece.length < 2) return false;
  let at = 0;
  for (const letter of consonants) if (letter === piece[at]) at++;
  return at === piece.length && piece[0] === consonants[0];
}

/** Splits a name into lowercase words: at separators, and where an uppercase letter follows a lowercase one. */
function wordsOf(name: string): string[] {
  return name
    .slice(0, 100)
    .normalize("NFKC")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
