/**
 * Returns the median of each window of consecutive values, without gaps (NaN); 0 for a window without values. Windows share
 * most values, so the values of a window stay sorted while it moves.
 *
 * @param width values of a window, at most as many as there are values
 */
export function runningMedian(values: Float64Array, width: number): Float64Array {
  const sorted = new Float64Array(width);
  let count = 0;
  /** Returns the number of sorted values below a value. */
  const placeOf = (value: number) => {
    let place = 0;
    while (place < count && sorted[place]! < value) place++;
    return place;
  };
  const insert = (value: number) => {
    if (Number.isNaN(value)) return;
    const place = placeOf(value);
    sorted.copyWithin(place + 1, place, count++);
    sorted[place] = value;
  };
  const remove = (value: number) => {
    if (Number.isNaN(value)) return;
    const place = placeOf(value);
    sorted.copyWithin(place, place + 1, count--);
  };
  const median = () => {
    const middle = count >> 1;
    if (count === 0) return 0;
    return count % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  };
  for (let at = 0; at < width; at++) insert(values[at]!);
  const medians = new Float64Array(values.length - width + 1);
  medians[0] = median();
  for (let at = width; at < values.length; at++) {
    remove(values[at - width]!);
    insert(values[at]!);
    medians[at - width + 1] = median();
  }
  return medians;
}
