"""A mail server for tests. What it does with a message is in the address of whom it is for:

reject...   550 to the recipient, always
deferN-...  451 to the recipient, N times, then it is taken
cut...      the connection ends after the message has been taken
silent...   the message is taken, and nothing is ever said again

With a number as third argument that is not 0, so many connections are taken at once, and others told to come again. With one
as fourth, so many messages are taken, and the others once a line comes in.

Whatever is taken stands as one line of JSON in the file named by the first argument. The port is printed once it listens.
"""

import asyncio
import base64
import json
import re
import sys
import time

from aiosmtpd.smtp import SMTP


class Sink:
    def __init__(self, path, delay, at_once):
        self.file = open(path, "a", buffering=1)
        self.delay = delay
        self.deferred = {}
        self.at_once = at_once
        self.going_on = asyncio.Event()

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("reject"):
            return "550 5.1.1 No such mailbox"
        put_off = re.match(r"defer(\d+)", address)
        if put_off:
            times = self.deferred.get(address, 0)
            if times < int(put_off[1]):
                self.deferred[address] = times + 1
                return "451 4.7.1 Please come again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.delay:
            await asyncio.sleep(self.delay)
        if self.at_once is not None:
            self.at_once -= 1
            if self.at_once < 0:
                await self.going_on.wait()
        line = {
            "to": envelope.rcpt_tos,
            "data": base64.b64encode(envelope.original_content).decode(),
            "at": time.monotonic(),
        }
        self.file.write(json.dumps(line) + "\n")
        names = [address.split("@")[0] for address in envelope.rcpt_tos]
        if any(name.startswith("cut") for name in names):
            server.transport.abort()
        if any(name.startswith("silent") for name in names):
            await asyncio.sleep(3600)
        return "250 Taken"


def number(at):
    return int(sys.argv[at]) if len(sys.argv) > at else None


class Narrow(SMTP):
    """Takes no more than so many connections at once."""

    most = number(3) or None
    taken = 0

    def connection_made(self, transport):
        self.is_taken = Narrow.most is None or Narrow.taken < Narrow.most
        if self.is_taken:
            Narrow.taken += 1
            super().connection_made(transport)
        else:
            transport.write(b"421 4.7.0 Too many connections\r\n")
            transport.close()

    def data_received(self, data):
        if self.is_taken:
            super().data_received(data)

    def eof_received(self):
        return super().eof_received() if self.is_taken else False

    def connection_lost(self, error):
        if self.is_taken:
            Narrow.taken -= 1
            super().connection_lost(error)


async def main():
    sink = Sink(sys.argv[1], float(sys.argv[2]), number(4))
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: Narrow(sink, enable_SMTPUTF8=True, loop=loop, hostname="sink.example"), "127.0.0.1", 0
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    # Whoever started it has gone when its end of the pipe closes.
    while await loop.run_in_executor(None, sys.stdin.readline):
        sink.going_on.set()


# The waiting sessions of silent recipients would keep an orderly end from coming.
try:
    asyncio.run(asyncio.wait_for(main(), None))
finally:
    import os

    os._exit(0)
