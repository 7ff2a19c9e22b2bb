/** A person's browser on the chat page: what they see and do, in the words of the page. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
export const shots = join(import.meta.dirname, '../../coverage/chat-page');

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
}

export interface WindowOptions extends BrowserContextOptions {
  readonly transport?: 'ws' | 'sse';
}

export class ChatWindow {
  readonly page: Page;
  /** What the browser complained about: refused scripts, errors of the page. */
  readonly complaints: string[] = [];
  /** Addresses that were asked for, of other origins than the page's own. */
  readonly strangers: string[] = [];

  private constructor(page: Page, url: string) {
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      // A browser tells of each lost connection; the page shows it in its own words.
      const isNetwork = /ERR_CONNECTION|WebSocket connection|Failed to load resource/.test(message.text());
      if (message.type() === 'error' && !isNetwork) this.complaints.push(message.text());
    });
    page.on('request', (request) => {
      const asked = new URL(request.url());
      const isOwn = asked.host === new URL(url).host || ['blob:', 'data:'].includes(asked.protocol);
      if (!isOwn) this.strangers.push(request.url());
    });
  }

  static async open(browser: Browser, url: string, options: WindowOptions = {}): Promise<ChatWindow> {
    const { transport = 'ws', ...more } = options;
    const context = await browser.newContext({
      locale: 'en-US',
      viewport: { width: 1280, height: 800 },
      ...more,
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    await page.addInitScript((kept) => {
      if (localStorage.getItem('agentcore-agui.settings') === null)
        localStorage.setItem('agentcore-agui.settings', kept);
    }, JSON.stringify({ transport }));
    const window = new ChatWindow(page, url);
    await page.goto(url);
    await page.locator('#composer').waitFor();
    return window;
  }

  get turns(): Locator {
    return this.page.locator('.turn');
  }

  get lastTurn(): Locator {
    return this.turns.last();
  }

  async say(text: string): Promise<void> {
    await this.page.locator('#composer').fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Until the newest turn shows this text. */
  async sees(text: string | RegExp): Promise<void> {
    await this.lastTurn.getByText(text).first().waitFor();
  }

  /** Until the newest turn is over, and all of it is drawn. */
  async isDone(): Promise<void> {
    await this.page.locator('.turn:last-child[aria-busy="false"]').waitFor();
    await this.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  }

  /** The agent's words in the newest turn. */
  async answer(): Promise<string> {
    return (await this.lastTurn.locator('.answer > .markdown').allInnerTexts()).join('\n');
  }

  /** From now on; `longestTask` tells the longest time in milliseconds that nothing else could happen. */
  async watchTasks(): Promise<void> {
    // As text: this runs in the browser, which knows a kind of entry that Node's types do not.
    await this.page.evaluate(`
      globalThis.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
      }).observe({ type: 'longtask' });
    `);
  }

  longestTask(): Promise<number> {
    return this.page.evaluate<number>('longest');
  }

  async shoot(name: string): Promise<void> {
    mkdirSync(shots, { recursive: true });
    await this.page.screenshot({ path: join(shots, `${name}.png`) });
  }

  expectQuiet(): void {
    expect(this.complaints).toEqual([]);
    expect(this.strangers).toEqual([]);
  }
}
