// A journey for each page in the two other engines that Debian has, which Playwright cannot drive: `cargo xtask test` calls this.
import { defineConfig } from '@playwright/test';

import all from './playwright.config';
import type { Engine } from './other-browsers/fixtures';

const engine = (name: Engine) => ({ name, workers: 1, use: { engine: name } });

export default defineConfig<object, { engine: Engine }>({
  testDir: './other-browsers',
  // One browser of each, beside each other.
  workers: 2,
  timeout: all.timeout,
  expect: { ...all.expect, toPass: all.expect },
  forbidOnly: all.forbidOnly,
  reporter: all.reporter,
  projects: [engine('firefox'), engine('webkitgtk')],
});
