"""Sounds: written, read, turned into spectrograms by three libraries, and a network trained on them."""
import librosa
import numpy as np
import soundfile
import torch
import torchaudio

torch.manual_seed(0)
rate = 16000
time = np.arange(rate) / rate
features = []
for i in range(16):
    tone = np.sin(2 * np.pi * (300 if i % 2 else 900) * time).astype(np.float32)
    soundfile.write(f'{i}.wav', tone, rate)
    soundfile.write(f'{i}.ogg', tone, rate)
    soundfile.write(f'{i}.flac', tone, rate)
    read, _ = librosa.load(f'{i}.{["wav", "ogg", "flac"][i % 3]}', sr=8000)
    features.append(librosa.feature.melspectrogram(y=read, sr=8000, n_mels=20).mean(axis=1))
assert librosa.feature.mfcc(y=read, sr=8000).shape[0] == 20
assert len(librosa.onset.onset_detect(y=read, sr=8000)) >= 0 and librosa.yin(read[:4000], fmin=65, fmax=2000, sr=8000).size
mel = torchaudio.transforms.MelSpectrogram(8000, n_mels=20)(torch.from_numpy(read))
assert mel.shape[0] == 20 and torchaudio.functional.resample(torch.from_numpy(read), 8000, 4000).numel() * 2 == len(read)
x = torch.log1p(torch.tensor(np.array(features)))
y = torch.tensor([i % 2 for i in range(16)])
model = torch.nn.Linear(20, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for _ in range(50):
    loss = torch.nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print('Final Validation Performance:', loss.item())
