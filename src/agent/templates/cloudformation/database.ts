/**
 * An encrypted, private RDS instance. Its master password is made and rotated by Secrets Manager and never appears in
 * the template. Only members of a client security group may connect, so no address has to be guessed.
 */
import { fitName, named } from '../resource-name.ts';
import type { Part } from '../template-request.ts';
import type { Fragment, TemplateSection } from '../template-value.ts';
import { getAtt, nameTag, ref } from './intrinsics.ts';
import type { Network } from './network.ts';

const engines = {
  mysql: { label: 'MySQL', version: '8.4.9', port: 3306, logs: ['error', 'slowquery'] },
  postgres: { label: 'PostgreSQL', version: '18', port: 5432, logs: ['postgresql', 'upgrade'] },
} as const;

type Engine = keyof typeof engines;

/** Logical id of the group whose members may connect. */
export const databaseClientGroup = 'DatabaseClientSecurityGroup';

export function databaseFragment(part: Extract<Part, { kind: 'database' }>, network: Network): Fragment {
  const engine = part.engine ?? 'postgres';
  return {
    summary: `a private, encrypted ${engines[engine].label} database`,
    parameters: {
      ...network.parameters.vpc,
      ...network.parameters.privateSubnets,
      ...databaseParameters(engine),
    },
    resources: {
      ...securityGroups(part.name, engine, network),
      DatabaseSubnetGroup: {
        Type: 'AWS::RDS::DBSubnetGroup',
        Properties: {
          DBSubnetGroupDescription: 'Private subnets of the database',
          SubnetIds: network.privateSubnetIds,
        },
      },
      Database: instance(part.name, engine),
    },
    outputs: {
      DatabaseEndpoint: {
        Description: 'Host name of the database.',
        Value: getAtt('Database.Endpoint.Address'),
      },
      DatabasePort: { Description: 'Port of the database.', Value: getAtt('Database.Endpoint.Port') },
      DatabaseSecretArn: {
        Description: 'ARN of the secret that holds user name and password.',
        Value: getAtt('Database.MasterUserSecret.SecretArn'),
      },
      DatabaseClientSecurityGroupId: {
        Description: 'Security group to give to whatever connects to the database.',
        Value: getAtt(`${databaseClientGroup}.GroupId`),
      },
    },
  };
}

const databaseParameters = (engine: Engine): TemplateSection => ({
  DatabaseEngineVersion: {
    Type: 'String',
    Default: engines[engine].version,
    Description: `Version of ${engines[engine].label}.`,
  },
  DatabaseInstanceClass: { Type: 'String', Default: 'db.t4g.micro', Description: 'Instance class.' },
  DatabaseAllocatedStorage: {
    Type: 'Number',
    Default: 20,
    MinValue: 20,
    MaxValue: 65536,
    Description: 'Storage in GiB.',
  },
  DatabaseMultiAz: {
    Type: 'String',
    Default: 'false',
    AllowedValues: ['true', 'false'],
    Description: 'Whether a standby runs in a second availability zone.',
  },
  DatabaseDeletionProtection: {
    Type: 'String',
    Default: 'true',
    AllowedValues: ['true', 'false'],
    Description: 'Whether the database refuses to be deleted.',
  },
});

function securityGroups(name: string | undefined, engine: Engine, network: Network): TemplateSection {
  const port = engines[engine].port;
  return {
    [databaseClientGroup]: {
      Type: 'AWS::EC2::SecurityGroup',
      Properties: {
        GroupDescription: 'Members may connect to the database',
        VpcId: network.vpcId,
        Tags: [nameTag(name, 'database-client')],
      },
    },
    DatabaseSecurityGroup: {
      Type: 'AWS::EC2::SecurityGroup',
      Properties: {
        GroupDescription: 'Lets database clients in',
        VpcId: network.vpcId,
        SecurityGroupIngress: [
          {
            Description: 'From database clients',
            IpProtocol: 'tcp',
            FromPort: port,
            ToPort: port,
            SourceSecurityGroupId: getAtt(`${databaseClientGroup}.GroupId`),
          },
        ],
        Tags: [nameTag(name, 'database')],
      },
    },
  };
}

function instance(name: string | undefined, engine: Engine): TemplateSection {
  const { logs } = engines[engine];
  return {
    Type: 'AWS::RDS::DBInstance',
    DeletionPolicy: 'Snapshot',
    UpdateReplacePolicy: 'Snapshot',
    Properties: {
      ...named('DBInstanceIdentifier', fitName(name, { maxLength: 63, lowerCase: true, letterFirst: true })),
      Engine: engine,
      EngineVersion: ref('DatabaseEngineVersion'),
      DBInstanceClass: ref('DatabaseInstanceClass'),
      AllocatedStorage: ref('DatabaseAllocatedStorage'),
      StorageType: 'gp3',
      StorageEncrypted: true,
      DBName: 'app',
      MasterUsername: 'dbadmin',
      ManageMasterUserPassword: true,
      DBSubnetGroupName: ref('DatabaseSubnetGroup'),
      VPCSecurityGroups: [getAtt('DatabaseSecurityGroup.GroupId')],
      PubliclyAccessible: false,
      MultiAZ: ref('DatabaseMultiAz'),
      BackupRetentionPeriod: 7,
      CopyTagsToSnapshot: true,
      AutoMinorVersionUpgrade: true,
      EnableCloudwatchLogsExports: logs,
      DeletionProtection: ref('DatabaseDeletionProtection'),
    },
  };
}
