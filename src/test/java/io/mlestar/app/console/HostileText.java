package io.mlestar.app.console;

import module java.base;

/// Texts that a script or a model may send to a terminal.
public final class HostileText {
    /// The texts, each beside what it would do.
    public static final List<String> ALL = List.of(
            "\033]0;owned\007",                         // sets the title
            "\033]52;c;cm0gLXJmIH4K\007",               // fills the clipboard
            "\033]8;;http://evil.example\033\\click\033]8;;\033\\", // a link that is not what it says
            "\033]1337;File=inline=1:AAAA\007",         // shows a file
            "\033]777;notify;a;b\007",                  // shows a notice
            "\033]4;1;rgb:00/00/00\033\\",              // changes a colour
            "\033[2J\033[H",                            // wipes the screen
            "\033[1A\033[2K",                           // overwrites the line before
            "\033[8mhidden\033[0m",                     // hides text
            "\033[31mred\033[0m",                       // looks like a word of the program
            "\033[6n",                                  // makes the terminal type an answer
            "\033[c",                                   // the same
            "\033[21t",                                 // makes it type its title
            "\033[?1049h",                              // goes to another screen
            "\033[?1000h",                              // takes the mouse
            "\033[?2004l",                              // pastes without asking
            "\033P$q\"p\033\\",                         // DCS, asks
            "\033Pq#0;2;0;0;0~\033\\",                  // draws
            "\033_Gf=100;AAAA\033\\",                   // draws, another way
            "\033^private\033\\",                       // PM
            "\033Xstring\033\\",                        // SOS
            "\033c",                                    // resets
            "\033#8",                                   // fills the screen
            "\033(0lqk\033(B",                          // another set of letters
            "\u009b2J",                                 // CSI in one character
            "\u009d0;owned\u009c",                      // OSC in one
            "\u0090q\u009c",                            // DCS in one
            "\u0085next\u008dup",                       // ends and turns lines
            "\007\007",                                 // rings
            "safe\rowned",                              // overwrites from the left
            "abc\b\b\bxyz",                             // overwrites to the left
            "\u000b\f",                                 // jumps
            "\016lqk\017",                              // shifts out
            "\021\023",                                 // stops the terminal
            "\177",                                     // deletes
            "\u0000\u0005\u001a",                       // asks who is there
            "\u202egnp.exe",                            // turns the direction
            "\u2066a\u2069\u2067b\u2069",               // isolates
            "\u200fa\u200eb\u061c",                     // marks
            "a\u2028b\u2029c");                         // ends lines

    private HostileText() {}

    /// True if a terminal that gets these bytes could take one for an order.
    public static boolean isIn(byte[] bytes) {
        return new String(bytes, java.nio.charset.StandardCharsets.UTF_8).codePoints()
                .anyMatch(c -> c != '\n' && c != '\t'
                        && (Character.isISOControl(c) || c >= 0x2028 && c <= 0x202e || c >= 0x2066 && c <= 0x2069
                                || c == 0x200e || c == 0x200f
                                || c == 0x61c));
    }
}
