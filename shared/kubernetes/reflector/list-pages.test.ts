import { describe, expect, test } from 'vitest'
import {
  ConnectionError,
  type GroupVersionResource,
  type KubernetesObject,
  type ListOptions,
} from '../port.ts'
import { createListPages } from './list-pages.ts'

const resource: GroupVersionResource = {
  group: 'test.io',
  version: 'v1',
  plural: 'things',
  namespaced: false,
}

/** Lists of this many objects with this many bytes. The server answers with `failures` first. */
const bench = (count: number, bytes: number, failures: unknown[] = []) => {
  const limits: (number | undefined)[] = []
  const names: string[] = []
  const list = async (_: GroupVersionResource, { limit, continue: token, each }: ListOptions = {}) => {
    limits.push(limit)
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    const from = Number(token ?? 0)
    const to = Math.min(from + (limit ?? count), count)
    for (let index = from; index < to; index++) each?.({ metadata: { name: `${index}` } } as KubernetesObject)
    const more = to < count ? { continue: String(to) } : {}
    return { items: [], resourceVersion: '7', bytes: (to - from) * bytes, ...more }
  }
  const readPages = createListPages({
    kubernetes: { list },
    resource,
    pageSize: 500,
    active: () => undefined,
  })
  const read = (unpaged = false) =>
    readPages({ signal: new AbortController().signal, unpaged }, ({ metadata }) => names.push(metadata.name))
  return { limits, names, read }
}

describe('the pages of a list', () => {
  test.each([
    ['1.5 MB', 1_500_000, [20, 2, 2, 2, 2]],
    ['120 KB', 120_000, [20, 34]],
    ['4 KB', 4_000, [20, 500]],
    ['more than a page is to have', 10_000_000, [20, 1, 1, 1, 1, 1, 1, 1, 1]],
  ])('pages have as many objects of %s as fit, after a small first page', async (_, bytes, limits) => {
    const count = Math.min(28, 500)
    const { read, limits: seen, names } = bench(count, bytes)
    expect(await read()).toBe('7')
    expect(seen).toEqual(limits.slice(0, seen.length))
    expect(names).toEqual(Array.from({ length: count }, (_, index) => String(index)))
  })

  test('the learned size is used when the resource is listed again', async () => {
    const { read, limits } = bench(40, 4_000)
    await read()
    await read()
    expect(limits).toEqual([20, 500, 500])
  })

  test('pages are half as large after an incomplete one', async () => {
    const broken = new ConnectionError('it broke off', { cause: undefined, sent: true })
    const { read, limits } = bench(3, 1_000_000, [broken, broken])
    await expect(read()).rejects.toBe(broken)
    await expect(read()).rejects.toBe(broken)
    await read()
    expect(limits).toEqual([20, 10, 5])
  })

  test('an expired paging token leads to one page of any size', async () => {
    const { read, limits } = bench(100, 1_000_000)
    await read(true)
    expect(limits).toEqual([undefined])
  })
})
