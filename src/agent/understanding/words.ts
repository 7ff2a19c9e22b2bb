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
  | 'help';

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
    'queues?|sqs|mns|file d.attente|files d.attente|cod[ae]|colas?|filas?|warteschlangen?',
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
    'delete|remove|erase|supprime[rz]?|efface[rz]?|elimina(?:re)?|cancella(?:re)?|borra(?:r)?|eliminar|exclua|excluir|apague|losche[n]?|entferne[n]?',
    '删除|删掉|削除',
  ),
  validate: latin(
    'validate|validation|check|verify|valider?|validez|verifier?|verifie[rz]?|convalida(?:re)?|verifica(?:re)?|validar?|verificar?|comprueba|prufe[n]?|validiere[n]?',
    '验证|校验|检查|検証',
  ),
  list: latin(
    'list(?: the)? files|list files|which files|liste[rz]?(?: les| des)? fichiers|quels fichiers|elenca|elenco dei file|lista(?:r)? (?:los )?archivos|listar? (?:os )?arquivos|dateien auflisten|welche dateien',
    '列出文件|文件列表|有哪些文件|ファイル一覧',
  ),
  show: latin(
    'show|display|print|montre[rz]?|affiche[rz]?|mostra(?:mi|re)?|visualizza|muestra(?:me)?|mostrar?|mostre|zeige?[n]?',
    '显示|展示|看看|表示|見せて',
  ),
  add: latin(
    'add|also|plus|ajoute[rz]?|aussi|aggiungi|aggiungere|anche|anade|agrega[r]?|tambien|adicione|adicionar|tambem|fuge|hinzu(?:fugen)?|auch|erganze',
    '添加|加上|再加|增加|追加',
  ),
  change: latin(
    'change|make it|make them|rename|instead|now|modifie[rz]?|change[rz]?|renomme[rz]?|plutot|maintenant|cambia(?:re)?|modifica(?:re)?|rinomina|invece|ora|cambiar?|ahora|mude|agora|andere|umbenennen|jetzt|statt',
    '改成|改为|修改|换成|重命名|変更|変えて',
  ),
  create: latin(
    'create|make|write|build|generate|need|want|give me|template|cree[rz]?|creer|ecri[rsv]\\w*|genere[rz]?|besoin|veux|voudrais|modele|crea(?:re|mi)?|scrivi|genera(?:re)?|vorrei|bisogno|modello|crear?|escribe|necesito|quiero|plantilla|criar?|escreva|preciso|quero|modelo|erstelle[n]?|schreibe?|generiere|brauche|mochte|vorlage',
    '创建|新建|生成|写|需要|想要|模板|作成|作って|テンプレート',
  ),
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
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])|${others}`, 'u');
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
