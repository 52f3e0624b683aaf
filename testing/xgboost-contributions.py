"""Records what XGBoost answers for models with missing values: predictions and pred_contribs.

Run with a Python that has xgboost and numpy: python3 xgboost-contributions.py | gzip -9n > xgboost-contributions.json.gz
"""

import json
import sys
import tempfile

import numpy as np
import xgboost as xgb

ROWS = 12
FEATURES = ["temperature", "humidity", "wind", "hour", "price"]
MODELS = [
    ("squared error", {"objective": "reg:squarederror", "max_depth": 4}),
    ("squared error far from zero", {"objective": "reg:squarederror", "max_depth": 3, "base_score": 1000}),
    ("absolute error", {"objective": "reg:absoluteerror", "max_depth": 3}),
    ("DART", {"objective": "reg:squarederror", "booster": "dart", "rate_drop": 0.3, "max_depth": 3}),
    ("random forest", {"objective": "reg:squarederror", "num_parallel_tree": 4, "subsample": 0.7, "max_depth": 4}),
    ("leaf-wise", {"objective": "reg:squarederror", "tree_method": "hist", "grow_policy": "lossguide", "max_leaves": 12}),
    ("logistic", {"objective": "binary:logistic", "max_depth": 3}),
    ("weighted logistic", {"objective": "binary:logistic", "max_depth": 4, "scale_pos_weight": 5, "base_score": 0.2}),
    ("Poisson", {"objective": "count:poisson", "max_depth": 3}),
]


def samples(random, count):
    x = random.normal(size=(count, len(FEATURES))).astype(np.float32)
    x[:, 3] = random.integers(0, 24, count)
    x[random.random(x.shape) < 0.2] = np.nan
    return x


def target(random, x, objective, base_score=None):
    known = np.nan_to_num(x, nan=0.5)
    score = 2 * known[:, 0] * (known[:, 1] > 0) + np.sin(known[:, 3] / 4) - known[:, 2] ** 2 + np.isnan(x[:, 4])
    if objective == "binary:logistic":
        return (score + random.normal(size=len(x)) > 0).astype(float)
    if objective == "count:poisson":
        return random.poisson(np.exp(score / 3)).astype(float)
    if base_score:
        score = 30 * score + base_score
    return score + 0.3 * random.normal(size=len(x))


def record(name, settings):
    random = np.random.default_rng(7)
    x = samples(random, 400)
    y = target(random, x, settings["objective"], settings.get("base_score"))
    trees = 3 if settings.get("num_parallel_tree") else 8
    settings = {"seed": 7, "nthread": 1, "eta": 0.3, **settings}
    booster = xgb.train(settings, xgb.DMatrix(x, y, feature_names=FEATURES), trees)
    asked = samples(random, ROWS)
    matrix = xgb.DMatrix(asked, feature_names=FEATURES)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        booster.save_model(file.name)
        model = json.load(open(file.name))
    return {
        "name": name,
        "model": model,
        "rows": [[None if np.isnan(v) else float(v) for v in row] for row in asked],
        "predictions": booster.predict(matrix).astype(float).tolist(),
        # One value for each feature, then the bias.
        "contributions": booster.predict(matrix, pred_contribs=True).astype(float).tolist(),
    }


json.dump({"xgboost": xgb.__version__, "models": [record(*model) for model in MODELS]}, sys.stdout)
