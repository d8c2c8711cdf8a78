package io.mlestar.adapter.script.isolation;

/// The acts that a script must not be capable of. [IsolationSelfTest] tries each; the words stand
/// after "scripts can".
public enum EscapeRoute {
    KERNEL(true, "change settings of this machine"),
    NAMESPACES(true, "make namespaces in which they have all rights"),
    REWRITE(true, "rewrite the process that watches over them"),
    KEYS(true, "read the keys of other processes"), NETWORK(true, "use the network"),
    READ(false, "read the files of this machine"),
    CHANGE(false, "change the files of this machine"), KILL(false, "end other processes"),
    PERMISSIONS(false, "change the permissions of this user's files"),
    SOCKETS(false, "speak to other programs by socket files"),
    FAMILIES(false,
            "open sockets that no wall around the network holds, as to a virtual machine's host"),
    RIGHTS(false, "leave programs that give others this user's rights"),
    SEE(false, "see which other processes there are");

    /// True if a wall with this hole is none: keys get out, or the script does.
    final boolean fatal;
    final String words;

    EscapeRoute(boolean fatal, String words) {
        this.fatal = fatal;
        this.words = words;
    }
}
