/** What makes a whole check impossible (an archive that can't be read, a check that does not exist): for the user. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
}
