#!/usr/bin/env python3
"""Two hosts on this machine: two_hosts.py FOLDER [--delay MS] [--loss PERCENT], as root.

Each is a network namespace; FOLDER/enter HOST COMMAND runs a command there with a host name,
processes and shared memory of its own, FOLDER/agent is the remote shell for mpirun. The line between them is this
program: it passes packets on after the delay, and loses some. Says `ready`, then obeys lines on its
standard input: cut, mend. At its end, the hosts are removed.
"""
import argparse
import fcntl
import heapq
import os
import random
import select
import shutil
import struct
import subprocess
import sys
import time

HOSTS = ("a", "b")
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000

# Open MPI names its shared memory and its session by host and process, and those of two pairs of
# hosts are the same: what it keeps lies in the command's own /dev/shm.
ENTER = """#!/bin/sh
# enter HOST COMMAND...
host=$1
shift
exec ip netns exec {prefix}-"$host" unshare --uts --pid --fork --kill-child --mount-proc \\
  sh -c 'hostname "$0" && mount -t tmpfs tmpfs /dev/shm && export TMPDIR=/dev/shm && exec "$@"' \\
  "host-$host" "$@"
"""
AGENT = """#!/bin/sh
# agent host-HOST COMMAND...: as ssh
host=${{1#host-}}
shift
exec {folder}/enter "$host" sh -c "$*"
"""


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def make_host(prefix, host, address, peer):
    """A namespace with one interface, whose other end is the returned file."""
    namespace, interface = f"{prefix}-{host}", f"{prefix}{host}"
    ip("netns", "add", namespace)
    end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH", interface.encode(), IFF_TUN | IFF_NO_PI))
    ip("link", "set", interface, "netns", namespace)
    ip("-n", namespace, "addr", "add", address, "peer", peer, "dev", interface)
    ip("-n", namespace, "link", "set", interface, "up")
    ip("-n", namespace, "link", "set", "lo", "up")
    # As resources/docs/guide/several-cards.md advises.
    ip("netns", "exec", namespace, "sysctl", "-q", "-w", "net.ipv4.tcp_retries2=5",
       "net.ipv4.tcp_syn_retries=3", "net.ipv4.tcp_synack_retries=3")
    return end


def write_script(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)


class Line:
    """Passes packets between two ends."""

    def __init__(self, ends, delay, loss):
        self.ends, self.delay, self.loss = ends, delay, loss
        self.whole = True
        self.waiting = []  # (when, number, end, packet)
        self.number = 0

    def take(self, end):
        try:
            packet = os.read(end, 65536)
        except BlockingIOError:
            return
        if self.whole and random.random() >= self.loss:
            other = self.ends[1 - self.ends.index(end)]
            self.number += 1
            heapq.heappush(self.waiting, (time.monotonic() + self.delay, self.number, other, packet))

    def deliver(self):
        """Returns the seconds until the next packet is due; none if there is none."""
        while self.waiting and self.waiting[0][0] <= time.monotonic():
            _, _, end, packet = heapq.heappop(self.waiting)
            if self.whole:
                try:
                    os.write(end, packet)
                except OSError:
                    pass  # a full queue loses packets, as a line does
        return max(0.0, self.waiting[0][0] - time.monotonic()) if self.waiting else None

    def serve(self, commands):
        while True:
            ready, _, _ = select.select([*self.ends, commands], [], [], self.deliver())
            for source in ready:
                if source in self.ends:
                    self.take(source)
                    continue
                command = os.read(commands, 4096).decode().split()
                if not command:
                    return
                self.whole = command[-1] != "cut"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder")
    parser.add_argument("--delay", type=float, default=0, help="milliseconds, one way")
    parser.add_argument("--loss", type=float, default=0, help="per cent of the packets")
    options = parser.parse_args()
    if os.geteuid() != 0 or shutil.which("ip") is None or not os.path.exists("/dev/net/tun"):
        sys.exit("needs root, iproute2 and /dev/net/tun")
    prefix = f"mr{os.getpid()}"
    folder = os.path.abspath(options.folder)
    addresses = ("10.213.7.1", "10.213.7.2")
    try:
        ends = [make_host(prefix, host, addresses[i], addresses[1 - i]) for i, host in enumerate(HOSTS)]
        write_script(f"{folder}/enter", ENTER.format(prefix=prefix))
        write_script(f"{folder}/agent", AGENT.format(folder=folder))
        print("ready", flush=True)
        Line(ends, options.delay / 1000, options.loss / 100).serve(sys.stdin.fileno())
    finally:
        for host in HOSTS:
            subprocess.run(["ip", "netns", "del", f"{prefix}-{host}"], check=False,
                           stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
