package io.mlestar.adapter.script.isolation;

/// What a script can do that it should not. [IsolationSelfTest] tries each; the words stand after "scripts can".
public enum EscapeRoute {
    KERNEL("change settings of this machine"),
    NAMESPACES("make namespaces in which they have all rights"),
    REWRITE("rewrite the process that watches over them"),
    KEYS("read the keys of other processes"),
    NETWORK("use the network"),
    READ("read the files of this machine"),
    CHANGE("change the files of this machine"),
    KILL("end other processes"),
    PERMISSIONS("change the permissions of this user's files"),
    SOCKETS("speak to other programs by socket files"),
    FAMILIES("open sockets that no wall around the network holds, as to a virtual machine's host"),
    RIGHTS("leave programs that give others this user's rights"),
    SEE("see which other processes there are");

    private final String words;

    EscapeRoute(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    /// Whether a wall with this hole is none: keys get out, or the script does.
    boolean isFatal() {
        return switch (this) {
            case KERNEL, NAMESPACES, REWRITE, KEYS, NETWORK -> true;
            case READ, CHANGE, KILL, PERMISSIONS, SOCKETS, FAMILIES, RIGHTS, SEE -> false;
        };
    }
}
