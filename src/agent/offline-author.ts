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
import type { Sentences } from './sentences/sentences.ts';
import { chooseLanguage, joined, piecesOf, sentencesOf } from './sentences/voice.ts';
import { buildTemplate } from './templates/build-template.ts';
import { type Part, type Platform, partKinds, type TemplateRequest } from './templates/template-request.ts';
import { changedRequest, readRequest, reducedRequest } from './understanding/change.ts';
import type { SpokenLanguage } from './understanding/language.ts';
import { platformIn, type Understood, understand } from './understanding/understand.ts';
import { fold } from './understanding/words.ts';

interface Scene {
  readonly stage: Stage;
  readonly said: Understood;
  readonly language: SpokenLanguage;
  readonly words: Sentences;
  /** The last template of the conversation. */
  readonly last: TemplateRequest | undefined;
  /** Where the user wanted the last template, when a file was named. */
  readonly lastFile: string | undefined;
  /** Files that this conversation has written, and may replace. */
  readonly ownFiles: readonly string[];
  /** Where nothing else is said. */
  readonly usualPlatform: Platform;
}

/** So many files of its own a conversation keeps in mind. */
const maxOwnFiles = 50;

interface Wanted {
  readonly request: TemplateRequest;
  /** The last template, changed. */
  readonly isChange: boolean;
}

export const offlineAuthor: Author = {
  async perform(turn, stage) {
    const said = understand(turn.text);
    const remembered = turn.remembered ?? {};
    const language = chooseLanguage(turn, said.folded, stringAt(remembered, 'language'));
    const scene: Scene = {
      stage,
      said,
      language,
      words: sentencesOf[language],
      last: readRequest(objectAt(remembered, 'request')),
      lastFile: stringAt(remembered, 'file'),
      usualPlatform: usualPlatform(turn),
      ownFiles: listAt(remembered, 'ownFiles').filter((each) => typeof each === 'string'),
    };
    if (meansFile(scene)) return deleteFile(scene);
    await act(scene, remembered.hasAsked === true);
    return 'done';
  },

  async goOn(turn, stage, call, outcome) {
    const words = sentencesOf[chooseLanguage(turn, '', stringAt(turn.remembered, 'language'))];
    const file = stringAt(call.input, 'path') ?? '';
    if (outcome === undefined) await sayInPieces(stage, words.kept(file));
    else await sayInPieces(stage, outcome.ok ? words.deleted(file) : words.refused(outcome.problem));
    return 'done';
  },
};

/** What the application around the chat tells: `state.platform`, else a context entry that speaks of a platform. */
function usualPlatform({ state, context }: Turn): Platform {
  const told = isJsonObject(state) ? (stringAt(state, 'platform') ?? '') : '';
  for (const words of [told, ...context.map(({ description, value }) => `${description} ${value}`)]) {
    const platform = platformIn(fold(words));
    if (platform !== undefined) return platform;
  }
  return 'cloudformation';
}

/** A file is to be deleted, and not a part of the template that is being made. */
function meansFile({ said, last }: Scene): boolean {
  const { intents } = said;
  if (!intents.has('delete') || intents.has('create')) return false;
  if (last === undefined || said.file !== undefined) return true;
  if (reducedRequest(last, said) !== undefined) return false;
  // « Remove the bucket » is about a part: only when the template holds nothing else does the file go.
  return (
    said.parts.length === 0 || said.parts.some(({ kind }) => last.parts.some((part) => part.kind === kind))
  );
}

async function act(scene: Scene, hasAsked: boolean): Promise<void> {
  const { said, last, stage, words } = scene;
  const { intents } = said;
  // « Deploy a VPC » asks for a VPC as well, unless there is one in this conversation.
  const isNew =
    said.parts.length > 0 && (intents.has('create') || (intents.has('deploy') && last === undefined));
  if (intents.has('deploy') && !isNew) return sayCannotDeploy(scene);
  if (intents.has('list')) return listFiles(scene);
  if (!isNew && intents.has('validate') && fileInView(scene) !== undefined) {
    await validate(scene, fileInView(scene) ?? '');
    return;
  }
  if (!isNew && intents.has('show')) return showFile(scene);
  const wanted = wantedRequest(scene, hasAsked);
  if (wanted === undefined)
    return intents.has('thank') && last !== undefined ? sayInPieces(stage, words.next) : ask(scene);
  await write(scene, wanted);
  if (intents.has('deploy'))
    await sayInPieces(stage, `\n\n${words.cannotDeploy(undefined, wanted.request.platform)}`);
}

/** What is to be written: a new template, the last one changed, or the answer to the question that was asked. */
function wantedRequest({ said, last, usualPlatform }: Scene, hasAsked: boolean): Wanted | undefined {
  const chosen = partKinds.filter((_kind, index) => said.choices.includes(index + 1));
  if (hasAsked && said.parts.length === 0 && chosen.length > 0) {
    const platform = said.platform ?? last?.platform ?? usualPlatform;
    return { request: { platform, parts: chosen.map((kind): Part => ({ kind })) }, isChange: false };
  }
  const changed = last === undefined ? undefined : changedRequest(last, said);
  if (changed !== undefined) return { request: changed, isChange: true };
  const isRemoval = said.intents.has('delete') && !said.intents.has('create');
  if (said.parts.length === 0 || isRemoval) return undefined;
  return { request: { platform: said.platform ?? usualPlatform, parts: said.parts }, isChange: false };
}

