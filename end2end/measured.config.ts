// What each page weighs and how long it takes over a slow connection: `cargo xtask bench pages` builds for it and calls this.
import all from './playwright.config';

export default { ...all, testDir: './measured', workers: 1 };
