import { type CodeRow, codes, type FaultCode, type FaultName, faults } from './catalog.ts';

/** What is filled into a fault's sentence. Short words of ours or of the caller's own request, never of the agent. */
export type FaultDetail = Readonly<Record<string, string | number>>;

/**
 * The one error class that may reach a caller. Its public sentence comes from `language/texts`; `cause` is for the
 * log only.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly fault: FaultName;
  readonly detail: FaultDetail;

  constructor(fault: FaultName, detail: FaultDetail = {}, cause?: unknown) {
    super(fault, cause === undefined ? undefined : { cause });
    this.fault = fault;
    this.detail = detail;
  }

  get code(): FaultCode {
    return faults[this.fault];
  }

  get row(): CodeRow {
    return codes[this.code];
  }
}

export function fault(name: FaultName, detail?: FaultDetail, cause?: unknown): Fault {
  return new Fault(name, detail, cause);
}

/** Anything thrown, as a fault. What is not one already is `internal`, with the original as its cause. */
export function toFault(thrown: unknown): Fault {
  return thrown instanceof Fault ? thrown : new Fault('internal', {}, thrown);
}
