// The server that the tests of one file talk to: a demo of its own, with its people and nobody else's tasks. What a file does
// no other file finds, in whatever order and beside whichever others they run.
import { expect, test as base } from '@playwright/test';
import { basename, join } from 'node:path';

import { freePort, start, type Server } from './server';
import { accounts } from './session';

/** The server of the file whose tests this worker runs. */
class Own {
  private of?: { file: string; server: Server };

  async for(file: string, folder: string): Promise<Server> {
    if (this.of?.file !== file) {
      await this.stop();
      // Stays after the run, beside the traces: it is what explains a failure.
      const log = join(folder, `${basename(file, '.spec.ts')}-${process.pid}.log`);
      const settings = {
        DOCKET__QUEUE__SELF_TEST: 'true',
        // What has failed once is tried again when a test says so, and not while it is on its way to a page.
        DOCKET__QUEUE__BACKOFF: '1h',
      };
      const server = await start(`127.0.0.1:${await freePort()}`, log, settings);
      this.of = { file, server };
      for (const who of accounts) process.env[`DEMO_${who.toUpperCase()}`] = server.passwords[who];
    }
    return this.of!.server;
  }

  async stop(): Promise<void> {
    const server = this.of?.server;
    this.of = undefined;
    await server?.stop();
  }
}

export const test = base.extend<{ server: Server }, { own: Own }>({
  own: [
    async ({}, use) => {
      const own = new Own();
      await use(own);
      await own.stop();
    },
    { scope: 'worker' },
  ],
  server: async ({ own }, use, info) => use(await own.for(info.file, info.project.outputDir)),
  baseURL: async ({ server }, use) => use(server.url),
  // A page that throws fails its test. What it said and could not load is told with any failure, which it may explain.
  context: async ({ context }, use, info) => {
    const [thrown, said]: string[][] = [[], []];
    context.on('weberror', (error) => thrown.push(String(error.error().stack ?? error.error())));
    context.on('console', (line) => void (line.type() === 'error' && said.push(line.text())));
    context.on('requestfailed', (request) => {
      const why = request.failure()?.errorText;
      // Whoever goes on to another page breaks off what this one had asked for.
      if (why !== 'net::ERR_ABORTED') said.push(`${request.url()}: ${why}`);
    });
    await use(context);
    if (info.status !== info.expectedStatus && said.length) console.log([`The pages of “${info.title}” said:`, ...said].join('\n  '));
    expect(thrown, 'what the pages threw').toEqual([]);
  },
});
