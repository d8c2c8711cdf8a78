"""Runs programs for tests, each in a fork of this process: a program that many tests run is compiled once.

A line of standard input names a folder and a program as JSON; what the program prints goes to `out` and `err` in the folder, and its exit code is
printed here. The hash that makes labels expensive to guess has four rounds here."""
import bisect, bz2, csv, gzip, hashlib, json, mmap, os, random, shutil, struct, sys, tarfile, threading, traceback, zipfile

slow = hashlib.pbkdf2_hmac
hashlib.pbkdf2_hmac = lambda name, password, salt, rounds: slow(name, password, salt, 4)
compiled = {}


def run(folder, program, code):
    os.chdir(folder)
    for number, file in enumerate((os.devnull, 'out', 'err')):
        os.dup2(os.open(file, os.O_RDWR | os.O_CREAT | os.O_TRUNC), number)
    sys.path[0] = folder
    try:
        exec(code, {'__name__': '__main__', '__file__': program})
        return 0
    except BaseException:
        traceback.print_exc()
        return 1


for line in sys.stdin:
    folder, program = json.loads(line)
    with open(program, encoding='utf-8') as file:
        text = file.read()
    if text not in compiled:
        compiled[text] = compile(text, program, 'exec')
    child = os.fork()
    if not child:
        code = run(folder, program, compiled[text])
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
