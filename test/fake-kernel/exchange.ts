/** One HTTP request to the fake kernel, and full control over the bytes of its response. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject, JsonValue } from '../../src/protocol/json.ts';

export interface Call {
  /** JSON-RPC method, or for other requests `GET /path`. */
  readonly method: string;
  /** `params` of a JSON-RPC request, the body of another one. */
  readonly params: JsonObject;
  /** Path and query as sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

export class Exchange {
  readonly call: Call;
  /** JSON-RPC id. */
  readonly id: JsonValue;
  /** Resolves when the connection is closed, by whichever side. */
  readonly gone: Promise<void>;
  readonly #response: ServerResponse;

  constructor(call: Call, id: JsonValue, incoming: IncomingMessage, response: ServerResponse) {
    this.call = call;
    this.id = id;
    this.#response = response;
    this.gone = new Promise((resolve) => response.once('close', resolve));
    incoming.on('error', () => undefined);
    response.on('error', () => undefined);
  }

  get isOpen(): boolean {
    return !this.#response.closed && !this.#response.writableEnded;
  }

  /** Whole answers. */
  answer(status: number, contentType: string, body: string, headers: Record<string, string> = {}): void {
    this.#response.writeHead(status, { 'Content-Type': contentType, ...headers }).end(body);
  }

  json(value: JsonValue, status = 200): void {
    this.answer(status, 'application/json', JSON.stringify(value));
  }

  /** The beginning of a JSON answer whose end never comes. */
  beginJson(text = '{'): void {
    this.#response.writeHead(200, { 'Content-Type': 'application/json' }).write(text);
  }

  result(result: JsonObject): void {
    this.json({ result, id: this.id, jsonrpc: '2.0' });
  }

  error(code: number, message: string, data?: JsonValue, status = 200): void {
    this.json(this.#errorBody(code, message, data), status);
  }

  html(status = 200): void {
    this.answer(status, 'text/html; charset=utf-8', '<!doctype html><title>Sign in</title>');
  }

  /** Sends the headers of a stream; the other stream methods do it by themselves. */
  openStream(): this {
    if (!this.#response.headersSent) {
      const headers = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' };
      this.#response.writeHead(200, headers).flushHeaders();
    }
    return this;
  }

  /** One `data:` line for each. False when the reader lags: then wait for `drained`. */
  frames(...results: readonly JsonObject[]): boolean {
    const text = results.map((result) => this.frameText(result)).join('');
    return this.raw(text);
  }

  frameText(result: JsonObject): string {
    return `data: ${JSON.stringify({ result, id: this.id, jsonrpc: '2.0' })}\n\n`;
  }

  errorFrame(code: number, message: string, data?: JsonValue): void {
    this.raw(`event: error\ndata: ${JSON.stringify(this.#errorBody(code, message, data))}\n\n`);
  }

  /** Any bytes inside the stream. */
  raw(bytes: string | Uint8Array): boolean {
    this.openStream();
    return this.isOpen && this.#response.write(bytes);
  }

  drained(): Promise<void> {
    const drain = new Promise<void>((resolve) => this.#response.once('drain', resolve));
    return Promise.race([drain, this.gone]);
  }

  end(): void {
    this.openStream();
    this.#response.end();
  }

  /** Ends the connection in the middle of the body, after everything written so far. `gone` once the peer knows. */
  cut(): void {
    // Node hands the writes of one tick to the socket at its end.
    process.nextTick(() => this.#response.socket?.end());
  }

  /** Resets the connection (RST). What the peer has not read yet is lost. */
  reset(): void {
    process.nextTick(() => this.#response.socket?.resetAndDestroy());
  }

  #errorBody(code: number, message: string, data: JsonValue | undefined): JsonObject {
    return { error: { code, message, ...(data === undefined ? {} : { data }) }, id: this.id, jsonrpc: '2.0' };
  }
}
