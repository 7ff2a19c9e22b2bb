/** Every number that is counted: its name for OpenTelemetry and for Prometheus, and what it says. */
interface NumberName {
  readonly otel: string;
  readonly prometheus: string;
  readonly what: string;
}

export const numbers = {
  runs: {
    otel: 'agentcore_agui.runs',
    prometheus: 'agentcore_agui_runs_total',
    what: 'Runs that ended, by outcome and fault',
  },
  runDuration: {
    otel: 'agentcore_agui.run.duration',
    prometheus: 'agentcore_agui_run_duration_seconds',
    what: 'From the start of a run to its end, by outcome',
  },
  firstEvent: {
    otel: 'agentcore_agui.run.first_event',
    prometheus: 'agentcore_agui_run_first_event_seconds',
    what: 'From the start of a run to the first thing that it said',
  },
  store: {
    otel: 'agentcore_agui.store.duration',
    prometheus: 'agentcore_agui_store_duration_seconds',
    what: 'Calls of the thread store, by operation and outcome',
  },
  heartbeats: {
    otel: 'agentcore_agui.heartbeats',
    prometheus: 'agentcore_agui_heartbeats_total',
    what: 'Signs of life sent on silent streams',
  },
} as const satisfies Record<string, NumberName>;

export const gauges = {
  'active-runs': {
    otel: 'agentcore_agui.runs.active',
    prometheus: 'agentcore_agui_runs_active',
    what: 'Runs that are going on',
  },
  'open-sockets': {
    otel: 'agentcore_agui.sockets.open',
    prometheus: 'agentcore_agui_sockets_open',
    what: 'WebSocket connections that are open',
  },
} as const satisfies Record<string, NumberName>;

/** Upper bounds of the histograms' buckets, in seconds: from a local disk's write to a run of an hour. */
export const secondsBuckets = [
  0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600,
] as const;
