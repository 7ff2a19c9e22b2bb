/**
 * A thread as one DynamoDB item. The document is that of the file store, deflated where that is smaller, because
 * DynamoDB charges for each begun kilobyte and holds no item over 400 KB.
 *
 * | attribute   | what it is                                                                     |
 * | ----------- | ------------------------------------------------------------------------------ |
 * | `pk`        | `thread#` and the SHA-256 of session and thread                                |
 * | `version`   | counts saves; each save is conditional on the one that it has seen             |
 * | `token`     | names the save, so that a repeat of it after a lost answer is known as its own |
 * | `document`  | the thread: text, or deflated text as bytes                                    |
 * | `leaseId`, `leaseOwner`, `leaseUntil` | while a run is active: whose it is, at least until when (ms) |
 * | `expiresAt` | Unix seconds, for the table's time to live; absent where threads are kept for ever |
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import { addressKey } from '../../domain/thread/names.ts';
import type { ThreadRecord } from '../../domain/thread/thread.ts';
import { decodeThread, encodeThread } from '../../domain/thread/thread-document.ts';
import { fault } from '../../errors/fault.ts';
import type { ThreadAddress } from '../../protocol/ids.ts';
import type { Item } from './table.ts';

/** The lease that an item was saved with. */
export interface ItemLease {
  readonly id: string;
  readonly owner: string;
  /** Unix milliseconds; a later renewal stands in the lease's own item. */
  readonly until: number;
}

/** What an item says besides its document. */
export interface ItemHead {
  readonly version: number;
  readonly token: string;
  readonly lease: ItemLease | undefined;
}

const deflated = promisify(deflateRaw);
const inflated = promisify(inflateRaw);
/** Documents up to here cost one unit as they are. */
const plainBytes = 700;
/** DynamoDB's bound for an item is 409,600 bytes, with names and the other attributes. */
const maxDocumentBytes = 408_000;
/** No document inflates to more: a damaged or foreign item must not fill the memory. */
const maxInflatedBytes = 16_777_216;

/** Lone halves of a surrogate pair are kept apart by hashing UTF-16. */
export function threadKey(address: ThreadAddress): string {
  return `thread#${createHash('sha256').update(addressKey(address), 'utf16le').digest('hex')}`;
}

/** Throws fault `thread-too-large` for a thread that no item can hold. */
export async function toItem(
  record: ThreadRecord,
  head: ItemHead,
  expiresAt: number | undefined,
): Promise<Item> {
  const { lease, version, token } = head;
  return {
    pk: { S: threadKey(record.address) },
    version: { N: String(version) },
    token: { S: token },
    document: await toDocument(encodeThread(record)),
    ...(lease === undefined
      ? {}
      : { leaseId: { S: lease.id }, leaseOwner: { S: lease.owner }, leaseUntil: { N: String(lease.until) } }),
    ...(expiresAt === undefined ? {} : { expiresAt: { N: String(expiresAt) } }),
  };
}

async function toDocument(text: string): Promise<Item[string]> {
  if (Buffer.byteLength(text) <= plainBytes) return { S: text };
  const bytes = await deflated(text, { level: constants.Z_BEST_SPEED });
  if (bytes.byteLength > maxDocumentBytes) {
    throw fault('thread-too-large', { size: bytes.byteLength, limit: maxDocumentBytes });
  }
  return { B: bytes };
}

/** Throws fault `state-unreadable` for what is not an item of ours. */
export function readHead(item: Item): ItemHead {
  const version = Number(item['version']?.N);
  const token = item['token']?.S;
  if (!Number.isSafeInteger(version) || token === undefined) throw unreadable('version or token is missing');
  const [id, owner] = [item['leaseId']?.S, item['leaseOwner']?.S];
  const until = Number(item['leaseUntil']?.N);
  const lease = id === undefined || owner === undefined ? undefined : { id, owner, until };
  return { version, token, lease };
}

/** Throws fault `state-unreadable` for what is not the thread of this address. */
export async function readThread(item: Item, address: ThreadAddress): Promise<ThreadRecord> {
  return decodeThread(await documentText(item), address, 0);
}

async function documentText(item: Item): Promise<string> {
  const { S: text, B: bytes } = item['document'] ?? {};
  if (text !== undefined) return text;
  if (bytes === undefined) throw unreadable('document is missing');
  try {
    const content = await inflated(bytes, { maxOutputLength: maxInflatedBytes });
    return content.toString('utf8');
  } catch (cause) {
    throw fault('state-unreadable', {}, cause);
  }
}

class UnreadableItem extends Error {
  override readonly name = 'UnreadableItem';
}

function unreadable(problem: string) {
  return fault('state-unreadable', {}, new UnreadableItem(problem));
}
