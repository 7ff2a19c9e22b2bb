/**
 * Your deployment. Edit, then `npm run check`. What each value means: lib/settings-type.ts.
 * As it stands: signed callers, the embedded agent without a model, state on session storage, endpoint `prod` at version 1.
 */
import type { Settings } from './lib/settings-type.ts';

export const settings: Settings = {
  name: 'agui_agent',
  region: 'us-east-1',
  image: { repository: 'agentcore-agui', buildSize: 'medium', keep: 10 },
  auth: { kind: 'iam', maySpeakForUsers: false },
  requestHeaders: [],
  session: { idleSeconds: 900, maxSeconds: 28_800, storage: '/mnt/state' },
  network: { kind: 'public' },
  threads: 'files',
  model: { provider: 'offline' },
  environment: {},
  endpoints: [{ name: 'prod', version: 1 }],
  platformVersion: 'V1',
  logs: { retentionDays: 30 },
  tracing: true,
  alarms: { systemErrors: 5, throttles: 10, firstEventMs: 10_000 },
  onDelete: 'keep',
};
