import os
import re
import warnings
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import pandas as pd
from scipy.fft import dct
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from scipy.signal import resample, resample_poly
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.feature_selection import f_classif
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import QuantileTransformer
from lightgbm import LGBMClassifier

warnings.filterwarnings('ignore')

SR = 8000
train = pd.read_csv('./input/train.csv')
test = pd.read_csv('./input/test.csv')
if os.environ.get('MLE_STAR_ROWS'):
    train = train.sample(min(len(train), int(os.environ['MLE_STAR_ROWS'])), random_state=0).reset_index(drop=True)
sample = pd.read_csv('./input/sample_submission.csv')
classes = [c for c in sample.columns if c != 'id']


def load(folder, ids):
    rows = []
    for i in ids:
        with open(f'./input/{folder}/{i}.wav', 'rb') as f:
            rows.append(np.frombuffer(f.read()[-2000:], dtype=np.uint8))
    return np.stack(rows).astype(float) - 128.0


def decibel(p, floor):
    return 10 * np.log10(p + floor)


def trend(v):
    """slope, curvature, std of the rest of each row"""
    t = np.linspace(-1, 1, v.shape[1])
    q, _ = np.linalg.qr(np.stack([np.ones_like(t), t, t ** 2], 1))
    c = v @ q
    return c[:, 1], c[:, 2], (v - c @ q.T).std(1)


def rest(v):
    t = np.linspace(-1, 1, v.shape[1])
    q, _ = np.linalg.qr(np.stack([np.ones_like(t), t, t ** 2], 1))
    return v - (v @ q) @ q.T


def corr(a, b):
    return (a * b).mean(1) / (a.std(1) * b.std(1) + 1e-3)


