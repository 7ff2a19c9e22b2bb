/** Every row of the fault catalogue in both dialects: its code, its status, its sentence, in every language. */
import { describe, expect, it } from 'vitest';
import { codes, type FaultCode, faultNames, faults } from '../../../src/errors/catalog.ts';
import { fault } from '../../../src/errors/fault.ts';
import { type Audience, toRunError } from '../../../src/inbound/stream/dialect.ts';
import { languages } from '../../../src/language/choose-language.ts';

/** The nine-row table of the AgentCore AG-UI contract, by code. */
const documented: Readonly<
  Record<string, { readonly statuses: readonly number[]; readonly sentence: RegExp }>
> = {
  UNAUTHORIZED: { statuses: [401], sentence: /^Authentication required or invalid credentials/ },
  ACCESS_DENIED: { statuses: [403], sentence: /^Insufficient permissions for requested operation/ },
  VALIDATION_ERROR: { statuses: [400, 404, 405, 426], sentence: /^Invalid request data or parameters/ },
  RATE_LIMIT_EXCEEDED: { statuses: [429], sentence: /^Too many requests from client/ },
  SESSION_BUSY: {
    statuses: [409],
    sentence: /^(Session operation in progress, please retry|Resource conflict - Resource already exists)$/,
  },
  SERVICE_QUOTA_EXCEEDED: { statuses: [429], sentence: /^Service quota exceeded/ },
  AGENT_ERROR: { statuses: [200], sentence: /^Agent code failed during execution/ },
  INTERNAL_ERROR: {
    statuses: [500, 503],
    sentence: /^An internal error occurred while processing the request/,
  },
  CANCELLED: { statuses: [200], sentence: /./ },
};

const audience: Audience = {
  door: 'agentcore',
  language: 'en',
  requestId: 'request-1',
  threadId: 'thread-1',
  runId: 'run-1',
  isModern: true,
};

describe.each(faultNames)('fault %s', (name) => {
  const problem = fault(name);
  const row = codes[faults[name] as FaultCode];

  it('has a documented code, status and opening sentence on the AgentCore door', () => {
    const event = toRunError(problem, audience);

    expect(event.code).toBe(row.agentCore.code);
    expect(documented[row.agentCore.code]?.statuses).toContain(row.agentCore.status);
    expect(event.message).toMatch(documented[row.agentCore.code]?.sentence ?? /^$/);
    expect(event.metadata).toEqual({
      'agentcore-agui': {
        fault: problem.code,
        retryable: row.retry === 'later',
        requestId: 'request-1',
        threadId: 'thread-1',
        runId: 'run-1',
      },
    });
  });

  it('has its own code and a sentence that says nothing of the platform on the iac-code door', () => {
    const event = toRunError(problem, { ...audience, door: 'iac-code' });

    expect(event.code).toBe(faults[name]);
    expect(row.status).toBeGreaterThanOrEqual(400);
    expect(event.message.length).toBeGreaterThan(10);
    expect(event.message).not.toMatch(/\{[a-z]+\}/);
  });

  it('is told in every language, the exact SESSION_BUSY sentences in English only', () => {
    for (const language of languages) {
      const here = toRunError(problem, { ...audience, language }).message;
      const english = toRunError(problem, audience).message;

      if (language === 'en' || row.agentCore.code === 'SESSION_BUSY') expect(here).toBe(english);
      else expect(here).not.toBe(english);
    }
  });
});
