declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** An HTTP server that speaks DynamoDB's protocol, in memory. */
  export default function dynalite(options?: {
    readonly createTableMs?: number;
    readonly deleteTableMs?: number;
  }): Server;
}
