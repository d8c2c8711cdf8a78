import signal, sys, time

def leave(number, frame):
    print('goodbye')
    raise SystemExit(0)

signal.signal(signal.SIGABRT, signal.SIG_IGN)
signal.signal(signal.SIGTERM, leave)
print('hello')
time.sleep(600)
