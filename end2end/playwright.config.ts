// How the browser tests run: Debian's Chromium against one real server, which support/server.ts starts and stops.
// `cargo xtask test` calls this; by hand: `DOCKET_BIN=… npx playwright test`.
import { defineConfig, devices } from '@playwright/test';

const port = process.env.E2E_PORT ?? '3900';

export default defineConfig({
  testDir: './tests',
  globalSetup: './support/server.ts',
  // The tests share one server and its people, so they take turns.
  workers: 1,
  timeout: 30_000,
  forbidOnly: !!process.env.CI,
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    // No trace: recording one keeps what a menu has just opened out of sight.
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'chromium',
      use: {
        ...devices['Desktop Chrome'],
        launchOptions: {
          executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
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
