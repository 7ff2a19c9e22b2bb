/**
 * Settings → synthesised templates in a folder of their own, with a one-file source tree instead of the repository.
 * Synthesis throws when cdk-nag finds something that nobody acknowledged.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { addStacks } from '../../lib/app.ts';
import { kebab } from '../../lib/names.ts';
import type { Settings } from '../../lib/settings-type.ts';
import { scratchFolder } from './scratch.ts';
import { type VariantName, variants } from './variants.ts';

export interface Synthesised {
  readonly build: Template;
  readonly agent: Template;
  /** Template files by stack. */
  readonly files: readonly string[];
}

const cache = new Map<VariantName, Synthesised>();

export function synthesised(name: VariantName): Synthesised {
  const known = cache.get(name) ?? synthesise(variants[name]);
  cache.set(name, known);
  return known;
}

export function synthesise(settings: Settings): Synthesised {
  const folder = scratchFolder();
  const source = join(folder, 'source');
  mkdirSync(source);
  writeFileSync(join(source, 'buildspec.yml'), 'version: 0.2\n');
  const outdir = join(folder, 'out');
  const app = new App({ outdir, context: { 'aws:cdk:version-reporting': false }, analyticsReporting: false });
  addStacks(app, settings, source);
  const assembly = app.synth();
  const stack = (part: string): Template =>
    Template.fromJSON(
      assembly.getStackByName(`${kebab(settings)}-${part}`).template as Record<string, unknown>,
    );
  return {
    build: stack('build'),
    agent: stack('agent'),
    files: assembly.stacks.map(({ templateFullPath }) => templateFullPath),
  };
}
