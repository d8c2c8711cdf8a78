"""What cannot be had without a network fails, says so, and is not asked for again and again."""
import time
import urllib.request


def fails(what, ask):
    begin = time.monotonic()
    try:
        ask()
    except Exception as e:
        took = time.monotonic() - begin
        said = ' '.join(str(e).split())
        print(f'{what}: {took:.1f} s: {type(e).__name__}: {said[:300]}')
        return
    raise AssertionError(what + ' was there')


def hub():
    import transformers
    transformers.AutoModel.from_pretrained('bert-base-uncased')


def tokenizer():
    import transformers
    transformers.AutoTokenizer.from_pretrained('bert-base-uncased')


def embedder():
    import sentence_transformers
    sentence_transformers.SentenceTransformer('all-MiniLM-L6-v2')


def data():
    import datasets
    datasets.load_dataset('imdb')


def images():
    import timm
    timm.create_model('resnet18', pretrained=True)


def checkpoint():
    import torchvision
    torchvision.models.resnet18(weights='DEFAULT')


def repository():
    import torch
    torch.hub.load('pytorch/vision', 'resnet18')


def sound():
    import torchaudio
    torchaudio.pipelines.WAV2VEC2_BASE.get_model()


def openml():
    from sklearn.datasets import fetch_openml
    fetch_openml('titanic', version=1)


for ask in hub, tokenizer, embedder, data, images, checkpoint, repository, sound, openml:
    fails(ask.__name__, ask)
fails('page', lambda: urllib.request.urlopen('http://example.com', timeout=30))
print('Final Validation Performance: 1.0')
