/** Small, copying changes to a turn's list of items. The newest items change most, so that searches begin at the end. */
import type { Item } from './thread.ts';

type Kind = Item['kind'];
type ItemOf<K extends Kind> = Extract<Item, { kind: K }>;

export function findItem<K extends Kind>(items: readonly Item[], kind: K, id: string): ItemOf<K> | undefined {
  const found = items.findLast((item) => item.kind === kind && item.id === id);
  // The kind has just been compared.
  return found as ItemOf<K> | undefined;
}

/** Replaces the item of this kind and id by what `change` makes of it; unchanged when there is none. */
export function changeItem<K extends Kind>(
  items: readonly Item[],
  kind: K,
  id: string,
  change: (item: ItemOf<K>) => ItemOf<K>,
): readonly Item[] {
  const index = items.findLastIndex((item) => item.kind === kind && item.id === id);
  const item = items[index];
  // The kind has just been compared.
  return item === undefined ? items : items.with(index, change(item as ItemOf<K>));
}

/** As `changeItem`, and begins with `fresh` when there is none yet. */
export function upsertItem<K extends Kind>(
  items: readonly Item[],
  kind: K,
  fresh: ItemOf<K>,
  change: (item: ItemOf<K>) => ItemOf<K>,
): readonly Item[] {
  return findItem(items, kind, fresh.id) === undefined
    ? [...items, change(fresh)]
    : changeItem(items, kind, fresh.id, change);
}
