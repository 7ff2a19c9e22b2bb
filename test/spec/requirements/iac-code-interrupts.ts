/** iac-code AG-UI protocol reference: interrupts and resumes. */
import { everyDoor, section } from './requirement.ts';

const reference = (title: string) => `iac-code AG-UI reference, ${title}`;

export const iacCodeInterruptRequirements = {
  ...section(reference('Interrupt'), {
    'interrupt.ends-run': [everyDoor, 'A run that needs input ends with RUN_FINISHED, outcome interrupt'],
    'interrupt.id-reason': [everyDoor, 'An interrupt has id and reason'],
    'interrupt.message': [everyDoor, 'An interrupt has a message for the user'],
    'interrupt.tool-call-id': [everyDoor, 'An interrupt about a tool names its toolCallId'],
    'interrupt.response-schema': [everyDoor, 'An interrupt has a JSON responseSchema'],
    'interrupt.expires-at': [everyDoor, 'An interrupt has expiresAt'],
    'interrupt.metadata': [
      everyDoor,
      'An interrupt has metadata such as title, purpose, safeSummary, options and toolName',
    ],
    'interrupt.permission-schema': [everyDoor, 'A permission takes decision allow_once or deny'],
    'interrupt.question-schema': [everyDoor, 'Questions and choices may use other schemas'],
    'interrupt.several': [everyDoor, 'All that wait are announced together, old and new'],
    'interrupt.on-disk-first': [everyDoor, 'An interrupt is stored before it is announced'],
  }),
  ...section(reference('Resume'), {
    'resume.new-run': [
      everyDoor,
      'A resume has the same threadId, a new runId, the same rosInvocationId and one entry for each waiting interrupt',
    ],
    'resume.allow': [everyDoor, 'An allowed permission lets the task go on'],
    'resume.deny': [everyDoor, 'A denied permission is told to the task and its tool does not run'],
    'resume.each-once': [everyDoor, 'Each waiting interrupt is answered exactly once'],
    'resume.duplicates-refused': [everyDoor, 'Duplicate ids are refused'],
    'resume.unknown-refused': [everyDoor, 'Unknown ids are refused'],
    'resume.payload-required': [everyDoor, 'resolved needs a payload'],
    'resume.payload-schema': [everyDoor, 'The payload fits the schema of the interrupt'],
    'resume.cancelled-stops': [everyDoor, 'cancelled stops the interrupt'],
    'resume.cancelled-denies': [everyDoor, 'cancelled is deny for a permission'],
    'resume.kept-until-accepted': [
      everyDoor,
      'The stored state is removed only once A2A has accepted the answer',
    ],
    'resume.schema-error-retry': [everyDoor, 'A schema error is RUN_ERROR and leaves a further try possible'],
    'resume.no-second-execution': [everyDoor, 'A repeat of an accepted answer does not run the tool again'],
    'resume.restore-session': [everyDoor, 'Before a resume A2A may be asked to restore the iac-code session'],
    'resume.identity-checked': [everyDoor, 'Before a resume the identity of task and context is checked'],
    'resume.pipeline-recovered': [everyDoor, 'Before a resume missing pipeline events are fetched'],
    'resume.after-restart': [everyDoor, 'An interrupt is answered after a restart of the adapter'],
    'resume.mixed': [everyDoor, 'Permissions and questions answered in one resume all reach the kernel'],
    'resume.several-questions': [everyDoor, 'Several questions answered in one resume all reach the kernel'],
    'resume.failure-between-answers': [
      everyDoor,
      'When the kernel fails between two answers, the accepted one is kept and the other stays answerable',
    ],
  }),
  ...section(reference('Errors, resume codes'), {
    'error.resume-required': [everyDoor, 'RESUME_REQUIRED: the thread waits for answers'],
    'error.incomplete-resume': [everyDoor, 'INCOMPLETE_RESUME: interrupts are missing or ids are duplicate'],
    'error.unknown-interrupt': [everyDoor, 'UNKNOWN_INTERRUPT: the resume names an unknown interrupt'],
    'error.resume-payload-invalid': [
      everyDoor,
      'RESUME_PAYLOAD_INVALID: the payload is missing or does not fit the schema',
    ],
    'error.resume-already-applied': [
      everyDoor,
      'RESUME_ALREADY_APPLIED: the answer was applied already, or contradicts one that was',
    ],
    'error.execution-expired': [everyDoor, 'EXECUTION_EXPIRED: the interrupt expired'],
    'error.execution-lost': [
      everyDoor,
      'EXECUTION_LOST: adapter, A2A task or iac-code session can not be restored',
    ],
  }),
};
