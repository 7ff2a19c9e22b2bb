/** Requests as people write them, in their languages. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentencesOf } from '../../../src/agent/sentences/voice.ts';
import { partKinds } from '../../../src/agent/templates/template-request.ts';
import { changedRequest } from '../../../src/agent/understanding/change.ts';
import { languageOf, spokenLanguages } from '../../../src/agent/understanding/language.ts';
import { understand } from '../../../src/agent/understanding/understand.ts';
import { fold } from '../../../src/agent/understanding/words.ts';

const vpc = (more: object = {}) => ({ kind: 'vpc', ...more });

describe('a request', () => {
  it.each([
    ['Create a VPC', [vpc()]],
    ['I need a VPC with 3 subnets in 10.20.0.0/16', [vpc({ subnets: 3, cidr: '10.20.0.0/16' })]],
    ['Please write me a network with NAT', [vpc({ nat: true })]],
    ['Créer un modèle VPC', [vpc()]],
    ['Crée un réseau avec deux sous-réseaux', [vpc({ subnets: 2 })]],
    ["J'ai besoin d'un VPC avec trois sous-réseaux publics", [vpc({ subnets: 3 })]],
    ['Crea un modello VPC con 3 sottoreti', [vpc({ subnets: 3 })]],
    ['Vorrei una rete con quattro sottoreti', [vpc({ subnets: 4 })]],
    ['创建一个包含两个子网的VPC模板', [vpc({ subnets: 2 })]],
    ['请帮我写一个专有网络', [vpc()]],
    ['Erstelle ein VPC mit drei Subnetzen', [vpc({ subnets: 3 })]],
    ['Crea una plantilla de VPC con dos subredes', [vpc({ subnets: 2 })]],
    [
      'a bucket and a queue named orders',
      [
        { kind: 'bucket', name: 'orders' },
        { kind: 'queue', name: 'orders' },
      ],
    ],
    [
      'a bucket named logs and a queue called jobs, and a database',
      [{ kind: 'bucket', name: 'logs' }, { kind: 'queue', name: 'jobs' }, { kind: 'database' }],
    ],
    [
      'une file de messages nommée commandes et un compartiment nommé archives',
      [
        { kind: 'queue', name: 'commandes' },
        { kind: 'bucket', name: 'archives' },
      ],
    ],
    ['un compartiment S3', [{ kind: 'bucket' }]],
    ['一个存储桶', [{ kind: 'bucket' }]],
    ['a fifo queue', [{ kind: 'queue', fifo: true }]],
    ['une file d’attente', [{ kind: 'queue' }]],
    ['una coda di messaggi', [{ kind: 'queue' }]],
    ['消息队列', [{ kind: 'queue' }]],
    ['a lambda in Python', [{ kind: 'function', runtime: 'python' }]],
    ['une fonction node.js', [{ kind: 'function', runtime: 'nodejs' }]],
    ['una funzione', [{ kind: 'function' }]],
    ['一个函数', [{ kind: 'function' }]],
    ['a Postgres database', [{ kind: 'database', engine: 'postgres' }]],
    ['une base de données MySQL', [{ kind: 'database', engine: 'mysql' }]],
    ['una banca dati', [{ kind: 'database' }]],
    ['一个数据库', [{ kind: 'database' }]],
    ['a web server behind a load balancer', [{ kind: 'web-server' }]],
    ['un serveur web derrière un répartiteur de charge', [{ kind: 'web-server' }]],
    ['un server web dietro un bilanciatore', [{ kind: 'web-server' }]],
    ['负载均衡后面的网站服务器', [{ kind: 'web-server' }]],
    ['创建VPC', [vpc()]],
    ['用阿里云创建VPC和OSS', [vpc(), { kind: 'bucket' }]],
    ['VPCのテンプレートを作成して', [vpc()]],
    ['サブネットを3つ持つVPC', [vpc({ subnets: 3 })]],
    ['3つのサブネットのVPC', [vpc({ subnets: 3 })]],
    ['a VPC without NAT', [vpc({ nat: false })]],
    ['un VPC sans NAT', [vpc({ nat: false })]],
    ['不要NAT的VPC', [vpc({ nat: false })]],
    ['a VPC across 3 availability zones', [vpc({ subnets: 3 })]],
    ['un VPC sur trois zones de disponibilité', [vpc({ subnets: 3 })]],
    ['三个可用区的VPC', [vpc({ subnets: 3 })]],
    ['a VPC 10.0.0.0/16 subnets included', [vpc({ cidr: '10.0.0.0/16' })]],
    ['Do not create a VPC, only a bucket', [{ kind: 'bucket' }]],
    ['un serveur web sans base de données', [{ kind: 'web-server' }]],
    ['a web server with 3 instances', [{ kind: 'web-server', instances: 3 }]],
    ['write a template to bucket.yaml', []],
    ['What is the meaning of life?', []],
    ['Bonjour', []],
  ])('%j names its parts', (text, parts) => {
    expect(understand(text).parts).toEqual(parts);
  });

  it.each([
    ['for ROS please', 'ros'],
    ['pour Alibaba Cloud', 'ros'],
    ['用阿里云', 'ros'],
    ['con CloudFormation', 'cloudformation'],
    ['on AWS', 'cloudformation'],
    ['a bucket', undefined],
  ])('%j says which platform', (text, platform) => {
    expect(understand(text).platform).toBe(platform);
  });

  it.each([
    ['Create a VPC with two subnets', 'en'],
    ['Créer un modèle VPC', 'fr'],
    ['Crea un modello VPC con 3 sottoreti', 'it'],
    ['创建一个VPC', 'zh'],
    ['elenca i file', 'it'],
    ['Crea una plantilla de VPC con tres subredes', 'es'],
    ['Crie um modelo de VPC com 3 sub-redes', 'pt'],
    ['Erstelle eine VPC mit drei Subnetzen', 'de'],
    ['VPCのテンプレートを作成して', 'ja'],
    ['VPC', undefined],
  ])('%j is in its language', (text, language) => {
    expect(languageOf(fold(text))).toBe(language);
  });

  it.each([
    ['2', 2],
    ['the first one', 1],
    ['le deuxième', 2],
    ['la terza', 3],
    ['第一个', 1],
    ['number 4 please', 4],
    ['10 or 20'],
    ['please make me 2 of everything that there is'],
    ['1 and 3', 1, 3],
    ['1, 3 et 6', 1, 3, 6],
    ['the second and the first', 1, 2],
  ])('%j answers a list', (text, ...choices) => {
    expect(understand(text).choices).toEqual(choices);
  });

  it.each([
    ['call it core-net', 'core-net'],
    ['rename it to orders', 'orders'],
    ['renomme-le en commandes', 'commandes'],
    ['rinominalo in ordini', 'ordini'],
    ['a queue named "jobs"', 'jobs'],
    ['重命名为orders', 'orders'],
    ['what is the name of it', undefined],
    ['rename it', undefined],
  ])('%j gives a name', (text, name) => {
    expect(understand(text).details.name).toBe(name);
  });

  it.each([
    ['show vpc.yaml', 'vpc.yaml'],
    ['write it to nets/core.yml please', 'nets/core.yml'],
    ['delete ../../secret.yaml', '../../secret.yaml'],
    ['read /etc/cloud.json', '/etc/cloud.json'],
    ['see https://example.com/a.yaml', undefined],
    ['for node.js', undefined],
  ])('%j names a file', (text, file) => {
    expect(understand(text).file).toBe(file);
  });

  it.each(spokenLanguages)('in %s may repeat the words of the offer', (language) => {
    for (const kind of partKinds)
      expect(understand(sentencesOf[language].kinds[kind]).parts.map((part) => part.kind)).toContain(kind);
  });

  it.each([
    ['Crea un bucket S3', ['it', 'es'], 'it'],
    ['un VPC', ['fr'], 'fr'],
    ['un VPC', ['it'], 'it'],
    ['VPC', ['it'], undefined],
  ] as const)(
    '%j is taken for the likely one of %j where the words do not decide',
    (text, likely, language) => {
      expect(languageOf(fold(text), likely)).toBe(language);
    },
  );

  it('never makes the reader wait, whatever is written', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: 'grapheme' }), (text) => {
        expect(Array.isArray(understand(text).parts)).toBe(true);
      }),
    );
    expect(understand('a'.repeat(1_000_000)).parts).toEqual([]);
    expect(understand('named '.repeat(100_000)).parts).toEqual([]);
  });
});

describe('a follow-up', () => {
  const last = { platform: 'cloudformation', parts: [{ kind: 'vpc', subnets: 2, name: 'net' }] } as const;

  it.each([
    ['make it 3 subnets', { platform: 'cloudformation', parts: [{ kind: 'vpc', subnets: 3, name: 'net' }] }],
    ['now for ROS', { platform: 'ros', parts: last.parts }],
    ['maintenant pour ROS', { platform: 'ros', parts: last.parts }],
    ['add a bucket', { platform: 'cloudformation', parts: [...last.parts, { kind: 'bucket' }] }],
    ['aggiungi una coda', { platform: 'cloudformation', parts: [...last.parts, { kind: 'queue' }] }],
    ['加上存储桶', { platform: 'cloudformation', parts: [...last.parts, { kind: 'bucket' }] }],
    [
      'rename it, named core',
      { platform: 'cloudformation', parts: [{ kind: 'vpc', subnets: 2, name: 'core' }] },
    ],
    ['Create a bucket', undefined],
    ['thanks', undefined],
  ])('%j changes the last template', (text, request) => {
    expect(changedRequest(last, understand(text))).toEqual(request);
  });
});
