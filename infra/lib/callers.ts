/**
 * The policy for people and programs that call by SigV4: the endpoints of this deployment, by HTTP and by WebSocket, and
 * the end of a session. To speak for a user is denied unless the settings allow it, because the platform does not verify
 * whom a caller names. Callers with bearer tokens need no policy.
 */
import { Effect, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { kebab } from './names.ts';
import type { Settings } from './settings-type.ts';

const CALL = [
  'bedrock-agentcore:InvokeAgentRuntime',
  'bedrock-agentcore:InvokeAgentRuntimeWithWebSocketStream',
  'bedrock-agentcore:StopRuntimeSession',
];
const FOR_USER = [
  'bedrock-agentcore:InvokeAgentRuntimeForUser',
  'bedrock-agentcore:InvokeAgentRuntimeWithWebSocketStreamForUser',
];

export function createCallerPolicy(
  scope: Construct,
  settings: Settings,
  runtimeArn: string,
): ManagedPolicy | undefined {
  if (settings.auth.kind !== 'iam') return undefined;
  const { maySpeakForUsers } = settings.auth;
  // The platform asks for both: the runtime and the endpoint that the call names.
  const resources = [
    runtimeArn,
    ...settings.endpoints.map(({ name }) => `${runtimeArn}/runtime-endpoint/${name}`),
  ];
  return new ManagedPolicy(scope, 'CallerPolicy', {
    managedPolicyName: `${kebab(settings)}-caller-${settings.region}`,
    description: `May call the runtime ${settings.name}`,
    statements: [
      new PolicyStatement({ sid: 'Call', effect: Effect.ALLOW, actions: CALL, resources }),
      new PolicyStatement({
        sid: 'ForUser',
        effect: maySpeakForUsers ? Effect.ALLOW : Effect.DENY,
        actions: FOR_USER,
        resources,
      }),
    ],
  });
}
