import type { Filter } from '@aws-sdk/client-ec2'
import type { Ec2Resource } from '../../rows/resource.ts'
import type { Ec2 } from '../context.ts'
import type { Rows } from '../state.ts'
import type { Table } from '../tables/table.ts'
import { conditionsOf, type FilterCondition, type FilterFields, fulfils, isPlain } from './filter.ts'
import { find, isVisible } from './find.ts'
import { checkNoPages, type Ec2PageRequest, pageOf } from './page.ts'

export interface DescribeRequest extends Ec2PageRequest {
  readonly ids?: readonly string[] | undefined
  /** The name of the list of ids, for the error: `vpcIds`. */
  readonly idsName?: string
  readonly filters?: readonly Filter[] | undefined
}

/** Returns the rows that may match the conditions, as few as the indexes allow. */
const candidates = <Name extends keyof Rows>(
  table: Table<Rows[Name]>,
  conditions: readonly FilterCondition[],
): readonly Rows[Name][] => {
  let best: readonly Rows[Name][] | undefined
  for (const { name, values } of conditions) {
    if (!table.isIndexed(name) || !values.every(isPlain)) continue
    const found = [...new Set(values)].flatMap(value => table.by(name, value))
    if (best === undefined || found.length < best.length) best = [...new Set(found)]
  }
  return (best ?? table.all()).toSorted((a, b) => a.sequence - b.sequence)
}

/**
 * Returns a resource as a describing call sees it.
 *
 * @throws AwsError NotFound or Malformed
 */
export const lookUp = <Name extends keyof Rows>(ec2: Ec2, name: Name, id: string | undefined): Rows[Name] => {
  const table = ec2.tables[name] as unknown as Table<Rows[Name]>
  const outdated = table.outdated(ec2.now, ec2.delay).get(id ?? '')
  return outdated && isVisible(ec2, outdated) ? outdated : find(ec2, name, id)
}

/** Replaces rows by their outdated version while a change is not yet visible. */
const withOutdated = <Row extends Ec2Resource>(rows: readonly Row[], outdated: ReadonlyMap<string, Row>) =>
  outdated.size === 0
    ? rows
    : [...rows.filter(({ id }) => !outdated.has(id)), ...outdated.values()].sort(
        (a, b) => a.sequence - b.sequence,
      )

/** Returns rows as describing calls see them. Includes rows that matched until a moment ago. */
export const seen = <Name extends keyof Rows>(
  ec2: Ec2,
  name: Name,
  rows: readonly Rows[Name][],
): readonly Rows[Name][] => {
  const table = ec2.tables[name] as unknown as Table<Rows[Name]>
  return withOutdated(rows, table.outdated(ec2.now, ec2.delay)).filter(row => isVisible(ec2, row))
}

/**
 * Returns the rows that a Describe operation asks for, by id, filters and page.
 *
 * @throws AwsError for an unknown id, an unknown filter, or a page size out of bounds
 */
export const listRows = <Name extends keyof Rows>(
  ec2: Ec2,
  name: Name,
  fields: FilterFields<Rows[Name]>,
  request: DescribeRequest,
): { readonly items: readonly Rows[Name][]; readonly next: string | undefined } => {
  checkNoPages(request.ids, request.idsName ?? 'ids', request)
  const conditions = conditionsOf(request.filters, fields)
  const table = ec2.tables[name] as unknown as Table<Rows[Name]>
  const rows = request.ids?.length
    ? [...new Set(request.ids)].map(id => lookUp(ec2, name, id))
    : seen(ec2, name, candidates<Name>(table, conditions))
  const found = rows.filter(row => isVisible(ec2, row) && fulfils(row, conditions, fields))
  return pageOf(found, row => row.sequence, request)
}
