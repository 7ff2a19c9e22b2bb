/** How often one caller may ask. */
export interface RateLimit {
  /** Takes one request of this caller. Undefined when it may go on, else the whole seconds after which it may ask again. */
  take(caller: string): number | undefined;
}
