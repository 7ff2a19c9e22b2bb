/**
 * The few calls that the store makes of one DynamoDB table with the string key `pk`. Reads are strongly consistent.
 * Throttled and failed calls are repeated by the SDK, a bounded number of times and within a bounded time; then they
 * reject. Region, credentials and another endpoint (`AWS_ENDPOINT_URL_DYNAMODB`) are found as every AWS client does.
 */
import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';

export type Item = Record<string, AttributeValue>;

/** A condition or an update in DynamoDB's expression language. */
export interface Expression {
  readonly text: string;
  readonly names?: Record<string, string>;
  readonly values?: Item;
}

export type Conditional =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly found: Item | undefined };

/** Calls before one is given up, the first included. */
const maxAttempts = 4;
/** Milliseconds for one call with all its attempts. */
const callMs = 8_000;
const attemptMs = 3_000;
const connectMs = 2_000;
/** Keys that DynamoDB takes in one BatchGetItem. */
const maxBatch = 100;
/** Connections at once: those that drive runs must not starve those that renew leases. */
const maxSockets = 128;

export class Table {
  readonly #client: DynamoDBClient;
  readonly #name: string;

  constructor(name: string, config: DynamoDBClientConfig = {}) {
    this.#name = name;
    this.#client = new DynamoDBClient({
      maxAttempts,
      requestHandler: {
        connectionTimeout: connectMs,
        requestTimeout: attemptMs,
        throwOnRequestTimeout: true,
        httpAgent: { keepAlive: true, maxSockets },
        httpsAgent: { keepAlive: true, maxSockets },
      },
      ...config,
    });
  }

  async get(pk: string): Promise<Item | undefined> {
    const command = new GetItemCommand({ TableName: this.#name, Key: keyOf(pk), ConsistentRead: true });
    const { Item } = await this.#client.send(command, bounded());
    return Item;
  }

  /** Those of the items that exist, in any order. What a throttled table left out is left out here too. */
  async getMany(pks: readonly string[]): Promise<readonly Item[]> {
    const found: Item[] = [];
    for (let start = 0; start < pks.length; start += maxBatch) {
      const Keys = pks.slice(start, start + maxBatch).map(keyOf);
      const RequestItems = { [this.#name]: { Keys, ConsistentRead: true } };
      const { Responses } = await this.#client.send(new BatchGetItemCommand({ RequestItems }), bounded());
      found.push(...(Responses?.[this.#name] ?? []));
    }
    return found;
  }

  /** Writes the item as a whole if the condition holds; else says what is there. */
  put(item: Item, condition: Expression): Promise<Conditional> {
    const command = new PutItemCommand({
      TableName: this.#name,
      Item: item,
      ConditionExpression: condition.text,
      ExpressionAttributeNames: condition.names,
      ExpressionAttributeValues: condition.values,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return this.#conditional(item['pk']?.S ?? '', () => this.#client.send(command, bounded()));
  }

  /** Changes the item, or makes it, if the condition holds. Names and values are those of both expressions. */
  update(pk: string, change: string, condition: Expression): Promise<Conditional> {
    const command = new UpdateItemCommand({
      TableName: this.#name,
      Key: keyOf(pk),
      UpdateExpression: change,
      ConditionExpression: condition.text,
      ExpressionAttributeNames: condition.names,
      ExpressionAttributeValues: condition.values,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return this.#conditional(pk, () => this.#client.send(command, bounded()));
  }

  async delete(pk: string): Promise<void> {
    await this.#client.send(new DeleteItemCommand({ TableName: this.#name, Key: keyOf(pk) }), bounded());
  }

  close(): void {
    this.#client.destroy();
  }

  async #conditional(pk: string, send: () => Promise<unknown>): Promise<Conditional> {
    try {
      await send();
      return { kind: 'done' };
    } catch (thrown) {
      if (!(thrown instanceof ConditionalCheckFailedException)) throw thrown;
      // Not every server that speaks DynamoDB's protocol sends the item along.
      return { kind: 'refused', found: thrown.Item ?? (await this.get(pk)) };
    }
  }
}

function keyOf(pk: string): Item {
  return { pk: { S: pk } };
}

function bounded(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(callMs) };
}
