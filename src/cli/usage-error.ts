/** What the user of the command line got wrong, in a sentence for them. Thrown before anything is sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
