import json, os
found = {name: value for name, value in os.environ.items() if name.split('_')[0] in ('HF', 'TORCH', 'KERAS', 'TRANSFORMERS')}
torch, keras = os.environ['TORCH_HOME'] + '/hub', os.environ['KERAS_HOME']
found['read'] = open(torch + '/checkpoints/tiny.pth').read() + open(keras + '/models/tiny.keras').read()
# torch.hub notes whom it trusts; Keras looks elsewhere if it may not write here.
open(torch + '/trusted_list', 'a').write('somebody else')
found['trusts'] = open(torch + '/trusted_list').read()
found['may write'] = os.access(keras, os.W_OK)
os.makedirs(os.environ['HF_DATASETS_CACHE'])
os.makedirs(os.environ['HF_MODULES_CACHE'])
print(json.dumps(found))
