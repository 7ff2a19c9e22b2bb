/** A script for kernels that are told by their user what to do. */
import type { A2aMessage } from '../../src/protocol/a2a.ts';
import { type Script, says, worksUntilCancelled } from './turn.ts';

/** `/work` works until it is cancelled, `/ask` asks for a permission; anything else is said back word by word. */
export const obeys: Script = async (turn) => {
  switch (turn.text) {
    case '/work':
      return worksUntilCancelled('Working')(turn);
    case '/ask':
      return says(isDenied(await turn.ask(turn.frames.permission('permission-1'))) ? 'Denied' : 'Answered')(
        turn,
      );
    default:
      return says(...turn.text.split(/(?<= )/))(turn);
  }
};

function isDenied({ parts }: A2aMessage): boolean {
  return parts.some(({ data }) => Object(data)['decision'] === 'deny');
}
