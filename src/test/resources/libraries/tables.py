"""Tables: read, joined, encoded, and models fitted to them, on all processors that a script has."""
import numpy as np
import pandas as pd
import polars as pl
import pyarrow.dataset
import pyarrow.parquet
import scipy.sparse
import scipy.stats
import statsmodels.api as sm
from category_encoders import TargetEncoder
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from statsmodels.tsa.holtwinters import ExponentialSmoothing
from tqdm import tqdm

random = np.random.default_rng(0)
rows = 2000
table = pd.DataFrame({'city': random.choice(list('abcdef'), rows), 'x': random.normal(size=rows), 'z': random.normal(size=rows),
                      'when': pd.date_range('2026-01-01', periods=rows, freq='h')})
table['y'] = ((table.x + (table.city == 'a') + random.normal(scale=0.5, size=rows)) > 0).astype(int)
table.to_csv('train.csv', index=False)
table.to_parquet('train.parquet')
assert pd.read_csv('train.csv', parse_dates=['when'], engine='pyarrow').shape == table.shape
assert pl.scan_parquet('train.parquet').group_by('city').agg(pl.col('y').mean()).collect().height == 6
assert pl.read_csv('train.csv').join(pl.DataFrame({'city': ['a'], 'n': [1]}), on='city', how='left').to_pandas().n.sum() > 0
assert pyarrow.dataset.dataset('train.parquet').count_rows() == rows == pyarrow.parquet.read_table('train.parquet').num_rows

train, test = train_test_split(table, test_size=0.2, random_state=0, stratify=table.y)
encode = ColumnTransformer([('city', OneHotEncoder(), ['city']), ('numbers', StandardScaler(), ['x', 'z'])])
search = GridSearchCV(make_pipeline(encode, RandomForestClassifier(n_estimators=30, random_state=0)),
                      {'randomforestclassifier__max_depth': [3, 6]}, cv=3, scoring='roc_auc', n_jobs=-1)
search.fit(train, train.y)
target = TargetEncoder(cols=['city']).fit(train[['city']], train.y).transform(test[['city']])
assert scipy.sparse.csr_matrix(target.values).nnz > 0
logit = sm.Logit(train.y, sm.add_constant(train[['x', 'z']])).fit(disp=0)
assert logit.pvalues['x'] < 0.01
season = ExponentialSmoothing(np.sin(np.arange(200) / 4) + 2, seasonal='add', seasonal_periods=25).fit().forecast(25)
assert len(season) == 25 and scipy.stats.ks_2samp(train.x, test.x).pvalue > 1e-6
for _ in tqdm(range(3), desc='done'):
    pass
print('Final Validation Performance:', roc_auc_score(test.y, search.predict_proba(test)[:, 1]))
