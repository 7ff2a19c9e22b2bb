/** Checks what a user answered against the JSON Schema of the question. */
import type { PayloadCheck } from '../domain/interrupts/answers.ts';
import type { JsonObject, JsonValue } from '../protocol/json.ts';

export interface AnswerSchemas {
  /**
   * Does the payload satisfy the schema (JSON Schema 2020-12)? Never throws and never takes long, whatever the two
   * are: the schema comes from an agent, the payload from a caller. A schema that can't be used asks for nothing, so
   * that its question stays answerable; the agent sees the answer and can refuse it.
   */
  check(schema: JsonObject, payload: JsonValue): PayloadCheck;
}
