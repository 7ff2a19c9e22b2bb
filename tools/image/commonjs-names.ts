/** `__filename` and `__dirname` for CommonJS packages inside the bundle; esbuild adds them only where they are used. */
import { fileURLToPath } from 'node:url';

export const __filename = fileURLToPath(import.meta.url);
export const __dirname = fileURLToPath(new URL('.', import.meta.url));
