"""Loads a pretrained model of each kind by its name, as a script would that has a network."""
import os
import sys

sys.path.insert(0, os.path.realpath('input'))
os.environ['KERAS_BACKEND'] = 'torch'
import torch

from sentence_transformers import SentenceTransformer
from transformers import AutoModel, AutoTokenizer, pipeline

embedder = SentenceTransformer('all-MiniLM-L6-v2')
a, b, c = embedder.encode(['A man is eating food.', 'Somebody has a meal.', 'The stock market fell.'])
assert a @ b > 0.5 > a @ c, (a @ b, a @ c)
name = 'sentence-transformers/all-MiniLM-L6-v2'
tokens = AutoTokenizer.from_pretrained(name)(['A man is eating food.'], return_tensors='pt')
assert AutoModel.from_pretrained(name)(**tokens).last_hidden_state.shape[-1] == 384
assert len(pipeline('feature-extraction', model=name)('text')[0][0]) == 384

faces = torch.hub.load_state_dict_from_url('https://github.com/timesler/facenet-pytorch/releases/download/v2.2.9/onet.pt')
assert sum(value.numel() for value in faces.values()) > 300_000
detector = torch.hub.load('snakers4/silero-vad', 'silero_vad')
silence = detector(torch.zeros(512), 16000).item()
assert 0 <= silence < 0.5, silence

import torchvision

resnet = torchvision.models.resnet18(weights='DEFAULT')
assert resnet.eval()(torch.zeros(1, 3, 64, 64)).shape == (1, 1000)

import keras

network = keras.applications.MobileNetV2(alpha=0.35, input_shape=(96, 96, 3))
assert network.predict(torch.zeros(1, 96, 96, 3).numpy(), verbose=0).shape == (1, 1000)

try:
    AutoModel.from_pretrained('bert-base-uncased')
    raise AssertionError('it is not there')
except OSError as e:
    print(' '.join(str(e).split())[:300])
print('Final Validation Performance: 1.0')
