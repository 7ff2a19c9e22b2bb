import { describe, expect, it } from 'vitest';
import { faultNames } from '../../../src/errors/catalog.ts';
import { fault } from '../../../src/errors/fault.ts';
import { agentCoreSentence, documentedSentences } from '../../../src/language/agentcore-sentence.ts';
import { languages } from '../../../src/language/choose-language.ts';
import { sentence } from '../../../src/language/sentence.ts';

describe('agentCoreSentence', () => {
  it.each([
    ['credentials-missing', 'Authentication required or invalid credentials: '],
    ['access-denied', 'Insufficient permissions for requested operation: '],
    ['thread-of-another-caller', 'Insufficient permissions for requested operation: '],
    ['envelope-invalid', 'Invalid request data or parameters: '],
    ['resume-required', 'Invalid request data or parameters: '],
    ['too-many-requests', 'Too many requests from client: '],
    ['too-many-runs', 'Service quota exceeded: '],
    ['task-failed', 'Agent code failed during execution: '],
    ['state-unreadable', 'An internal error occurred while processing the request: '],
    ['server-draining', 'An internal error occurred while processing the request: '],
  ] as const)('begins the message of %s with the documented sentence', (name, beginning) => {
    expect(agentCoreSentence(fault(name), 'en')).toBe(beginning + sentence(fault(name), 'en'));
  });

  it('says both halves in the language of the caller', () => {
    expect(agentCoreSentence(fault('body-empty'), 'it')).toBe(
      'Dati o parametri della richiesta non validi: Il corpo della richiesta è vuoto. Inviare un oggetto JSON.',
    );
    expect(agentCoreSentence(fault('body-empty'), 'zh')).toBe(
      '请求数据或参数无效：请求正文为空。请发送一个 JSON 对象。',
    );
    expect(agentCoreSentence(fault('body-empty'), 'fr')).toBe(
      'Données ou paramètres de la requête non valides\u00a0: Le corps de la requête est vide. Envoyez un objet JSON.',
    );
  });

  it.each(languages)('keeps the two messages of a busy session exact in %s', (language) => {
    expect(agentCoreSentence(fault('thread-busy'), language)).toBe(
      'Session operation in progress, please retry',
    );
    expect(agentCoreSentence(fault('run-id-used'), language)).toBe(
      'Resource conflict - Resource already exists',
    );
    expect(agentCoreSentence(fault('run-id-conflict'), language)).toBe(
      'Resource conflict - Resource already exists',
    );
  });

  it.each(languages)('says of a cancelled run only what happened, in %s', (language) => {
    expect(agentCoreSentence(fault('cancelled'), language)).toBe(sentence(fault('cancelled'), language));
  });

  it('has a message for every fault in every language', () => {
    for (const language of languages) {
      for (const name of faultNames) {
        expect(agentCoreSentence(fault(name), language), `${language} ${name}`).toMatch(/^\S.*\S$/);
      }
    }
  });

  it('translates every documented sentence', () => {
    const codes = Object.keys(documentedSentences.en) as (keyof typeof documentedSentences.en)[];
    for (const code of codes) {
      expect(new Set(languages.map((language) => documentedSentences[language][code])).size).toBe(
        languages.length,
      );
    }
  });
});
