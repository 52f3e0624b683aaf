/** Log-odds beyond which a probability is 0 or 1 for all purposes. The bound keeps its logarithm finite. */
const LARGEST = 30;

/** Returns the probability whose log-odds are given: strictly between 0 and 1. */
export function probabilityOf(logOdds: number): number {
  return 1 / (1 + Math.exp(-boundedLogOdds(logOdds)));
}

/** Returns the log-odds of the probability that is predicted from the score. */
export function boundedLogOdds(score: number): number {
  return Math.max(-LARGEST, Math.min(LARGEST, score));
}

/** Returns the log-odds of a probability. */
export function logOddsOf(probability: number): number {
  return boundedLogOdds(Math.log(probability / (1 - probability)));
}

/** Returns the log-odds of a rate among `count` rows. A rate of 0 or 1 counts as half a row of the other class. */
export function logOddsOfRate(rate: number, count: number): number {
  const least = 0.5 / count;
  const bounded = Math.max(least, Math.min(1 - least, rate));
  return Math.log(bounded / (1 - bounded));
}

/** Returns the log loss of a row of class `y` (0 or 1). */
export function logLossAt(y: number, logOdds: number): number {
  const away = boundedLogOdds(y > 0 ? logOdds : -logOdds);
  return away > 0 ? Math.log1p(Math.exp(-away)) : Math.log1p(Math.exp(away)) - away;
}
