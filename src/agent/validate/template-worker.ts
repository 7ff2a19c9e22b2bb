/**
 * The thread in which templates are checked, so that reading the large schemas never holds up the server. Answers one
 * message per question, in order.
 */
import { parentPort } from 'node:worker_threads';
import type { Platform, Report } from './report.ts';
import type { ResourceSchema } from './schema.ts';
import { checkTemplate } from './template-check.ts';

export interface Question {
  readonly id: number;
  readonly text: string;
  readonly platform: Platform | undefined;
}

export type Reply =
  | { readonly id: number; readonly report: Report }
  | { readonly id: number; readonly failure: string };

const schemas = new Map<Platform, Promise<ResourceSchema>>();

/** Loaded when first asked for; CloudFormation's is some 150 MB of memory. */
function schemaOf(platform: Platform): Promise<ResourceSchema> {
  const known = schemas.get(platform);
  if (known !== undefined) return known;
  const loading =
    platform === 'ros'
      ? import('./ros-schema.ts').then(({ loadRosSchema }) => loadRosSchema())
      : import('./aws-schema.ts').then(({ loadAwsSchema }) => loadAwsSchema());
  schemas.set(platform, loading);
  return loading;
}

async function reply({ id, text, platform }: Question): Promise<Reply> {
  try {
    return { id, report: await checkTemplate(text, platform, schemaOf) };
  } catch (thrown) {
    return { id, failure: String(thrown) };
  }
}

parentPort?.on('message', (question: Question) => {
  void reply(question).then((answer) => parentPort?.postMessage(answer));
});
