/** Japanese. Placeholders and brackets: see `../sentence.ts`. */
import type { FaultName } from '../../errors/catalog.ts';

export const ja: Readonly<Record<FaultName, string>> = {
  'credentials-missing': '認証情報がありません。Authorization ヘッダーで Bearer トークンを送信してください。',
  'credentials-invalid': '認証情報が無効か、期限が切れています。有効な Bearer トークンを送信してください。',
  'access-denied':
    'この認証情報ではこの操作を実行できません。別の認証情報を使うか、運用担当者に権限を依頼してください。',
  'thread-of-another-caller':
    'この呼び出し元はこのスレッドを利用できません。最初のリクエストと同じ認証情報と userId を使うか、別の threadId を指定してください。',
  'thread-in-another-workspace':
    'このスレッドは別のワークスペースに結び付いています。最初のリクエストの cwd を送信するか、新しいスレッドを開始してください。',

  'media-type-unsupported':
    'リクエスト本文のメディアタイプに対応していません[：「{given}」]。application/json で送信してください。',
  'accept-unsupported':
    '応答は text/event-stream でのみ提供されます。Accept ヘッダーでこの形式を許可してください。',
  'body-too-large': 'リクエスト本文が大きすぎます。小さくして送信してください[（上限 {limit} バイト）]。',
  'body-stalled': 'リクエスト本文の受信が途中で止まりました。もう一度送信してください。',
  'head-too-large': 'リクエストヘッダーが大きすぎます。数を減らすか短くしてください。',
  'head-malformed': '読み取れる HTTP リクエストではありません。クライアントを確認してください。',
  'body-empty': 'リクエスト本文が空です。JSON オブジェクトを送信してください。',
  'body-not-utf8': 'リクエスト本文が UTF-8 ではありません。JSON を UTF-8 で符号化してください。',
  'body-not-json': 'リクエスト本文が正しい JSON ではありません。修正して再送信してください。',
  'body-too-deep': 'リクエストの JSON の入れ子が深すぎます。階層を減らしてください[（上限 {limit} 階層）]。',
  'body-forbidden-key':
    'リクエスト本文に使用できないメンバー名があります[：「{key}」]。このメンバーを削除してください。',
  'body-not-an-object':
    'リクエスト本文は JSON オブジェクトでなければなりません。オブジェクトを送信してください。',
  'path-unknown': 'このアドレスには何もありません。パスを確認してください。',
  'upgrade-required':
    'このアドレスは WebSocket のみに対応しています。アップグレード（Upgrade）を要求してください。',
  'method-not-allowed':
    'このアドレスではこのメソッドを使用できません。許可されたメソッドを使用してください[：{allowed}]。',

  'envelope-invalid':
    '実行の入力が正しくありません[（位置：{where}）][（内容：{problem}）]。修正して再送信してください。',
  'protocol-version-unsupported':
    'この AG-UI プロトコルバージョンには対応していません[：「{given}」]。対応している protocolVersion を送信してください[：{supported}]。',
  'session-header-invalid':
    'セッション ID が正しくありません。英字または数字で始まる、英数字、-、_ からなる 33～256 文字を送信してください。',
  'session-header-missing':
    'セッション ID がありません。X-Amzn-Bedrock-AgentCore-Runtime-Session-Id ヘッダーで送信してください。',
  'control-unknown':
    'この制御メッセージは認識できません[：「{given}」]。cancel、attach、ping のいずれかを送信してください。',
  'extension-missing':
    'ここでは forwardedProps.iacCode が必要です。schemaVersion、rosInvocationId、cwd を含めて送信してください。',
  'extension-invalid':
    'forwardedProps.iacCode が正しくありません[（位置：{where}）][（内容：{problem}）]。修正してリクエストを再送信してください。',
  'workspace-not-absolute':
    'cwd のワークスペースが絶対パスではありません。フォルダーの完全なパスを送信してください。',
  'workspace-invalid':
    'cwd のワークスペースのパスは使用できません。既存または新規のフォルダーのパスを送信してください。',
  'workspace-outside-roots':
    'cwd のワークスペースは許可されたフォルダーの外にあります。許可範囲内のフォルダーを選ぶか、運用担当者に許可を依頼してください。',
  'workspace-not-a-directory':
    'cwd のワークスペースはフォルダーではありません。フォルダーのパスを送信してください。',
  'workspace-not-created':
    'ワークスペースのフォルダーを作成できませんでした。別のフォルダーを選ぶか、運用担当者に権限と空き容量の確認を依頼してください。',
  'tools-unsupported':
    'このエージェントはクライアントのツールを使用できません。tools を空のリストにして送信してください。',
  'message-missing':
    '応答対象のユーザーメッセージがありません。role が user のメッセージを追加してください。',
  'content-unsupported':
    'メッセージに未対応の種類の内容が含まれています[：{type}]。テキストまたは埋め込み画像のみを送信してください。',
  'media-remote':
    'URL で指定されたメディアは取得しません。画像を base64 データとして埋め込んで送信してください。',
  'media-type-not-an-image':
    '添付のメディアタイプに対応していません[：「{given}」]。PNG、JPEG、GIF、WebP の画像を送信してください。',
  'media-not-base64':
    '画像データが正しい base64 ではありません。パディング付き、空白なしの base64 で符号化してください。',
  'media-too-large': '画像が大きすぎます。小さい画像を送信してください[（上限 {limit} バイト）]。',
  'media-too-large-together':
    'メッセージ内の画像の合計が大きすぎます。枚数またはサイズを減らしてください[（合計の上限 {limit} バイト）]。',
  'media-undecodable':
    '画像を読み取れませんでした。ファイルが壊れておらず、メディアタイプと一致しているか確認してください。',

  'thread-busy': 'このスレッドは別のリクエストを実行中です。終了してから再試行してください。',
  'run-id-used': 'このリクエストはこの runId で送信済みです。新しい実行には新しい runId を使用してください。',
  'run-id-conflict': 'この runId は別のリクエストで使用済みです。新しい runId を使用してください。',
  'resume-required':
    'このスレッドは未回答の割り込みへの回答を待っています。新しいメッセージの前に resume で回答してください。',
  'resume-incomplete':
    '回答のない割り込みが残っています[（不足：{missing}）]。それぞれに 1 回ずつ回答してください。',
  'resume-duplicate-entry': '同じ割り込みに複数の回答があります。それぞれに 1 回ずつ回答してください。',
  'interrupt-unknown':
    'このスレッドにない割り込みへの回答が含まれています[：「{id}」]。未回答の割り込みにのみ回答してください。',
  'payload-missing':
    'resolved の回答に payload がありません。割り込みの responseSchema に合う payload を追加してください。',
  'payload-invalid':
    '回答の payload が responseSchema に合いません[（位置：{where}）][（内容：{problem}）]。修正して新しい runId で送信してください。',
  'payload-empty': 'payload に回答がありません。入力して新しい runId で送信してください。',
  'resume-already-applied':
    'この回答は受け付け済みのため、再度適用されません。続けるには新しいメッセージを送信してください。',
  'execution-expired':
    'この割り込みは期限が切れたため、回答できません。新しいメッセージを送信してやり直してください。',
  'execution-lost': '再開できる実行がありません。新しいメッセージを送信してやり直してください。',
  'execution-mismatch':
    'この回答は中断中の実行のものではありません。中断した実行の rosInvocationId を送信してください。',
  'session-not-restorable':
    'エージェントのセッションを復元できませんでした。新しいメッセージを送信してやり直してください。',
  'execution-not-found':
    'この実行は見つかりません。executionId、threadId、rosInvocationId を確認してください。',
  'run-not-found':
    'この実行は見つからないか、記録が保持されていません。threadId と runId を確認してください。',

  'too-many-requests':
    '短時間のリクエストが多すぎます。時間をおいて再試行してください[（{seconds} 秒後以降）]。',
  'too-many-runs':
    '同時に実行できる数の上限に達しました[（{limit}）]。ほかの実行が終わってから再試行してください。',
  'too-many-sockets': '接続数の上限に達しました[（{limit}）]。接続を閉じるか、後で再試行してください。',
  'too-many-sessions':
    'セッション数の上限に達しました[（{limit}）]。既存のセッションを使うか、後で再試行してください。',
  'too-many-threads':
    'スレッド数の上限に達しました[（{limit}）]。既存のスレッドを使うか、後で再試行してください。',
  'thread-too-large': 'このスレッドは保存できる大きさを超えました。新しいスレッドを開始してください。',

  'kernel-unavailable': '現在エージェントに接続できません。しばらくしてから再試行してください。',
  'kernel-refused':
    'エージェントがリクエストを受け付けませんでした。後で再試行し、続く場合は運用担当者に連絡してください。',
  'kernel-protocol': 'エージェントの応答を解釈できませんでした。運用担当者に連絡してください。',
  'kernel-identity-changed':
    'エージェントが別のタスクまたはセッションについて応答したため、実行を停止しました。新しいメッセージを送信してやり直してください。',
  'kernel-version':
    'エージェントの A2A バージョンに対応していません[（提供：{offered}、必要：{needed}）]。運用担当者に更新を依頼してください。',
  'task-failed': 'エージェントはタスクを完了できませんでした。新しい実行で再試行してください。',
  'task-rejected': 'エージェントがタスクを拒否しました。リクエストを見直し、新しい実行で再試行してください。',
  'task-needs-authentication':
    'エージェントに必要な認証が設定されていません。運用担当者に設定を依頼してください。',
  'task-unfinished': 'タスクが完了する前にエージェントが停止しました。新しい実行で再試行してください。',
  'task-interrupted-by-restart':
    'この実行中にサービスが再起動しました。完了した内容を確認してから、新しい実行を開始してください。',
  'run-deadline': '許可された時間を超えたため、実行を停止しました。タスクを小さくして再試行してください。',
  'stream-deadline':
    'このストリームの時間は終了しましたが、実行は続いています。続きを読むには実行に再接続してください。',
  'cancel-failed':
    'エージェントがキャンセルを確認しなかったため、処理が続いている可能性があります。もう一度キャンセルしてください。',
  'state-not-saved': '実行の状態を保存できなかったため、実行を停止しました。後で再試行してください。',
  cancelled: '実行はキャンセルされました。続けるには新しいメッセージを送信してください。',
  'server-stopping-run':
    'サービスを停止しているため、この実行を終了しました。しばらくしてから新しい実行を開始してください。',
  'reader-too-slow':
    'イベントの読み取りが遅いため、接続を終了しました。再接続して、より速く読み取ってください。',

  'state-unreadable':
    'このスレッドの保存された状態を読み取れません。後で再試行するか、新しいスレッドを開始してください。',
  'state-not-writable': '現在このスレッドの状態を保存できません。後で再試行してください。',
  'identity-unavailable': '現在、認証情報を確認できません。しばらくしてから再試行してください。',
  'server-starting': 'サービスは起動中です。しばらくしてから再試行してください。',
  'server-draining':
    'サービスを停止しているため、新しいリクエストを受け付けません。しばらくしてから再試行してください。',
  internal: 'サービス内部で問題が発生しました。再試行し、続く場合は運用担当者に連絡してください。',
};
