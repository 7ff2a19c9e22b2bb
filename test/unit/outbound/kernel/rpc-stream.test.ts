/** Streams of the remote client, down to the bytes on the socket. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RemoteKernel, type RemoteKernelOptions } from '../../../../src/outbound/kernel/remote-kernel.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';
import type { Exchange } from '../../../fake-kernel/exchange.ts';
import type { FakeKernel } from '../../../fake-kernel/fake-kernel.ts';
import { userText } from '../../../fake-kernel/sends.ts';
import { startFakeKernel } from '../../../fake-kernel/start.ts';
import { says } from '../../../fake-kernel/turn.ts';
import { never, quietLog, readAll } from './support.ts';

function connect(fake: FakeKernel, options: Partial<RemoteKernelOptions> = {}): RemoteKernel {
  const kernel = new RemoteKernel({ url: fake.url, log: quietLog, ...options });
  onTestFinished(() => kernel.close());
  return kernel;
}

const first: JsonObject = { statusUpdate: { text: 'eins' } };
const second: JsonObject = { statusUpdate: { text: 'zwei ✓ 𝄞' } };

/** A kernel whose next stream is written by `handler`, and what the client makes of it. */
async function readStreamOf(handler: (exchange: Exchange) => void | Promise<void>) {
  const fake = await startFakeKernel();
  fake.on('SendStreamingMessage', handler);
  const outcome = await readAll(connect(fake).send(userText('hi'), never()));
  return { ...outcome, sent: fake.callsOf('SendStreamingMessage').length };
}