async function write(scene: Scene, { request, isChange }: Wanted): Promise<void> {
  const { stage, words, language } = scene;
  const kinds = joined(
    request.parts.map(({ kind }) => words.kinds[kind]),
    language,
  );
  const file = wantedFile(scene, request, isChange);
  const plan = words.plan(kinds, request.platform);
  await sayInPieces(stage, `${isChange ? `${words.changing(file)} ${plan}` : plan}\n`);
  let text: string;
  try {
    text = buildTemplate(request);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return sayInPieces(stage, words.refused(thrown.message));
  }
  // What somebody else has put there stays: then the tool finds another name.
  const mayReplace = file === scene.said.file || scene.ownFiles.includes(file);
  const keep = mayReplace ? {} : { keepExisting: true };
  const written = await stage.callTool('write_file', { path: file, content: text, ...keep });
  if (!written.ok) return sayInPieces(stage, words.refused(written.problem));
  const path = stringAt(written.result, 'path') ?? file;
  await stage.showArtifact({ filename: path, mediaType: 'application/yaml', text });
  await remember(scene, { request, file: path, hasAsked: false });
  const resources = await validate(scene, path);
  if (resources !== undefined) await sayInPieces(stage, `\n${words.done(path, resources)} ${words.next}`);
}

/** The file that the user named, the one of the template that is being changed, or a new one for another platform. */
function wantedFile({ said, last, lastFile }: Scene, request: TemplateRequest, isChange: boolean): string {
  if (said.file !== undefined && /\.(?:ya?ml|template)$/i.test(said.file)) return said.file;
  const isSameFile = isChange && lastFile !== undefined && request.platform === last?.platform;
  return isSameFile ? lastFile : fileOf(request);
}

/** The file that is spoken of: the one named, else that of the last template. */
function fileInView({ said, last, lastFile }: Scene): string | undefined {
  return said.file ?? lastFile ?? (last === undefined ? undefined : fileOf(last));
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

async function showFile(scene: Scene): Promise<void> {
  const { stage, words } = scene;
  const file = fileInView(scene);
  if (file === undefined) return sayInPieces(stage, words.noTemplateYet);
  const outcome = await stage.callTool('read_file', { path: file });
  if (!outcome.ok) return sayInPieces(stage, words.refused(outcome.problem));
  await sayInPieces(stage, `${words.showing(file)}\n\n`);
  const content = stringAt(outcome.result, 'content') ?? '';
  await sayInPieces(stage, `\`\`\`yaml\n${content}${content.endsWith('\n') ? '' : '\n'}\`\`\`\n`);
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
  const path = fileInView(scene);
  if (path === undefined) {
    await listFiles(scene);
    return 'done';
  }
  await remember(scene, { hasAsked: false });
  return {
    kind: 'permission',
    name: 'delete_file',
    input: { path },
    prompt: scene.words.mayDelete(path),
    effect: 'file_change',
  };
}

async function sayCannotDeploy(scene: Scene): Promise<void> {
  const { stage, words, last } = scene;
  const file = last === undefined ? undefined : fileInView(scene);
  await sayInPieces(stage, words.cannotDeploy(file, last?.platform ?? 'cloudformation'));
}

/** The request is not clear: says what can be had, and takes the next message for the answer. */
async function ask(scene: Scene): Promise<void> {
  const { stage, words, said } = scene;
  const { intents } = said;
  const isOpening = (['greet', 'help', 'template', 'thank', 'delete'] as const).some((each) =>
    intents.has(each),
  );
  await sayInPieces(
    stage,
    `${intents.has('greet') ? words.greeting : isOpening ? '' : words.howToConnect}\n\n`.trimStart(),
  );
  await sayInPieces(stage, words.offer);
  for (const [index, kind] of partKinds.entries()) await stage.say(`\n${index + 1}. ${words.kinds[kind]}`);
  await sayInPieces(stage, `\n\n${words.askAgain}`);
  await remember(scene, { hasAsked: true });
}

/** What was known of the conversation stays, but for what is given. */
async function remember(
  { stage, language, last, lastFile, ownFiles }: Scene,
  news: {
    readonly hasAsked: boolean;
    readonly request?: TemplateRequest;
    /** Where it was written. */
    readonly file?: string;
  },
): Promise<void> {
  const request = news.request ?? last;
  const file = news.file ?? lastFile;
  const own = new Set([...ownFiles, ...(news.file === undefined ? [] : [news.file])]);
  await stage.remember({
    language,
    hasAsked: news.hasAsked,
    ...(request === undefined ? {} : { request: toJson(request) }),
    ...(file === undefined ? {} : { file }),
    ownFiles: [...own].slice(-maxOwnFiles),
  });
}

async function sayInPieces(stage: Stage, text: string): Promise<void> {
  for (const piece of piecesOf(text)) await stage.say(piece);
}

function fileOf({ platform, parts }: TemplateRequest): string {
  const base = parts.map(({ kind }) => kind).join('-');
  return `${base}${platform === 'ros' ? '.ros' : ''}.yaml`;
}

function toJson({ platform, parts }: TemplateRequest): JsonObject {
  return { platform, parts: parts.map((part): JsonValue => ({ ...part })) };
}
