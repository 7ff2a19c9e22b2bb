/**
 * Builds the chat page (web/) into web/dist: `npm run page`. npm runs it too, after `npm ci` and before `npm start`, with
 * `--if-needed`: then nothing happens where the page is newer than its sources or the tools to build it are not installed
 * (`--omit=dev`), and a page that can't be built is said and does not stop npm, because the server works without it.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const web = join(root, 'web');
const built = join(web, 'dist/index.html');
const isIfNeeded = process.argv.includes('--if-needed');

try {
  if (!isIfNeeded || (canBuild() && isOutdated())) await build();
} catch (thrown) {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  process.stderr.write(`the chat page could not be built: ${why}\n`);
  process.exitCode = isIfNeeded ? 0 : 1;
}

async function build(): Promise<void> {
  const vite = await import('vite');
  await vite.build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn' });
  process.stdout.write('chat page built in web/dist\n');
}

function canBuild(): boolean {
  return ['vite', 'react', 'react-dom'].every((name) => existsSync(join(root, 'node_modules', name)));
}

function isOutdated(): boolean {
  if (!existsSync(built)) return existsSync(join(web, 'index.html'));
  const { mtimeMs } = statSync(built);
  const sources = [join(web, 'src'), join(web, 'public'), join(root, 'src/client')].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const more = ['web/index.html', 'web/vite.config.ts', 'package-lock.json'].map((name) => join(root, name));
  return [...sources, ...more].some((file) => statSync(file).mtimeMs > mtimeMs);
}
