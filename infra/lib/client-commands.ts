/** Commands to paste into a terminal once the runtime stands, for the authorizer that it has. */
import { Fn } from 'aws-cdk-lib';
import type { Settings } from './settings-type.ts';

export interface ClientCommand {
  /** Id of the stack output. */
  readonly id: string;
  readonly command: string;
}

/** `runtimeArn` may be a token; the address in the path is escaped at deployment. */
export function clientCommands(
  settings: Settings,
  region: string,
  runtimeArn: string,
): readonly ClientCommand[] {
  const qualifier = settings.endpoints[0]?.name ?? 'DEFAULT';
  const target = `--runtime-arn ${runtimeArn} --qualifier ${qualifier}`;
  const bearer = settings.auth.kind === 'jwt' ? ' --bearer-token "$ACCESS_TOKEN"' : '';
  return [
    { id: 'Invoke', command: `npx agentcore-agui invoke ${target}${bearer} 'Hello'` },
    { id: 'Chat', command: `npx agentcore-agui chat ${target}${bearer}` },
    {
      id: 'PlainCall',
      command:
        settings.auth.kind === 'jwt'
          ? curl(region, runtimeArn, qualifier)
          : awsCli(region, runtimeArn, qualifier),
    },
  ];
}

const INPUT =
  '{"threadId":"t1","runId":"r1","messages":[{"id":"m1","role":"user","content":"Hello"}],"tools":[],"context":[],"state":{},"forwardedProps":{}}';
const SESSION = '"$(uuidgen)"';

function awsCli(region: string, runtimeArn: string, qualifier: string): string {
  return (
    `aws bedrock-agentcore invoke-agent-runtime --region ${region} --agent-runtime-arn ${runtimeArn} --qualifier ${qualifier} ` +
    `--runtime-session-id ${SESSION} --content-type application/json --accept text/event-stream ` +
    `--cli-binary-format raw-in-base64-out --payload '${INPUT}' /dev/stdout`
  );
}

function curl(region: string, runtimeArn: string, qualifier: string): string {
  const escaped = Fn.join('%2F', Fn.split('/', Fn.join('%3A', Fn.split(':', runtimeArn))));
  return (
    `curl -N "https://bedrock-agentcore.${region}.amazonaws.com/runtimes/${escaped}/invocations?qualifier=${qualifier}" ` +
    `-H "Authorization: Bearer $ACCESS_TOKEN" -H "X-Amzn-Bedrock-AgentCore-Runtime-Session-Id: $(uuidgen)" ` +
    `-H 'Content-Type: application/json' -H 'Accept: text/event-stream' -d '${INPUT}'`
  );
}
