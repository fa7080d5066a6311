// A server for browser tests: a demo of its own in a temporary folder. Stopping is itself a test: SIGTERM must end it in good
// order, with status 0.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { accounts, type Who } from './session';

const started = 60_000;
// Far longer than the 20 s that the server itself gives running tasks.
const stopped = 60_000;

export interface Server {
  url: string;
  passwords: Record<Who, string>;
  /** It stands still, as on a machine that has no processor for it, until it goes on. */
  freeze(): void;
  goOn(): void;
  /** Starts a command beside it, on the same database. */
  command(words: string[]): ChildProcess;
  /** Ends it; an error unless it ends in good order. */
  stop(): Promise<void>;
}

/** Starts a demo of its own on this address, with what it says in the file `log`; or one in which nobody has an account yet. */
export async function start(address: string, log: string, settings: Record<string, string>, empty = false): Promise<Server> {
  const binary = process.env.DOCKET_BIN;
  if (!binary) throw new Error('DOCKET_BIN names no server: run `cargo xtask test --only browser`');

  const folder = await mkdtemp(join(tmpdir(), 'docket-end2end-'));
  await mkdir(dirname(log), { recursive: true });
  const output = await open(log, 'w');

  const env = {
    ...process.env,
    DOCKET__HTTP__LISTEN: address,
    DOCKET__DATABASE__URL: `sqlite://${folder}/docket.db`,
    ...settings,
  };
  const run = (words: string[]) => spawn(binary, words, { cwd: folder, env, stdio: ['ignore', output.fd, output.fd] });
  const server = run(empty ? ['serve'] : ['serve', '--demo']);
  // Awaited in two places, so it must not count as unhandled while nobody does.
  const exit = new Promise<string>((resolve) => {
    server.once('error', (error) => resolve(`could not be started: ${error.message}`));
    server.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with status ${code}`));
  });

  const end = async () => {
    await output.close();
    await rm(folder, { recursive: true, force: true });
  };
  const passwords = {} as Record<Who, string>;
  try {
    await eventually('200 from /readyz', exit, async () => {
      const answer = await fetch(`http://${address}/readyz`).catch(() => undefined);
      return answer?.ok || undefined;
    });
    for (const who of empty ? [] : accounts) {
      const line = `demo account: ${who} / `;
      passwords[who] = await eventually(`line "${line}…"`, exit, async () => {
        const lines = (await readFile(log, 'utf8')).split('\n');
        return lines.find((printed) => printed.startsWith(line))?.slice(line.length).trim();
      });
    }
  } catch (error) {
    server.kill('SIGKILL');
    const said = await readFile(log, 'utf8');
    await end();
    throw new Error(`${binary}: ${(error as Error).message}\n${said}`);
  }

  const stopIt = async () => {
    const how = await stop(server, exit);
    await end();
    if (how !== 'ended with status 0') throw new Error(`after SIGTERM the server ${how}; its log is ${log}`);
  };
  const [freeze, goOn] = (['SIGSTOP', 'SIGCONT'] as const).map((signal) => () => void server.kill(signal));
  return { url: `http://${address}`, passwords, freeze, goOn, command: run, stop: stopIt };
}

/** Waits for what `probe` finds; gives up when the server has ended or has had its time. */
async function eventually<T>(what: string, exit: Promise<string>, probe: () => Promise<T | undefined>): Promise<T> {
  let gone: string | undefined;
  void exit.then((how) => (gone = how));
  for (const until = Date.now() + started; Date.now() < until; await sleep(50)) {
    // Asked first: another server on this port would answer in the name of one that could not start.
    if (gone) throw new Error(`the server ${gone}`);
    const found = await probe();
    if (found !== undefined) return found;
  }
  throw new Error(`no ${what} within ${started / 1000} s`);
}

async function stop(server: ChildProcess, exit: Promise<string>): Promise<string> {
  server.kill('SIGTERM');
  const late = new AbortController();
  const how = await Promise.race([exit, sleep(stopped, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
  if (how) return how;
  server.kill('SIGKILL');
  await exit;
  return `was still running after ${stopped / 1000} s`;
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
