"""Tries to get out, and prints the name of each way that was open, then "tried".

    probe.py PID START SECRET PORT SOCKET

PID, START  the runner's process, and when it started as /proc says
SECRET      a file outside that anybody may read and change
PORT        of this machine, where somebody listens
SOCKET      a file outside at which somebody listens
"""
import ctypes, os, socket, sys

pid, start, secret, port, path = sys.argv[1:]
libc = ctypes.CDLL(None, use_errno=True)
libc.mount.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p]
REMOUNT, BIND, PTRACE_SEIZE, CLONE_NEWUSER = 32, 4096, 0x4206, 0x10000000


def is_done(work):
    try:
        return work() is not False
    except (OSError, IndexError, ValueError):
        return False


def can_open(path, flags):
    os.close(os.open(path, flags))


def can_change(folder):
    name = os.path.join(folder, '.mlestar-probe')
    os.close(os.open(name, os.O_CREAT | os.O_WRONLY, 0o600))
    os.unlink(name)


def connects(family, address):
    with socket.socket(family) as one:
        one.settimeout(5)
        one.connect(address)


def runner(name):
    with open('/proc/' + pid + '/stat') as stat:
        if stat.read().rsplit(')', 1)[1].split()[19] != start:
            raise ValueError('some other process')
    with open('/proc/' + pid + '/' + name, 'rb') as file:
        return len(file.read(1)) > 0


def finds_keys():
    """Of the runner, or of the shell that it was started from."""
    for process in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/' + process + '/environ', 'rb') as file:
                if b'_API_KEY=' in file.read():
                    return True
        except OSError:
            pass
    return False


WAYS = [
    ('KEYS', [lambda: runner('environ'), finds_keys, lambda: libc.ptrace(PTRACE_SEIZE, int(pid), None, None) == 0]),
    ('NETWORK', [lambda: connects(socket.AF_INET, ('127.0.0.1', int(port)))]),
    ('READ', [lambda: can_open(secret, os.O_RDONLY)]),
    ('CHANGE', [lambda: can_open(secret, os.O_WRONLY), lambda: can_change('input'),
                lambda: can_change('/usr/local/bin'), lambda: can_change('/etc')]),
    ('KILL', [lambda: runner('stat') and os.kill(int(pid), 0)]),
    ('PERMISSIONS', [lambda: os.chmod(secret, 0o777)]),
    ('SOCKETS', [lambda: connects(socket.AF_UNIX, path)]),
    ('SEE', [lambda: runner('cmdline')]),
    # What changes this process if it works comes last.
    ('KERNEL', [lambda: open('/proc/sys/kernel/core_pattern', 'a').close(),
                lambda: os.mknod('final/device', 0o20666, os.makedev(1, 1)),
                lambda: libc.mount(None, os.path.realpath('input').encode(), None, REMOUNT | BIND, None) == 0,
                lambda: libc.mount(None, b'/usr', None, REMOUNT | BIND, None) == 0,
                lambda: libc.mount(b'none', b'final', b'tmpfs', 0, None) == 0,
                lambda: libc.unshare(CLONE_NEWUSER) == 0,
                lambda: os.chroot('final')]),
]
for name, ways in WAYS:
    if any([is_done(way) for way in ways]):
        print(name)
print('tried')
