import { DescribeSubnetsCommand, DescribeVpcsCommand } from '@aws-sdk/client-ec2'
import { GetRoleCommand } from '@aws-sdk/client-iam'
import { ChangeResourceRecordSetsCommand, ListResourceRecordSetsCommand } from '@aws-sdk/client-route-53'
import { ListBucketsCommand, ListObjectVersionsCommand } from '@aws-sdk/client-s3'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AwsOptions } from '../simulator.ts'
import { failureOf } from '../testing/clients.ts'
import { count, type FurnishedAccount, furnish, serviceOf } from '../testing/furnished-account.ts'
import { pagers } from './pagers.ts'
import { idOf, pagedLists, pagesOf, type ReadList } from './testing/paged-lists.ts'

const nameOf = ({ service, operation }: ReadList) => `${service} ${operation}`
const lists = pagedLists.map(list => [nameOf(list), list] as const)
const subnets: ReadList = { service: 'ec2', operation: 'DescribeSubnets' }

const idsOf = async (account: FurnishedAccount, list: ReadList, filters: object = {}) =>
  (await pagesOf(account, list, filters)).flat().map(item => idOf(list, item))

/** Returns the ids of a list as they are. */
const truth = ({ owner: clients, ids }: FurnishedAccount, list: ReadList) =>
  pagesOf({ clients, ids }, list).then(pages => pages.flat().map(item => idOf(list, item)))

const ordersOf = async <T>(read: () => Promise<readonly T[]>, calls = 8) => {
  const orders = new Set<string>()
  for (let index = 0; index < calls; index++) orders.add(JSON.stringify(await read()))
  return orders
}

let account: (options: AwsOptions) => FurnishedAccount
beforeAll(async () => {
  account = await furnish()
})

