import { defineConfig } from 'vitest/config';

/** The chat page in Debian's Chromium: run by `.ci/browser`, not by `npm test`, which needs nothing but npm. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.browser.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
