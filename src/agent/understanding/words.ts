/**
 * The words by which a request is understood, in eight languages. Latin words are compared without accents and case, at
 * word boundaries; Chinese and Japanese words anywhere.
 */
import type { PartKind } from '../templates/template-request.ts';

export type Intent =
  | 'create'
  | 'add'
  | 'change'
  | 'show'
  | 'validate'
  | 'list'
  | 'delete'
  | 'deploy'
  | 'greet'
  | 'help'
  /** Words for a template or for infrastructure at large, which alone ask for nothing. */
  | 'template'
  | 'thank';

/** Each pattern is tried on the folded text (`fold`). */
export const partWords: Readonly<Record<PartKind, RegExp>> = {
  vpc: latin(
    'vpcs?|virtual private clouds?|subnets?|sous-?reseaux?|sottoret[ei]|subredes|subred|sub-?redes?|subnetze?|subnetz(?:en)?|networks?|reseaux?|rete|reti|red privada|rede|netzwerke?',
    '专有网络|虚拟私有|私有网络|子网|サブネット|ネットワーク',
  ),
  bucket: latin(
    'buckets?|s3|oss|object storage|stockage objet|compartiments?|archiviazione|almacenamiento|armazenamento|speicher(?:bucket)?',
    '存储桶|对象存储|桶|バケット',
  ),
  queue: latin(
    'queues?|sqs|mns|files? d.attente|files? de messages|cod[ae]|colas?|filas?|warteschlangen?',
    '队列|キュー',
  ),
  function: latin(
    'functions?|lambdas?|fonctions?|funzion[ei]|funcion(?:es)?|funcao|funcoes|funktion(?:en)?|serverless',
    '函数|関数',
  ),
  database: latin(
    'databases?|db|rds|mysql|postgres(?:ql)?|bases? de donnees|banca dati|database relazionale|bases? de datos|bancos? de dados|datenbank(?:en)?',
    '数据库|データベース',
  ),
  'web-server': latin(
    'web ?servers?|webservers?|load ?balancers?|serveurs? web|repartiteurs?(?: de charge)?|server web|bilanciator[ei]|servidor(?:es)? web|balanceador(?:es)?|webserver',
    '网站服务器|负载均衡|网络服务器|Web服务器|web服务器|ウェブサーバー?|ロードバランサー?',
  ),
};

export const rosWords = latin('ros|alibaba|aliyun|alicloud', '阿里云|阿里|アリババ');
export const cloudFormationWords = latin('cloudformation|cfn|aws|amazon', '亚马逊');

export const intentWords: Readonly<Record<Intent, RegExp>> = {
  deploy: latin(
    'deploy(?:ed|ing)?|provision|launch it|deployer|deploie[rz]?|deploiement|distribui(?:re|sci)|desplegar?|despliega|implantar?|bereitstellen|ausrollen',
    '部署|デプロイ',
  ),
  delete: latin(
    'delete|remove|erase|drop|supprime[rz]?|efface[rz]?|enleve[rz]?|elimina(?:re|lo|la)?|cancella(?:re|lo|la)?|rimuovi|togli|borra(?:r)?|eliminar|quita|exclua|remova|excluir|apague|losche[n]?|entferne[n]?',
    '删除|删掉|去掉|削除',
  ),
  validate: latin(
    'validate|validation|check|verify|valider?|validez|verifier?|verifie[rz]?|convalida(?:re|lo)?|verifica(?:re|lo)?|validar?|verificar?|comprueba|prufe[n]?|validiere[n]?',
    '验证|校验|检查|検証',
  ),
  list: latin(
    '(?:list|show)(?: me)?(?: the| all)? files|(?:which|what) files|liste[rz]?(?: les| des)? fichiers|quels fichiers|elenca|elenco dei file|mostra(?:mi)? i file|(?:quali|che) file|lista(?:r)? (?:los )?archivos|listar? (?:os )?arquivos|dateien auflisten|welche dateien',
    '列出文件|文件列表|有哪些文件|ファイル一覧',
  ),
  show: latin(
    'show|display|print|montre[rz]?|affiche[rz]?|mostra(?:mi|re|lo|la|melo)?|visualizza(?:lo|la)?|muestra(?:me|lo|melo)?|mostrar?|mostre|zeige?[n]?|zeig',
    '显示|展示|看看|表示|見せて',
  ),
  add: latin(
    'add|also|plus|ajoute[rz]?|aussi|aggiungi|aggiungere|anche|anade|agrega[r]?|tambien|adicione|adicionar|tambem|fuge|hinzu(?:fugen)?|auch|erganze',
    '添加|加上|再加|增加|追加',
  ),
  change: latin(
    'change|make it|make them|rename|call it|instead|now|modifie[rz]?|change[rz]?|renomme[rz]?|plutot|maintenant|cambia(?:re)?|modifica(?:re)?|rinomina(?:lo|la)?|invece|ora|cambiar?|ahora|mude|agora|andere|umbenennen|jetzt|statt',
    '改成|改为|修改|换成|重命名|変更|変えて',
  ),
  create: latin(
    'create|make|write|build|generate|need|want|give me|cree[rz]?|creer|ecri[rsv]\\w*|genere[rz]?|besoin|veux|voudrais|crea(?:re|mi|me)?|scrivi|genera(?:re)?|vorrei|bisogno|crear?|escribe|necesito|quiero|criar?|crie|escreva|preciso|quero|erstelle[n]?|schreibe?|generiere|brauche|mochte',
    '创建|新建|生成|写|需要|想要|作成|作って',
  ),
  template: latin(
    'templates?|infrastructure|stacks?|something|modeles?|quelque chose|modell[oi]|infrastruttura|qualcosa|plantillas?|infraestructura|algo|modelos?|infraestrutura|vorlagen?|infrastruktur|etwas',
    '模板|基础设施|テンプレート|ひな形|インフラ',
  ),
  thank: latin('thanks?|thank you|merci|grazie|gracias|obrigad[oa]|danke', '谢谢|多谢|ありがとう'),
  greet: latin(
    'hello|hi|hey|good (?:morning|day|evening)|bonjour|salut|bonsoir|ciao|buongiorno|buonasera|salve|hola|buen[oa]s|ola|bom dia|hallo|guten (?:tag|morgen|abend)',
    '你好|您好|嗨|こんにちは',
  ),
  help: latin(
    'help|what can you do|who are you|aide[rz]?|que (?:peux|sais)-tu|que pouvez-vous|qui es-tu|aiuto|cosa (?:puoi|sai) fare|chi sei|ayuda|que puedes hacer|ajuda|o que voce|hilfe|was kannst du',
    '帮助|你能做什么|你是谁|ヘルプ|何ができ',
  ),
};

function latin(words: string, others: string): RegExp {
  // Chinese and Japanese write without blanks: « 创建VPC » names a VPC.
  return new RegExp(`(?<![a-z0-9])(?:${words})(?![a-z0-9])|${others}`, 'u');
}

/** Lower case, without accents, typographic apostrophes made plain. Chinese and Japanese stay as they are. */
export function fold(text: string): string {
  return text
    .slice(0, 4_000)
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll('’', "'");
}
