"""A child process that answers each Ping with a Pong: `python -m tests.processes.lives DESCRIPTOR PARENT WHAT`.

`echo`: no more than that; `leaves`: begins a process of its own that keeps the socket open, tells its number in a Pong,
and ends.
"""

from __future__ import annotations

import subprocess
import sys

from voice.processes.child import Inbox, Pipe, become_child
from voice.speech.wire import Ping, Pong

if __name__ == "__main__":
    descriptor, parent_pid, what = sys.argv[1:]
    become_child(int(parent_pid), niceness=0)
    pipe = Pipe(int(descriptor), Ping)
    if what == "leaves":
        kept = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], pass_fds=(int(descriptor),))
        pipe.send(Pong(kept.pid))
        sys.exit(0)
    inbox = Inbox(pipe)
    while (messages := inbox.receive()) is not None:
        for message in messages:
            pipe.send(Pong(message.number))
