/** Stands in the built page for what is never called there: the parts of the client that need Node, and test helpers. */
function refuse(): never {
  throw new TypeError('not in a browser');
}

export const openNodeSocket = refuse;
export const signUpgrade = refuse;
export const SigV4Channel = refuse;
export default refuse;
