import type {
  CreateTagsRequest,
  DeleteTagsRequest,
  DescribeTagsRequest,
  DescribeTagsResult,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { conditionsOf, type FilterFields, fulfils } from '../core/describe/filter.ts'
import { find, kinds } from '../core/describe/find.ts'
import { seen } from '../core/describe/list.ts'
import { pageOf } from '../core/describe/page.ts'
import { missingParameter } from '../core/refusals.ts'
import { operation } from '../core/requests/operation.ts'
import type { Rows } from '../core/state.ts'
import type { Table } from '../core/tables/table.ts'
import type { SecurityGroup } from '../rows/network.ts'
import type { Ec2Resource, Ec2Tag } from '../rows/resource.ts'
import { checkTags, withoutTags, withTags } from './tag-rules.ts'

interface Tagged {
  readonly tags: readonly Ec2Tag[]
  replace(tags: readonly Ec2Tag[]): void
}

const tableNames = Object.keys(kinds) as (keyof Rows)[]

const ruleOf = (ec2: Ec2, id: string): Tagged => {
  const [group] = ec2.tables.securityGroups.by('security-group-rule-id', id)
  const rule = group?.rules.find(candidate => candidate.id === id)
  if (!group || !rule) {
    throw refuse('InvalidSecurityGroupRuleId.NotFound', `The security group rule ID '${id}' does not exist`)
  }
  const replace = (tags: readonly Ec2Tag[]) => {
    const current: SecurityGroup = ec2.tables.securityGroups.get(group.id) ?? group
    const rules = current.rules.map(other => (other.id === id ? { ...other, tags } : other))
    ec2.tables.securityGroups.put({ ...current, rules })
  }
  return { tags: rule.tags, replace }
}

/** Returns the resource with an id of any kind. */
const taggedOf = (ec2: Ec2, id: string): Tagged => {
  const prefix = id.slice(0, id.lastIndexOf('-'))
  if (prefix === 'sgr') return ruleOf(ec2, id)
  const name = tableNames.find(table => kinds[table].prefix === prefix)
  if (name === undefined) throw refuse('InvalidID', `The ID '${id}' is not valid`)
  const table = ec2.tables[name] as Table<Ec2Resource>
  const row = find(ec2, name, id) as Ec2Resource
  return { tags: row.tags, replace: tags => table.put({ ...row, tags }) }
}

const taggedIn = (ec2: Ec2, ids: readonly string[] | undefined): readonly Tagged[] => {
  if (!ids?.length) throw missingParameter('resourceIdSet')
  return [...new Set(ids)].map(id => taggedOf(ec2, id))
}

interface TagRow {
  readonly tags: readonly Ec2Tag[]
  readonly resourceId: string
  readonly resourceType: string
  readonly key: string
  readonly value: string
  readonly place: number
}

const tagFields: FilterFields<TagRow> = {
  key: row => row.key,
  value: row => row.value,
  'resource-id': row => row.resourceId,
  'resource-type': row => row.resourceType,
}

const rowsOf = <Name extends keyof Rows>(ec2: Ec2, name: Name): readonly Ec2Resource[] =>
  seen(ec2, name, (ec2.tables[name] as unknown as Table<Rows[Name]>).all())

const allTags = (ec2: Ec2): readonly TagRow[] =>
  tableNames
    .flatMap(name => rowsOf(ec2, name).map(row => ({ name, row })))
    .sort((a, b) => a.row.sequence - b.row.sequence)
    .flatMap(({ name, row }) =>
      row.tags.map((tag, index) => ({
        tags: [tag],
        resourceId: row.id,
        resourceType: kinds[name].resourceType,
        key: tag.Key,
        value: tag.Value,
        place: row.sequence * 100 + index,
      })),
    )

export const tagOperations = {
  CreateTags: operation<CreateTagsRequest, object>(
    { Resources: true, Tags: { Key: true, Value: true } },
    (input, ec2) => {
      if (!input.Tags?.length) throw missingParameter('tagSet')
      const tags = checkTags(input.Tags)
      const changes = taggedIn(ec2, input.Resources).map(tagged => ({
        tagged,
        tags: withTags(tagged.tags, tags),
      }))
      for (const change of changes) change.tagged.replace(change.tags)
      return {}
    },
  ),
  DeleteTags: operation<DeleteTagsRequest, object>(
    { Resources: true, Tags: { Key: true, Value: true } },
    (input, ec2) => {
      for (const tagged of taggedIn(ec2, input.Resources)) {
        tagged.replace(withoutTags(tagged.tags, input.Tags))
      }
      return {}
    },
  ),
  DescribeTags: operation<DescribeTagsRequest, DescribeTagsResult>(
    { Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const conditions = conditionsOf(input.Filters, tagFields)
      const rows = allTags(ec2).filter(row => fulfils(row, conditions, tagFields))
      const { items, next } = pageOf(rows, row => row.place, input)
      return {
        NextToken: next,
        Tags: items.map(({ key, value, resourceId, resourceType }) => ({
          Key: key,
          Value: value,
          ResourceId: resourceId,
          ResourceType: resourceType as 'vpc',
        })),
      }
    },
  ),
}
