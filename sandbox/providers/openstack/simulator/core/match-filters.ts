import type { KindContext } from './context.ts'
import { dialects } from './dialects.ts'
import type { CloudItem } from './items.ts'
import type { ResourceKind } from './kind.ts'

/** Parameters of a list that are no filters. */
const parameters: ReadonlySet<string> = new Set([
  ...[
    'limit',
    'marker',
    'fields',
    'sort_key',
    'sort_dir',
    'sort_keys',
    'sort_dirs',
    'page_reverse',
    'offset',
  ],
  ...['tags', 'tags-any', 'not-tags', 'not-tags-any', 'all_tenants', 'all_projects'],
])

/** Returns true if an item matches all filters of a query. Throws the refusal of the service for an unknown filter. */
export const matchesFilters = (
  kind: ResourceKind,
  item: CloudItem,
  query: URLSearchParams,
  context: KindContext,
): boolean => {
  const names = [...new Set(query.keys())].filter(name => !parameters.has(name))
  return (
    matchesTags(item, query) &&
    names.every(name => {
      const values = query.getAll(name)
      const decided = kind.filter?.(item as never, name, values, context)
      if (decided !== undefined) return decided
      if (!isFilter(kind, name)) return true
      return values.some(value => isEqual(item[name === 'tenant_id' ? 'project_id' : name], value))
    })
  )
}

/** Refuses unknown filters, as far as the service does. */
export const checkFilters = (kind: ResourceKind, query: URLSearchParams): void => {
  const { unknownFilters } = dialects[kind.service]
  const unknown = [...new Set(query.keys())].filter(name => !parameters.has(name) && !isFilter(kind, name))
  if (unknown.length > 0 && unknownFilters !== undefined) throw unknownFilters(unknown)
}

const isFilter = ({ fields, filters = [] }: ResourceKind, name: string): boolean =>
  ['id', 'project_id', 'tenant_id'].includes(name) || Object.hasOwn(fields, name) || filters.includes(name)

const isEqual = (field: unknown, value: string): boolean =>
  typeof field === 'boolean'
    ? field === /^(?:true|1)$/i.test(value)
    : field === null || field === undefined
      ? value === ''
      : String(field) === value

/** Neutron and Octavia: all of `tags`, one of `tags-any`; and the opposites. */
const matchesTags = ({ tags }: CloudItem, query: URLSearchParams): boolean => {
  const own = new Set(Array.isArray(tags) ? tags : [])
  const listed = (name: string) => query.getAll(name).flatMap(value => value.split(','))
  const has = (tag: string) => own.has(tag)
  return (
    listed('tags').every(has) &&
    (!query.has('tags-any') || listed('tags-any').some(has)) &&
    (!query.has('not-tags') || !listed('not-tags').every(has)) &&
    !listed('not-tags-any').some(has)
  )
}
