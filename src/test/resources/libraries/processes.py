"""All ways by which scripts share work between processes, and what libraries write beside themselves."""
import concurrent.futures
import multiprocessing
import multiprocessing.shared_memory
import os
import tempfile

import joblib
import matplotlib
import numpy as np

matplotlib.use('Agg')
import matplotlib.pyplot as plt
import numba
import torch
import torch.multiprocessing


def square(x):
    return int(np.sum(np.full(x, x)))


def fill(rank, tensor):
    tensor[rank] = 1


@numba.njit(cache=True, parallel=True)
def total(values):
    sum = 0.0
    for i in numba.prange(len(values)):
        sum += values[i]
    return sum


if __name__ == '__main__':
    for method in 'fork', 'spawn', 'forkserver':
        context = multiprocessing.get_context(method)
        with context.Pool(2) as pool:
            assert pool.map(square, range(20)) == [x * x for x in range(20)]
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
            assert list(pool.map(square, range(5))) == [x * x for x in range(5)]
    with multiprocessing.Manager() as manager:
        assert manager.dict(a=1)['a'] == 1
    block = multiprocessing.shared_memory.SharedMemory(create=True, size=64 << 20)
    block.buf[0] = 7
    block.close()
    block.unlink()
    assert joblib.Parallel(n_jobs=-1)(joblib.delayed(square)(x) for x in range(20)) == [x * x for x in range(20)]
    assert joblib.cpu_count() == int(os.environ['LOKY_MAX_CPU_COUNT'])
    big = np.random.default_rng(0).normal(size=2_000_000)
    assert len(joblib.Parallel(n_jobs=2)(joblib.delayed(np.mean)(part) for part in (big, big))) == 2
    memory = joblib.Memory(tempfile.mkdtemp(), verbose=0)
    assert memory.cache(square)(3) == 9
    shared = torch.zeros(2).share_memory_()
    torch.multiprocessing.spawn(fill, args=(shared,), nprocs=2)
    assert shared.sum() == 2 and abs(total(big) - big.sum()) < 1e-6
    plt.hist(big[:100])
    plt.title('α')
    plt.savefig('picture.png')
    assert os.path.getsize('picture.png') > 1000
    print('Final Validation Performance: 1.0')
