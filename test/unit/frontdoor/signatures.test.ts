/** Inbound SigV4: what is signed properly gets in, and each way of not being so is refused with its reason. */
import { describe, expect, it } from 'vitest';
import { sessionHeader } from '../../../src/client/session-id.ts';
import type { Statement } from '../../../src/frontdoor/door-config.ts';
import { verifiesOn } from '../../spec/verifies.ts';
import { identity, runtimeInput, startDoor } from '../../support/front-door.ts';
import {
  invocations,
  runErrorOf,
  type SignedCall,
  sessionId,
  signedFetch,
} from '../../support/signed-fetch.ts';

const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);

async function refusalOf(response: Response) {
  return { status: response.status, event: runErrorOf(await response.text()), headers: response.headers };
}

describe('a signed invocation', () => {
  it('gets in, whatever its query, headers and body are made of', async () => {
    const door = await startDoor([runtimeInput({ qualifiers: ['PROD_1'] })]);
    const body = JSON.stringify({ text: 'ü € 😀\n' });

    const answer = await signedFetch(door.url, {
      path: `${invocations}?qualifier=PROD_1&empty=&sp%20ace=a%2Bb%2F`,
      headers: { 'x-odd': '  two   spaces  ', traceparent: '00-1-2-01' },
      body,
    });

    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      url: '/invocations',
      body,
      headers: { traceparent: '00-1-2-01' },
    });
    expect(answer.headers.get(sessionHeader)).toBe(sessionId);
    expect(answer.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
  });

  const refused: readonly (readonly [string, SignedCall, RegExp])[] = [
    ['with a wrong secret', { secret: 'wrong' }, /signature does not match/],
    ['with an unknown key', { key: 'AKIDUNKNOWN' }, /unknown access key/],
    ['for another region', { region: 'eu-west-1' }, /region eu-west-1, not us-west-2/],
    ['for another service', { service: 'bedrock' }, /service bedrock, not/],
    ['by a clock that is slow', { signedAt: minutes(-6) }, /expired/],
    ['by a clock that is fast', { signedAt: minutes(6) }, /not valid yet/],
    ['whose body was changed', { tamper: () => ({ body: '{"a":1}' }) }, /not the hash of the body/],
    [
      'whose session was changed',
      { tamper: (headers) => ({ headers: { ...headers, [sessionHeader.toLowerCase()]: 't'.repeat(40) } }) },
      /signature does not match/,
    ],
    [
      'that got a header of the signature’s family afterwards',
      { tamper: (headers) => ({ headers: { ...headers, 'x-amz-target': 'other' } }) },
      /x-amz-target is not signed/,
    ],
    [
      'with half a header',
      { tamper: (headers) => ({ headers: { ...headers, authorization: 'AWS4-HMAC-SHA256 Credential=x' } }) },
      /can't be read/,
    ],
    ['with no signature', { tamper: () => ({ headers: {} }) }, /not signed/],
    [
      'with a bearer token instead',
      { tamper: () => ({ headers: { authorization: 'Bearer abc' } }) },
      /authorization method mismatch/,
    ],
    [
      'with a session token that is not the key’s',
      { headers: { 'x-amz-security-token': 'other' } },
      /session token/,
    ],
  ];

  it.each(refused)('%s is refused with 403, and no container starts', async (_what, call, reason) => {
    verifiesOn('agentcore', 'oauth.sigv4-no-challenge', 'errors.access-denied');
    const door = await startDoor();

    const { status, event, headers } = await refusalOf(await signedFetch(door.url, call));

    expect(status).toBe(403);
    expect(event).toEqual({
      type: 'RUN_ERROR',
      code: 'ACCESS_DENIED',
      message: expect.stringMatching(/^Insufficient permissions for requested operation: /),
    });
    expect(event).toHaveProperty('message', expect.stringMatching(reason));
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(headers.has('www-authenticate')).toBe(false);
    expect(door.sessions()).toEqual([]);
  });

  it('is held against the policy: action, runtime, endpoint, and acting for a user', async () => {
    const { arn } = runtimeInput();
    const allow = (action: string, Resource: string[]): Statement => ({
      Effect: 'Allow',
      Action: [action],
      Resource,
    });
    const call = async (statements: readonly Statement[], signed: SignedCall = {}) => {
      const identities = [{ ...identity, policy: { Statement: [...statements] } }];
      return (await signedFetch((await startDoor([runtimeInput()], { identities })).url, signed)).status;
    };
    const user = { headers: { 'X-Amzn-Bedrock-AgentCore-Runtime-User-Id': 'u-1' } };
    const invoke = 'bedrock-agentcore:InvokeAgentRuntime';
    const both = [arn, `${arn}/runtime-endpoint/DEFAULT`];

    expect(await call([allow(invoke, both)])).toBe(200);
    expect(await call([allow(invoke, [arn])])).toBe(403);
    expect(await call([allow('bedrock-agentcore:StopRuntimeSession', both)])).toBe(403);
    expect(await call([allow(invoke, both)], user)).toBe(403);
    expect(await call([allow(`${invoke}*`, both)], user)).toBe(200);
    const stop = { ...user, path: invocations.replace('invocations', 'stopruntimesession') };
    expect(await call([allow('bedrock-agentcore:StopRuntimeSession', both)], stop)).toBe(404);
    expect(await call([allow('*', ['*']), { Effect: 'Deny', Action: [invoke], Resource: [arn] }])).toBe(403);
  });
});
