"""Looks at the machine as a script sees it, and prints what it found as one line of JSON.

It needs nothing but the standard library of Python 3.9. What cannot be found out is left out; nothing that it asks can hold it up for
more than a few seconds. SURVEY_TOLD is what whoever runs the scripts knows better, since it cannot be seen from inside a sandbox:
a JSON object with `processors`, `memory_bytes`, `scripts_at_once`, `scripts_per_gpu` and, where it is certain, `network`.
"""
import importlib.metadata
import importlib.util
import json
import os
import platform
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PATIENCE = 4
MOST_OTHERS = 60
MOST_WEIGHTS = 40
# What data scientists take for granted, by the name to import.
USUAL = {'numpy': 'numpy', 'pandas': 'pandas', 'polars': 'polars', 'pyarrow': 'pyarrow', 'scipy': 'scipy', 'sklearn': 'scikit-learn',
         'lightgbm': 'lightgbm', 'xgboost': 'xgboost', 'catboost': 'catboost', 'category_encoders': 'category-encoders',
         'optuna': 'optuna', 'statsmodels': 'statsmodels', 'torch': 'torch', 'torchvision': 'torchvision', 'torchaudio': 'torchaudio',
         'timm': 'timm', 'transformers': 'transformers', 'sentence_transformers': 'sentence-transformers', 'tokenizers': 'tokenizers',
         'datasets': 'datasets', 'tensorflow': 'tensorflow', 'keras': 'keras', 'cv2': 'opencv', 'PIL': 'pillow',
         'albumentations': 'albumentations', 'librosa': 'librosa', 'soundfile': 'soundfile', 'nltk': 'nltk', 'spacy': 'spacy',
         'joblib': 'joblib', 'tqdm': 'tqdm', 'matplotlib': 'matplotlib'}
# What is installed beside the usual libraries for them alone, or for the tools: nobody writes a model with it.
TOOLS = re.compile(r'(pip|setuptools|wheel|nvidia-.*|types-.*|.*-stubs|python-dateutil|pytz|tzdata|six|certifi|idna|urllib3|'
                   r'charset-normalizer|packaging|typing-extensions)$')

said = json.loads(os.environ.get('SURVEY_TOLD') or '{}')
facts = {}


def fact(name):
    """Keeps what a function finds out; whatever goes wrong in it costs this one fact."""
    def keep(find):
        try:
            found = find()
        except Exception as e:
            found = None
            print(name + ': ' + str(e), file=sys.stderr)
        if found is not None:
            facts[name] = found
        return find
    return keep


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ''


def groups(*names):
    """What the kernel's control groups say, from this process's own up to the topmost that can be seen."""
    own = {}
    for line in read('/proc/self/cgroup').splitlines():
        number, controllers, path = line.split(':', 2)
        for controller in controllers.split(','):
            own[controller] = path
    for controller, name in names:
        root = '/sys/fs/cgroup' + ('/' + controller if controller else '')
        path = own.get(controller, '/')
        while True:
            text = read(root + path.rstrip('/') + '/' + name).split()
            if text:
                yield name, text, root + path.rstrip('/')
            if path in ('', '/'):
                break
            path = os.path.dirname(path)


@fact('python')
def python():
    return platform.python_version()


@fact('system')
def system():
    return platform.system() + ' ' + platform.machine()


