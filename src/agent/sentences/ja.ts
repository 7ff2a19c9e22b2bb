import { deployCommand, platformNames, type Sentences } from './sentences.ts';

export const japanese: Sentences = {
  kinds: {
    vpc: 'サブネット付きの VPC',
    bucket: 'ストレージバケット',
    queue: 'メッセージキュー',
    function: '関数',
    database: 'データベース',
    'web-server': 'ロードバランサー配下の Web サーバー',
  },
  and: 'と',
  greeting: 'こんにちは。言語モデルを使わず、この場でオフラインのままインフラのテンプレートを書きます。',
  offer: 'AWS CloudFormation または Alibaba Cloud ROS 向けに、次のものを作れます：',
  askAgain: 'どれにしますか。番号だけでもよく、複数でもかまいません。',
  plan: (parts, platform) => `${platformNames[platform]} のテンプレートを書きます。内容：${parts}。`,
  changing: (file) => `${file} を変更します。`,
  done: (file, resources) => `${file} を書きました。リソースは ${resources} 個です。`,
  checked: '使われているすべてのリソースタイプのスキーマに適合しています。',
  problems: (count) => `検査で ${count} 件の問題が見つかりました：`,
  next: '変更（「サブネットを3つに」「バケットを追加」「ROS 向けに」）、表示、再検証ができます。',
  showing: (file) => `${file} の内容です：`,
  files: (count) => (count === 0 ? 'ワークスペースにはまだファイルがありません。' : 'ワークスペースの内容：'),
  mayDelete: (file) => `ワークスペースから ${file} を削除しますか。`,
  deleted: (file) => `${file} を削除しました。`,
  kept: (file) => `${file} はそのまま残します。`,
  noTemplateYet: 'この会話にはまだテンプレートがありません。',
  cannotDeploy: (file, platform) =>
    `デプロイはできません。アカウントも認証情報も持っていません。${file === undefined ? '' : `次のコマンドで実行できます：\n\n    ${deployCommand(file, platform)}`}`,
  howToConnect:
    '言語モデルなしではお答えできません。AGUI_KERNEL_URL または AGUI_KERNEL_COMMAND で別の A2A エージェントをこのサーバーの後ろに置くと、回答できます。',
  refused: (problem) => `うまくいきませんでした：${problem}。`,
};
