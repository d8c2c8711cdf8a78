"""Images: read, augmented, and a network trained on them with workers that load them."""
import os
import warnings

warnings.simplefilter('error', ResourceWarning)

import albumentations
import cv2
import numpy as np
import timm
import torch
import torchvision
import torchvision.transforms.v2
from albumentations.pytorch import ToTensorV2
from PIL import Image
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)
random = np.random.default_rng(0)
assert torch.get_num_threads() == int(os.environ['OMP_NUM_THREADS']), torch.get_num_threads()
os.makedirs('images', exist_ok=True)
for i in range(64):
    picture = random.integers(0, 90, (40, 40, 3), dtype=np.uint8)
    if i % 2:
        cv2.circle(picture, (20, 20), 10, (0, 0, 255), -1)
    if i < 32:
        Image.fromarray(picture[:, :, ::-1]).save(f'images/{i}.png')
    else:
        assert cv2.imwrite(f'images/{i}.jpg', picture)


class Pictures(Dataset):
    change = albumentations.Compose([albumentations.HorizontalFlip(p=0.5), albumentations.RandomBrightnessContrast(p=0.2),
                                     albumentations.Resize(32, 32), albumentations.Normalize(), ToTensorV2()])

    def __len__(self):
        return 64

    def __getitem__(self, i):
        read = cv2.imread(f'images/{i}.png' if i < 32 else f'images/{i}.jpg')
        return self.change(image=cv2.cvtColor(read, cv2.COLOR_BGR2RGB))['image'], i % 2


def train(model, workers):
    loader = DataLoader(Pictures(), batch_size=16, shuffle=True, num_workers=workers,
                        persistent_workers=workers > 0, pin_memory=False)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.003)
    for _ in range(3):
        right = 0
        for batch, labels in loader:
            with torch.autocast('cpu', dtype=torch.bfloat16):
                out = model(batch)
            loss = torch.nn.functional.cross_entropy(out.float(), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            right += (out.argmax(1) == labels).sum().item()
    return right / 64


if __name__ == '__main__':
    small = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(8, 2))
    accuracy = train(small, 2)
    with torch.no_grad():
        assert timm.create_model('resnet10t', pretrained=False, num_classes=2)(torch.zeros(2, 3, 32, 32)).shape == (2, 2)
    resnet = torchvision.models.resnet18(weights=None, num_classes=2)
    torch.save(resnet.state_dict(), 'resnet.pth')
    resnet.load_state_dict(torch.load('resnet.pth', weights_only=True))
    assert torchvision.transforms.v2.functional.resize(torch.zeros(3, 9, 9), [5, 5]).shape == (3, 5, 5)
    assert torchvision.ops.nms(torch.tensor([[0., 0, 1, 1], [0, 0, 1, 1]]), torch.tensor([1., 0.5]), 0.5).tolist() == [0]
    print('Final Validation Performance:', accuracy)
