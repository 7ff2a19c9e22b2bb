/** Ends a switch over a union: the compiler proves that it is never reached. */
export function assertNever(value: never): never {
  throw new TypeError(`unreachable case: ${JSON.stringify(value)}`);
}
