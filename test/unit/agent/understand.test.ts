/** Requests as people write them, in their languages. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedRequest } from '../../../src/agent/understanding/change.ts';
import { languageOf } from '../../../src/agent/understanding/language.ts';
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
    ['10 or 20', undefined],
  ])('%j answers a list', (text, choice) => {
    expect(understand(text).choice).toBe(choice);
  });

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
