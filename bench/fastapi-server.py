"""Predicts over HTTP as most would in Python: FastAPI with scikit-learn or XGBoost, for bench/http.ts.

Arguments: "sklearn" or "xgboost", the folder of the data to learn from (as for train.py), rounds, leaves, port. One
process and one thread; no keys, no limits. Without arguments it says what is missing: nothing, or the first package.
"""

import importlib.util
import os
import sys

os.environ["OMP_NUM_THREADS"] = "1"
PACKAGES = ("fastapi", "uvicorn", "numpy")
missing = [name for name in (*PACKAGES, *sys.argv[1:2]) if importlib.util.find_spec(name) is None]
if missing or len(sys.argv) < 3:
    print(*missing, flush=True)
    sys.exit()

from typing import Dict, List

import numpy
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

learner, folder, rounds, leaves, port = sys.argv[1:]
target = numpy.fromfile(os.path.join(folder, "learned-target"), dtype="<f4")
columns = numpy.fromfile(os.path.join(folder, "learned-columns"), dtype="<f4").reshape(-1, len(target)).T
if learner == "sklearn":
    from sklearn.ensemble import HistGradientBoostingRegressor

    model = HistGradientBoostingRegressor(
        max_iter=int(rounds), max_leaf_nodes=int(leaves), learning_rate=0.1, early_stopping=False
    )
else:
    from xgboost import XGBRegressor

    model = XGBRegressor(
        n_estimators=int(rounds),
        tree_method="hist",
        grow_policy="lossguide",
        max_depth=0,
        max_leaves=int(leaves),
        learning_rate=0.1,
        n_jobs=1,
    )
model.fit(numpy.ascontiguousarray(columns), target)
app = FastAPI()


class Request(BaseModel):
    input: Dict[str, List[float]]


@app.post("/predict")
async def predict(request: Request):
    rows = numpy.array(list(request.input.values()), dtype="f4").T
    return {"data": {"predictions": model.predict(rows).tolist()}}


uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="warning", access_log=False)
