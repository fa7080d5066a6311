// The one test of the binary as it is delivered: `cargo xtask endure --only delivered` builds it and calls this.
import all from './playwright.config';

export default { ...all, testDir: './delivered', workers: 1 };