def features(A):
    n, N = A.shape
    A = A - A.mean(1, keepdims=True)
    A = A / np.abs(A).max(1, keepdims=True)
    r = np.arange(n)
    o = {}
    # long spectrum
    NF = 8192
    F = np.fft.rfft(A * np.hanning(N), NF, axis=1)
    P = np.abs(F) ** 2
    P = P / P.sum(1, keepdims=True)
    fr = np.fft.rfftfreq(NF, 1 / SR)
    df = fr[1]
    lp = np.log(P + 1e-10)
    # bands
    ce = np.geomspace(45, 3900, 42)
    width = np.log(ce[1] / ce[0])
    tri = np.clip(1 - np.abs(np.log(np.maximum(fr, 1.0))[:, None] - np.log(ce)[None]) / width, 0, None)
    Lb = decibel(P @ tri, 1e-5)
    for j, c in enumerate(ce):
        o[f'band{int(c)}'] = Lb[:, j]
    # mel cepstra and their change
    w, hop = 400, 100
    ix = np.arange(0, N - w + 1, hop)[:, None] + np.arange(w)[None]
    fra = A[:, ix]
    S = np.abs(np.fft.rfft(fra * np.hanning(w), 512, axis=2)) ** 2
    fs = np.fft.rfftfreq(512, 1 / SR)
    mel = lambda f: 2595 * np.log10(1 + f / 700)
    mc = np.linspace(mel(30.0), mel(3950.0), 28)
    mb = np.clip(1 - np.abs(mel(fs)[:, None] - mc[None]) / (mc[1] - mc[0]), 0, None)
    ME = S @ mb
    M = decibel(ME, 1e-3)
    C = dct(M, axis=2, norm='ortho')
    for k in range(16):
        o[f'mfcc{k}'] = C[:, :, k].mean(1)
    for k in range(12):
        s, c, e = trend(C[:, :, k])
        o[f'mfcc{k}_slope'], o[f'mfcc{k}_rest'] = s, np.log(e + .1)
    for k in range(4):
        s, c, e = trend(decibel(ME[:, :, 7 * k:7 * k + 7].sum(2), 1e-3))
        o[f'part{k}_slope'], o[f'part{k}_curve'], o[f'part{k}_rest'] = s, c, np.log(e + .1)
    o['flux'] = np.log(np.abs(np.diff(M, axis=1)).mean((1, 2)) + .01)
    R = decibel((fra ** 2).mean(2), 1e-5)
    s, c, e = trend(R)
    o['env_slope'], o['env_curve'], o['env_rest'] = s, c, np.log(e + .02)
    o['env_range'], o['env_argmax'] = R.max(1) - R.min(1), R.argmax(1).astype(float)
    # shape
    cen = P @ fr
    o['centroid'] = np.log(cen)
    o['spread'] = .5 * np.log(np.clip(P @ fr ** 2 - cen ** 2, 1, None))
    cs = P.cumsum(1)
    for q in (.1, .25, .5, .75, .9, .97, .995):
        o[f'roll{q}'] = np.log(fr[(cs >= q).argmax(1)] + 5)
    o['entropy'] = -(P * lp).sum(1)
    for a, b in ((60, 500), (500, 1000), (1000, 2000), (2000, 3000), (3000, 3900)):
        m = (fr >= a) & (fr < b)
        o[f'flat{a}'] = lp[:, m].mean(1) - np.log(P[:, m].mean(1) + 1e-10)
        o[f'floor{a}'] = np.quantile(lp[:, m], .2, axis=1)
    sd = A.std(1)
    Z = A / sd[:, None]
    o['rms'] = np.log(sd)
    o['skew'] = (Z ** 3).mean(1)
    o['absskew'] = np.abs(o['skew'])
    o['kurt'] = np.log((Z ** 4).mean(1))
    o['zcr'] = np.log((np.diff(np.sign(A), axis=1) != 0).mean(1) + .002)
    o['asym'] = np.log(A.max(1) / -A.min(1))
    o['absasym'] = np.abs(o['asym'])
    o['quiet'] = np.log((np.abs(A) < .01).mean(1) + .003)
    # pitch by YIN at 16 kHz
    U = resample(A, 2 * N, axis=1)
    T = 640
    W = 2 * N - T
    cc = np.fft.irfft(np.conj(np.fft.rfft(U[:, :W], 8192, axis=1)) * np.fft.rfft(U, 8192, axis=1), 8192, axis=1)[:, :T]
    en = np.concatenate([np.zeros((n, 1)), (U ** 2).cumsum(1)], 1)
    E = en[:, W:W + T] - en[:, :T]
    d = np.clip(E[:, :1] + E - 2 * cc, 0, None)
    cm = np.ones_like(d)
    cm[:, 1:] = d[:, 1:] * np.arange(1, T)[None] / (d[:, 1:].cumsum(1) + 1e-9)
    dip = np.zeros(cm.shape, dtype=bool)
    dip[:, 4:-1] = (cm[:, 4:-1] <= cm[:, 3:-2]) & (cm[:, 4:-1] < cm[:, 5:])
    low = np.minimum(np.where(dip, cm, 2.0).min(1), 1.5)
    good = dip & (cm <= np.maximum(1.5 * low, low + .08)[:, None])
    tau = np.where(good.any(1), good.argmax(1), 4 + cm[:, 4:T - 1].argmin(1))
    a0, a1, a2 = cm[r, tau - 1], cm[r, tau], cm[r, tau + 1]
    den = a0 - 2 * a1 + a2
    f0 = 2 * SR / (tau + np.clip(.5 * (a0 - a2) / np.where(np.abs(den) > 1e-9, den, 1.0), -.5, .5))
    # refined by the sum over harmonics
    amp = np.sqrt(P)
    grid = f0[:, None] * np.linspace(.96, 1.04, 61)[None]
    score = np.zeros_like(grid)
    for k in range(1, 9):
        pos = grid * k / df
        v = pos < NF // 2 - 2
        pos = np.where(v, pos, 0.0)
        p0 = pos.astype(int)
        u = pos - p0
        score += np.where(v, amp[r[:, None], p0] * (1 - u) + amp[r[:, None], p0 + 1] * u, 0.0)
    f0 = np.clip(grid[r, score.argmax(1)], 25, 3700)
    # harmonics
    KH = 16
    H, dev, ph = np.zeros((n, KH)), np.zeros((n, KH)), np.zeros((n, KH))
    off = np.linspace(-1, 1, 21)
    for k in range(1, KH + 1):
        half = np.minimum(.4 * f0, np.maximum(6.0, .012 * k * f0))
        v = k * f0 < SR / 2 - 40
        q = np.rint((k * f0[:, None] + half[:, None] * off[None]) / df).astype(int)
        q = np.clip(q, 1, NF // 2 - 1)
        b = q[r, P[r[:, None], q].argmax(1)]
        l0, l1, l2 = lp[r, b - 1], lp[r, b], lp[r, b + 1]
        den = l0 - 2 * l1 + l2
        sh = np.clip(.5 * (l0 - l2) / np.where(np.abs(den) > 1e-9, den, 1.0), -1, 1)
        H[:, k - 1] = np.where(v, P[r, b], 0.0)
        dev[:, k - 1] = np.where(v, (b + sh) * df / (k * f0) - 1, 0.0)
        ph[:, k - 1] = np.angle(F[r, b])
    H[:, 0] += 1e-7
    Hs = H / H.sum(1, keepdims=True)
    hd = decibel(Hs, 1e-5)
    kk = np.arange(1, KH + 1)
    for k in range(KH):
        o[f'h{k + 1}'] = hd[:, k]
    o['odd_even'] = decibel(Hs[:, 2:9:2].sum(1), 1e-4) - decibel(Hs[:, 1:8:2].sum(1), 1e-4)
    o['h2_4'] = decibel(Hs[:, 1:4].sum(1), 1e-4)
    o['h5_up'] = decibel(Hs[:, 4:].sum(1), 1e-5)
    lk = np.log(kk[:8])
    lk = lk - lk.mean()
    o['h_slope'] = hd[:, :8] @ lk / (lk @ lk)
    o['h_centroid'] = np.log(Hs @ kk)
    o['centroid_f0'] = np.log(cen / f0)
    # pitch
    o['f0'] = np.log2(f0)
    o['yin'] = np.log(low + 1e-3)
    Wt = Hs * kk
    fine = f0 * (1 + (Wt[:, :4] * dev[:, :4]).sum(1) / (Wt[:, :4].sum(1) + 1e-9))
    midi = 69 + 12 * np.log2(np.clip(fine, 20, 4000) / 440)
    cents = midi - np.rint(midi)
    o['cents'], o['abscents'] = cents, np.log(np.abs(cents) + .01)
    Wn = Wt / Wt.sum(1, keepdims=True)
    o['inharm'] = np.log((Wn * np.abs(dev - (Wn * dev).sum(1, keepdims=True))).sum(1) + 1e-5)
    s2 = kk ** 2 - 1.0
    rt = np.sqrt(Hs)
    o['stiff'] = np.cbrt((rt * (dev - dev[:, :1]) * s2).sum(1) / ((rt * s2 ** 2).sum(1) + 1e-6) * 1e4)
    ratio = fr[None] / f0[:, None]
    at = (np.abs(ratio - np.rint(ratio)) * f0[:, None] < np.minimum(14.0, .2 * f0)[:, None]) & (ratio > .5)
    off_h = P * ~at
    hi = (fr > 1500)[None]
    o['noise'] = decibel(off_h.sum(1), 1e-6)
    o['sub'] = decibel((P * (ratio < .7)).sum(1), 1e-6)
    o['noise_high'] = decibel((off_h * hi).sum(1), 1e-6) - decibel((P * hi).sum(1), 1e-6)
    # movement of single partials
    order = np.argsort(-Hs, axis=1)
    keep = {}
    win = np.hanning(322)[1:-1]
    WF = np.fft.fft(win / win.sum(), 4096)
    tt = np.arange(N) / SR
    for name, kx in (('p1', np.zeros(n, dtype=int)), ('pA', order[:, 0]), ('pB', order[:, 1]),
                     ('p2', np.full(n, 1)), ('p3', np.full(n, 2)), ('p4', np.full(n, 3))):
        fx = (kx + 1) * f0 * (1 + dev[r, kx])
        z = A * np.exp(-2j * np.pi * fx[:, None] * tt[None])
        b = np.fft.ifft(np.fft.fft(z, 4096, axis=1) * WF[None], axis=1)[:, 320:N:40]
        lb = 20 * np.log10(np.abs(b) + 1e-4)
        du = np.clip(np.diff(np.unwrap(np.angle(b), axis=1), axis=1) * SR / 40 / (2 * np.pi) / fx[:, None] * 1731, -200, 200)
        keep[name] = rest(lb), rest(du)
        s, c, e = trend(lb)
        if name in ('p2', 'p3', 'p4'):
            o[name + '_slope'], o[name + '_rest'] = s - o['p1_slope'], np.log(e + .05)
            continue
        o[name + '_slope'], o[name + '_curve'], o[name + '_rest'] = s, c, np.log(e + .05)
        u = np.diff(np.unwrap(np.angle(b), axis=1), axis=1) * SR / 40 / (2 * np.pi) / fx[:, None] * 1731
        s, c, e = trend(np.clip(u, -200, 200))
        o[name + '_glide'], o[name + '_vib'] = np.sign(s) * np.log1p(np.abs(s)), np.log(e + .3)
    # phases against the first harmonic
    for k in (2, 3, 4, 5):
        q = ph[:, k - 1] - k * ph[:, 0]
        g = np.clip((np.minimum(hd[:, k - 1], hd[:, 0]) + 35) / 35, 0, 1)
        o[f'cos{k}'], o[f'sin{k}'] = np.cos(q) * g, np.sin(q) * g
    # x2: noise in ranges, harmonics against the strongest
    for a, b in ((60, 500), (500, 1000), (1000, 2000), (2000, 3000), (3000, 3900)):
        m = (fr >= a) & (fr < b)
        q = off_h[:, m].sum(1)
        o[f'x2_noise{a}'] = decibel(q, 1e-7)
        o[f'x2_share{a}'] = decibel(q, 1e-7) - decibel(P[:, m].sum(1), 1e-7)
    top = hd.max(1)
    for k in range(10):
        o[f'x2_h{k + 1}'] = np.where((k + 1) * f0 < SR / 2 - 40, hd[:, k] - top, np.nan)
    o['x2_best'], o['x2_second'] = order[:, 0].astype(float), order[:, 1].astype(float)
    o['x2_count'] = (hd > top[:, None] - 30).sum(1).astype(float)
    # x4: reflection coefficients of linear prediction, order 12
    Y = A.copy()
    Y[:, 1:] = A[:, 1:] - .9 * A[:, :-1]
    Y = Y * np.hanning(N)
    ac = np.fft.irfft(np.abs(np.fft.rfft(Y, 4096, axis=1)) ** 2, axis=1)[:, :13]
    ac[:, 0] = ac[:, 0] * (1 + 1e-5) + 1e-9
    al = np.zeros((n, 13))
    al[:, 0] = 1
    er = ac[:, 0].copy()
    for i in range(1, 13):
        kr = -(al[:, :i] * ac[:, i:0:-1]).sum(1) / er
        al[:, :i + 1] = al[:, :i + 1] + kr[:, None] * al[:, i::-1]
        er = er * (1 - kr ** 2)
        o[f'x4_k{i}'] = np.arctanh(np.clip(kr, -.9999, .9999))
    o['x4_gain'] = np.log(er / ac[:, 0] + 1e-9)
    # x5: cepstrum and irregularity of the harmonics
    hc = np.maximum(hd[:, :12] - top[:, None], -45)
    cp = dct(hc, axis=1, norm='ortho')
    for k in range(1, 8):
        o[f'x5_c{k}'] = cp[:, k]
    bend = hc[:, 1:-1] - .5 * (hc[:, :-2] + hc[:, 2:])
    o['x5_irregular'] = np.abs(bend[:, :8]).mean(1)
    o['x5_alternate'] = (bend[:, :8] * np.array([1, -1] * 4)).mean(1)
    # x6: modulation of the level and of the frequency of the strongest partial
    iw = np.arange(0, N - 200 + 1, 50)[:, None] + np.arange(200)[None]
    V = decibel((A[:, iw] ** 2).mean(2), 1e-5)
    t6 = np.linspace(-1, 1, V.shape[1])
    V = V - V @ np.linalg.pinv(np.stack([np.ones_like(t6), t6], 1)).T @ np.stack([np.ones_like(t6), t6], 0)
    mo = np.abs(np.fft.rfft(V * np.hanning(V.shape[1]), axis=1))
    for k in range(1, 8):
        o[f'x6_level{k}'] = np.log(mo[:, k] + .1)
    fx = (order[:, 0] + 1) * f0 * (1 + dev[r, order[:, 0]])
    z = A * np.exp(-2j * np.pi * fx[:, None] * tt[None])
    b = np.fft.ifft(np.fft.fft(z, 4096, axis=1) * WF[None], axis=1)[:, 320:N:40]
    u = np.clip(np.diff(np.unwrap(np.angle(b), axis=1), axis=1) * SR / 40 / (2 * np.pi) / fx[:, None] * 1731, -200, 200)
    u = u - u.mean(1, keepdims=True)
    fo = np.abs(np.fft.rfft(u * np.hanning(u.shape[1]), axis=1))
    for k in range(1, 6):
        o[f'x6_freq{k}'] = np.log(fo[:, k] + 1)
    # y1: level between the harmonics in 10 ranges
    ye = np.geomspace(90, 3900, 11)
    free = (~at).astype(float)
    for j in range(10):
        mm = (fr >= ye[j]) & (fr < ye[j + 1])
        cnt = free[:, mm].sum(1)
        o[f'y1_{j}'] = np.where(cnt > 3, (lp * free)[:, mm].sum(1) / np.maximum(cnt, 1), np.nan)
    # y2: distribution of the samples and of their differences
    for q in (.02, .1, .25, .75, .9, .98):
        o[f'y2_q{q}'] = np.quantile(Z, q, axis=1)
    D1 = np.diff(A, axis=1)
    D1 = D1 / D1.std(1, keepdims=True)
    D2 = np.diff(D1, axis=1)
    D2 = D2 / D2.std(1, keepdims=True)
    o['y2_d_skew'], o['y2_d_kurt'] = (D1 ** 3).mean(1), np.log((D1 ** 4).mean(1))
    o['y2_dd_skew'], o['y2_dd_kurt'] = (D2 ** 3).mean(1), np.log((D2 ** 4).mean(1))
    o['y2_d_asym'] = np.log(D1.max(1) / -D1.min(1))
    # y3: periodicity in ranges, number of harmonics above levels and the last of them
    for a, b in ((60, 500), (500, 1000), (1000, 2000), (2000, 3000), (3000, 3900)):
        mm = (fr >= a) & (fr < b)
        for t3 in (1, 3):
            o[f'y3_p{t3}_{a}'] = (P[:, mm] * np.cos(2 * np.pi * t3 * ratio[:, mm])).sum(1) / (P[:, mm].sum(1) + 1e-9)
    for lev in (15, 30, 45):
        on = hd > top[:, None] - lev
        o[f'y3_n{lev}'] = on.sum(1).astype(float)
        o[f'y3_last{lev}'] = np.log2((on * kk).max(1) * f0)
    # y6: change of the short spectra: peaks of flux by range, first against last third
    dM = np.abs(np.diff(M, axis=1))
    for j in range(4):
        fl = dM[:, :, 7 * j:7 * j + 7].mean(2)
        o[f'y6_mean{j}'], o[f'y6_peak{j}'] = np.log(fl.mean(1) + .05), np.log((fl.max(1) + .05) / (np.median(fl, axis=1) + .05))
        g6 = M[:, :, 7 * j:7 * j + 7].mean(2)
        o[f'y6_drop{j}'] = g6[:, :5].mean(1) - g6[:, -5:].mean(1)
    # y8: size of the Fourier transform over log frequency (12 bands an octave), which a shift of pitch leaves alone
    e8 = 60 * 2 ** (np.arange(72) / 12)
    t8 = np.clip(1 - np.abs(np.log2(np.maximum(fr, 1.0))[:, None] - np.log2(e8)[None]) * 12, 0, None)
    L8 = decibel(P @ t8, 1e-5)
    L8 = L8 - L8.mean(1, keepdims=True)
    m8 = np.abs(np.fft.rfft(L8, 128, axis=1))
    for j in range(2, 34, 2):
        o[f'y8_{j}'] = np.log(m8[:, j - 1:j + 1].mean(1) + 3)
    # what is off the harmonics, in bands; irregular levels; peaks of the spectrum whatever their place
    for a, b in ((30, 250), (250, 600), (600, 1200), (1200, 2200), (2200, 3700)):
        m = (fr >= a) & (fr < b)
        o[f'off{a}'] = decibel(off_h[:, m].sum(1), 1e-6)
        o[f'offshare{a}'] = decibel((off_h[:, m].sum(1) + 1e-8) / (P[:, m].sum(1) + 1e-7), 1e-4)
    o['irregular'] = np.abs(hd[:, 1:9] - (hd[:, :8] + hd[:, 2:10]) / 2).mean(1)
    o['h_top'] = hd[:, :10].argmax(1).astype(float)
    pe = np.zeros_like(P)
    pe[:, 40:-1] = np.where((P[:, 40:-1] > P[:, 39:-2]) & (P[:, 40:-1] >= P[:, 41:]), P[:, 40:-1], 0)
    top = np.argpartition(-pe, 3, axis=1)[:, :3]
    top = np.take_along_axis(top, np.argsort(-np.take_along_axis(pe, top, 1), axis=1), 1)
    pv = np.take_along_axis(pe, top, 1)
    for q in (1, 2, 3, 4):
        o[f'peaks{q}'] = np.log1p((pe > pv[:, :1] * 10.0 ** -q).sum(1))
    o['peak_f'] = np.log2(fr[top[:, 0]] + 1)
    for j in (1, 2):
        o[f'peak{j}_ratio'] = np.log2((fr[top[:, j]] + 1) / (fr[top[:, 0]] + 1))
        o[f'peak{j}_level'] = decibel(pv[:, j] / (pv[:, 0] + 1e-12), 1e-5)
    # fine envelope: steps and roughness
    fe = np.lib.stride_tricks.sliding_window_view(A ** 2, 160, axis=1)[:, ::40].mean(2)
    fd = decibel(fe, 1e-5)
    st = np.diff(fd, axis=1)
    o['rise'], o['drop'], o['step'] = st.max(1), st.min(1), np.log(np.abs(st).mean(1) + .01)
    ro = fe / fe.mean(1, keepdims=True)
    t1 = np.linspace(-1, 1, ro.shape[1])
    q2, _ = np.linalg.qr(np.stack([np.ones_like(t1), t1, t1 ** 2], 1))
    ro = np.abs(np.fft.rfft((ro - (ro @ q2) @ q2.T) * np.hanning(ro.shape[1]), 128, axis=1)) ** 2
    rf = np.fft.rfftfreq(128, 40 / SR)
    for a, b in ((8, 20), (20, 40), (40, 70), (70, 100)):
        o[f'rough{a}'] = np.log(ro[:, (rf >= a) & (rf < b)].mean(1) + 1e-4)
    # lpc: 12 reflection coefficients of the differenced wave
    D = np.diff(A, axis=1)
    ac = np.fft.irfft(np.abs(np.fft.rfft(D * np.hanning(N - 1), 4096, axis=1)) ** 2, 4096, axis=1)[:, :13]
    ac[:, 0] *= 1 + 1e-4
    al, er = np.zeros((n, 13)), ac[:, 0].copy()
    al[:, 0] = 1
    for k in range(1, 13):
        rc = -(al[:, :k] * ac[:, k:0:-1]).sum(1) / er
        al[:, 1:k + 1] = al[:, 1:k + 1] + rc[:, None] * al[:, k - 1::-1][:, :k]
        er = er * (1 - rc ** 2)
        o[f'lpc.{k}'] = np.arctanh(np.clip(rc, -.999, .999))
    # cycle: shape of the wave's first and second difference, crossings in a period
    for nm, d in (('1', D), ('2', np.diff(D, axis=1))):
        z = d / (d.std(1, keepdims=True) + 1e-9)
        o[f'cycle.skew{nm}'], o[f'cycle.absskew{nm}'] = (z ** 3).mean(1), np.abs((z ** 3).mean(1))
        o[f'cycle.kurt{nm}'], o[f'cycle.asym{nm}'] = np.log((z ** 4).mean(1)), np.abs(np.log(z.max(1) / -z.min(1)))
        o[f'cycle.size{nm}'] = np.log(d.std(1) / sd + 1e-4)
    o['cycle.cross'] = np.log((np.diff(np.sign(A), axis=1) != 0).mean(1) * SR / 2 / f0 + .1)
    # hnr: autocorrelation at 1 and 3 periods of the part of the power in a range
    for tp in (1, 3):
        cw = P * np.cos(2 * np.pi * tp * ratio)
        for a, b in ((30, 500), (500, 1000), (1000, 1800), (1800, 2800), (2800, 3900)):
            m = (fr >= a) & (fr < b)
            o[f'hnr.{tp}_{a}'] = (cw[:, m].sum(1) + 1e-8) / (P[:, m].sum(1) + 3e-8)
    # many: harmonics above a level, steps between neighbours, odd against even higher up, deepest gap
    rel = hd - hd.max(1, keepdims=True)
    for q in (15, 25, 35, 45):
        o[f'many.{q}'] = (rel > -q).sum(1).astype(float)
        o[f'many.last{q}'] = np.log((np.where(rel > -q, kk, 0)).max(1) * f0)
    for k in range(4):
        o[f'many.step{k + 1}'] = hd[:, k] - hd[:, k + 1]
    o['many.oddhigh'] = hd[:, 4:13:2].mean(1) - hd[:, 5:14:2].mean(1)
    o['many.alternate'] = np.abs(hd[:, 2:12] - (hd[:, 1:11] + hd[:, 3:13]) / 2).max(1)
    o['many.gap'], o['many.gapat'] = rel[:, :8].min(1), rel[:, :8].argmin(1).astype(float)
    o['many.topf'] = np.log(f0 * (hd.argmax(1) + 1))
    # gap: power between k + .25 and k + .75 times f0, of all and of the neighbouring harmonics
    cs0 = np.concatenate([np.zeros((n, 1)), cs], 1)
    for k in range(8):
        i0, i1 = (np.clip(np.rint((k + u) * f0 / df).astype(int), 0, NF // 2) for u in (.25, .75))
        gp = cs0[r, i1 + 1] - cs0[r, i0]
        o[f'gap.{k}'] = np.where((k + .75) * f0 < 3900, decibel(gp, 1e-7), np.nan)
    # sync: do the first partials move together, in level and in frequency
    for x, z in (('p1', 'p2'), ('p1', 'p3'), ('p2', 'p3'), ('pA', 'pB')):
        o[f'sync.level{x}{z}'] = corr(keep[x][0], keep[z][0])
        o[f'sync.freq{x}{z}'] = corr(keep[x][1], keep[z][1])
    for x in ('p2', 'p3', 'p4'):
        o[f'sync.vib{x}'] = np.log(keep[x][1].std(1) + .3)
    # width: power within 4 Hz of that within 20 Hz around a partial
    for k in range(5):
        ctr = np.clip(np.rint((k + 1) * f0 * (1 + dev[:, k]) / df).astype(int), 25, NF // 2 - 25)
        win20 = P[r[:, None], ctr[:, None] + np.arange(-20, 21)[None]]
        o[f'width.{k + 1}'] = np.log((win20[:, 16:25].sum(1) + 1e-8) / (win20.sum(1) + 2e-8))
    # thirds: dB of six ranges in the last third less the first third; power below 30 Hz
    th = N // 3
    S0, S2 = (np.abs(np.fft.rfft(A[:, q:q + th] * np.hanning(th), 1024, axis=1)) ** 2 for q in (0, N - th))
    f3 = np.fft.rfftfreq(1024, 1 / SR)
    for a, b in ((40, 200), (200, 400), (400, 800), (800, 1500), (1500, 2500), (2500, 3900)):
        m = (f3 >= a) & (f3 < b)
        o[f'thirds.{a}'] = decibel(S2[:, m].mean(1), 1e-2) - decibel(S0[:, m].mean(1), 1e-2)
    o['thirds.dc'] = decibel(P[:, fr < 30].sum(1), 1e-7)
    X = pd.DataFrame(o)
    return X.replace([np.inf, -np.inf], np.nan)


TWIN = ['mfcc0', 'mfcc1', 'mfcc2', 'mfcc3', 'centroid', 'h1', 'h2', 'h3', 'h5_up', 'noise', 'roll0.9', 'entropy', 'f0', 'rms', 'yin', 'irregular', 'floor1000']
ENDS = ['env_slope', 'p1_slope', 'pA_slope', 'env_range', 'rise', 'drop', 'flux', 'mfcc0_slope', 'env_rest']
REL = ['centroid', 'spread', 'roll0.75', 'roll0.97', 'entropy', 'mfcc1', 'mfcc2', 'mfcc3', 'mfcc4', 'h1', 'h2', 'h3', 'h4', 'h5_up', 'odd_even', 'h_slope', 'noise',
       'noise_high', 'sub', 'yin', 'env_slope', 'p1_slope', 'pA_slope', 'env_rest', 'flux', 'kurt', 'rms', 'irregular', 'inharm', 'stiff', 'off600', 'floor1000', 'pA_rest', 'pA_vib']


def columns_of(A, size=110):
    """features by chunks that fit the cache, two at a time"""
    with ThreadPoolExecutor(2) as pool:
        return pd.concat(list(pool.map(features, [A[i:i + size] for i in range(0, len(A), size)])), ignore_index=True)


def copied(A, up, down):
    """resampled, again at the limit and in whole steps of 8 bits"""
    B = resample_poly(A, up, down, axis=1)[:, 10:1990]
    return columns_of(np.rint(B / np.abs(B).max(1, keepdims=True) * 127))


def by_note(X, index):
    """means over the excerpts of a note, differences and ends of them"""
    g = X.groupby(index)
    M, hi, lo = g.mean(), g.max(), g.min()
    more = {f'twin.{c}': hi[c] - lo[c] for c in TWIN}
    more |= {f'ends.max_{c}': hi[c] for c in ENDS} | {f'ends.min_{c}': lo[c] for c in ENDS}
    return pd.concat([M, pd.DataFrame(more)], axis=1)


NC = len(classes)
y = train['family'].map({c: i for i, c in enumerate(classes)}).to_numpy(dtype=int)
uni, first, inverse, count = np.unique(train['note'].to_numpy(), return_index=True, return_inverse=True, return_counts=True)
yn, m = y[first], len(uni)
prior = np.bincount(y, minlength=NC) / len(y)
tnote, tinv = np.unique(test['note'].to_numpy(), return_inverse=True)
A, AT = load('train', train['id']), load('test', test['id'])
# notes as they are, and one to four semitones lower and higher; test notes also one lower and higher
STEPS = ((89, 84), (84, 89), (55, 49), (49, 55), (44, 37), (37, 44), (63, 50), (50, 63))
NCOP = 1 + len(STEPS)
X0 = columns_of(A)
sets = [by_note(X0, inverse)] + [by_note(copied(A, u, d), inverse) for u, d in STEPS]
tests = [by_note(columns_of(AT), tinv)] + [by_note(copied(AT, u, d), tinv) for u, d in STEPS[:2]]
mt = len(tests[0])
pairs = [c for c in sets[0].columns if c.startswith(('twin.', 'ends.'))]
single = pd.concat([X0, sets[0].loc[inverse, pairs].reset_index(drop=True)], axis=1)[list(sets[0].columns)]
med = pd.concat([sets[0], tests[0]]).median().fillna(0)
sets, tests, single = [v.fillna(med) for v in sets], [v.fillna(med) for v in tests], single.fillna(med)
pitch = np.concatenate([sets[0]['f0'], tests[0]['f0']])
level = np.concatenate([sets[0][REL].to_numpy(), tests[0][REL].to_numpy()])


def complete(M):
    """with the features less their mean over notes of like pitch"""
    W = np.exp(-.5 * ((M['f0'].to_numpy()[:, None] - pitch[None]) / .2) ** 2) + 1e-6
    return np.concatenate([M.to_numpy(), M[REL].to_numpy() - W @ level / W.sum(1, keepdims=True)], 1)


names = list(sets[0].columns) + [f'rel.{c}' for c in REL]
place = {c: i for i, c in enumerate(names)}
raw = np.concatenate([complete(v) for v in sets + [single]])
rawT = np.concatenate([complete(v) for v in tests])
own = np.concatenate([np.arange(m)] * NCOP + [inverse])
kind = np.concatenate([np.repeat(np.arange(NCOP), m), np.full(len(single), NCOP)])
is_ref = kind < NCOP
for_trees = np.isin(kind, (0, 3, 4, NCOP))
qt = QuantileTransformer(output_distribution='normal', n_quantiles=300, random_state=0).fit(np.concatenate([raw[:m], rawT[:mt]]))
QA, QT_ = (np.clip(qt.transform(v), -2.5, 2.5) for v in (raw, rawT))


def harm(v):
    return np.concatenate([np.maximum(v[:, [place[f'h{k}'] for k in range(1, 13)]], -40) / 10,
                           3 * v[:, [place['f0']]], 2 * v[:, [place['abscents']]]], 1)


HA, HT = harm(raw), harm(rawT)
has = lambda pattern: np.array([bool(re.match(pattern, c)) for c in names])
OF2 = has(r'off|irregular|h_top|peak|rise|drop|step|rough|p[234]_|(lpc|cycle|hnr|many|gap|sync|width|thirds|twin|ends|rel)\.')
OF1 = has(r'[xy]\d_')
BLOCKS = [~OF2, ~OF1, has('band|y8'), has(r'mfcc\d+$'), has(r'mfcc\d+_|part|flux|env|y6'), has('centroid|spread|roll|entropy|flat|floor'),
          has(r'h\d+$|odd_|h_|h2_|h5_|irregular|x5'), has('x2'), has('f0|cents|abscents|inharm|stiff|peak'), has(r'off|noise|sub|yin|gap|hnr|y1|y3'),
          has(r'p[1234AB]_|x6'), has('skew|absskew|kurt|rms|asym|absasym|quiet|zcr|cycle|y2'), has(r'lpc|x4'), has('many'), has('twin|thirds'),
          has('ends|rise|drop|step|rough'), has(r'rel\.'), has('sync|width')]


def prob(z):
    e = np.exp(z - z.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def rms(a, b):
    a, b = a.astype(np.float32), b.astype(np.float32)
    d2 = (a ** 2).sum(1)[:, None] + (b ** 2).sum(1)[None] - 2 * a @ b.T
    return np.sqrt(np.maximum(d2, 0) / np.float32(a.shape[1]))


def nearest(d, own_q, own_r, fam_r):
    d = np.where(own_q[:, None] == own_r[None], np.float32(9), d)
    F = np.stack([d[:, fam_r == k].min(1, initial=9.0) for k in range(NC)], 1)
    low = F.min(1, keepdims=True)
    return np.hstack([F - low, low])


def full(model, c):
    p = np.zeros((len(c), NC))
    p[:, model.classes_] = model.predict_proba(c)
    return np.log(.985 * p + .015 * prior)


def whitening(ln, w, cols):
    """F-weights, and whitening by the covariance of the copies about their note"""
    mid = np.mean([QA[ln + i * m][:, cols] for i in range(NCOP)], axis=0)
    e = np.concatenate([QA[ln + i * m][:, cols] - mid for i in range(NCOP)]) * w[cols]
    C = e.T @ e / len(e)
    C = .7 * C + (.3 * np.trace(C) / len(C) + 1e-6) * np.eye(len(C))
    val, U = np.linalg.eigh(C)
    return w[cols][:, None] * (U / np.sqrt(val)) @ U.T


def regression(D, T, pu, lam=.03, lam_u=.5):
    """ridge on the learnt rows and on unlabelled notes as predicted (pu, or by a first ridge); three copies of the queries"""
    K, KU, KUU, Kq, KqU = (d.astype(float) for d in D)
    if pu is None:
        first_K = K.copy()
        first_K[np.diag_indices(len(K))] += lam
        al = cho_solve(cho_factor(first_K, overwrite_a=True), T)
        pu = prob(1.8 * np.log(np.clip(KU @ al + prior, .01, None)))
    M2 = np.block([[K, KU.T], [KU, KUU]])
    M2[np.diag_indices(len(M2))] += np.concatenate([np.full(len(K), lam), np.full(len(KU), lam_u)])
    al = cho_solve(cho_factor(M2, overwrite_a=True), np.concatenate([T, pu - prior]))
    f = Kq @ al[:len(K)] + KqU @ al[len(K):]
    return f.reshape(3, -1, NC).mean(0) + prior, pu


def members(ln, raw_q, Q_q, H_q, own_q, unlabelled, seeds):
    """log scores of each member for the queries (three copies one after the other), learnt from the notes ln and their copies"""
    L = np.flatnonzero(np.isin(own, ln))
    LT = np.flatnonzero(np.isin(own, ln) & for_trees)
    ref = np.flatnonzero(np.isin(own, ln) & is_ref)
    b, bt, fam = yn[own[L]], yn[own[LT]], yn[own[ref]]
    F = np.nan_to_num(f_classif(QA[ln], yn[ln])[0])
    w = np.clip(np.sqrt(F / F.mean()), .25, 2.5)
    w = w / np.sqrt((w ** 2).mean())
    mean3 = lambda z: np.average(z.reshape(3, -1, NC), axis=0, weights=[.5, .25, .25])
    T = np.eye(NC)[b] - prior
    sums, whites = None, []
    for i, cols in enumerate(BLOCKS):
        W = whitening(ln, w, cols)
        x, u, q = QA[L][:, cols] @ W, unlabelled[:, cols] @ W, Q_q[:, cols] @ W
        D = [rms(x, x), rms(u, x), rms(u, u), rms(q, x), rms(q, u)]
        sc = np.median(D[0][::5, ::5])
        D = [np.exp(-d / sc) for d in D]
        sums = D if sums is None else [s + d for s, d in zip(sums, D)]
        if i < 2:
            whites.append(D)
        if i == 0:
            # whitened columns, also for the nearest notes of the trees and for networks
            size = np.sqrt((x ** 2).mean())
            xw, qw = x / size, q / size
            at_ref = np.searchsorted(L, ref)
            nl = np.hstack([nearest(rms(xw[np.searchsorted(L, LT)], xw[at_ref]), own[LT], own[ref], fam),
                            nearest(rms(HA[LT], HA[ref]), own[LT], own[ref], fam)])
            nq = np.hstack([nearest(rms(qw, xw[at_ref]), own_q, own[ref], fam), nearest(rms(H_q, HA[ref]), own_q, own[ref], fam)])
    log = lambda f: np.log(np.clip(f, .01, None))
    out = {}
    f, pu = regression([s / np.float32(len(BLOCKS)) for s in sums], T, None)
    out['blocks'], out['blocks plain'] = log(f), 6 * f
    out['white 1'] = log(regression(whites[0], T, pu)[0])
    out['white 2'] = log(regression(whites[1], T, pu)[0])
    gain = np.zeros(raw.shape[1] + nl.shape[1])
    a, c = np.hstack([raw[LT], nl]), np.hstack([raw_q, nq])
    z = 0
    for s in range(seeds):
        g = LGBMClassifier(n_estimators=100, learning_rate=.075, num_leaves=7, min_child_samples=8, colsample_bytree=.06,
                           subsample=.7, subsample_freq=1, reg_lambda=5, max_bin=63, importance_type='gain', verbose=-1,
                           random_state=s).fit(a, bt)
        z = z + full(g, c) / seeds
        gain += g.feature_importances_
    out['lgbm'] = mean3(z)
    et = ExtraTreesClassifier(n_estimators=120 + 60 * seeds, max_features=.08, min_samples_leaf=2, n_jobs=-1, random_state=0)
    out['extra trees'] = mean3(full(et.fit(raw[ref], fam), raw_q))
    z, nets = 0, 3 * seeds
    for s in range(nets):
        xi, qi = ((xw, qw), (QA[L] * w, Q_q * w), (QA[L][:, ~OF1] * w[~OF1], Q_q[:, ~OF1] * w[~OF1]))[s % 3]
        g = MLPClassifier(hidden_layer_sizes=(96,), alpha=(1.0, 2.0, 1.5)[s % 3], batch_size=64, learning_rate_init=.002, max_iter=7,
                          random_state=s).fit(xi, b)
        z = z + full(g, qi) / nets
    out['mlp'] = mean3(z)
    return out, gain


def pool(zs, v):
    return prob(sum(x * z for x, z in zip(v, zs)))


def nll(p, rows):
    return np.average(-np.log(p[np.arange(len(rows)), yn[rows]] + 1e-12), weights=count[rows])


def weights(zs, rows):
    """weights of a pool of log scores, held near equal ones; their sum sharpens"""
    f = lambda v: nll(pool(zs, v), rows) + .05 * np.sum((v - .2) ** 2)
    return minimize(f, np.full(len(zs), .2), method='L-BFGS-B', bounds=[(0, 3)] * len(zs)).x


FOLDS = 4
oof = {}
fold = np.zeros(m, dtype=int)
for i, (l, h) in enumerate(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(yn, yn)):
    fold[h] = i
    hh = np.concatenate([h, h + m, h + 2 * m])
    got, _ = members(l, raw[hh], QA[hh], HA[hh], own[hh], np.concatenate([QA[h], QT_[:mt]]), 1)
    for k, v in got.items():
        oof.setdefault(k, np.zeros((m, NC)))[h] = v
use = list(oof)
every = np.arange(m)
P = np.zeros((m, NC))
for i in range(FOLDS):
    l, h = np.flatnonzero(fold != i), np.flatnonzero(fold == i)
    P[h] = pool([oof[k][h] for k in use], weights([oof[k][l] for k in use], l))
loss = -np.log(P[every, yn] + 1e-12)
score = nll(P, every)
wt = weights([oof[k] for k in use], every)

got, gain = members(every, rawT, QT_, HT, np.full(len(rawT), -1), QT_[:mt], 2)
p = pool([got[k] for k in use], wt)
p = .998 * p + .002 * prior
sub = pd.DataFrame(p[tinv], columns=classes)
sub.insert(0, 'id', test['id'].to_numpy())
sub = sample[['id']].merge(sub, on='id', how='left')
assert sub.notna().all().all()
os.makedirs('./final', exist_ok=True)
sub.to_csv('./final/submission.csv', index=False)

print('Summary: all features of both paths; kernel ridges exp(-d/median) lam .03 on F-weighted quantiles whitened by copies (each path, mean of '
      '18 blocks), unlabelled notes as predicted; LightGBM with near notes, extra trees, MLP; +-1 to +-4 semitones; pooled by 4 folds')
for k in use:
    v = min(np.arange(.6, 2.5, .1), key=lambda u: nll(pool([oof[k]], [u]), every))
    others = [oof[j] for j in use if j != k]
    less = nll(pool(others, weights(others, every)), every) - nll(pool([oof[j] for j in use], wt), every)
    print(f'{k}: {nll(pool([oof[k]], [v]), every):.4f} at power {v:.1f}, weight {wt[use.index(k)]:.2f}, without it {less:+.4f}')
print('folds of blend:', ' '.join(f'{nll(P[fold == i], np.flatnonzero(fold == i)):.3f}' for i in range(FOLDS)))
print('accuracy of notes:', round((P.argmax(1) == yn).mean(), 3))
by = pd.Series(loss).groupby(np.array(classes)[yn]).mean().round(2).sort_values(ascending=False)
for part in (by.iloc[:4], by.iloc[4:8], by.iloc[8:]):
    print('by family:', ', '.join(f'{k} {v}' for k, v in part.items()))
pair = pd.Series([f'{classes[a]}>{classes[b]}' for a, b in zip(yn, P.argmax(1)) if a != b]).value_counts()
print('confused:', ', '.join(f'{k} {v}' for k, v in pair.head(4).items()))
fn = names + [f'near {c}' for c in classes] + ['near any'] + [f'nearh {c}' for c in classes] + ['nearh any']
top = [fn[i] for i in np.argsort(-gain)[:10]]
print('strongest:', ', '.join(top[:4]))
print('then:', ', '.join(top[4:7]))
print('then:', ', '.join(top[7:]))
for i in np.argsort(-loss)[:3]:
    print(f'worst: note {uni[i]} {classes[yn[i]]} as {classes[P[i].argmax()]}, f0 {2 ** sets[0]["f0"].iloc[i]:.0f} Hz')
print(f'Final Validation Performance: {score}')