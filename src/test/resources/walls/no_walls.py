"""Runs a program as on a kernel that lets nobody make walls: no namespaces, no mounts, no Landlock."""
import ctypes
import os
import platform
import struct
import sys

NUMBERS = {  # mount, unshare, clone3, landlock_create_ruleset, clone
    "x86_64": (165, 272, 435, 444, 56),
    "aarch64": (40, 97, 435, 444, 220),
}[platform.machine()]
NEW_USER, NO_NEW_PRIVILEGES, SECCOMP, ALLOW, REFUSE = 0x10000000, 38, 22, 0x7FFF0000, 0x00050000 | 38  # ENOSYS


def step(code, yes, no, value):
    return struct.pack("HBBI", code, yes, no, value)


forbidden = NUMBERS[:4]
steps = [step(0x20, 0, 0, 0)]
steps += [step(0x15, len(forbidden) - i + 3, 0, number) for i, number in enumerate(forbidden)]
steps += [step(0x15, 0, 2, NUMBERS[4]), step(0x20, 0, 0, 16), step(0x45, 1, 0, NEW_USER),
          step(0x06, 0, 0, ALLOW), step(0x06, 0, 0, REFUSE)]
code = b"".join(steps)
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(code)
program = struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(buffer))
if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(SECCOMP, 2, program, 0, 0):
    sys.exit("no filter can be set: " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[1], sys.argv[1:])
