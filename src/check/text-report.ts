/** The report for a person: one line for each check, and below a failure what was sent and what was seen. */
import type { createColors } from 'picocolors';
import { nounOf } from './all-checks.ts';
import type { Report, Result } from './report.ts';

type Colors = ReturnType<typeof createColors>;

/** Writes results as they come; a heading where a new noun begins. */
export class TextReport {
  readonly #colors: Colors;
  readonly #showsAll: boolean;
  #noun = '';

  /** `showsAll`: the reasons of what was skipped, too. */
  constructor(colors: Colors, { showsAll }: { readonly showsAll: boolean }) {
    this.#colors = colors;
    this.#showsAll = showsAll;
  }

  textOf(result: Result): string {
    const noun = nounOf(result);
    const heading = noun === this.#noun ? '' : `${this.#noun === '' ? '' : '\n'}${this.#colors.bold(noun)}\n`;
    this.#noun = noun;
    return `${heading}${this.#line(result)}\n${this.#details(result)}`;
  }

  summaryOf({ counts, durationMs }: Report): string {
    const { green, red, yellow, cyan, dim } = this.#colors;
    const parts = [
      green(`${counts.passed} passed`),
      counts.error > 0 ? red(plural(counts.error, 'error')) : '',
      counts.warning > 0 ? yellow(plural(counts.warning, 'warning')) : '',
      counts.info > 0 ? cyan(`${counts.info} info`) : '',
      counts.skipped > 0 ? dim(`${counts.skipped} skipped`) : '',
      counts.unproven > 0 ? yellow(`${counts.unproven} unproven`) : '',
    ].filter((part) => part !== '');
    return `\n${parts.join(', ')} ${dim(`in ${(durationMs / 1_000).toFixed(1)} s`)}\n`;
  }

  #line({ id, sentence, outcome, severity }: Result): string {
    const { green, dim } = this.#colors;
    switch (outcome.kind) {
      case 'passed':
        return `  ${green('✓')} ${sentence} ${dim(id)}`;
      case 'skipped':
        return dim(`  - ${sentence} ${id}`);
      case 'unproven':
        return `  ${this.#colors.yellow('?')} ${sentence} ${dim(id)}`;
      case 'failed':
        return `  ${this.#mark(severity)} ${sentence} ${dim(id)}`;
    }
  }

  #mark(severity: Result['severity']): string {
    const { red, yellow, cyan } = this.#colors;
    return { error: red('✗ error:'), warning: yellow('! warning:'), info: cyan('i info:') }[severity];
  }

  #details({ outcome, source }: Result): string {
    const { dim } = this.#colors;
    switch (outcome.kind) {
      case 'passed':
        return '';
      case 'skipped':
        return this.#showsAll ? `${dim(`      ${outcome.why}`)}\n` : '';
      case 'unproven':
        return `      ${outcome.why}\n`;
      case 'failed':
        return [
          `      ${outcome.why}`,
          ...this.#quoted('sent', outcome.sent),
          ...this.#quoted('seen', outcome.seen),
          dim(`      source: ${source}`),
          '',
        ].join('\n');
    }
  }

  #quoted(name: string, text: string): readonly string[] {
    const lines = printable(text)
      .split('\n')
      .filter((line) => line !== '');
    return lines.map(
      (line, index) => this.#colors.dim(`      ${index === 0 ? name : '    '} │ `) + cut(line),
    );
  }
}

const maxLineChars = 200;

function cut(line: string): string {
  return line.length <= maxLineChars ? line : `${line.slice(0, maxLineChars)} …`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A subject's bytes must not steer the terminal. */
function printable(text: string): string {
  return text.replace(/(?!\n)\p{Cc}/gu, '\ufffd');
}
