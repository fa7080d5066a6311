// How the browser tests run: Debian's Chromium against the real server, one for each file of tests (support/docket.ts).
// `cargo xtask test` calls this; by hand: `DOCKET_BIN=… npx playwright test`.
import { defineConfig, devices } from '@playwright/test';
import { availableParallelism } from 'node:os';

export default defineConfig({
  testDir: './tests',
  // The tests of one file share a server and its people, so they take turns; files run beside each other. More of them than
  // there are processors, since many wait for a mail to leave or a beat to be missed.
  workers: Math.ceil(availableParallelism() * 1.5),
  // Far beyond what any takes, on a machine that has much else to do.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: !!process.env.CI,
  reporter: 'list',
  use: {
    // No trace: recording one keeps what a menu has just opened out of sight.
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'chromium',
      use: {
        ...devices['Desktop Chrome'],
        launchOptions: {
          executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
          args: [
            '--no-sandbox', // root, as in most containers, may not have one
            '--disable-gpu',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
            '--no-first-run',
          ],
        },
      },
    },
  ],
});
