import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../../decode/record-of.ts'

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

/**
 * Returns the JSON patch from `before` to `after`; empty if they are equal. Skips parts that both share. Undefined
 * fields count as absent, as in JSON. Runs in linear time, also for lists, which are compared from both ends
 * (docs/decisions/0049-one-process-for-webhooks.md).
 */
export const jsonPatch = (before: unknown, after: unknown): readonly JsonPatchOperation[] => {
  const operations: JsonPatchOperation[] = []
  compare(before, after, '', operations)
  return operations
}

const compare = (before: unknown, after: unknown, path: string, operations: JsonPatchOperation[]): void => {
  if (before === after) return
  if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, path, operations)
  else if (isRecord(before) && isRecord(after)) compareRecords(before, after, path, operations)
  else operations.push({ op: 'replace', path, value: after })
}

const compareRecords = (
  before: ComparedFields,
  after: ComparedFields,
  path: string,
  operations: JsonPatchOperation[],
): void => {
  for (const name of Object.keys(before))
    if (!has(after, name) && has(before, name)) operations.push({ op: 'remove', path: below(path, name) })
  for (const name of Object.keys(after)) {
    if (!has(after, name)) continue
    if (has(before, name)) compare(before[name], after[name], below(path, name), operations)
    else operations.push({ op: 'add', path: below(path, name), value: after[name] })
  }
}

const compareLists = (
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  operations: JsonPatchOperation[],
): void => {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && alike(before[head], after[head])) head++
  let tail = 0
  while (tail < shorter - head && alike(before.at(-1 - tail), after.at(-1 - tail))) tail++

  const inBoth = shorter - tail
  for (let index = head; index < inBoth; index++)
    compare(before[index], after[index], `${path}/${index}`, operations)
  for (let index = before.length - tail - 1; index >= inBoth; index--)
    operations.push({ op: 'remove', path: `${path}/${index}` })
  for (let index = inBoth; index < after.length - tail; index++)
    operations.push({ op: 'add', path: `${path}/${index}`, value: after[index] })
}

type ComparedFields = Readonly<Record<string, unknown>>

const has = (record: ComparedFields, name: string): boolean =>
  Object.hasOwn(record, name) && record[name] !== undefined

const alike = (one: unknown, other: unknown): boolean => one === other || isDeepStrictEqual(one, other)

const below = (path: string, name: string): string =>
  `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
