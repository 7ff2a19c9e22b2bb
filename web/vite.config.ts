/**
 * Builds the chat page into web/dist: relative addresses, so that it works below any path; no inline script or module
 * preload snippet, as the server's content security policy refuses them; each file also in gzip and Brotli.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const compressible = /\.(?:js|css|html|svg)$/;
/** Smaller files travel in one packet anyway. */
const minBytes = 1_024;

function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((each) => compressible.test(each))) {
        const file = join(dir, name);
        const bytes = readFileSync(file);
        if (bytes.length < minBytes) continue;
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
      }
    },
  };
}

/** A page neither signs calls nor opens sockets as Node does: the AWS SDK and `ws` stay out. */
const nodeOnly = /^\.\/(?:node-socket|sigv4-socket|sigv4-channel)\.ts$/;
/** Named by the form renderer's test helper alone, which no page calls. */
const testOnly = /^@rjsf\/validator-ajv8$/;
const replacement = join(import.meta.dirname, 'src/runtime/not-in-pages.ts');

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  resolve: { alias: [nodeOnly, testOnly].map((find) => ({ find, replacement })) },
  plugins: [compressed()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: false,
    // Nothing as data: address: fonts and pictures are files of our own.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 3_000,
    reportCompressedSize: false,
    // Marks of libraries for servers that draw React, which is not done here.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
});