describe('shuffled lists', () => {
  test('every paged action of the simulator is tested', () => {
    const tested = pagedLists.map(({ service, operation }) => `${serviceOf(service)}:${operation}`)
    expect(tested.toSorted()).toEqual(Object.keys(pagers).toSorted())
  })

  test.each(lists)('the items of %s have another order in each call', async (_, list) => {
    const shuffled = account({ shuffleLists: 7 })
    const orders = await ordersOf(() => idsOf(shuffled, list))
    expect(orders.size).toBeGreaterThan(3)
    const all = await truth(shuffled, list)
    expect((await idsOf(shuffled, list)).toSorted()).toEqual(all.toSorted())
    const usual = account({})
    expect((await ordersOf(() => idsOf(usual, list), 3)).size).toBe(1)
  })

  test('each order of three items appears', async () => {
    const shuffled = account({ shuffleLists: 7 })
    const SubnetIds = [...shuffled.ids.subnets.slice(0, 3)]
    const orders = await ordersOf(async () => {
      const { Subnets = [] } = await shuffled.clients.ec2.send(new DescribeSubnetsCommand({ SubnetIds }))
      return Subnets.map(({ SubnetId }) => SubnetId)
    }, 60)
    expect(orders.size).toBe(6)
  })

  test('lists within items, at any depth, have another order in each call', async () => {
    const { clients, ids } = account({ shuffleLists: 7 })
    const vpcs = async () => {
      const { Vpcs = [] } = await clients.ec2.send(new DescribeVpcsCommand({ VpcIds: [ids.VpcId] }))
      return Vpcs
    }
    const blocks = async () => (await vpcs()).flatMap(vpc => vpc.CidrBlockAssociationSet ?? [])
    const tags = async () => (await vpcs()).flatMap(({ Tags = [] }) => Tags)
    const roleTags = async () =>
      (await clients.iam.send(new GetRoleCommand({ RoleName: ids.RoleName }))).Role?.Tags ?? []
    const rules = async () => {
      const pages = await pagesOf({ clients, ids }, { service: 'ec2', operation: 'DescribeSecurityGroups' })
      const [group] = pages.flat().filter(({ GroupId }) => GroupId === ids.GroupId)
      return group?.IpPermissions as { FromPort: number; IpRanges: unknown[] }[]
    }
    const ranges = async () => (await rules()).find(({ FromPort }) => FromPort === 3)?.IpRanges ?? []
    const records = async () => {
      const read = new ListResourceRecordSetsCommand({ HostedZoneId: ids.HostedZoneId })
      const { ResourceRecordSets = [] } = await clients.route53.send(read)
      return ResourceRecordSets.find(({ Type }) => Type === 'A')?.ResourceRecords ?? []
    }
    for (const read of [blocks, tags, roleTags, rules, ranges, records]) {
      expect((await ordersOf<unknown>(read)).size).toBeGreaterThan(3)
    }
  })

  test('lists without pages have another order in each call', async () => {
    const { clients } = account({ shuffleLists: 7 })
    const buckets = async () => (await clients.s3.send(new ListBucketsCommand({}))).Buckets ?? []
    expect((await ordersOf(buckets)).size).toBeGreaterThan(3)
  })

  test('lists with a documented order have it', async () => {
    const { clients, ids } = account({ shuffleLists: 7 })
    const { HostedZoneId, Bucket } = ids
    const records = async () => {
      const { ResourceRecordSets = [] } = await clients.route53.send(
        new ListResourceRecordSetsCommand({ HostedZoneId }),
      )
      return ResourceRecordSets.map(({ Name, Type }) => `${Name} ${Type}`)
    }
    const versions = async () => {
      const { Versions = [] } = await clients.s3.send(new ListObjectVersionsCommand({ Bucket }))
      return Versions.map(({ Key, VersionId, IsLatest }) => [Key, VersionId, IsLatest])
    }
    for (const read of [records, versions]) expect((await ordersOf<unknown>(read)).size).toBe(1)
    expect((await versions()).map(([Key]) => Key)).toEqual(['key-0', 'key-0', 'key-1', 'key-1', 'key-2'])
  })

  test('Route 53 deletes a record set by its values in any order', async () => {
    const { clients, ids } = account({ shuffleLists: 7 })
    const { HostedZoneId } = ids
    const read = async () => {
      const answer = await clients.route53.send(new ListResourceRecordSetsCommand({ HostedZoneId }))
      return answer.ResourceRecordSets?.find(({ Type }) => Type === 'A')
    }
    const Changes = [{ Action: 'DELETE', ResourceRecordSet: await read() }] as const
    const ChangeBatch = { Changes: [...Changes] }
    await clients.route53.send(new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch }))
    expect(await read()).not.toMatchObject({ Name: Changes[0].ResourceRecordSet?.Name })
  })

  test('the same seed gives the same orders, another seed others', async () => {
    const run = async (seed: number) => {
      const shuffled = account({ shuffleLists: seed })
      const found: unknown[] = []
      for (let index = 0; index < 5; index++) found.push(await idsOf(shuffled, subnets))
      return found
    }
    expect(await run(7)).toEqual(await run(7))
    expect(await run(7)).not.toEqual(await run(8))
  })

  test('pages of one listing show each item once, and two listings have different orders', async () => {
    const shuffled = account({ shuffleLists: 7 })
    const one = await pagesOf(shuffled, subnets, { MaxResults: 5 })
    expect(one.map(({ length }) => length)).toEqual([5, 3])
    const ids = one.flat().map(item => idOf(subnets, item))
    expect(ids.toSorted()).toEqual((await truth(shuffled, subnets)).toSorted())
    expect(ids).not.toEqual(await idsOf(shuffled, subnets, { MaxResults: 5 }))
  })

  test('the operator sees lists in their usual order', async () => {
    const shuffled = account({ shuffleLists: 7 })
    expect((await ordersOf(() => truth(shuffled, subnets))).size).toBe(1)
  })
})

