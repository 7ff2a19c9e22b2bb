/**
 * The author that needs nothing from outside: it understands requests for infrastructure templates in several languages,
 * writes them into the workspace, validates them, and changes them on request. What it can't do it says, with the way to
 * an agent that can. Between turns it remembers the last template and what it asked.
 */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  stringAt,
} from '../protocol/json.ts';
import type { Author, Stage, Turn, TurnEnd } from './author.ts';
import { english } from './sentences/en.ts';
import { french } from './sentences/fr.ts';
import { italian } from './sentences/it.ts';
import type { Sentences } from './sentences/sentences.ts';
import { chinese } from './sentences/zh.ts';
import { buildTemplate } from './templates/build-template.ts';
import { type Part, partKinds, type TemplateRequest } from './templates/template-request.ts';
import { changedRequest, readRequest } from './understanding/change.ts';
import { isSpoken, languageOf, type SpokenLanguage } from './understanding/language.ts';
import { type Understood, understand } from './understanding/understand.ts';

const sentencesOf: Readonly<Record<SpokenLanguage, Sentences>> = {
  en: english,
  fr: french,
  it: italian,
  zh: chinese,
};

interface Scene {
  readonly stage: Stage;
  readonly said: Understood;
  readonly language: SpokenLanguage;
  readonly words: Sentences;
  /** The last template of the conversation. */
  readonly last: TemplateRequest | undefined;
}

export const offlineAuthor: Author = {
  async perform(turn, stage) {
    const said = understand(turn.text);
    const remembered = turn.remembered ?? {};
    const language = chooseLanguage(turn, said, stringAt(remembered, 'language'));
    const scene = {
      stage,
      said,
      language,
      words: sentencesOf[language],
      last: readRequest(objectAt(remembered, 'request')),
    };
    if (said.intents.has('delete')) return deleteFile(scene);
    await act(scene, remembered.hasAsked === true);
    return 'done';
  },

  async goOn(turn, stage, call, outcome) {
    const remembered = stringAt(turn.remembered, 'language');
    const words =
      sentencesOf[isSpoken(remembered) ? remembered : isSpoken(turn.language) ? turn.language : 'en'];
    const file = stringAt(call.input, 'path') ?? '';
    if (outcome === undefined) await sayInPieces(stage, words.kept(file));
    else await sayInPieces(stage, outcome.ok ? words.deleted(file) : words.refused(outcome.problem));
    return 'done';
  },
};

/** The person's own words first, then what the request asks for, then the conversation's. */
function chooseLanguage(
  { language }: Turn,
  { folded }: Understood,
  before: string | undefined,
): SpokenLanguage {
  const told = languageOf(folded);
  if (told !== undefined) return told;
  if (isSpoken(before)) return before;
  return isSpoken(language) ? language : 'en';
}

async function act(scene: Scene, hasAsked: boolean): Promise<void> {
  const { said, last } = scene;
  const { intents } = said;
  if (intents.has('deploy')) return sayCannotDeploy(scene);
  if (intents.has('list')) return listFiles(scene);
  if (intents.has('validate') && last !== undefined && !intents.has('create'))
    return validateLast(scene, last);
  if (intents.has('show') && !intents.has('create')) return showLast(scene);
  const wanted = wantedRequest(scene, hasAsked);
  if (wanted !== undefined) return write(scene, wanted);
  return ask(scene);
}

/** What is to be written: a new template, the last one changed, or the answer to the question that was asked. */
function wantedRequest({ said, last }: Scene, hasAsked: boolean): TemplateRequest | undefined {
  const chosen =
    hasAsked && said.parts.length === 0 && said.choice !== undefined ? partKinds[said.choice - 1] : undefined;
  if (chosen !== undefined)
    return {
      platform: said.platform ?? last?.platform ?? 'cloudformation',
      parts: [{ kind: chosen } as Part],
    };
  if (last !== undefined) {
    const changed = changedRequest(last, said);
    if (changed !== undefined) return changed;
  }
  if (said.parts.length === 0) return undefined;
  return { platform: said.platform ?? 'cloudformation', parts: said.parts };
}

async function write(scene: Scene, request: TemplateRequest): Promise<void> {
  const { stage, words } = scene;
  await sayInPieces(
    stage,
    `${words.plan(
      joined(
        request.parts.map(({ kind }) => words.kinds[kind]),
        words,
        scene.language,
      ),
      request.platform,
    )}\n`,
  );
  let text: string;
  try {
    text = buildTemplate(request);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return sayInPieces(stage, words.refused(thrown.message));
  }
  const file = fileOf(request);
  const written = await stage.callTool('write_file', { path: file, content: text });
  if (!written.ok) return sayInPieces(stage, words.refused(written.problem));
  await stage.showArtifact({ filename: file, mediaType: 'application/yaml', text });
  await stage.remember({ language: scene.language, request: toJson(request), hasAsked: false });
  const resources = await validate(scene, file);
  if (resources !== undefined) await sayInPieces(stage, `\n${words.done(file, resources)} ${words.next}`);
}

