// Docket as several processes with one PostgreSQL database, where each can be ended and started alone: what the tests need
// that are about a process that is gone.
import { test as base, type Page } from '@playwright/test';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from './server';
import { signIn } from './session';

const password = 'correct horse battery staple';

/** A process that runs. */
export interface Running {
  process: ChildProcess;
  log: string;
}

export class Cluster {
  private readonly database = `docket_end2end_${crypto.randomUUID().replaceAll('-', '')}`;
  private readonly running: Running[] = [];
  private readonly environment: Record<string, string>;

  constructor(
    private readonly postgres: string,
    private readonly binary: string,
    /** Where its processes run and log. */
    private readonly folder: string,
    /** The address of its pages. */
    readonly url: string,
  ) {
    this.environment = {
      DOCKET__DATABASE__URL: this.address(this.database),
      DOCKET__QUEUE__SELF_TEST: 'true',
      DOCKET__QUEUE__LEASE: '4s',
      DOCKET__QUEUE__HEARTBEAT: '500ms',
      DOCKET__QUEUE__POLL_INTERVAL: '1s',
      DOCKET__QUEUE__SLOTS: '2',
    };
  }

  /** A database with an administrator, and the process that serves the pages; nobody runs tasks yet. */
  async begin(): Promise<void> {
    mkdirSync(this.folder, { recursive: true });
    this.psql(this.postgres, `CREATE DATABASE ${this.database}`);
    this.command(['migrate']);
    this.command(['user', 'add', 'admin', '--role', 'administrator', '--name', 'Ada Moss', '--password-stdin'], password);
    await this.web(this.url);
  }

  /** A process that serves pages at this address, once it is ready. */
  async web(url: string): Promise<Running> {
    const web = this.start('web', { DOCKET__HTTP__LISTEN: new URL(url).host });
    await this.until(web, async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok);
    return web;
  }

  /** A process that runs tasks, once it is ready for them. */
  async worker(): Promise<Running> {
    const worker = this.start('worker');
    await this.until(worker, async () => readFileSync(worker.log, 'utf8').includes('ready to run tasks'));
    return worker;
  }

  /** Ends a process as whoever replaces it does; an error unless it ends in good order. */
  async stop({ process, log }: Running): Promise<void> {
    const exit = once(process, 'exit');
    process.kill('SIGTERM');
    const [code] = await exit;
    if (code !== 0) throw new Error(`a process ended with ${code}:\n${readFileSync(log, 'utf8')}`);
  }

  /** Ends a process as a crash does. */
  async kill({ process }: Running): Promise<void> {
    const exit = once(process, 'exit');
    process.kill('SIGKILL');
    await exit;
  }

  signIn = (page: Page): Promise<void> => signIn(page, 'admin', password);

  /** What a statement answers. */
  sql = (statement: string): string => this.psql(this.address(this.database), statement);

  /** Runs a command and gives what it says. */
  command(words: string[], input = ''): string {
    const options = { cwd: this.folder, env: { ...process.env, ...this.environment }, input, encoding: 'utf8' } as const;
    return execFileSync(this.binary, words, options);
  }

  /** Starts a command that goes on for a while, once it has said what it begins with. */
  async going(words: string[]): Promise<ChildProcess> {
    const child = spawn(this.binary, words, { cwd: this.folder, env: { ...process.env, ...this.environment } });
    this.running.push({ process: child, log: '' });
    await once(child.stdout, 'data');
    return child;
  }

  async end(): Promise<void> {
    for (const one of this.running) {
      if (one.process.exitCode === null && one.process.signalCode === null) await this.kill(one);
    }
    this.psql(this.postgres, `DROP DATABASE IF EXISTS ${this.database} WITH (FORCE)`);
  }

  private start(role: string, settings: Record<string, string> = {}): Running {
    const name = `${role}${this.running.length}`;
    const log = join(this.folder, `${name}.log`);
    const output = openSync(log, 'w');
    const started = spawn(this.binary, ['serve', '--role', role], {
      cwd: this.folder,
      env: { ...process.env, ...this.environment, ...settings, DOCKET__SYSTEM_ID: name },
      stdio: ['ignore', output, output],
    });
    this.running.push({ process: started, log });
    return { process: started, log };
  }

  private async until({ process, log }: Running, ready: () => Promise<boolean | undefined>): Promise<void> {
    for (const last = Date.now() + 60_000; Date.now() < last && process.exitCode === null; await sleep(50)) {
      if (await ready()) return;
    }
    throw new Error(`a process did not start:\n${readFileSync(log, 'utf8')}`);
  }

  private address(database: string): string {
    const address = new URL(this.postgres);
    address.pathname = database;
    return String(address);
  }

  private psql(address: string, statement: string): string {
    const words = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1', '--command', statement];
    return execFileSync('psql', [address, ...words], { encoding: 'utf8' }).trim();
  }
}

/** Where nobody serves pages yet. */
export const freeAddress = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;

/** Tests with a cluster of their own, which is gone at the end of each. */
export const test = base.extend<{ cluster: Cluster }>({
  cluster: async ({}, use, info) => {
    const { TEST_POSTGRES_URL: postgres, DOCKET_BIN: binary } = process.env;
    if (!postgres || !binary) throw new Error('TEST_POSTGRES_URL or DOCKET_BIN is not set: run `cargo xtask test --only browser`');
    const cluster = new Cluster(postgres, binary, info.outputPath(), await freeAddress());
    try {
      await cluster.begin();
      await use(cluster);
    } finally {
      await cluster.end();
    }
  },
  baseURL: async ({ cluster }, use) => use(cluster.url),
});
