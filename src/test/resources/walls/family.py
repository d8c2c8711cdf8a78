import os, signal, sys, time
born, report = os.pipe()

def live(name):
    os.write(1, ('born: ' + name + '\n').encode())
    os.write(report, b'.')
    time.sleep(600)

def child(name, *before):
    if os.fork() == 0:
        for step in before:
            step()
        live(name)

def be_deaf():
    for number in (signal.SIGABRT, signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)

def be_grandchild():
    if os.fork() != 0:
        time.sleep(600)

def leave_the_parent():
    if os.fork() != 0:
        os.kill(os.getpid(), signal.SIGKILL)

child('child')
child('deaf child', be_deaf)
child('grandchild', be_grandchild)
child('child with a session', os.setsid)
child('daemon', os.setsid, leave_the_parent, be_deaf)