describe('small pages', () => {
  const exact = { seed: 7, repeated: 0, omitted: 0 }

  test.each(lists)('%s has pages of one to three items that show each item once', async (_, list) => {
    const paged = account({ pages: exact })
    const pages = (await Promise.all([1, 2, 3, 4].map(() => pagesOf(paged, list)))).flat()
    expect(pages.length).toBeGreaterThan(4)
    expect(pages.every(({ length }) => length >= 1 && length <= 3)).toBe(true)
    const ids = pages.flat().map(item => idOf(list, item))
    const all = await truth(paged, list)
    expect(ids.toSorted()).toEqual([...all, ...all, ...all, ...all].toSorted())
    expect(await pagesOf({ ...paged, clients: paged.owner }, list)).toHaveLength(1)
  })

  test('each page size appears', async () => {
    const paged = account({ pages: exact })
    const sizes = new Set<number>()
    for (let index = 0; index < 10; index++) {
      for (const { length } of await pagesOf(paged, subnets)) sizes.add(length)
    }
    expect([...sizes].toSorted()).toEqual([1, 2, 3])
  })

  test('pages may be empty on request', async () => {
    const paged = account({ pages: { ...exact, least: 0 } })
    const pages = (await Promise.all(Array.from({ length: 5 }, () => pagesOf(paged, subnets)))).flat()
    expect(pages.some(({ length }) => length === 0)).toBe(true)
    expect(pages.flat()).toHaveLength(5 * (await truth(paged, subnets)).length)
  })

  test('a page is the same when it is requested again', async () => {
    const { clients } = account({ pages: { ...exact, most: 2 } })
    const { NextToken } = await clients.ec2.send(new DescribeSubnetsCommand({}))
    const page = async () =>
      (await clients.ec2.send(new DescribeSubnetsCommand({ NextToken }))).Subnets?.map(
        ({ SubnetId }) => SubnetId,
      )
    expect(await page()).toEqual(await page())
  })

  test('the size in the request remains the largest one', async () => {
    const paged = account({ pages: { ...exact, most: 50, least: 50 } })
    expect((await pagesOf(paged, subnets, { MaxResults: 6 })).map(({ length }) => length)).toEqual([6, 2])
  })

  test('the service refuses a wrong token in its words', async () => {
    const { clients } = account({ pages: exact })
    const failure = await failureOf(clients.ec2.send(new DescribeSubnetsCommand({ NextToken: 'wrong' })))
    expect(failure.name).toBe('InvalidNextToken')
  })

  test('lists with a documented order have it on small pages, and lack nothing', async () => {
    const paged = account({ pages: { seed: 7, repeated: 0, omitted: 1 } })
    expect(await recordPages(paged)).toEqual(await recordPages({ ...paged, clients: paged.owner }))
    expect(await versionPages(paged)).toEqual(await versionPages({ ...paged, clients: paged.owner }))
  })
})

/** Returns the record sets of a zone, page after page. */
const recordPages = async ({ clients, ids }: Pick<FurnishedAccount, 'clients' | 'ids'>) => {
  const { HostedZoneId } = ids
  const found: string[] = []
  for (let start = {}, more: boolean | undefined = true; more; ) {
    const read = new ListResourceRecordSetsCommand({ HostedZoneId, ...start })
    const answer = await clients.route53.send(read)
    found.push(...(answer.ResourceRecordSets ?? []).map(({ Name, Type }) => `${Name} ${Type}`))
    start = { StartRecordName: answer.NextRecordName, StartRecordType: answer.NextRecordType }
    more = answer.IsTruncated
  }
  return found
}

/** Returns the object versions of a bucket, page after page. */
const versionPages = async ({ clients, ids }: Pick<FurnishedAccount, 'clients' | 'ids'>) => {
  const { Bucket } = ids
  const found: string[] = []
  for (let start = {}, more: boolean | undefined = true; more; ) {
    const answer = await clients.s3.send(new ListObjectVersionsCommand({ Bucket, ...start }))
    found.push(...(answer.Versions ?? []).map(({ Key, VersionId }) => `${Key} ${VersionId}`))
    start = { KeyMarker: answer.NextKeyMarker, VersionIdMarker: answer.NextVersionIdMarker }
    more = answer.IsTruncated
  }
  return found
}