describe('a stream of the remote client', () => {
  it('gives the frames in order and ends when the agent ends it', async () => {
    const { items, error } = await readStreamOf((exchange) => {
      exchange.frames(first, {}, second);
      exchange.end();
    });

    expect(items).toEqual([first, {}, second]);
    expect(error).toBeUndefined();
  });

  it('gives what is there at once, in one batch', async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ statusUpdate: { index } }));

    const { items, batches } = await readStreamOf((exchange) => {
      exchange.raw(many.map((each) => exchange.frameText(each)).join(''));
      exchange.end();
    });

    expect(items).toEqual(many);
    expect(batches).toBe(1);
  });

  it.each([
    ['CRLF', (json: string) => `data: ${json}\r\n\r\n`],
    ['CR', (json: string) => `data: ${json}\r\r`],
    ['several data lines', (json: string) => `data: ${json.replaceAll(',', ',\ndata: ')}\n\n`],
    ['comments, ids and empty events', (json: string) => `: ping\n\nid: 4\ndata:\n\ndata:${json}\n\n`],
  ])('reads %s, behind a byte order mark', async (_, write) => {
    const { items, error } = await readStreamOf((exchange) => {
      exchange.raw('\uFEFF');
      for (const frame of [first, second]) {
        exchange.raw(write(JSON.stringify({ jsonrpc: '2.0', id: exchange.id, result: frame })));
      }
      exchange.end();
    });

    expect(error).toBeUndefined();
    expect(items).toEqual([first, second]);
  });

  it('reads the same frames wherever the bytes are cut', async () => {
    const fake = await startFakeKernel();
    const kernel = connect(fake);
    let places: readonly number[] = [];
    fake.on('SendStreamingMessage', async (exchange) => {
      const bytes = Buffer.from(exchange.frameText(first) + exchange.frameText(second));
      const cuts = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
      for (const [index, from] of [0, ...cuts].entries()) {
        exchange.raw(bytes.subarray(from, cuts[index] ?? bytes.length));
        // Each piece in a write of its own.
        await new Promise((resolve) => setImmediate(resolve));
      }
      exchange.end();
    });

    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), async (given) => {
        places = given;
        expect((await readAll(kernel.send(userText('hi'), never()))).items).toEqual([first, second]);
      }),
      { numRuns: 60 },
    );
  });

  it('reads frames of several megabytes', async () => {
    const large = { statusUpdate: { text: 'ü'.repeat(5 * 1024 * 1024) } };

    const { items, error } = await readStreamOf((exchange) => {
      exchange.frames(large);
      exchange.end();
    });

    expect(error).toBeUndefined();
    expect(items).toEqual([large]);
  });

  it('breaks off at a frame beyond the bound', async () => {
    const fake = await startFakeKernel();
    const gone = new Promise<void>((resolve) => {
      fake.on('SendStreamingMessage', (exchange) => {
        exchange.frames(first);
        exchange.raw(`data: ${'x'.repeat(20_000)}`);
        void exchange.gone.then(resolve);
      });
    });

    const { items, error } = await readAll(
      connect(fake, { maxFrameBytes: 10_000 }).send(userText('hi'), never()),
    );

    expect(items).toEqual([first]);
    expect(error).toMatchObject({ kind: 'breach' });
    await gone;
  });

  it.each([
    ['cut', (exchange: Exchange) => exchange.cut()],
    [
      'cut inside a frame',
      (exchange: Exchange) => {
        exchange.raw(exchange.frameText(second).slice(0, 40));
        exchange.cut();
      },
    ],
    [
      'ended inside a frame',
      (exchange: Exchange) => {
        exchange.raw(exchange.frameText(second).slice(0, 40));
        exchange.end();
      },
    ],
  ])('gives everything that came and then says that the connection was %s', async (_, breakOff) => {
    const { items, error, sent } = await readStreamOf((exchange) => {
      exchange.frames(first);
      breakOff(exchange);
    });

    expect(items).toEqual([first]);
    expect(error).toMatchObject({ kind: 'unavailable' });
    expect(sent).toBe(1);
  });

  it.each([1_000, 2_600, 2_800, 3_000])(
    'gives all %i frames that had come when a connection is cut while its reader lags',
    async (count) => {
      const fake = await startFakeKernel();
      const frames = Array.from({ length: count }, (_, index) => ({ statusUpdate: { index } }));
      const opened = Promise.withResolvers<Exchange>();
      fake.on('SendStreamingMessage', (exchange) => {
        exchange.frames(first);
        opened.resolve(exchange);
      });
      const stream = connect(fake).send(userText('hi'), never())[Symbol.asyncIterator]();
      await stream.next();
      const exchange = await opened.promise;

      for (const frame of frames) exchange.frames(frame);
      exchange.cut();
      await exchange.gone;

      const rest: JsonObject[] = [];
      await expect(async () => {
        for (let step = await stream.next(); step.done !== true; step = await stream.next()) {
          rest.push(...step.value);
        }
      }).rejects.toMatchObject({ kind: 'unavailable' });
      expect(rest).toEqual(frames);
    },
  );

  it('never sends the message again, whatever becomes of the connection', async () => {
    const fake = await startFakeKernel();
    const kernel = connect(fake);
    // A connection that the agent has used before and closes just when the next request comes.
    await kernel.snapshot('none', never()).catch(() => undefined);
    fake.on('SendStreamingMessage', (exchange) => exchange.reset());

    const { error } = await readAll(kernel.send(userText('hi'), never()));

    expect(error).toMatchObject({ kind: 'unavailable' });
    expect(fake.callsOf('SendStreamingMessage')).toHaveLength(1);
  });

  it('sends nothing before the first step, and once however often it is iterated', async () => {
    const fake = await startFakeKernel({ script: says('Hello') });
    const stream = connect(fake).send(userText('hi'), never());
    expect(fake.calls).toEqual([]);

    const [one, other] = await Promise.all([readAll(stream), readAll(stream)]);

    expect(one.items.length + other.items.length).toBeGreaterThan(0);
    expect((await readAll(stream)).items).toEqual([]);
    expect(fake.callsOf('SendStreamingMessage')).toHaveLength(1);
  });

  it('takes a JSON-RPC error in the place of a stream as a refusal', async () => {
    const data = [{ recoverableTaskId: 'task-9' }];

    const { error } = await readStreamOf((exchange) => exchange.error(-32602, 'wrong task', data));

    expect(error).toMatchObject({ kind: 'refused', rpcCode: -32602, data });
  });

  it('takes an error event inside the stream as a refusal, after the frames before it', async () => {
    const { items, error } = await readStreamOf((exchange) => {
      exchange.frames(first);
      exchange.errorFrame(-32603, 'internal');
      exchange.frames(second);
    });

    expect(items).toEqual([first]);
    expect(error).toMatchObject({ kind: 'refused', rpcCode: -32603 });
  });

  it.each([
    [
      'a frame with the id of another request',
      (exchange: Exchange) => exchange.raw('data: {"jsonrpc":"2.0","id":"other","result":{}}\n\n'),
    ],
    [
      'a frame that is not JSON-RPC 2.0',
      (exchange: Exchange) => exchange.raw(`data: {"id":${JSON.stringify(exchange.id)},"result":{}}\n\n`),
    ],
    [
      'a frame without result and error',
      (exchange: Exchange) => exchange.raw(`data: {"jsonrpc":"2.0","id":${JSON.stringify(exchange.id)}}\n\n`),
    ],
    ['a frame that is not JSON', (exchange: Exchange) => exchange.raw('data: hello\n\n')],
  ])('takes %s as a breach', async (_, write) => {
    const { items, error } = await readStreamOf((exchange) => {
      exchange.frames(first);
      write(exchange);
    });

    expect(items).toEqual([first]);
    expect(error).toMatchObject({ kind: 'breach' });
  });

  it('takes a page in the place of a stream as a breach', async () => {
    const { error } = await readStreamOf((exchange) => exchange.html());

    expect(error).toMatchObject({ kind: 'breach' });
    expect(error?.message).toContain('text/html');
  });

  it('asks an agent that can not stream for the whole turn at once', async () => {
    const fake = await startFakeKernel();
    fake.card = { ...fake.card, capabilities: { streaming: false } };
    const message = { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'done' }] };
    fake.on('SendMessage', (exchange) => exchange.result({ message }));

    const { items } = await readAll(connect(fake).send(userText('hi'), never()));

    expect(items).toEqual([{ message }]);
    expect(fake.callsOf('SendStreamingMessage')).toEqual([]);
  });

  it('waits for the headers of a stream only so long', async () => {
    const fake = await startFakeKernel();
    fake.on('SendStreamingMessage', () => undefined);

    const { error } = await readAll(
      connect(fake, { timeouts: { headersMs: 50 } }).send(userText('hi'), never()),
    );

    expect(error).toMatchObject({ kind: 'unavailable' });
    expect(fake.callsOf('SendStreamingMessage')).toHaveLength(1);
  });

  it('lets a stream be silent for longer than any time that a call may take', async () => {
    const fake = await startFakeKernel();
    const timeouts = { connectMs: 30, headersMs: 30, cardMs: 30, answerMs: 30, snapshotMs: 30, cancelMs: 30 };
    const kernel = connect(fake, { timeouts: { ...timeouts, headersMs: 200, cardMs: 1_000 } });
    fake.on('SendStreamingMessage', async (exchange) => {
      exchange.frames(first);
      // The silence lasts until another call has run out of its time.
      await fake.called('GetTask');
      await timedOut.promise;
      exchange.frames(second);
      exchange.end();
    });
    fake.on('GetTask', () => undefined);
    const timedOut = Promise.withResolvers<void>();
    const reading = readAll(kernel.send(userText('hi'), never()));
    await fake.called('SendStreamingMessage');

    await expect(kernel.snapshot('any', never())).rejects.toMatchObject({ kind: 'unavailable' });
    timedOut.resolve();

    expect((await reading).items).toEqual([first, second]);
  });

  it('closes the connection when its reader leaves, also while it waits', async () => {
    const fake = await startFakeKernel();
    const opened = Promise.withResolvers<Exchange>();
    fake.on('SendStreamingMessage', (exchange) => {
      exchange.frames(first);
      opened.resolve(exchange);
    });
    const stream = connect(fake).send(userText('hi'), never())[Symbol.asyncIterator]();
    await stream.next();
    const waiting = stream.next();

    await stream.return?.();

    expect((await waiting).done).toBe(true);
    await (await opened.promise).gone;
  });

  it('closes the connection when its signal is aborted, before and after the headers', async () => {
    const fake = await startFakeKernel();
    const kernel = connect(fake);
    for (const hasHeaders of [false, true]) {
      const reading = new AbortController();
      const opened = Promise.withResolvers<Exchange>();
      fake.once('SendStreamingMessage', (exchange) => {
        if (hasHeaders) exchange.openStream();
        opened.resolve(exchange);
      });
      const outcome = readAll(kernel.send(userText('hi'), reading.signal));
      const exchange = await opened.promise;

      reading.abort();

      expect(await outcome).toMatchObject({ items: [], error: undefined });
      await exchange.gone;
    }
  });

  it('stops reading the socket while its reader lags, and goes on afterwards', async () => {
    const fake = await startFakeKernel();
    const frame = { statusUpdate: { text: 'x'.repeat(1_000) } };
    const total = 20_000;
    const stalled = Promise.withResolvers<number>();
    fake.on('SendStreamingMessage', async (exchange) => {
      for (let written = 1; written <= total; written += 1) {
        if (exchange.frames({ ...frame, number: written })) continue;
        const drained = exchange.drained();
        stalled.resolve(written);
        await drained;
      }
      exchange.end();
    });
    const stream = connect(fake).send(userText('hi'), never())[Symbol.asyncIterator]();
    const head = await stream.next();
    // The writer was made to wait long before the 20 MB were out, and nobody reads now.
    expect(await stalled.promise).toBeLessThan(total);

    let count = head.value?.length ?? 0;
    for (let step = await stream.next(); step.done !== true; step = await stream.next())
      count += step.value.length;

    expect(count).toBe(total);
  });
});
