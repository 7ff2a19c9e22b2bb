/** What a look at a template found. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  /** Where in the template, such as `Resources.Vpc.Properties.CidrBlock`; empty for the template as a whole. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

export type Platform = 'cloudformation' | 'ros';

export interface Report {
  /** No error; there may be warnings. */
  readonly valid: boolean;
  readonly platform: Platform;
  readonly resources: number;
  /** At most `maxProblems`, errors first, then by line. */
  readonly problems: readonly Problem[];
}

export const maxProblems = 100;

/** Collects problems, without repeats. */
export class Findings {
  readonly #found = new Map<string, Problem>();

  error(path: string, line: number, message: string): void {
    this.#add({ severity: 'error', path, line, message });
  }

  warning(path: string, line: number, message: string): void {
    this.#add({ severity: 'warning', path, line, message });
  }

  get count(): number {
    return this.#found.size;
  }

  toReport(platform: Platform, resources: number): Report {
    const problems = [...this.#found.values()];
    problems.sort(
      (left, right) =>
        rank(left) - rank(right) || left.line - right.line || (left.path < right.path ? -1 : 1),
    );
    const valid = problems.every(({ severity }) => severity !== 'error');
    return { valid, platform, resources, problems: problems.slice(0, maxProblems) };
  }

  #add(problem: Problem): void {
    if (this.#found.size < maxProblems * 10) this.#found.set(`${problem.path} ${problem.message}`, problem);
  }
}

function rank({ severity }: Problem): number {
  return severity === 'error' ? 0 : 1;
}
