/** A real terminal to type into and to look at, by tmux. */
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

const patienceMs = 20_000;

export class Terminal {
  readonly #name: string;

  /** Starts `command` in a terminal of 100 columns and 40 rows; when it ends, its exit code stands in the last line. */
  constructor(name: string, command: string, environment: Readonly<Record<string, string>> = {}) {
    this.#name = name;
    const set = Object.entries(environment).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
    const whole = `${command}; echo "exit code $?"; sleep 60`;
    this.#tmux('new-session', '-d', '-s', name, '-x', '100', '-y', '40', ...set, whole);
  }

  /** `text` is typed as it is; `keys` are tmux's names, such as Enter, Down, C-c. */
  type(text: string, ...keys: readonly string[]): void {
    if (text !== '') this.#tmux('send-keys', '-t', this.#name, '-l', text);
    if (keys.length > 0) this.#tmux('send-keys', '-t', this.#name, ...keys);
  }

  /** What a person sees; with `styles` the colours as escape sequences too. */
  screen(styles = false): string {
    return this.#tmux('capture-pane', '-p', '-t', this.#name, ...(styles ? ['-e'] : []));
  }

  /** Resolves to the screen once it shows this; rejects with the screen when it does not in time. */
  async shows(pattern: RegExp): Promise<string> {
    const until = Date.now() + patienceMs;
    for (;;) {
      const screen = this.screen();
      if (pattern.test(screen)) return screen;
      if (Date.now() > until) throw new Error(`the terminal does not show ${pattern}:\n${screen.trimEnd()}`);
      await pause(50);
    }
  }

  close(): void {
    this.#tmux('kill-session', '-t', this.#name);
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync('tmux', ['-L', 'agentcore-agui', ...args], { encoding: 'utf8' });
  }
}
