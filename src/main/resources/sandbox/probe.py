"""Tries to get out, and prints the name of each way that was open, then "tried".

    probe.py PID START SECRET PORT SOCKET

PID, START  the runner's process, and when it started as /proc says
SECRET      a world-writable file outside
PORT        of this machine on which a server listens
SOCKET      a socket file outside on which a server listens
"""
import ctypes, os, signal, socket, struct, sys

pid, start, secret, port, path = sys.argv[1:]
libc = ctypes.CDLL(None, use_errno=True)
libc.mount.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p]
REMOUNT, BIND, PTRACE_SEIZE, NEW_USER = 32, 4096, 0x4206, 0x10000000
CLONE, CLONE3, OPENAT2, FCHMODAT2 = dict(x86_64=56, aarch64=220), 435, 437, 452


def is_done(work):
    try:
        return work() is not False
    except (OSError, LookupError, ValueError):
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


def kernel(number, *arguments):
    return libc.syscall(number, *[ctypes.c_long(one) if isinstance(one, int) else one for one in arguments])


def in_child(work, fork=os.fork):
    """The same of a child, which may change."""
    pid = fork()
    if pid == 0:
        os._exit(0 if is_done(work) else 1)
    return pid > 0 and os.waitpid(pid, 0)[1] == 0


def can_rewrite(process):
    return process not in (0, os.getpid()) and can_open('/proc/%d/mem' % process, os.O_WRONLY)


def leaves(make, mode=0o4755):
    """Whether there is a file then that runs with its owner's rights for every user."""
    name = 'final/rights'
    try:
        make(name, mode)
        return os.stat(name).st_mode & mode == mode
    finally:
        if os.path.exists(name):
            os.unlink(name)


def changes(make):
    def with_file(name, mode):
        with open(name, 'w') as file:
            make(name, mode, file.fileno())
    return lambda: leaves(with_file)


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
    ('FAMILIES', [lambda: socket.socket(40, socket.SOCK_STREAM).close(), lambda: socket.socket(38, socket.SOCK_SEQPACKET).close(),
                  lambda: socket.socket(16, socket.SOCK_RAW, 0).close()]),
    ('RIGHTS', [changes(lambda name, mode, file: os.chmod(name, mode)), changes(lambda name, mode, file: os.chmod(file, mode)),
                changes(lambda name, mode, file: os.chmod('rights', mode, dir_fd=os.open('final', os.O_PATH))),
                changes(lambda name, mode, file: kernel(FCHMODAT2, -100, name.encode(), mode, 0)),
                lambda: leaves(lambda name, mode: os.mknod(name, 0o100000 | mode)),
                lambda: leaves(lambda name, mode: os.close(os.open(name, os.O_CREAT | os.O_WRONLY, mode))),
                lambda: leaves(lambda name, mode: kernel(OPENAT2, -100, name.encode(), struct.pack('=3Q', os.O_CREAT, mode, 0), 24)),
                lambda: leaves(lambda name, mode: os.link('/proc/self/fd/%d' % os.open('final', os.O_TMPFILE | os.O_WRONLY, mode), name,
                                                          follow_symlinks=True))]),
    ('REWRITE', [lambda: can_rewrite(1), lambda: can_rewrite(os.getppid())]),
    ('NAMESPACES', [lambda: in_child(lambda: libc.unshare(NEW_USER) == 0),
                    lambda: in_child(int, lambda: kernel(CLONE[os.uname().machine], NEW_USER | signal.SIGCHLD, None, None, None, None)),
                    lambda: in_child(int, lambda: kernel(CLONE3, struct.pack('=4QQ3Q', NEW_USER, 0, 0, 0, signal.SIGCHLD, 0, 0, 0), 64))]),
    # What changes this process if it works comes last.
    ('KERNEL', [lambda: open('/proc/sys/kernel/core_pattern', 'a').close(),
                lambda: os.mknod('final/device', 0o20666, os.makedev(1, 1)),
                lambda: libc.mount(None, os.path.realpath('input').encode(), None, REMOUNT | BIND, None) == 0,
                lambda: libc.mount(None, b'/usr', None, REMOUNT | BIND, None) == 0,
                lambda: libc.mount(b'none', b'final', b'tmpfs', 0, None) == 0,
                lambda: os.chroot('final')]),
]
for name, ways in WAYS:
    if any([is_done(way) for way in ways]):
        print(name)
print('tried')
