// The server that every browser test talks to: a demo of its own in a temporary folder, started before the first test
// and stopped after the last. Stopping is itself a test: SIGTERM must end it in good order, with status 0.
import type { FullConfig } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const started = 60_000;
// Longer than the 20 s that the server itself gives running tasks.
const stopped = 30_000;

export default async function serve(config: FullConfig): Promise<() => Promise<void>> {
  const binary = process.env.DOCKET_BIN;
  if (!binary) throw new Error('DOCKET_BIN names no server: run `cargo xtask test --only browser`');

  const address = new URL(config.projects[0].use.baseURL!).host;
  const folder = await mkdtemp(join(tmpdir(), 'docket-end2end-'));
  // Stays after the run, beside the traces: it is what explains a failure.
  const results = config.projects[0].outputDir;
  await mkdir(results, { recursive: true });
  const log = join(results, 'docket.log');
  const output = await open(log, 'w');

  const server = spawn(binary, ['serve', '--demo'], {
    cwd: folder,
    env: {
      ...process.env,
      DOCKET__HTTP__LISTEN: address,
      DOCKET__DATABASE__URL: `sqlite://${folder}/docket.db`,
      DOCKET__QUEUE__SELF_TEST: 'true',
    },
    stdio: ['ignore', output.fd, output.fd],
  });
  // Awaited in two places, so it must not count as unhandled while nobody does.
  const exit = new Promise<string>((resolve) => {
    server.once('error', (error) => resolve(`could not be started: ${error.message}`));
    server.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with status ${code}`));
  });

  const end = async () => {
    await output.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await eventually('200 from /readyz', exit, async () => {
      const answer = await fetch(`http://${address}/readyz`).catch(() => undefined);
      return answer?.ok || undefined;
    });
    for (const who of ['coach', 'manager', 'admin']) {
      const line = `demo account: ${who} / `;
      process.env[`DEMO_${who.toUpperCase()}`] = await eventually(`line "${line}…"`, exit, async () => {
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

  return async () => {
    const how = await stop(server, exit);
    await end();
    if (how !== 'ended with status 0') throw new Error(`after SIGTERM the server ${how}; its log is ${log}`);
  };
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