@fact('processors')
def processors():
    most = [len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count()]
    if said.get('processors'):
        most.append(said['processors'])
    for name, text, folder in groups(('', 'cpu.max'), ('cpu', 'cpu.cfs_quota_us')):
        quota = text[0]
        period = text[1] if len(text) > 1 else read(folder + '/cpu.cfs_period_us').strip()
        if quota.isdigit() and period.isdigit() and int(period) > 0:
            most.append(max(1, -(-int(quota) // int(period))))
    return min(most)


@fact('memory_bytes')
def memory():
    most = [os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES')]
    if said.get('memory_bytes'):
        most.append(said['memory_bytes'])
    most += [limit for limit in resource.getrlimit(resource.RLIMIT_AS) if limit > 0]
    for name, text, folder in groups(('', 'memory.max'), ('memory', 'memory.limit_in_bytes')):
        if text[0].isdigit():
            most.append(int(text[0]))
    return min(most)


@fact('scripts_at_once')
def scripts_at_once():
    return said.get('scripts_at_once')


@fact('scripts_per_gpu')
def scripts_per_gpu():
    return said.get('scripts_per_gpu')


@fact('free_disk_bytes')
def free_disk():
    return shutil.disk_usage('.').free


@fact('network')
def network():
    """Sends nothing: a datagram's socket that is connected has only been given its way."""
    if 'network' in said:
        return said['network']
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
            way.connect(('192.0.2.1', 9))
        return True
    except OSError:
        return False


def version(distribution):
    try:
        return str(distribution.version)
    except Exception:
        return '?'


def distributions():
    found = {}
    for distribution in importlib.metadata.distributions():
        try:
            name = re.sub(r'[-_.]+', '-', str(distribution.metadata['Name'])).lower()
        except Exception:
            continue
        found.setdefault(name, version(distribution))
    return found


INSTALLED = distributions()


def usual_version(module, name):
    own = [INSTALLED[one] for one in (name, name + '-python', name + '-python-headless', name + '-contrib-python',
                                      name + '-contrib-python-headless', name + '-cpu', name + '-gpu') if one in INSTALLED]
    return own[0] if own else '?'


def is_there(module):
    try:
        return importlib.util.find_spec(module) is not None
    except Exception:
        return False


@fact('libraries')
def libraries():
    return {name: usual_version(module, name) for module, name in USUAL.items() if is_there(module)}


@fact('missing')
def missing():
    return [name for module, name in USUAL.items() if not is_there(module)]


OTHERS = sorted(name for name in INSTALLED if not TOOLS.match(name)
                and not any(name == usual or name.startswith(usual + '-') for usual in USUAL.values()))


@fact('others')
def others():
    return {name: INSTALLED[name] for name in OTHERS[:MOST_OTHERS]}


@fact('others_left_out')
def others_left_out():
    return max(0, len(OTHERS) - MOST_OTHERS)


def names(home, *below):
    """What lies in a folder below the one that a variable names; nothing if it names none."""
    folder = os.path.join(os.environ.get(home) or os.devnull, *below)
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


@fact('weights')
def weights():
    """Pretrained models, in the layouts of the hubs' caches: whose cache it is, and the name by which it is loaded from there."""
    hugging_face = names('HF_HUB_CACHE') or names('HF_HOME', 'hub')
    found = ['huggingface ' + name[len('models--'):].replace('--', '/') for name in hugging_face if name.startswith('models--')]
    found += ['torch ' + name for name in names('TORCH_HOME', 'hub', 'checkpoints')]
    found += ['torch ' + name + ' (torch.hub)' for name in names('TORCH_HOME', 'hub')
              if os.path.isfile(os.path.join(os.environ['TORCH_HOME'], 'hub', name, 'hubconf.py'))]
    found += ['keras ' + name for name in names('KERAS_HOME', 'models')]
    return found[:MOST_WEIGHTS]


def answer(command, until):
    """What a command prints; None if it does not end in time, whatever it does with signals, and whoever holds its output open."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            code = process.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None
        out.seek(0)
        return out.read(1 << 20).decode('utf-8', 'replace') if code == 0 else None


def of_driver(until):
    if not shutil.which('nvidia-smi'):
        return None
    table = answer(['nvidia-smi', '--query-gpu=index,uuid,name,memory.total,driver_version', '--format=csv,noheader,nounits'], until)
    if table is None:
        return None
    heading = re.search(r'CUDA Version:\s*([0-9.]+)', answer(['nvidia-smi'], until) or '')
    gpus = []
    for line in table.splitlines():
        index, uuid, name, mebibytes, driver = [cell.strip() for cell in line.split(',')]
        gpu = {'index': index, 'uuid': uuid, 'name': name, 'driver': driver}
        if mebibytes.isdigit():
            gpu['memory_bytes'] = int(mebibytes) << 20
        if heading:
            gpu['cuda'] = heading.group(1)
        gpus.append(gpu)
    return gpus


def of_kernel():
    """Where the driver's own program is not installed, or does not answer."""
    folder = '/proc/driver/nvidia/gpus'
    gpus = []
    for index, bus in enumerate(sorted(os.listdir(folder)) if os.path.isdir(folder) else []):
        fields = dict(line.split(':', 1) for line in read(os.path.join(folder, bus, 'information')).splitlines() if ':' in line)
        if fields.get('Model'):
            gpus.append({'index': str(index), 'uuid': fields.get('GPU UUID', '').strip(), 'name': fields['Model'].strip()})
    return gpus


@fact('gpus')
def gpus():
    found = of_driver(time.monotonic() + PATIENCE)
    found = of_kernel() if found is None else found
    visible = os.environ.get('CUDA_VISIBLE_DEVICES')
    if visible is not None:
        wanted = [one.strip() for one in visible.split(',')]
        found = [gpu for gpu in found if gpu['index'] in wanted or any(one and gpu['uuid'].startswith(one) for one in wanted)]
    return [{name: value for name, value in gpu.items() if name not in ('index', 'uuid')} for gpu in found]


print(json.dumps(facts))