describe('lists that change while they are read', () => {
  test.each(lists)('a listing of %s shows one item twice and another not at all', async (_, list) => {
    const paged = account({ pages: { seed: 7, most: 2, repeated: 1, omitted: 1 } })
    const all = await truth(paged, list)
    const omitted = new Set<string>()
    let repetitions = 0
    for (let index = 0; index < 8; index++) {
      const ids = await idsOf(paged, list)
      const missing = all.filter(id => !ids.includes(id))
      expect(missing).toHaveLength(1)
      for (const id of missing) omitted.add(id)
      repetitions += ids.length - new Set(ids).size
    }
    expect(omitted.size).toBeGreaterThan(1)
    expect(repetitions).toBeGreaterThan(3)
  })

  test('a listing that lacks an item has several pages', async () => {
    const pages = { seed: 7, repeated: 0, omitted: 1 }
    const count = (await truth(account({ pages }), subnets)).length
    const paged = account({ pages: { ...pages, most: count - 1, least: count - 1 } })
    const answer = await paged.clients.ec2.send(new DescribeSubnetsCommand({}))
    expect(answer.Subnets).toHaveLength(count - 1)
    expect(answer.NextToken).toBeDefined()
  })

  test('of two listings by the same request, one omits nothing if so set', async () => {
    const pages = { seed: 7, most: 2, repeated: 0, omitted: 1, omittedAgain: false }
    const paged = account({ pages })
    const all = await truth(paged, subnets)
    const lengths: number[] = []
    for (let index = 0; index < 4; index++) lengths.push((await idsOf(paged, subnets)).length - all.length)
    expect(lengths).toEqual([-1, 0, -1, 0])
  })

  test('by default only some listings repeat or omit an item', async () => {
    const paged = account({ pages: { seed: 7 } })
    const all = await truth(paged, subnets)
    const lengths = new Map<number, number>()
    for (let index = 0; index < 60; index++) {
      const { length } = await idsOf(paged, subnets)
      lengths.set(length - all.length, (lengths.get(length - all.length) ?? 0) + 1)
    }
    expect([...lengths.keys()].toSorted((a, b) => a - b)).toEqual([-1, 0, 1])
    expect(lengths.get(0)).toBeGreaterThan(20)
  })

  test('a request by ids, by a filter for ids, or for a single page omits and repeats nothing', async () => {
    const { clients, ids } = account({ pages: { seed: 7, most: 2, repeated: 1, omitted: 1 } })
    const three = [...ids.subnets.slice(0, 3)]
    for (let index = 0; index < 5; index++) {
      const byId = await clients.ec2.send(new DescribeSubnetsCommand({ SubnetIds: three }))
      expect(byId.Subnets).toHaveLength(3)
      const Filters = [{ Name: 'subnet-id', Values: three }]
      const filtered = await idsOf({ clients, ids } as FurnishedAccount, subnets, { Filters })
      expect(filtered.toSorted()).toEqual(three.toSorted())
      const one = [{ Name: 'cidr-block', Values: ['10.0.0.0/24'] }]
      expect(await idsOf({ clients, ids } as FurnishedAccount, subnets, { Filters: one })).toHaveLength(1)
    }
  })

  test('a page of record sets or object versions may begin with the last item of the previous one', async () => {
    const paged = account({ pages: { seed: 7, repeated: 1, omitted: 1 } })
    const records = await recordPages(paged)
    const all = await recordPages({ ...paged, clients: paged.owner })
    expect(records.length).toBeGreaterThan(all.length)
    expect([...new Set(records)]).toEqual(all)
    const versions = await versionPages(paged)
    expect(versions.length).toBeGreaterThan(count)
    expect([...new Set(versions)]).toEqual(await versionPages({ ...paged, clients: paged.owner }))
  })
})
