/**
 * Where images come from: a repository that takes each tag once, and a CodeBuild project on arm64 that turns this
 * source tree into an image of the same hash. Deployed first; the agent's stack needs the digest of an image.
 */
import {
  type CfnElement,
  CfnOutput,
  Duration,
  IgnoreMode,
  RemovalPolicy,
  Stack,
  type StackProps,
  Validations,
} from 'aws-cdk-lib';
import {
  Artifacts,
  BuildSpec,
  Cache,
  ComputeType,
  LinuxArmBuildImage,
  LocalCacheMode,
  Project,
  Source,
} from 'aws-cdk-lib/aws-codebuild';
import { Repository, TagMutability } from 'aws-cdk-lib/aws-ecr';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';
import { kebab, registryHost } from './names.ts';
import type { Settings } from './settings-type.ts';

/**
 * Never part of the source that is built: results, installed packages, local state and secrets. Settings neither, so that
 * another alarm threshold makes no other image.
 */
const NOT_SOURCE = [
  '.git',
  'node_modules',
  'dist',
  'cdk.out',
  'coverage',
  'build',
  '.env*',
  '*.log',
  '/workspace',
  '/infra/settings.ts',
];

const PULL = ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'];
const PUSH = ['ecr:InitiateLayerUpload', 'ecr:UploadLayerPart', 'ecr:CompleteLayerUpload', 'ecr:PutImage'];

const SIZES = { small: ComputeType.SMALL, medium: ComputeType.MEDIUM, large: ComputeType.LARGE };

export interface BuildStackProps extends StackProps {
  readonly settings: Settings;
  /** Absolute path of the source tree, with buildspec.yml at its top. */
  readonly sourceDirectory: string;
}

export class BuildStack extends Stack {
  constructor(scope: Construct, id: string, props: BuildStackProps) {
    super(scope, id, props);
    const { settings, sourceDirectory } = props;
    const repository = createRepository(this, settings);
    const records = createRecordsBucket(this, settings);
    const source = new Asset(this, 'Source', {
      path: sourceDirectory,
      exclude: NOT_SOURCE,
      ignoreMode: IgnoreMode.GIT,
    });
    const logs = createBuildLogs(this, settings);
    const project = new Project(this, 'Image', {
      projectName: `${kebab(settings)}-image`,
      description: 'Builds the arm64 image of the agent, checks it and pushes it',
      source: Source.s3({ bucket: source.bucket, path: source.s3ObjectKey }),
      buildSpec: BuildSpec.fromSourceFilename('buildspec.yml'),
      artifacts: Artifacts.s3({
        bucket: records,
        name: source.assetHash,
        includeBuildId: true,
        packageZip: true,
      }),
      environment: {
        buildImage: LinuxArmBuildImage.AMAZON_LINUX_2023_STANDARD_3_0,
        computeType: SIZES[settings.image.buildSize],
        privileged: true,
      },
      environmentVariables: {
        REGISTRY: { value: registryHost(this) },
        REPOSITORY: { value: repository.repositoryName },
        SOURCE_HASH: { value: source.assetHash },
      },
      cache: Cache.local(LocalCacheMode.DOCKER_LAYER),
      timeout: Duration.minutes(60),
      queuedTimeout: Duration.hours(1),
      logging: { cloudWatch: { logGroup: logs } },
      // The construct's own grants are wider than what a build does.
      role: createBuildRole(this, { repository, records, source, logs }).withoutPolicyUpdates(),
    });
    acknowledge(project, records);
    new CfnOutput(this, 'RepositoryUri', { value: repository.repositoryUri });
    new CfnOutput(this, 'SourceHash', {
      value: source.assetHash,
      description: 'Tag of the image of this source',
    });
    new CfnOutput(this, 'StartBuild', {
      value: `aws codebuild start-build --region ${this.region} --project-name ${project.projectName}`,
    });
    new CfnOutput(this, 'ImageDigest', {
      description:
        'Prints the digest for `npm run deploy:agent -- -c imageDigest=...` once the build is done',
      value: `aws ecr describe-images --region ${this.region} --repository-name ${settings.image.repository} --image-ids imageTag=${source.assetHash} --query 'imageDetails[0].imageDigest' --output text`,
    });
  }
}

function createRepository(scope: Construct, settings: Settings): Repository {
  const keep = settings.onDelete === 'keep';
  return new Repository(scope, 'Repository', {
    repositoryName: settings.image.repository,
    imageTagMutability: TagMutability.IMMUTABLE,
    imageScanOnPush: true,
    lifecycleRules: [{ description: 'The newest images', maxImageCount: settings.image.keep }],
    removalPolicy: keep ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    emptyOnDelete: !keep,
  });
}

/** What each build leaves besides the image: SBOM, digest, digest of the base. */
function createRecordsBucket(scope: Construct, settings: Settings): Bucket {
  const keep = settings.onDelete === 'keep';
  return new Bucket(scope, 'BuildRecords', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    lifecycleRules: [{ expiration: Duration.days(365) }],
    removalPolicy: keep ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
}

function createBuildLogs(scope: Construct, settings: Settings): LogGroup {
  return new LogGroup(scope, 'BuildLogs', {
    logGroupName: `/aws/codebuild/${kebab(settings)}-image`,
    retention: settings.logs.retentionDays as RetentionDays,
    removalPolicy: settings.onDelete === 'keep' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
}

interface BuildParts {
  readonly repository: Repository;
  readonly records: Bucket;
  readonly source: Asset;
  readonly logs: LogGroup;
}

/** What a build does: read this source, pull and push in this repository, write this log and these records. */
function createBuildRole(scope: Construct, { repository, records, source, logs }: BuildParts): Role {
  const role = new Role(scope, 'BuildRole', {
    description: 'What the image build may do',
    assumedBy: new ServicePrincipal('codebuild.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  });
  const allow = (sid: string, actions: string[], resource: string): void => {
    role.addToPolicy(new PolicyStatement({ sid, actions, resources: [resource] }));
  };
  allow('Source', ['s3:GetObject', 's3:GetObjectVersion'], source.bucket.arnForObjects(source.s3ObjectKey));
  allow('SourceBucket', ['s3:GetBucketLocation', 's3:GetBucketAcl'], source.bucket.bucketArn);
  allow('Records', ['s3:PutObject'], records.arnForObjects('*'));
  allow('Log', ['logs:CreateLogStream', 'logs:PutLogEvents'], logs.logGroupArn);
  allow('EcrToken', ['ecr:GetAuthorizationToken'], '*');
  allow('Image', [...PULL, ...PUSH, 'ecr:DescribeImages'], repository.repositoryArn);
  const reason = (id: string, why: string): void =>
    Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[${id}]`, reason: why });
  reason('Resource::*', 'ecr:GetAuthorizationToken knows no resources');
  const place = (construct: Construct): string =>
    Stack.of(scope).getLogicalId(construct.node.defaultChild as CfnElement);
  reason(
    `Resource::<${place(records)}.Arn>/*`,
    'Each build writes its records under its own id, in this one bucket',
  );
  return role;
}

function acknowledge(project: Project, records: Bucket): void {
  Validations.of(project).acknowledge(
    {
      id: 'AwsSolutions-CB3',
      reason: 'Privileged mode is what docker needs; the project runs only this repository',
    },
    {
      id: 'AwsSolutions-CB4',
      reason: 'Artifacts are an SBOM and digests, encrypted with the managed key of S3',
    },
  );
  Validations.of(records).acknowledge({
    id: 'AwsSolutions-S1',
    reason:
      'Written by one CodeBuild project, whose builds are logged; access logs would need a second bucket',
  });
}
