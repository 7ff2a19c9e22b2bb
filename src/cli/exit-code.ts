/** How the command ended, for scripts. Documented in docs/client.md. */
export const exitCode = {
  done: 0,
  /** The agent ended the run with an error. */
  runFailed: 1,
  /** `doctor` found something that has to be mended. */
  unfit: 1,
  /** The command line can't be obeyed; nothing was sent. */
  usage: 2,
  /** The run waits for answers. */
  waiting: 3,
  /** The call was refused, or the connection could not be had or was lost. */
  callFailed: 4,
  timeout: 5,
  /** Ctrl-C, or the run was cancelled by someone else. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
