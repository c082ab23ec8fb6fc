import * as s3 from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../testing/clients.ts'
import { Bucket, newBucketWorld } from '../testing/bucket-world.ts'

const withKeys = async (...keys: string[]) => {
  const world = await newBucketWorld()
  for (const key of keys) await world.put(key)
  const list = async (input: Partial<s3.ListObjectsV2CommandInput> = {}) =>
    world.client.send(new s3.ListObjectsV2Command({ Bucket, ...input }))
  return { ...world, list }
}
const keysOf = ({ Contents = [] }: s3.ListObjectsV2CommandOutput) => Contents.map(({ Key }) => Key)
const prefixesOf = ({ CommonPrefixes = [] }: { CommonPrefixes?: s3.CommonPrefix[] | undefined }) =>
  CommonPrefixes.map(({ Prefix }) => Prefix)

describe('a list of objects', () => {
  test('the list is in the order of the keys’ bytes', async () => {
    const { list } = await withKeys('b', 'a', 'B', 'ä', '\u{1F600}', '\uFF5E', 'a/b', 'a-b')
    expect(keysOf(await list())).toEqual(['B', 'a', 'a-b', 'a/b', 'b', 'ä', '\uFF5E', '\u{1F600}'])
  })

  test('a page has at most 1,000 keys, even if more are requested', async () => {
    const { client, list } = await withKeys(...Array.from({ length: 1005 }, (_, index) => `k${index}`))
    const first = await list({ MaxKeys: 5000 })
    expect([first.KeyCount, first.MaxKeys, first.IsTruncated]).toEqual([1000, 1000, true])
    const all: (string | undefined)[] = []
    for await (const page of s3.paginateListObjectsV2({ client, pageSize: 300 }, { Bucket })) {
      all.push(...keysOf(page))
    }
    expect(all).toHaveLength(1005)
    expect(new Set(all).size).toBe(1005)
  })

  test('the list can start after a key and be limited to a prefix', async () => {
    const { list } = await withKeys('a/1', 'a/2', 'b/1')
    expect(keysOf(await list({ StartAfter: 'a/1' }))).toEqual(['a/2', 'b/1'])
    expect(keysOf(await list({ Prefix: 'a/' }))).toEqual(['a/1', 'a/2'])
    expect(keysOf(await list({ MaxKeys: 0 }))).toEqual([])
  })

  test('keys below a delimiter are folded into one entry across pages', async () => {
    const { client, list } = await withKeys('a/1', 'a/2', 'b', 'c/1', 'c/2/3', 'd')
    const folded = await list({ Delimiter: '/' })
    expect([keysOf(folded), prefixesOf(folded), folded.KeyCount]).toEqual([['b', 'd'], ['a/', 'c/'], 4])
    const below = await list({ Delimiter: '/', Prefix: 'c/' })
    expect([keysOf(below), prefixesOf(below)]).toEqual([['c/1'], ['c/2/']])
    const pages: unknown[] = []
    for await (const page of s3.paginateListObjectsV2({ client, pageSize: 1 }, { Bucket, Delimiter: '/' })) {
      pages.push([...keysOf(page), ...prefixesOf(page)])
    }
    expect(pages).toEqual([['a/'], ['b'], ['c/'], ['d']])
  })

  test('keys are percent-encoded on request', async () => {
    const { list } = await withKeys('a b+ü/c')
    const encoded = await list({ EncodingType: 'url', Delimiter: '/' })
    expect(prefixesOf(encoded)).toEqual(['a+b%2B%C3%BC/'])
  })
})

describe('a list of versions', () => {
  test('the pages neither skip nor repeat a version', async () => {
    const { client, put } = await newBucketWorld({}, { ObjectLockEnabledForBucket: true })
    for (const key of ['a', 'b', 'c']) for (const body of ['1', '2', '3']) await put(key, body)
    await client.send(new s3.DeleteObjectCommand({ Bucket, Key: 'b' }))
    const seen: string[] = []
    let markers: Partial<s3.ListObjectVersionsCommandInput> = {}
    for (let more = true; more; ) {
      const page = await client.send(new s3.ListObjectVersionsCommand({ Bucket, MaxKeys: 4, ...markers }))
      for (const { Key, VersionId } of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])]) {
        seen.push(`${Key} ${VersionId}`)
      }
      markers = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker } as typeof markers
      more = page.IsTruncated ?? false
    }
    expect(seen).toHaveLength(10)
    expect(new Set(seen).size).toBe(10)
  })

  test('the list marks the latest version and folds keys below a delimiter', async () => {
    const { client, put } = await newBucketWorld({}, { ObjectLockEnabledForBucket: true })
    for (const key of ['a/1', 'a/2', 'b']) await put(key)
    await client.send(new s3.DeleteObjectCommand({ Bucket, Key: 'b' }))
    const list = await client.send(new s3.ListObjectVersionsCommand({ Bucket, Delimiter: '/' }))
    expect(prefixesOf(list)).toEqual(['a/'])
    expect(list.Versions).toMatchObject([{ Key: 'b', IsLatest: false }])
    expect(list.DeleteMarkers).toMatchObject([{ Key: 'b', IsLatest: true }])
  })

  test('a version marker requires a key marker', async () => {
    const { client } = await newBucketWorld()
    const list = new s3.ListObjectVersionsCommand({ Bucket, VersionIdMarker: 'x' })
    expect(await failureOf(client.send(list))).toMatchObject({ name: 'InvalidArgument' })
  })
})
