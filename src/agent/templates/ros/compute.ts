/** A function and a database on Alibaba Cloud. */
import { fitName } from '../resource-name.ts';
import type { Part } from '../template-request.ts';
import type { Fragment, TemplateSection } from '../template-value.ts';
import { getAtt, nameOr, ref } from './functions.ts';
import type { RosNetwork } from './network.ts';

const nodeSource = 'exports.handler = async () => ({ statusCode: 200, body: "hello" });\n';
const pythonSource = 'def handler(event, context):\n    return {"statusCode": 200, "body": "hello"}\n';

export function rosFunctionFragment(part: Extract<Part, { kind: 'function' }>): Fragment {
  const name = fitName(part.name, { maxLength: 60, letterFirst: true });
  const isPython = part.runtime === 'python';
  return {
    summary: `a ${isPython ? 'Python' : 'Node.js'} function`,
    resources: {
      Function: {
        Type: 'ALIYUN::FC3::Function',
        Properties: {
          FunctionName: nameOr(name, 'function'),
          Handler: 'index.handler',
          Runtime: isPython ? 'python3.10' : 'nodejs20',
          Cpu: 0.35,
          MemorySize: 512,
          DiskSize: 512,
          Timeout: 30,
          Code: { SourceCode: isPython ? pythonSource : nodeSource },
        },
      },
    },
    outputs: {
      FunctionName: { Description: 'Name of the function.', Value: getAtt('Function', 'FunctionName') },
    },
  };
}

/** Asked for only where the VPC is not the template's own: no default fits every network. */
const databaseClients: TemplateSection = {
  DatabaseClients: { Type: 'String', Description: 'Blocks of addresses that may connect, by comma.' },
};

export function rosDatabaseFragment(
  part: Extract<Part, { kind: 'database' }>,
  network: RosNetwork,
): Fragment {
  const isPostgres = part.engine !== 'mysql';
  const name = fitName(part.name, { maxLength: 60, letterFirst: true });
  return {
    summary: `an encrypted ${isPostgres ? 'PostgreSQL' : 'MySQL'} database inside the network`,
    parameters: {
      ...network.parameters,
      DatabaseClass: {
        Type: 'String',
        Default: isPostgres ? 'pg.n2.2c.1m' : 'mysql.n2.medium.1',
        Description: 'Class of the database instance.',
      },
      DatabaseStorage: {
        Type: 'Number',
        Default: 50,
        MinValue: 20,
        MaxValue: 6_000,
        Description: 'Storage in GB.',
      },
      ...(network.block === undefined ? databaseClients : {}),
      DatabaseDeletionProtection: {
        Type: 'Boolean',
        Default: true,
        Description: 'Whether the database refuses to be deleted.',
      },
      DatabaseUser: { Type: 'String', Default: 'app', Description: 'Name of the application account.' },
      DatabasePassword: {
        Type: 'String',
        NoEcho: true,
        MinLength: 8,
        MaxLength: 32,
        Description:
          'Password of the application account: letters of both cases, digits and one of !@#$%^&*()_+-=',
      },
    },
    resources: {
      Database: {
        Type: 'ALIYUN::RDS::DBInstance',
        Properties: {
          Engine: isPostgres ? 'PostgreSQL' : 'MySQL',
          EngineVersion: isPostgres ? '16.0' : '8.0',
          DBInstanceClass: ref('DatabaseClass'),
          DBInstanceStorage: ref('DatabaseStorage'),
          DBInstanceStorageType: 'cloud_essd',
          DBInstanceDescription: nameOr(name, 'database'),
          VpcId: network.vpc,
          VSwitchId: network.vSwitch,
          SecurityIPList: network.block ?? ref('DatabaseClients'),
          AllocatePublicConnection: false,
          EncryptionKey: 'ServiceKey',
          DeletionProtection: ref('DatabaseDeletionProtection'),
        },
      },
      DatabaseAccount: {
        Type: 'ALIYUN::RDS::Account',
        Properties: {
          DBInstanceId: ref('Database'),
          AccountName: ref('DatabaseUser'),
          AccountPassword: ref('DatabasePassword'),
          AccountType: 'Super',
        },
      },
    },
    outputs: {
      DatabaseAddress: {
        Description: 'Address inside the network.',
        Value: getAtt('Database', 'InnerConnectionString'),
      },
      DatabasePort: { Description: 'Port inside the network.', Value: getAtt('Database', 'InnerPort') },
    },
  };
}
