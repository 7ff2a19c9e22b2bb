/** The chat page in a real browser, over both transports, against a real server. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asksOnce, ScriptedKernel, turn } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { asksForm, gate, saysInTwo, saysManyWords, worksUntilCancelled } from './agents.ts';
import { ChatWindow, launch } from './chat-window.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe.each(['ws', 'sse'] as const)('a person on the chat page, over %s,', (transport) => {
  it('has a whole turn with the embedded agent, and finds it again later', async () => {
    const { url } = await startServer();
    const window = await ChatWindow.open(browser, url, { transport });

    await window.say('Create a VPC template with two subnets');
    await window.isDone();

    expect(await window.answer()).toMatch(/matches the schemas/);
    await window.lastTurn.locator('.tool', { hasText: 'write_file' }).locator('summary').click();
    await window.sees('AWSTemplateFormatVersion');
    await window.lastTurn.getByRole('button', { name: 'Download vpc.yaml' }).waitFor();
    const before = await window.answer();
    await window.page.reload();
    await window.turns.first().waitFor();
    expect(await window.answer()).toBe(before);
    window.expectQuiet();
  });

  it('is asked for a permission, answers by one button, and sees the run go on', async () => {
    const { url } = await startServer({ replace: { kernel: new ScriptedKernel(asksOnce) } });
    const window = await ChatWindow.open(browser, url, { transport });

    await window.say('Look around');
    await window.sees('Run ls. Allow once?');
    expect(await window.lastTurn.locator('.countdown').textContent()).toMatch(/^Expires in [89]:\d\d$/);
    await window.page.reload();
    await window.lastTurn.getByRole('button', { name: 'Allow once' }).click();
    await window.sees('Looked.');
    await window.isDone();

    expect(await window.turns.count()).toBe(2);
    expect(await window.lastTurn.locator('.asked').textContent()).toBe('Allow once');
    window.expectQuiet();
  });

  it('has the question in sight when it comes, unless they have scrolled away', async () => {
    const server = await startServer();
    const chat = await ChatWindow.open(browser, server.url, { transport });
    const button = chat.lastTurn.getByRole('button', { name: 'Allow once' });
    for (const words of ['Create a VPC template with two subnets', 'make it 3 subnets']) {
      await chat.say(words);
      await chat.isDone();
    }

    await chat.say('Delete the file vpc.yaml');
    await button.waitFor();
    await chat.isDone();

    expect(await isInSight(button)).toBe(true);
    await chat.page.locator('.turn').first().hover();
    await chat.page.mouse.wheel(0, -5_000);
    await chat.page.getByRole('button', { name: 'To the newest message' }).waitFor();
    expect(await isInSight(button)).toBe(false);
  });

  it('fills in a form of the agent’s schema, and is told what is missing', async () => {
    const schema = {
      type: 'object',
      properties: {
        size: { type: 'integer', title: 'Size', minimum: 1 },
        name: { type: 'string', title: 'Name' },
      },
      required: ['size', 'name'],
    };
    const { url } = await startServer({ replace: { kernel: new ScriptedKernel(asksForm(schema)) } });
    const window = await ChatWindow.open(browser, url, { transport });

    await window.say('Build');
    await window.lastTurn.getByLabel(/Size/).fill('3');
    await window.lastTurn.getByRole('button', { name: 'Answer', exact: true }).click();
    await window.sees('An answer is needed here.');
    await window.lastTurn.getByLabel(/Name/).fill('web');
    await window.lastTurn.getByRole('button', { name: 'Answer', exact: true }).click();
    await window.sees(/You said/);

    expect(await window.answer()).toMatch(/"name":"web".*|"size":3/);
    window.expectQuiet();
  });

  it('is asked again when the server does not take an answer', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string', title: 'Name', pattern: '^a' } } };
    const { url } = await startServer({ replace: { kernel: new ScriptedKernel(asksForm(schema)) } });
    const window = await ChatWindow.open(browser, url, { transport });
    const answer = async (name: string): Promise<void> => {
      await window.lastTurn.getByLabel(/Name/).fill(name);
      await window.lastTurn.getByRole('button', { name: 'Answer', exact: true }).click();
    };

    await window.say('Build');
    await answer('b');
    await window.sees(/RESUME_PAYLOAD_INVALID/);
    await answer('ab');
    await window.sees(/You said/);
    window.expectQuiet();
  });

  it('stops a run', async () => {
    const kernel = new ScriptedKernel(worksUntilCancelled);
    const { url } = await startServer({ replace: { kernel } });
    const window = await ChatWindow.open(browser, url, { transport });

    await window.say('Work');
    await window.sees('Working.');
    await window.page.getByRole('button', { name: 'Stop' }).click();
    await window.sees('Stopped.');

    expect(kernel.cancels).toEqual(['task-1']);
    await window.page.getByRole('button', { name: 'Send' }).waitFor();
    window.expectQuiet();
  });

  // What else the machine does can hold a browser up; what holds it up each time is the page.
  it.each([50, 10_000])(
    'reads ten thousand words in paragraphs of %i without the page freezing',
    { retry: 2 },
    async (size) => {
      const { url } = await startServer({
        replace: { kernel: new ScriptedKernel(saysManyWords(10_000, size)) },
      });
      const window = await ChatWindow.open(browser, url, { transport });
      await window.watchTasks();

      await window.say('Count');
      await window.isDone();
      await window.sees(/w10000/);
      const words = (await window.answer()).match(/w\d+/g) ?? [];

      expect(words).toHaveLength(10_000);
      expect(words.at(-1)).toBe('w10000');
      expect(await window.longestTask()).toBeLessThan(200);
      window.expectQuiet();
    },
  );
});

describe('a page that is reloaded in the middle of an answer', () => {
  it.each(['ws', 'sse'] as const)('shows all of it once, over %s', async (transport) => {
    const middle = gate();
    const kernel = new ScriptedKernel(saysInTwo('First half, ', 'second half.', middle));
    const environment = { AGUI_ON_DISCONNECT: 'detach' };
    const { url } = await startServer({ environment, replace: { kernel } });
    const window = await ChatWindow.open(browser, url, { transport });

    await window.say('Tell me');
    await window.sees('First half,');
    await window.page.reload();
    await window.sees('First half,');
    middle.open();
    await window.isDone();

    expect(await window.answer()).toBe('First half, second half.');
    expect(kernel.sends).toHaveLength(1);
    window.expectQuiet();
  });
});

describe('an agent’s hostile text', () => {
  it('runs nothing, loads nothing and links nowhere', async () => {
    const text = [
      '<img src="https://evil.example/x.png" onerror="document.title=\'hacked\'">',
      '<script>document.title="hacked"</script>',
      '[click](javascript:document.title=1) [data](data:text/html,x) [good](https://good.example/)',
      '![pixel](https://evil.example/pixel.png)',
      '<a href="javascript:alert(1)" onclick="alert(1)">x</a>',
      '```mermaid\ngraph TD\n  A["<img src=x onerror=alert(1)>"] --> B["#lt;img src=y onerror=alert(1)#gt;"]\n  click A "javascript:alert(1)"\n```',
    ].join('\n\n');
    const { url } = await startServer({ replace: { kernel: new ScriptedKernel(turn(text)) } });
    const window = await ChatWindow.open(browser, url);

    await window.say('Attack');
    await window.isDone();
    await window.lastTurn.locator('.diagram img, .diagram .hint').first().waitFor();

    const links = await window.lastTurn
      .locator('a')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    expect(links).toEqual(['https://good.example/', 'https://evil.example/pixel.png']);
    expect(await window.page.title()).toBe('agentcore-agui');
    expect(await window.lastTurn.locator('script, [onerror], [onclick], iframe').count()).toBe(0);
    window.expectQuiet();
  });
});

/** Wholly visible between the head and the composer. */
async function isInSight(element: Locator): Promise<boolean> {
  return element.evaluate((button) => {
    const { left, top, right, bottom } = button.getBoundingClientRect();
    return [top + 2, bottom - 2].every((y) =>
      button.contains(document.elementFromPoint((left + right) / 2, y)),
    );
  });
}
