/**
 * The two ways out of the process: `out` for what was asked for, `notes` for everything about it. Colours and progress
 * only on a terminal; a reader that closes the pipe ends the process without a word.
 */
import { once } from 'node:events';
import { createColors } from 'picocolors';

export interface Terminal {
  readonly isInteractive: boolean;
  /** Colours for `notes`. */
  readonly colors: ReturnType<typeof createColors>;
  readonly showsNotes: boolean;
  /** Resolves when the stream can take more. */
  out(text: string): Promise<void>;
  notes(text: string): Promise<void>;
  /** One line that is overwritten; undefined takes it away. Shown on a terminal only. */
  progress(text: string | undefined): void;
}

export interface TerminalOptions {
  /** False for `--no-color`. */
  readonly color: boolean;
  /** Notes also where stderr is no terminal. */
  readonly isVerbose: boolean;
}

export function openTerminal({ color, isVerbose }: TerminalOptions): Terminal {
  const { stdin, stdout, stderr } = process;
  const hasColor =
    color && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb' && stderr.isTTY === true;
  let progress = '';
  // On one screen, text must not be appended to the line of progress, nor notes to an unfinished line of text.
  let isLineOpen = false;
  const clear = (): void => {
    if (progress === '') return;
    progress = '';
    stderr.write('\r\x1b[K');
  };
  return {
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    colors: createColors(hasColor),
    showsNotes: isVerbose || stderr.isTTY === true,
    async out(text) {
      if (text === '') return;
      clear();
      isLineOpen = stdout.isTTY === true && !text.endsWith('\n');
      await write(stdout, text);
    },
    async notes(text) {
      if (text === '') return;
      clear();
      const isBehindText = isLineOpen && stderr.isTTY === true;
      isLineOpen = false;
      await write(stderr, isBehindText ? `\n${text}` : text);
    },
    progress(text) {
      if (stderr.isTTY !== true || isLineOpen) return;
      clear();
      if (text === undefined) return;
      progress = text;
      stderr.write(text);
    },
  };
}

async function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}

/** `… | head` is no failure. */
export function endQuietlyOnBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (problem: NodeJS.ErrnoException) => {
      if (problem.code === 'EPIPE') process.exit(0);
      throw problem;
    });
  }
}

/** An agent's text for a terminal: its control characters could move the cursor, set titles or fake output. */
export function printable(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(controls, '');
}

/** All but tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
