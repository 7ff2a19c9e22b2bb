/**
 * Logs with an end, numbers from them, alarms and one dashboard. The log group of an endpoint is created before the
 * endpoint, so that the platform finds it and its retention holds from the first line. The server writes one JSON
 * object per line; what is read from it here is listed in LOG_FIELDS.
 */
import { Duration, Fn, RemovalPolicy } from 'aws-cdk-lib';
import type { Runtime } from 'aws-cdk-lib/aws-bedrockagentcore';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  LogQueryWidget,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, LogGroup, MetricFilter, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { kebab } from './names.ts';
import type { Settings } from './settings-type.ts';

/** What the server's log lines must hold for the numbers below. */
export const LOG_FIELDS = {
  /** On every line that reports a fault: its fine code. */
  fault: '$.fault',
  event: '$.event',
  /** On the line with this event: milliseconds from the request to the first event of the run. */
  runEnded: 'run ended',
  firstEventMs: '$.firstEventMs',
} as const;

const NAMESPACE = 'agentcore-agui';

/** One group per endpoint, with retention. */
export function createLogGroup(
  scope: Construct,
  settings: Settings,
  runtime: Runtime,
  endpoint: string,
): LogGroup {
  const group = new LogGroup(scope, `Logs-${endpoint}`, {
    logGroupName: Fn.join('', ['/aws/bedrock-agentcore/runtimes/', runtime.agentRuntimeId, `-${endpoint}`]),
    retention: settings.logs.retentionDays as RetentionDays,
    removalPolicy: settings.onDelete === 'keep' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  new MetricFilter(scope, `Faults-${endpoint}`, {
    logGroup: group,
    filterPattern: FilterPattern.exists(LOG_FIELDS.fault),
    metricNamespace: NAMESPACE,
    metricName: 'Faults',
    metricValue: '1',
    dimensions: { Fault: LOG_FIELDS.fault },
  });
  new MetricFilter(scope, `FirstEvent-${endpoint}`, {
    logGroup: group,
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue(LOG_FIELDS.event, '=', LOG_FIELDS.runEnded),
      FilterPattern.exists(LOG_FIELDS.firstEventMs),
    ),
    metricNamespace: NAMESPACE,
    metricName: `FirstEventMs-${settings.name}-${endpoint}`,
    metricValue: LOG_FIELDS.firstEventMs,
  });
  return group;
}

export function createAlarms(scope: Construct, settings: Settings, runtime: Runtime): Topic {
  const topic = new Topic(scope, 'AlarmTopic', { displayName: `${settings.name} alarms`, enforceSSL: true });
  if (settings.alarms.mail !== undefined) topic.addSubscription(new EmailSubscription(settings.alarms.mail));
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'NoPlainText',
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { Bool: { 'aws:SecureTransport': 'false' } },
    }),
  );
  const { systemErrors, throttles, firstEventMs } = settings.alarms;
  for (const { name } of settings.endpoints) {
    const of = endpointMetrics(settings, runtime, name);
    alarm(
      scope,
      topic,
      `SystemErrors-${name}`,
      of.systemErrors,
      systemErrors,
      'The platform or the container fails',
    );
    alarm(
      scope,
      topic,
      `Throttles-${name}`,
      of.throttles,
      throttles,
      'Calls are refused: too many, or a quota is used up',
    );
    alarm(
      scope,
      topic,
      `SlowFirstEvent-${name}`,
      of.firstEvent,
      firstEventMs,
      'Runs take too long to say anything (p99, ms)',
    );
  }
  return topic;
}

export function createDashboard(
  scope: Construct,
  settings: Settings,
  runtime: Runtime,
  groups: readonly LogGroup[],
): Dashboard {
  const dashboard = new Dashboard(scope, 'Dashboard', {
    dashboardName: `${kebab(settings)}-${settings.region}`,
    defaultInterval: Duration.hours(12),
  });
  for (const { name } of settings.endpoints) {
    const of = endpointMetrics(settings, runtime, name);
    dashboard.addWidgets(
      graph(`${name}: busy sessions`, of.sessions),
      graph(`${name}: calls and errors`, of.invocations, of.systemErrors, of.userErrors, of.throttles),
      graph(`${name}: first event, ms (p50, p99)`, of.firstEventTypical, of.firstEvent),
    );
  }
  dashboard.addWidgets(
    new LogQueryWidget({
      title: 'Errors by code',
      width: 24,
      logGroupNames: groups.map(({ logGroupName }) => logGroupName),
      queryLines: ['filter ispresent(fault)', 'stats count(*) as times by fault, bin(1h)', 'sort times desc'],
    }),
  );
  return dashboard;
}

type EndpointMetrics = Readonly<
  Record<
    | 'sessions'
    | 'invocations'
    | 'systemErrors'
    | 'userErrors'
    | 'throttles'
    | 'firstEvent'
    | 'firstEventTypical',
    Metric
  >
>;

function endpointMetrics(settings: Settings, runtime: Runtime, endpoint: string): EndpointMetrics {
  const of = { dimensionsMap: { Name: `${settings.name}::${endpoint}` }, period: Duration.minutes(5) };
  const firstEvent = (statistic: string): Metric =>
    new Metric({
      namespace: NAMESPACE,
      metricName: `FirstEventMs-${settings.name}-${endpoint}`,
      statistic,
      period: Duration.minutes(5),
    });
  return {
    sessions: runtime.metricSessionCount(of),
    invocations: runtime.metricInvocations(of),
    systemErrors: runtime.metricSystemErrors(of),
    userErrors: runtime.metricUserErrors(of),
    throttles: runtime.metricThrottles(of),
    firstEvent: firstEvent(Stats.percentile(99)),
    firstEventTypical: firstEvent(Stats.percentile(50)),
  };
}

function alarm(
  scope: Construct,
  topic: Topic,
  id: string,
  metric: Metric,
  threshold: number,
  what: string,
): void {
  new Alarm(scope, id, {
    metric,
    threshold,
    alarmDescription: what,
    evaluationPeriods: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  }).addAlarmAction(new SnsAction(topic));
}

const graph = (title: string, ...left: IMetric[]): GraphWidget => new GraphWidget({ title, width: 8, left });
