"""Serves predictions with FastAPI and scikit-learn or XGBoost, a common Python setup, for bench/http.ts.

Usage: fastapi-server.py [LEARNER FOLDER ROUNDS LEAVES PORT]

LEARNER is "sklearn" or "xgboost". FOLDER holds the training data in the format of train.py. The server has one process,
one thread, no keys and no limits. Without arguments, the script prints which packages are installed and exits.
"""

import importlib.util
import json
import os
import sys

os.environ["OMP_NUM_THREADS"] = "1"
PACKAGES = ("fastapi", "uvicorn", "numpy", "sklearn", "xgboost")
if len(sys.argv) < 2:
    print(json.dumps({name: importlib.util.find_spec(name) is not None for name in PACKAGES}))
    sys.exit()

from typing import Dict, List

import numpy
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

learner, folder, rounds, leaves, port = sys.argv[1:]
target = numpy.fromfile(os.path.join(folder, "training-target"), dtype="<f4")
columns = numpy.fromfile(os.path.join(folder, "training-columns"), dtype="<f4").reshape(-1, len(target)).T
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
