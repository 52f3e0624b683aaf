import type { Ensemble, Tree } from "#lib/engine/learners/tree";
import type { Contributions } from "./contributions.ts";
import { gaussLegendre, type Quadrature } from "./gauss-legendre.ts";

/**
 * Computes exact path-dependent SHAP values (Lundberg et al. 2018): each feature's addition to the expected
 * prediction. Unknown features are averaged by the training rows' cover. Base value and values sum to the prediction.
 *
 * A leaf's part in the game is a product over the features on its path. The factor of a known feature is o: 1 if the
 * row passes the path's tests of that feature, else 0. The factor of an unknown feature is z: the fraction of the
 * cover that passes. By Owen's multilinear extension (1972), a feature's Shapley value in a product game is (o - z) ∫
 * Π (t·o' + (1 - t)·z') dt over the other features' o' and z', with t from 0 to 1. The integrand is a polynomial,
 * which Gauss-Legendre quadrature integrates exactly. Products are carried down the tree and the leaves' sums back
 * up, as in Linear TreeSHAP (Yu et al. 2022), so that a row costs nodes × points.
 *
 * @param rows indices into the columns
 */
export function treeShap(
  ensemble: Ensemble,
  columns: Float32Array[],
  rows: Int32Array | number[],
): Contributions {
  const values = Array.from(rows, () => new Float64Array(ensemble.featureCount));
  let baseValue = ensemble.baseValue;
  for (const tree of ensemble.trees) {
    const shares = coverShares(tree);
    baseValue += expectedValue(tree, shares);
    const { depth, features } = pathExtent(tree);
    if (depth === 0) continue;
    // Without a feature's own factor, its integrand has one factor for each other feature on the path.
    const explain = treeExplainer(tree, shares, gaussLegendre(Math.ceil(features / 2)), depth, ensemble);
    values.forEach((sums, at) => {
      explain(columns, rows[at]!, sums);
    });
  }
  if (ensemble.link === "exp") return fromLogarithms(baseValue, values);
  const { center = 0, scale = 1 } = ensemble;
  return {
    baseValue: center + scale * baseValue,
    values: values.map((row) => row.map((value) => scale * value)),
  };
}

/**
 * Converts contributions to a logarithm into contributions to the prediction. Each is multiplied by the logarithmic
 * mean of prediction and base value, so that no remainder is left (Ang 2004, the logarithmic mean Divisia index).
 */
function fromLogarithms(logBase: number, logValues: Float64Array[]): Contributions {
  const baseValue = Math.exp(logBase);
  const values = logValues.map((row) => {
    const total = row.reduce((sum, value) => sum + value, 0);
    const mean = total === 0 ? baseValue : (baseValue * Math.expm1(total)) / total;
    return row.map((value) => value * mean);
  });
  return { baseValue, values };
}

/** Adds one tree's SHAP values of a row to `sums`. */
function treeExplainer(
  tree: Tree,
  shares: Float64Array,
  { points, weights }: Quadrature,
  depth: number,
  { featureCount }: Ensemble,
) {
  const { feature, threshold, left, right, missingLeft, value } = tree;
  const size = points.length;
  // Per level of the path: the product at each point on the way down, and the sum of the leaves below on the way up.
  const products = new Float64Array((depth + 1) * size).fill(1);
  const sums = new Float64Array((depth + 1) * size);
  // Per feature, for the path so far: whether the row passes the tests, and the fraction of the cover that passes. 1
  // and 1 if untested.
  const agrees = new Float64Array(featureCount).fill(1);
  const agreeing = new Float64Array(featureCount).fill(1);
  let x: Float32Array[] = [];
  let row = 0;
  let target = new Float64Array(0);

  function visit(node: number, level: number): void {
    const at = level * size;
    const tested = feature[node]!;
    if (tested < 0) {
      const output = value[node]!;
      for (let q = 0; q < size; q++) sums[at + q] = products[at + q]! * output;
      return;
    }
    for (let q = 0; q < size; q++) sums[at + q] = 0;
    const tests = x[tested]![row]!;
    const goesLeft = Number.isNaN(tests) ? missingLeft[node] === 1 : tests <= threshold[node]!;
    follow(left[node]!, tested, goesLeft ? 1 : 0, level);
    follow(right[node]!, tested, goesLeft ? 0 : 1, level);
  }

  function follow(child: number, tested: number, taken: number, level: number): void {
    const oldO = agrees[tested]!;
    const oldZ = agreeing[tested]!;
    const o = oldO * taken;
    const z = oldZ * shares[child]!;
    // No coalition reaches a child that neither the row nor any training row goes to.
    if (o === 0 && z === 0) return;
    const above = level * size;
    const below = above + size;
    for (let q = 0; q < size; q++) {
      const t = points[q]!;
      // A feature has one factor in the product: a second test replaces the first one's.
      products[below + q] = (products[above + q]! * (t * o + (1 - t) * z)) / (t * oldO + (1 - t) * oldZ);
    }
    agrees[tested] = o;
    agreeing[tested] = z;
    visit(child, level + 1);
    agrees[tested] = oldO;
    agreeing[tested] = oldZ;
    let change = 0;
    for (let q = 0; q < size; q++) {
      const t = points[q]!;
      const sum = sums[below + q]!;
      sums[above + q]! += sum;
      // An earlier test of the same feature has counted these leaves with its own o and z: subtract that part.
      const own = (o - z) / (t * o + (1 - t) * z);
      const before = (oldO - oldZ) / (t * oldO + (1 - t) * oldZ);
      change += weights[q]! * sum * (own - before);
    }
    target[tested]! += change;
  }

  return (columns: Float32Array[], ofRow: number, addTo: Float64Array<ArrayBuffer>) => {
    x = columns;
    row = ofRow;
    target = addTo;
    visit(0, 0);
  };
}

/** Returns, for each node but the root, its share of the parent's cover. */
function coverShares(tree: Tree): Float64Array {
  const { feature, left, right, cover } = tree;
  const shares = new Float64Array(feature.length).fill(1);
  for (let node = 0; node < feature.length; node++) {
    if (feature[node]! < 0) continue;
    const total = cover[left[node]!]! + cover[right[node]!]!;
    for (const child of [left[node]!, right[node]!]) shares[child] = total > 0 ? cover[child]! / total : 0.5;
  }
  return shares;
}

function expectedValue(tree: Tree, shares: Float64Array, node = 0): number {
  if (tree.feature[node]! < 0) return tree.value[node]!;
  const left = tree.left[node]!;
  const right = tree.right[node]!;
  return (
    shares[left]! * expectedValue(tree, shares, left) + shares[right]! * expectedValue(tree, shares, right)
  );
}

/** Returns the maximum number of tests, and of distinct features, on any path. */
function pathExtent(tree: Tree): { depth: number; features: number } {
  const extent = { depth: 0, features: 0 };
  const onPath = new Map<number, number>();
  const walk = (node: number, depth: number) => {
    const tested = tree.feature[node]!;
    if (tested < 0) {
      extent.depth = Math.max(extent.depth, depth);
      extent.features = Math.max(extent.features, onPath.size);
      return;
    }
    const times = onPath.get(tested) ?? 0;
    onPath.set(tested, times + 1);
    walk(tree.left[node]!, depth + 1);
    walk(tree.right[node]!, depth + 1);
    if (times === 0) onPath.delete(tested);
    else onPath.set(tested, times);
  };
  walk(0, 0);
  return extent;
}
