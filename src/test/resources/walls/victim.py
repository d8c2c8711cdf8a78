"""Stands for the runner: keeps a key in its environment, listens, and says where."""
import ctypes, json, os, socket, subprocess, sys

libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(4, 0, 0, 0, 0)  # as the program does: its entries below /proc are closed
folder = sys.argv[1]
# The shell that somebody started the runner from is as open as any program.
shell = subprocess.Popen(['sleep', '60'], env={'VICTIM_API_KEY': 'x'})
tcp = socket.create_server(('127.0.0.1', 0))
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(('127.0.0.1', 0))
path = socket.socket(socket.AF_UNIX)
path.bind(folder + '/socket')
path.listen()
os.chmod(folder + '/socket', 0o777)
abstract = socket.socket(socket.AF_UNIX)
abstract.bind('\0mlestar-victim-%d' % os.getpid())
abstract.listen()
shared = libc.shmget(os.getpid(), 4096, 0o1666)
memory = '/dev/shm/mlestar-victim-%d' % os.getpid()
os.close(os.open(memory, os.O_CREAT | os.O_WRONLY, 0o666))
os.chmod(memory, 0o666)
os.mkdir(folder + '/private', 0o700)
for name, mode in (('secret', 0o644), ('private/key', 0o600), ('writable', 0o666)):
    with open(folder + '/' + name, 'w') as file:
        file.write('the secret')
    os.chmod(folder + '/' + name, mode)
os.mkdir(folder + '/drop')
os.chmod(folder + '/drop', 0o777)
with open('/proc/self/stat') as stat:
    start = stat.read().rsplit(')', 1)[1].split()[19]
print(json.dumps(dict(pid=os.getpid(), shell=shell.pid, start=start, tcp=tcp.getsockname()[1], udp=udp.getsockname()[1], folder=folder, memory=memory,
                      network=os.readlink('/proc/self/ns/net'))), flush=True)
sys.stdin.read()
shell.kill()
libc.shmctl(shared, 0, None)
os.unlink(memory)
