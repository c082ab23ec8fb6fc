import { seeded } from '../seeded.ts'
import { isOrdered } from './documented-orders.ts'

/** Returns the items in an order that the key determines. */
export const shuffledItems = <Item>(items: readonly Item[], key: string): readonly Item[] =>
  items
    .map((item, index) => [seeded(key, index), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)

const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype

const shuffledAt = (value: unknown, place: string, key: string): unknown => {
  if (Array.isArray(value)) {
    const items = value.map((item, index) => shuffledAt(item, place, `${key}/${index}`))
    return isOrdered(place) ? items : shuffledItems(items, key)
  }
  // Not dates, bytes and streams.
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      shuffledAt(part, `${place}.${name}`, `${key}/${name}`),
    ]),
  )
}

/**
 * Returns an answer with all its lists shuffled, except those with a documented order.
 *
 * @param action for example `ec2:DescribeVpcs`
 * @param key determines the order
 */
export const shuffled = (answer: object, action: string, key: string): object =>
  shuffledAt(answer, action, key) as object
