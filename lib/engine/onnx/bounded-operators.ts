/**
 * Operators whose time and memory follow from the sizes of their inputs and from constants, never from input values,
 * and that cannot repeat or create more. One run of such a model shows its cost for that number of rows. All other
 * operators (loops, computed shapes, repetitions) have unbounded cost.
 */
const BOUNDED = new Set([
  ...words(`
    Abs Add And ArgMax ArgMin BatchNormalization Cast Ceil Clip Concat Constant Cos Div Dropout Elu Equal Erf
    Exp Flatten Floor Gather Gelu Gemm Greater GreaterOrEqual HardSigmoid Identity IsInf IsNaN
    LayerNormalization LeakyRelu Less LessOrEqual Log LogSoftmax MatMul Max Mean Min Mod Mul Neg Not Or PRelu
    Pow Reciprocal ReduceMax ReduceMean ReduceMin ReduceSum ReduceSumSquare ReduceL2 Relu Reshape Round Selu
    Shape Sigmoid Sign Sin Slice Softmax Softplus Softsign Split Sqrt Squeeze Sub Sum Tan Tanh TopK Transpose
    Unsqueeze Where Xor`),
  ...words(`
    ArrayFeatureExtractor Binarizer CastMap CategoryMapper FeatureVectorizer Imputer LabelEncoder
    LinearClassifier LinearRegressor Normalizer OneHotEncoder SVMClassifier SVMRegressor Scaler TreeEnsemble
    TreeEnsembleClassifier TreeEnsembleRegressor ZipMap`).map((operator) => `ai.onnx.ml.${operator}`),
]);

/** @returns the operators (`domain.Name` outside the standard domain) with unbounded cost */
export function unboundedOperators(operators: readonly string[]): string[] {
  return operators.filter((operator) => !BOUNDED.has(operator));
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
