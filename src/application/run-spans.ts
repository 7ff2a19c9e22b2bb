/**
 * The spans of one run, in the words of OpenTelemetry's GenAI conventions: the run itself (`invoke_agent`), each tool
 * call (`execute_tool`), and each turn at the model (`chat`), as far as the run's events show them: a turn begins with
 * the first thing that the model says and ends where a tool's result or the run's end follows.
 */
import type { Span, Tracer } from '../ports/telemetry.ts';
import type { TokenUsage } from '../protocol/events.ts';
import type { DrivenRun } from './driven-run.ts';
import type { RunEnding, RunItem } from './run-feed.ts';

export class RunSpans {
  readonly span: Span;
  readonly #run: DrivenRun;
  readonly #tools = new Map<string, Span>();
  #turn: Span | undefined;

  constructor(run: DrivenRun, tracer: Tracer) {
    this.#run = run;
    const { sessionId, threadId } = run.record.address;
    this.span = tracer.run('invoke_agent', run.origin, {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'agentcore-agui',
      'gen_ai.conversation.id': threadId,
      'session.id': sessionId,
      'agentcore_agui.run.id': run.runId,
      'agentcore_agui.execution.id': run.record.execution.executionId,
      'agentcore_agui.request.id': run.requestId,
      'agentcore_agui.run.is_resume': run.isResume,
    });
  }

  said(items: readonly RunItem[]): void {
    if (!this.span.isRecording) return;
    for (const item of items) this.#see(item);
  }

  ended(ending: RunEnding, counts: Readonly<Record<string, number>>): void {
    const error = ending.kind === 'failed' ? ending.fault.code : undefined;
    this.#endTurn(error);
    for (const tool of this.#tools.values()) tool.end(error);
    this.#tools.clear();
    this.span.set({ 'agentcore_agui.run.outcome': ending.kind, ...tokens(ending.usage) });
    for (const [name, count] of Object.entries(counts))
      this.span.set({ [`agentcore_agui.run.${name}`]: count });
    this.span.end(error);
  }

  #see(item: RunItem): void {
    switch (item.type) {
      case 'TEXT_MESSAGE_START':
      case 'REASONING_START':
        return this.#beginTurn();
      case 'TOOL_CALL_START': {
        this.#beginTurn();
        const { toolCallId, toolCallName } = item;
        const span = this.span.child(`execute_tool ${toolCallName}`, {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': toolCallName,
          'gen_ai.tool.call.id': toolCallId,
          'session.id': this.#run.record.address.sessionId,
        });
        this.#tools.set(toolCallId, span);
        return;
      }
      case 'TOOL_CALL_RESULT':
        this.#endTurn();
        this.#tools.get(item.toolCallId)?.end();
        this.#tools.delete(item.toolCallId);
        return;
      default:
    }
  }

  #beginTurn(): void {
    this.#turn ??= this.span.child('chat', {
      'gen_ai.operation.name': 'chat',
      'session.id': this.#run.record.address.sessionId,
    });
  }

  #endTurn(error?: string): void {
    this.#turn?.end(error);
    this.#turn = undefined;
  }
}

/** All models of the run together; the model's name where there was only one. */
function tokens(usage: readonly TokenUsage[]): Record<string, string | number | undefined> {
  if (usage.length === 0) return {};
  const sum = (name: 'inputTokens' | 'outputTokens'): number =>
    usage.reduce((total, each) => total + (each[name] ?? 0), 0);
  const [first, ...others] = usage;
  return {
    'gen_ai.usage.input_tokens': sum('inputTokens'),
    'gen_ai.usage.output_tokens': sum('outputTokens'),
    ...(others.length === 0
      ? { 'gen_ai.response.model': first?.model, 'gen_ai.provider.name': first?.provider }
      : {}),
  };
}
