"""Each function is one attack, tried from behind a wall; one line each says whether it was held. What it returns or raises decides:
False, an error of the system or a refused call is `held`, anything else `open`."""
import ctypes, errno, json, mmap, os, resource, signal, socket, struct, sys, time

with open('input/victim.json') as file:
    V = json.load(file)
PID, FOLDER = V['pid'], V['folder']
STARTER = os.getppid()
WEIGHTS = os.path.join(os.path.dirname(os.path.realpath('input')), 'weights')
libc = ctypes.CDLL(None, use_errno=True)
X86 = os.uname().machine == 'x86_64'
REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.ESRCH, errno.ENOENT, errno.EROFS)


def kernel(x86, arm, *arguments):
    """Whether the kernel heard the call, even if it then found fault with it."""
    ctypes.set_errno(0)
    result = libc.syscall(x86 if X86 else arm, *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    return result >= 0 or ctypes.get_errno() not in REFUSED


def mount(source, target, kind, flags):
    return kernel(165, 40, source, target, kind, flags, None)


def read(path):
    with open(path, 'rb') as file:
        return file.read(1)


def create(path):
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    os.unlink(path)


def writable(path):
    os.close(os.open(path, os.O_WRONLY))


def runner():
    with open('/proc/%d/stat' % PID) as stat:
        if stat.read().rsplit(')', 1)[1].split()[19] != V['start']:
            raise ProcessLookupError('some other process')
    return PID


def connect(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as one:
        one.settimeout(5)
        one.connect(address)
        if kind == socket.SOCK_DGRAM:
            one.send(b'x')


def leaves(make):
    """Whether `make` leaves something that gives its owner's or its group's rights to all who run it."""
    found = False
    for mode in (0o4777, 0o2777):
        name = 'mode-%d-%o' % (os.getpid(), mode)
        try:
            make(name, mode)
        except OSError:
            pass
        found |= os.path.exists(name) and os.stat(name).st_mode & 0o6000 != 0
    return found


def remade(make):
    """The same, of a file that is there already."""
    def with_file(name, mode):
        os.close(os.open(name, os.O_CREAT | os.O_RDWR, 0o700))
        make(name, mode)
    return leaves(with_file)


def opened(name, mode):
    file = os.open('.', os.O_TMPFILE | os.O_WRONLY, mode)
    os.link('/proc/self/fd/%d' % file, name, follow_symlinks=True)


def clone3(flags):
    pid = libc.syscall(435, struct.pack('=4QQ3Q', flags, 0, 0, 0, signal.SIGCHLD, 0, 0, 0), ctypes.c_long(64))
    if pid == 0:
        os._exit(0)
    if pid > 0:
        os.waitpid(pid, 0)
    return pid > 0


def status(name):
    with open('/proc/self/status') as file:
        return next(line.split()[1] for line in file if line.startswith(name + ':'))


# Reading
def read_a_file_outside(): return read(FOLDER + '/secret')
def read_a_private_file(): return read(FOLDER + '/private/key')
def read_passwords(): return read('/etc/shadow')
def read_users(): return read('/etc/passwd')
def list_a_private_folder(): return os.listdir(FOLDER + '/private')
def list_home_of_root(): return any(os.path.isfile('/root/' + name) for name in os.listdir('/root'))
def read_by_link():
    os.symlink(FOLDER + '/secret', 'link')
    return read('link')
def read_by_root_of_process(): return read('/proc/1/root' + FOLDER + '/secret')
def read_by_folder_of_runner(): return os.listdir('/proc/%d/cwd/' % runner())
def read_open_files_of_runner(): return os.listdir('/proc/%d/fd' % runner())
def see_that_a_file_is_there(): return os.stat(FOLDER + '/private').st_mtime
def watch_a_folder_outside(): return libc.inotify_add_watch(libc.inotify_init(), FOLDER.encode(), 0x100) >= 0
def find_open_files():
    return [fd for fd in os.listdir('/proc/self/fd') if int(fd) > 2 and os.path.exists('/proc/self/fd/' + fd) and 'pipe' not in os.readlink('/proc/self/fd/' + fd)]
def read_by_handle(): return kernel(304, 265, -1, b'', 0)
def read_memory_of_kernel(): return read('/proc/kcore')
def read_log_of_kernel(): return libc.klogctl(3, ctypes.create_string_buffer(64), 64) >= 0
def read_disk(): return any([is_open(lambda d=d: read('/dev/' + d)) for d in ('vda', 'sda', 'nvme0n1', 'xvda', 'loop0', 'mem', 'kmsg')])
def read_shared_memory_file(): return read(V['memory']) is not None
def attach_shared_memory(): return libc.shmget(PID, 0, 0) >= 0

# Changing
def write_a_file_outside(): return writable(FOLDER + '/writable')
def write_a_private_file(): return writable(FOLDER + '/private/key')
def truncate_a_file_outside(): return os.truncate(FOLDER + '/writable', 5)
def create_outside(): return create(FOLDER + '/drop/x')
def rename_to_outside():
    os.mkdir('moved')
    os.rename('moved', FOLDER + '/drop/moved')
def link_a_file_outside(): return os.link(FOLDER + '/writable', 'linked')
def open_up_a_private_file(): return os.chmod(FOLDER + '/private/key', 0o600)
def change_times_outside(): return os.utime(FOLDER + '/writable')
def mark_a_file_outside(): return os.setxattr(FOLDER + '/writable', 'user.x', b'1')
def write_programs(): return create('/usr/local/bin/.mlestar-attack')
def write_settings(): return create('/etc/.mlestar-attack')
def write_interpreter(): return writable(os.path.realpath(sys.executable))
def write_data(): return writable('input/train.csv')
def add_data(): return create('input/more.csv')
def remove_data(): return os.remove('input/train.csv')
def rename_data(): return os.rename('input/train.csv', 'input/other.csv')
def open_up_data(): return os.chmod('input/train.csv', 0o666)
def write_weights(): return writable(WEIGHTS + '/model.pth')
def add_weights(): return create(WEIGHTS + '/more.pth')
def open_up_weights(): return os.chmod(WEIGHTS + '/model.pth', 0o666)
def replace_data_folder(): return os.rename(os.path.realpath('input'), os.path.realpath('input') + '-old')
def write_into_root(): return create('/.mlestar-attack')
def write_into_dev(): return create('/dev/.mlestar-attack')

# Mounting
def remount_weights(): return mount(None, WEIGHTS.encode(), None, 32 | 4096)
def remount_data(): return mount(None, os.path.realpath('input').encode(), None, 32 | 4096)
def remount_programs(): return mount(None, b'/usr', None, 32 | 4096)
def mount_over_programs(): return mount(b'final', b'/usr/local/bin', None, 4096)
def mount_memory(): return mount(b'none', b'final', b'tmpfs', 0)
def unmount(): return kernel(166, 39, b'/proc/sys', 2)
def mount_the_new_way(): return kernel(430, 430, b'tmpfs', 0)
def copy_a_mount(): return kernel(428, 428, -100, b'/', 1)
def change_root(): return kernel(155, 41, b'.', b'.')
def make_a_device(): return os.mknod('device', 0o60666, os.makedev(254, 0))
def leave_by_chroot(): return kernel(161, 51, b'.')

# The kernel
def program_for_crashes(): return writable('/proc/sys/kernel/core_pattern')
def settings_of_kernel(): return writable('/proc/sys/vm/overcommit_memory')
def keys_of_kernel(): return writable('/proc/sysrq-trigger')
def load_a_module(): return kernel(313, 273, -1, b'', 0)
def load_bpf(): return kernel(321, 280, 5, b'', 0)
def watch_counters(): return kernel(298, 241, None, 0, -1, -1, 0)
def keyring(): return kernel(250, 219, 0, -3, 0)
def faults_of_memory(): return kernel(323, 282, 0)
def rings(): return kernel(425, 425, 1, ctypes.create_string_buffer(256))
def namespace_of_users(): return kernel(272, 97, 0x10000000)
def clone_into_namespace():
    pid = libc.syscall(56 if X86 else 220, ctypes.c_long(0x10000000 | 17), None, None, None, None)
    if pid == 0:
        os._exit(0)
    if pid > 0:
        os.waitpid(pid, 0)
    return pid > 0
def join_a_namespace():
    with open('/proc/self/ns/net') as own:
        return kernel(308, 268, own.fileno(), 0)
def namespace_by_clone3(): return clone3(0x10000000)
def rewrite_process_1(): return writable('/proc/1/mem')
def rewrite_the_starter(): return STARTER > 0 and writable('/proc/%d/mem' % STARTER)
def name_of_machine(): return libc.sethostname(os.uname().nodename.encode(), len(os.uname().nodename)) == 0
def capabilities(): return any(int(status(name), 16) for name in ('CapInh', 'CapPrm', 'CapEff', 'CapAmb'))
def become_root(): return os.getuid() != 0 and (os.setuid(0) is None)
def gain_rights_by_a_program(): return status('NoNewPrivs') != '1'

# Rights for others: whoever runs a file with such a mode is its owner
def rights_by_chmod(): return remade(lambda name, mode: X86 and libc.syscall(90, name.encode(), mode))
def rights_by_fchmod(): return remade(lambda name, mode: libc.syscall(91 if X86 else 52, os.open(name, os.O_RDWR), mode))
def rights_by_fchmodat(): return remade(lambda name, mode: libc.syscall(268 if X86 else 53, -100, name.encode(), mode))
def rights_by_fchmodat2(): return remade(lambda name, mode: libc.syscall(452, -100, name.encode(), mode, 0))
def rights_by_mknod(): return leaves(lambda name, mode: X86 and libc.syscall(133, name.encode(), 0o100000 | mode, 0))
def rights_by_mknodat(): return leaves(lambda name, mode: libc.syscall(259 if X86 else 33, -100, name.encode(), 0o100000 | mode, 0))
def rights_by_mkdir(): return leaves(lambda name, mode: X86 and libc.syscall(83, name.encode(), mode))
def rights_by_mkdirat(): return leaves(lambda name, mode: libc.syscall(258 if X86 else 34, -100, name.encode(), mode))
def rights_by_creat(): return leaves(lambda name, mode: X86 and libc.syscall(85, name.encode(), mode))
def rights_by_open(): return leaves(lambda name, mode: X86 and libc.syscall(2, name.encode(), os.O_CREAT | os.O_WRONLY, mode))
def rights_by_openat(): return leaves(lambda name, mode: libc.syscall(257 if X86 else 56, -100, name.encode(), os.O_CREAT | os.O_WRONLY, mode))
def rights_by_openat2():
    return leaves(lambda name, mode: libc.syscall(437, -100, name.encode(), struct.pack('=3Q', os.O_CREAT | os.O_WRONLY, mode, 0), ctypes.c_long(24)))
def rights_by_a_file_without_a_name(): return leaves(opened)

# Other processes
def see_runner(): return read('/proc/%d/cmdline' % runner())
def read_keys(): return read('/proc/%d/environ' % runner())
def read_keys_of_a_shell(): return runner() and b'_API_KEY=' in open('/proc/%d/environ' % V['shell'], 'rb').read()
def read_memory_of_runner(): return read('/proc/%d/maps' % runner())
def trace_runner(): return kernel(101, 117, 0x4206, runner(), 0, 0)
def copy_memory_of_runner(): return kernel(310, 270, runner(), None, 0, None, 0, 0)
def take_a_file_of_runner():
    pidfd = os.pidfd_open(runner())
    try:
        return kernel(438, 438, pidfd, 0, 0)
    finally:
        os.close(pidfd)
def end_runner(): return os.kill(runner(), 0)
def slow_runner(): return os.setpriority(os.PRIO_PROCESS, runner(), 19)
def limit_runner(): return resource.prlimit(runner(), resource.RLIMIT_CORE, (0, 0))

# The network
def reach_server(): return connect(socket.AF_INET, ('127.0.0.1', V['tcp']))
def send_datagram(): return os.readlink('/proc/self/ns/net') == V['network'] and connect(socket.AF_INET, ('127.0.0.1', V['udp']), socket.SOCK_DGRAM)
def reach_abstract_socket(): return connect(socket.AF_UNIX, '\0mlestar-victim-%d' % PID)
def reach_socket_file(): return connect(socket.AF_UNIX, FOLDER + '/socket')
def see_interfaces():
    with open('/proc/net/dev') as file:
        named = {line.split(':')[0].strip() for line in file if ':' in line}
    return named - {'lo', 'sit0', 'tunl0', 'ip6tnl0'} or os.readlink('/proc/self/ns/net') == V['network']
def see_connections():
    with open('/proc/net/tcp') as file:
        return ':%04X ' % V['tcp'] in file.read()
def reach_the_hypervisor(): return socket.socket(40, socket.SOCK_STREAM).close()
def ciphers_of_kernel(): return socket.socket(38, socket.SOCK_SEQPACKET).close()
def speak_to_the_kernel(): return socket.socket(16, socket.SOCK_RAW, 0).close()
def raw_socket(): return socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()

# Limits
def start_many_processes():
    born = []
    try:
        for i in range(150):
            pid = os.fork()
            if pid == 0:
                time.sleep(60)
                os._exit(0)
            born.append(pid)
        return True
    finally:
        for pid in born:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
def take_all_memory(): return bool(mmap.mmap(-1, 8 << 30))
def fill_the_disk_by_one_file():
    with open('big', 'wb') as file:
        os.posix_fallocate(file.fileno(), 0, 300 << 20)
def fill_memory_by_files():
    try:
        with open('/dev/shm/big-%d' % os.getpid(), 'wb') as file:
            for i in range(100):
                file.write(bytes(1 << 20))
    finally:
        os.unlink('/dev/shm/big-%d' % os.getpid())
def leave_a_dump(): return resource.getrlimit(resource.RLIMIT_CORE)[1] != 0


def is_open(attack):
    try:
        return attack() not in (False, b'', [])
    except (OSError, MemoryError, LookupError, ValueError, AttributeError):
        return False


OURS = {'kernel', 'mount', 'read', 'create', 'writable', 'runner', 'connect', 'leaves', 'remade', 'opened', 'clone3', 'status', 'is_open'}
# Each in a process of its own, which may change.
for name, attack in [(name, thing) for name, thing in list(globals().items()) if callable(thing) and getattr(thing, '__module__', '') == '__main__'
                     and name not in OURS]:
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        signal.alarm(20)
        print(name, 'open' if is_open(attack) else 'held', flush=True)
        os._exit(0)
    os.waitpid(pid, 0)
# Whether it lives on is seen from outside: in a session of its own, with nothing of the script's environment, closed to a look at that; and
# whoever would have ended it is gone.
if os.fork() == 0:
    os.setsid()
    os.execve(sys.executable, [sys.executable, '-c', 'import ctypes, os, time; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0); '
                               'os.closerange(0, 9); time.sleep(600)', sys.argv[1]], {})
print('tried', flush=True)
os.kill(STARTER or 1, signal.SIGKILL)
