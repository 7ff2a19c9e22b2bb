/** How the page looks and how it is for those who do not look: widths, colours, languages, axe, the keyboard. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScriptedKernel, turn } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { showsEverything } from './agents.ts';
import { ChatWindow, launch } from './chat-window.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const widths = [375, 768, 1280] as const;
const schemes = ['light', 'dark'] as const;
const looks = widths.flatMap((width) => schemes.map((colorScheme) => ({ width, colorScheme })));

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** What axe finds wrong, by rule and element. */
async function faultsOf({ page }: ChatWindow): Promise<readonly string[]> {
  // Not as a script element: the page's own policy would refuse it.
  await page.evaluate(axeSource);
  return page.evaluate<string[]>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' ' + target)))`,
  );
}

async function overflowOf({ page }: ChatWindow): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

describe.each(looks)('the page at $width px, $colorScheme,', ({ width, colorScheme }) => {
  it('shows everything without a fault of accessibility and without scrolling sideways', async () => {
    const { url } = await startServer({ replace: { kernel: new ScriptedKernel(showsEverything) } });
    const viewport = { width, height: 820 };
    const window = await ChatWindow.open(browser, url, { viewport, colorScheme, reducedMotion: 'reduce' });
    const name = `${width}-${colorScheme}`;

    await window.shoot(`${name}-welcome`);
    expect(await faultsOf(window)).toEqual([]);
    await window.say('Show me what you can do');
    await window.isDone();
    await window.lastTurn.locator('.diagram img').nth(1).waitFor();
    expect([await overflowOf(window), await faultsOf(window)]).toEqual([0, []]);
    await window.shoot(`${name}-question`);
    await window.lastTurn.locator('.asked').scrollIntoViewIfNeeded();
    await window.shoot(`${name}-answer`);
    await window.lastTurn.locator('.plans').first().scrollIntoViewIfNeeded();
    await window.shoot(`${name}-plans`);
    const folds = window.lastTurn.locator('details:not([open]) > summary');
    for (let left = await folds.count(); left > 0; left -= 1) await folds.first().click();
    expect([await overflowOf(window), await faultsOf(window)]).toEqual([0, []]);
    await window.page.getByRole('button', { name: 'Show raw events' }).click();
    await window.page.locator('.events li').first().waitFor();
    await window.shoot(`${name}-events`);
    expect([await overflowOf(window), await faultsOf(window)]).toEqual([0, []]);
    await window.page.getByRole('button', { name: 'Close', exact: true }).click();
    if (width < 820) await window.page.getByRole('button', { name: 'Open the list of chats' }).click();
    await window.shoot(`${name}-chats`);
    expect(await faultsOf(window)).toEqual([]);
    await window.page.getByRole('button', { name: 'Settings' }).click();
    await window.page.locator('dialog').waitFor();
    await window.shoot(`${name}-settings`);
    expect([await overflowOf(window), await faultsOf(window)]).toEqual([0, []]);
    window.expectQuiet();
  });
});

describe('the interface', () => {
  it.each([
    ['fr-CH', 'fr', 'Que construisons-nous ?'],
    ['it-IT', 'it', 'Che cosa costruiamo?'],
    ['zh-CN', 'zh', '我们来构建什么？'],
    ['de-AT', 'de', 'Was bauen wir?'],
    ['ja-JP', 'en', 'What shall we build?'],
  ])('for a browser in %s is in %s', async (locale, language, title) => {
    const { url } = await startServer();
    const window = await ChatWindow.open(browser, url, { locale, viewport: { width: 375, height: 740 } });

    await window.page.getByRole('heading', { name: title }).waitFor();
    expect(await window.page.locator('html').getAttribute('lang')).toBe(language);
    await window.shoot(`375-${language}-welcome`);
    expect([await overflowOf(window), await faultsOf(window)]).toEqual([0, []]);
  });

  it('can be used by the keyboard alone', async () => {
    const { url } = await startServer({ replace: { kernel: new ScriptedKernel(turn('Done.')) } });
    const window = await ChatWindow.open(browser, url);
    const { keyboard } = window.page;
    const focused = () =>
      window.page.evaluate<string>(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      );

    await keyboard.type('Hello');
    await keyboard.press('Shift+Enter');
    await keyboard.type('there');
    await keyboard.press('Enter');
    await window.sees('Done.');
    expect(await window.lastTurn.locator('.asked').textContent()).toBe('Hello\nthere');
    await window.page.reload();
    await window.sees('Done.');
    await window.page.locator('body').press('Tab');
    const order: string[] = [];
    for (let step = 0; step < 9; step += 1) {
      order.push((await focused()).slice(0, 24));
      await keyboard.press('Tab');
    }
    expect(order).toContain('New chat');
    expect(order).toContain('Show raw events');
    expect(order).toContain('Conversation');
  });

  it('keeps what is set, but not the token, and sends the token in both transports', async () => {
    const environment = { AGUI_AUTH_TOKEN: 'open-sesame' };
    const kernel = new ScriptedKernel(turn('Welcome.'));
    const { url } = await startServer({ environment, replace: { kernel } });
    const window = await ChatWindow.open(browser, url);
    const set = async (transport: string, token: string): Promise<void> => {
      await window.page.getByRole('button', { name: 'Settings' }).click();
      await window.page.getByLabel('Transport').selectOption(transport);
      await window.page.getByLabel('Bearer token').fill(token);
      await window.page.getByRole('button', { name: 'Save', exact: true }).click();
    };

    await window.say('Knock');
    await window.sees('The agent wants a token: give one in the settings.');
    await set('sse', 'open-sesame');
    await window.lastTurn.getByRole('button', { name: 'Try again' }).click();
    await window.sees('Welcome.');
    await window.isDone();
    await set('ws', 'open-sesame');
    await window.say('Knock again');
    await window.sees('Welcome.');
    await window.isDone();

    expect(kernel.sends).toHaveLength(2);
    const kept = await window.page.evaluate<string>(
      `(async () => {
        const all = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie];
        for (const { name } of await indexedDB.databases()) {
          const db = await new Promise((done) => { indexedDB.open(name).onsuccess = (event) => done(event.target.result); });
          for (const store of db.objectStoreNames) {
            const ask = db.transaction(store).objectStore(store).getAll();
            all.push(JSON.stringify(await new Promise((done) => { ask.onsuccess = () => done(ask.result); })));
          }
        }
        return all.join();
      })()`,
    );
    expect(kept).toContain('Knock again');
    expect(kept).not.toContain('open-sesame');
  });
});
