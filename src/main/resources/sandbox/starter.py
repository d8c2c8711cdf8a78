"""Stands between the runner and a script: gives up all rights that a script needs not have, starts it, and stays as its parent. It ends what
the script leaves behind, and the script if the runner is gone. In a namespace of processes it is the first of them.

    starter.py [OPTION VALUE]... -- PROGRAM...

uid N         run as this user and group; all capabilities are dropped with or without it
mark N        a number that no process of the script loses and no other has: its limit of file locks, which has no other meaning
in PATH       the folder to run in
limit NAME=N  a limit of the process, as resource.RLIMIT_NAME
read PATH     Landlock: what may be read and executed; whatever is not named is closed
write PATH    Landlock: what may be changed
landlock must exit 125 where the kernel knows no Landlock, instead of going on without
shm BYTES     a /dev/shm of its own, so large; needs a namespace of mounts
offline yes   no sockets but those of this machine's processes, and no memory shared with them

The interpreter reads it from the standard input, and runs before any code that is not ours (-I -S).
"""
import ctypes
import errno
import os
import resource
import signal
import struct
import sys
import time

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 36, 38, 47
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
NEW_NAMESPACES, NOSUID_NODEV = 0x7E020000, 6
# What no training script calls, by number: more of the kernel and other processes could be reached by them. ptrace, modify_ldt (x86),
# pivot_root, chroot, mount, umount, add_key, request_key, keyctl, unshare, perf_event_open, open_by_handle_at, setns, process_vm_readv
# and _writev, kcmp, bpf, userfaultfd. `shared` are those by which programs share memory, semaphores and messages (System V). `limits`
# set those of the calling process, `sockets` begin with a family, `modes` give files the mode that is the argument after the number's;
# `opens` do so at the argument after the flags.
X86_64 = dict(arch=0xC000003E, clone=56, prlimit=302, shared=[29, 30, 64, 68], limits=160, sockets=[41, 53],
              modes=[(90, 1), (91, 1), (85, 1), (133, 1), (268, 2), (259, 2)], opens=[(2, 1), (257, 2)],
              deny=[101, 154, 155, 161, 165, 166, 248, 249, 250, 272, 298, 304, 308, 310, 311, 312, 321, 323])
AARCH64 = dict(arch=0xC00000B7, clone=220, prlimit=261, shared=[194, 196, 190, 186], limits=164, sockets=[198, 199],
               modes=[(52, 1), (53, 2), (33, 2)], opens=[(56, 2)],
               deny=[117, 41, 51, 40, 39, 217, 218, 219, 97, 241, 265, 268, 270, 271, 272, 280, 282])
# On both: io_uring, the newer ways to mount, pidfd_getfd.
BOTH = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442]
# clone3 and openat2: what they are asked for lies in memory, where no filter can look. Libraries fall back on clone and openat.
HIDDEN = [435, 437]
# The same on both, too; what opens a file that is not there yet is O_CREAT and the second half of O_TMPFILE.
FCHMODAT2, LOCKS, CREATING, SET_IDS = 452, 10, 0o20000100, 0o6000

libc = ctypes.CDLL(None, use_errno=True)


def call(function, *arguments):
    result = function(*[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()) + ' (' + function.__name__ + ' ' + str(arguments[0]) + ')')
    return result


def prctl(*arguments):
    return call(libc.prctl, *(arguments + (0,) * (5 - len(arguments))))


def ruleset(read, write, must):
    """A Landlock ruleset as an open file; None where the kernel knows no Landlock."""
    try:
        abi = call(libc.syscall, LANDLOCK_CREATE_RULESET, 0, 0, 1)
    except OSError:
        if must:
            raise
        return None
    files = (1 << (13 if abi < 2 else 14 if abi < 3 else 15)) - 1
    # TCP by any address; signals and abstract sockets to processes outside.
    wanted = [files] + ([3] if abi >= 4 else []) + ([3] if abi >= 6 else [])
    wanted = struct.pack('=%dQ' % len(wanted), *wanted)
    rules = call(libc.syscall, LANDLOCK_CREATE_RULESET, wanted, len(wanted), 0)
    for paths, rights in ((read, 0b1101), (write, files)):
        for path in paths:
            try:
                opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            # A single file takes only: execute, write, read, truncate.
            rule = struct.pack('=Qi', rights if os.path.isdir(path) else rights & 0b100000000000111, opened)
            call(libc.syscall, LANDLOCK_ADD_RULE, rules, 1, rule, 0)
            os.close(opened)
    return rules


