"""A mail server for tests that speaks TLS: from the first byte at one port, by STARTTLS at the other. It takes messages of whoever has
signed in. How it behaves is a word on standard input, which it repeats with its ports once both have been opened anew:

good         it takes everything
other-name   its certificate is for another name
stranger     its certificate is of an authority that nobody knows
expired      its certificate has expired
clear        it speaks no TLS, and offers to be signed in to all the same
no-password  it refuses the password, and repeats what it was sent
too-large    it refuses each message at MAIL FROM for its size
too-large-at-end  it refuses each message for its size once it was sent

Whatever is heard, and what is taken from whom, stands as lines of JSON in the folder of the first argument, where the certificates
are as well. The second and third argument are user name and password.
"""

import asyncio
import base64
import json
import logging
import os
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

FOLDER, USER, PASSWORD = sys.argv[1:4]
# It complains of what it is asked for here on purpose.
logging.disable(logging.CRITICAL)
TOO_LARGE = "552 5.3.4 Message too big for system"


class Sink:
    manner = "good"

    def __init__(self):
        self.heard = open(f"{FOLDER}/heard.jsonl", "a", buffering=1)
        self.taken = open(f"{FOLDER}/taken.jsonl", "a", buffering=1)
        self.connections = set()

    def hear(self, data, is_secret):
        line = {"data": base64.b64encode(data).decode(), "secret": is_secret}
        self.heard.write(json.dumps(line) + "\n")

    def sign_in(self, server, session, envelope, mechanism, login):
        is_right = (login.login, login.password) == (USER.encode(), PASSWORD.encode())
        if is_right and self.manner != "no-password":
            return AuthResult(success=True, auth_data=login)
        plain = base64.b64encode(b"\0" + login.login + b"\0" + login.password).decode()
        words = f"535 5.7.8 Refused: {login.password.decode()} {plain}"
        return AuthResult(success=False, handled=False, message=words)

    async def handle_MAIL(self, server, session, envelope, address, options):
        if self.manner == "too-large":
            return TOO_LARGE
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.manner == "too-large-at-end":
            return TOO_LARGE
        line = {
            "to": envelope.rcpt_tos,
            "data": base64.b64encode(envelope.original_content).decode(),
            "at": asyncio.get_running_loop().time(),
            "by": session.auth_data.login.decode(),
            "secret": server.is_secret(),
        }
        self.taken.write(json.dumps(line) + "\n")
        return "250 Taken"


class Listening(SMTP):
    def __init__(self, sink, context, needs_tls, **options):
        self.sink = sink
        super().__init__(
            sink,
            tls_context=context,
            require_starttls=needs_tls,
            authenticator=sink.sign_in,
            auth_required=True,
            auth_require_tls=needs_tls,
            enable_SMTPUTF8=True,
            hostname="sink.example",
            **options,
        )

    def is_secret(self):
        return self._tls_protocol is not None or self.transport.get_extra_info("sslcontext") is not None

    def connection_made(self, transport):
        self.sink.connections.add(transport)
        super().connection_made(transport)

    def connection_lost(self, error):
        self.sink.connections.discard(self.transport)
        super().connection_lost(error)

    def data_received(self, data):
        self.sink.hear(data, self.is_secret())
        super().data_received(data)

    async def push(self, status):
        # The library's own has no letters but those of ASCII.
        self._writer.write(status.encode() + b"\r\n")
        await self._writer.drain()


async def listen(sink, ports):
    """Opens both ports, those of before if there are any, and gives the servers."""
    loop = asyncio.get_running_loop()
    context = None
    if sink.manner != "clear":
        name = sink.manner if os.path.exists(f"{FOLDER}/{sink.manner}.pem") else "good"
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{FOLDER}/{name}.pem")
    needs_tls = context is not None
    return [
        await loop.create_server(lambda: Listening(sink, None, False, loop=loop), "127.0.0.1", ports[0], ssl=context),
        await loop.create_server(lambda: Listening(sink, context, needs_tls, loop=loop), "127.0.0.1", ports[1]),
    ]


async def main():
    sink, ports, servers = Sink(), [0, 0], []
    loop = asyncio.get_running_loop()
    # Whoever started it has gone when its end of the pipe closes.
    while word := (await loop.run_in_executor(None, sys.stdin.readline)).strip():
        for server in servers:
            server.close()
        for transport in list(sink.connections):
            transport.abort()
        sink.manner = word
        servers = await listen(sink, ports)
        ports = [server.sockets[0].getsockname()[1] for server in servers]
        print(word, *ports, flush=True)


try:
    asyncio.run(main())
finally:
    os._exit(0)