/** Validates and says what came of it; the number of resources, or undefined when that could not be found out. */
async function validate({ stage, words }: Scene, file: string): Promise<number | undefined> {
  const outcome = await stage.callTool('validate_template', { path: file });
  if (!outcome.ok) {
    await sayInPieces(stage, words.refused(outcome.problem));
    return undefined;
  }
  const problems = listAt(outcome.result, 'problems').filter(isJsonObject);
  if (problems.length === 0) {
    await sayInPieces(stage, words.checked);
  } else {
    await sayInPieces(stage, words.problems(problems.length));
    for (const each of problems.slice(0, 20)) {
      await stage.say(`\n- ${stringAt(each, 'path') ?? ''}: ${stringAt(each, 'message') ?? ''}`);
    }
  }
  const { resources } = outcome.result;
  return typeof resources === 'number' ? resources : 0;
}

async function validateLast(scene: Scene, last: TemplateRequest): Promise<void> {
  await validate(scene, fileOf(last));
}

async function showLast({ stage, words, last }: Scene): Promise<void> {
  if (last === undefined) return sayInPieces(stage, words.noTemplateYet);
  const file = fileOf(last);
  const outcome = await stage.callTool('read_file', { path: file });
  if (!outcome.ok) return sayInPieces(stage, words.refused(outcome.problem));
  await sayInPieces(stage, `${words.showing(file)}\n\n`);
  await sayInPieces(stage, `\`\`\`yaml\n${stringAt(outcome.result, 'content') ?? ''}\`\`\`\n`);
}

async function listFiles({ stage, words }: Scene): Promise<void> {
  const outcome = await stage.callTool('list_files', {});
  if (!outcome.ok) return sayInPieces(stage, words.refused(outcome.problem));
  const files = listAt(outcome.result, 'files').filter(isJsonObject);
  await sayInPieces(stage, words.files(files.length));
  for (const file of files) await stage.say(`\n- ${stringAt(file, 'path') ?? ''} (${file.bytes} B)`);
}

/** Deleting is asked for first. */
async function deleteFile(scene: Scene): Promise<TurnEnd> {
  const { stage, words, said, last, language } = scene;
  const path = said.file ?? (last === undefined ? undefined : fileOf(last));
  if (path === undefined) {
    await listFiles(scene);
    return 'done';
  }
  await stage.remember({
    language,
    hasAsked: false,
    ...(last === undefined ? {} : { request: toJson(last) }),
  });
  return { name: 'delete_file', input: { path }, prompt: words.mayDelete(path), effect: 'file_change' };
}

async function sayCannotDeploy({ stage, words, last }: Scene): Promise<void> {
  const file = last === undefined ? undefined : fileOf(last);
  await sayInPieces(stage, words.cannotDeploy(file, last?.platform ?? 'cloudformation'));
}

/** The request is not clear: says what can be had, and takes the next message for the answer. */
async function ask(scene: Scene): Promise<void> {
  const { stage, words, said, last, language } = scene;
  const isOpening = said.intents.has('greet') || said.intents.has('help') || said.intents.has('create');
  await sayInPieces(
    stage,
    `${said.intents.has('greet') ? words.greeting : isOpening ? '' : words.howToConnect}\n\n`.trimStart(),
  );
  await sayInPieces(stage, words.offer);
  for (const [index, kind] of partKinds.entries()) await stage.say(`\n${index + 1}. ${words.kinds[kind]}`);
  await sayInPieces(stage, `\n\n${words.askAgain}`);
  await stage.remember({
    language,
    hasAsked: true,
    ...(last === undefined ? {} : { request: toJson(last) }),
  });
}

/** Word by word, so that a reader sees it come; Chinese, which has no blanks, by its marks. */
async function sayInPieces(stage: Stage, text: string): Promise<void> {
  for (const piece of text.match(/[^\s，。：、]*[\s，。：、]+|[^\s，。：、]+/gu) ?? [])
    await stage.say(piece);
}

function joined(list: readonly string[], { and }: Sentences, language: SpokenLanguage): string {
  if (language === 'zh')
    return list.length < 2 ? (list[0] ?? '') : `${list.slice(0, -1).join('、')}${and}${list.at(-1)}`;
  return list.length < 2 ? (list[0] ?? '') : `${list.slice(0, -1).join(', ')} ${and} ${list.at(-1)}`;
}

function fileOf({ platform, parts }: TemplateRequest): string {
  const base = parts.map(({ kind }) => kind).join('-');
  return `${base}${platform === 'ros' ? '.ros' : ''}.yaml`;
}

function toJson({ platform, parts }: TemplateRequest): JsonObject {
  return { platform, parts: parts.map((part): JsonValue => ({ ...part })) };
}
