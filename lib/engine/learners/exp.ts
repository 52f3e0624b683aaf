/** ln 2 in two parts. The first has so few digits that its products with whole numbers are exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** Terms of the series for |x| ≤ ln 2 / 2; the next one is below 1e-19. */
const TERMS = 14;
/** Above it, e^x exceeds the largest double; below its negative, it is less than 1e-307 and counts as 0. */
const MOST = 709;

/**
 * Returns e^x from sums and products only. `Math.exp` differs in the last bit between a browser and Node.js, and a
 * prediction has the same bits in both.
 */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > MOST) return Number.POSITIVE_INFINITY;
  if (x < -MOST) return 0;
  const doublings = Math.round(x / Math.LN2);
  const rest = x - doublings * LN2_HIGH - doublings * LN2_LOW;
  let result = 1;
  for (let term = TERMS; term > 0; term--) result = 1 + (rest / term) * result;
  const factor = doublings < 0 ? 0.5 : 2;
  for (let count = Math.abs(doublings); count > 0; count--) result *= factor;
  return result;
}