def system_calls(offline):
    """A seccomp filter (classic BPF); none on processors that are not known here."""
    table = {'x86_64': X86_64, 'aarch64': AARCH64}.get(os.uname().machine)
    if table is None:
        return
    LOAD, EQUAL, ATLEAST, ANY, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
    KILL, ALLOW = 0x80000000, 0x7FFF0000
    code = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, table['arch']), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]

    def refuse(numbers, *cases):
        """Answers these calls with the error of the first case all of whose tests hold: (argument, (operation, if so, if not), value)."""
        body = []
        for error, tests in cases:
            for left, (argument, (operation, yes, no), value) in zip(range(2 * len(tests) - 1, 0, -2), tests):
                body += [(LOAD, 0, 0, 16 + 8 * argument), (operation, left * yes, left * no, value)]
            body.append((RETURN, 0, 0, 0x50000 | error))
        for number in numbers:
            code.extend([(EQUAL, 0, len(body) + 1, number)] + body + [(RETURN, 0, 0, ALLOW)])

    UNIX, INET, INET6 = 1, 2, 10
    IS, IS_NOT, HAS = (EQUAL, 0, 1), (EQUAL, 1, 0), (ANY, 0, 1)
    if table is X86_64:
        code += [(ATLEAST, 0, 1, 0x40000000), (RETURN, 0, 0, 0x50000 | errno.EPERM)]
    refuse(table['deny'] + BOTH + (table['shared'] if offline else []), (errno.EPERM, []))
    refuse(HIDDEN, (errno.ENOSYS, []))
    refuse([table['clone']], (errno.EPERM, [(0, HAS, NEW_NAMESPACES)]))
    # The limits of this process only, and not that which marks it.
    refuse([table['prlimit']], (errno.EPERM, [(0, IS_NOT, 0)]), (errno.EPERM, [(1, IS, LOCKS)]))
    refuse([table['limits']], (errno.EPERM, [(0, IS, LOCKS)]))
    # Other families than these three belong to no network, or to a virtual machine's host.
    refuse(table['sockets'], (errno.EAFNOSUPPORT, [(0, IS_NOT, family) for family in (UNIX, INET, INET6)]),
           *([(errno.EACCES, [(0, IS_NOT, UNIX)])] if offline else []))
    # Nothing that runs with its owner's or its group's rights, not even when another user starts it.
    for number, mode in table['modes'] + [(FCHMODAT2, 2)]:
        refuse([number], (errno.EPERM, [(mode, HAS, SET_IDS)]))
    for number, flags in table['opens']:
        refuse([number], (errno.EPERM, [(flags, HAS, CREATING), (flags + 1, HAS, SET_IDS)]))
    code += [(RETURN, 0, 0, ALLOW)]
    code = ctypes.create_string_buffer(b''.join(struct.pack('=HBBI', *each) for each in code), 8 * len(code))
    program = ctypes.create_string_buffer(struct.pack('@HP', len(code) // 8, ctypes.addressof(code)))
    try:
        prctl(PR_SET_SECCOMP, 2, ctypes.addressof(program))
    except OSError:
        pass  # A kernel without it. What that leaves open is found when the wall is tried.


def give_up_rights(uid):
    libc.prctl(PR_CAP_AMBIENT, 4, 0, 0, 0)
    for capability in range(64):
        if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    # Of this process, version 3: effective, permitted and inheritable, for two words of capabilities.
    call(libc.capset, struct.pack('=Ii', 0x20080522, 0), bytes(24))


def children():
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/' + pid + '/stat') as stat:
                if int(stat.read().rsplit(')', 1)[1].split()[1]) == os.getpid():
                    yield int(pid)
        except (OSError, IndexError, ValueError):
            pass


def end_all():
    end = time.monotonic() + 10
    while time.monotonic() < end:
        for pid in children():
            os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.005)


def stay(child):
    while True:
        ended, status = os.wait()
        if ended == child:
            end_all()
            os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


def stop(number, frame):
    end_all()
    os._exit(128 + number)


def start(arguments):
    split = arguments.index('--')
    options = list(zip(arguments[0:split:2], arguments[1:split:2]))
    one = dict(options)
    uid = int(one['uid']) if 'uid' in one else None
    for limit in (value.split('=') for name, value in options if name == 'limit'):
        number = getattr(resource, 'RLIMIT_' + limit[0])
        most = resource.getrlimit(number)[1]
        least = int(limit[1]) if most == resource.RLIM_INFINITY else min(int(limit[1]), most)
        resource.setrlimit(number, (least, least))
    if sys.platform != 'linux':
        os.setsid()
        os.execvp(arguments[split + 1], arguments[split + 1:])
    if 'shm' in one:
        call(libc.mount, b'none', b'/dev/shm', b'tmpfs', NOSUID_NODEV, b'mode=1777,size=' + one['shm'].encode())
    try:
        with open('/proc/self/oom_score_adj', 'w') as score:
            score.write('1000')  # If memory runs out, the kernel ends scripts first.
        resource.setrlimit(LOCKS, (int(one['mark']), int(one['mark'])))
    except (OSError, ValueError):
        pass  # Where neither can be had, scripts run all the same.
    paths = {which: [path for name, path in options if name == which] for which in ('read', 'write')}
    rules = ruleset(paths['read'], paths['write'], 'landlock' in one) if paths['write'] else None
    os.setsid()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    system_calls('offline' in one)
    first = os.getpid() == 1
    if first:
        # No signal of the script's reaches it. Elsewhere it keeps its rights: where it has more than the script, that cannot end it.
        give_up_rights(uid)
    else:
        signal.signal(signal.SIGTERM, stop)
    prctl(PR_SET_DUMPABLE, 0)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL if first else signal.SIGTERM)
    child = os.fork()
    if child:
        stay(child)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if not first:
        give_up_rights(uid)
    if 'in' in one:
        os.chdir(one['in'])
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if rules is not None:
        call(libc.syscall, LANDLOCK_RESTRICT_SELF, rules, 0)
        os.close(rules)
    # What the interpreter itself has changed.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.execvp(arguments[split + 1], arguments[split + 1:])


try:
    start(sys.argv[1:])
except (OSError, ValueError, AttributeError) as e:
    sys.stderr.write('the script could not be started: ' + str(e) + '\n')
    os._exit(125)
