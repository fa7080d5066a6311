// A mail server that keeps what it is handed: the one of the Rust tests, testkit/src/sink.py.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A message as it was taken. */
export interface Taken {
  to: string[];
  /** Its headers, decoded, by their names in small letters. */
  headers: Record<string, string>;
  /** Its text for those who see no HTML. */
  plain: string;
  html: string;
}

interface Line {
  to: string[];
  data: string;
}

export class Sink {
  private constructor(
    private readonly process: ChildProcess,
    private readonly log: string,
    /** The address for `mail.smtp_url`. */
    readonly url: string,
  ) {}

  /** Starts one that writes to the file `log`. */
  static async start(log: string): Promise<Sink> {
    const script = readFileSync(join(__dirname, '../../testkit/src/sink.py'), 'utf8');
    // Debian's Python is the one that has aiosmtpd.
    const child = spawn('/usr/bin/python3', ['-c', script, log, '0'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const gone = once(child, 'exit').then(() => {
      throw new Error('the mail server did not start');
    });
    const [port] = await Promise.race([once(child.stdout!, 'data'), gone]);
    gone.catch(() => {});
    return new Sink(child, log, `smtp://127.0.0.1:${String(port).trim()}`);
  }

  /** What has been taken so far. */
  taken(): Taken[] {
    const lines = existsSync(this.log) ? readFileSync(this.log, 'utf8').trim() : '';
    return lines.split('\n').filter(Boolean).map((line) => read(JSON.parse(line) as Line));
  }

  async stop(): Promise<void> {
    const exit = once(this.process, 'exit');
    this.process.stdin!.end();
    await exit;
  }
}

function read({ to, data }: Line): Taken {
  const whole = part(Buffer.from(data, 'base64').toString('latin1'));
  const boundary = /boundary="?([^";]+)/.exec(whole.headers['content-type'])?.[1];
  const between = boundary ? whole.body.split(`--${boundary}`).slice(1, -1) : [];
  const parts = boundary ? between.map((text) => part(text.replace(/^\r\n/, ''))) : [whole];
  const text = (type: string) => {
    const found = parts.find(({ headers }) => headers['content-type'].startsWith(type));
    return found ? decoded(found.body, found.headers['content-transfer-encoding']) : '';
  };
  return { to, headers: whole.headers, plain: text('text/plain'), html: text('text/html') };
}

/** Headers and what follows them. */
function part(text: string): { headers: Record<string, string>; body: string } {
  const [head, ...body] = text.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]/g, ' ').split('\r\n').filter((line) => line.includes(':'));
  const headers = lines.map((line) => {
    const [name, ...value] = line.split(':');
    return [name.toLowerCase(), words(value.join(':').trim())];
  });
  return { headers: Object.fromEntries(headers), body: body.join('\r\n\r\n') };
}

function decoded(body: string, encoding = '7bit'): string {
  const bytes = () => {
    switch (encoding.toLowerCase()) {
      case 'base64':
        return Buffer.from(body, 'base64');
      case 'quoted-printable':
        return quoted(body.replaceAll('=\r\n', ''));
      default:
        return Buffer.from(body, 'latin1');
    }
  };
  return bytes().toString('utf8').replaceAll('\r\n', '\n').trimEnd();
}

const quoted = (text: string): Buffer =>
  Buffer.from(text.replaceAll(/=([\dA-F]{2})/gi, (_, code) => String.fromCharCode(parseInt(code, 16))), 'latin1');

/** The words of a header that are not ASCII (RFC 2047). */
const words = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, how: string, word: string) =>
      (how.toLowerCase() === 'b' ? Buffer.from(word, 'base64') : quoted(word.replaceAll('_', ' '))).toString('utf8'),
    );
