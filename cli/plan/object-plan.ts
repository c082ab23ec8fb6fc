import { planDnsRecord, type RecordAction } from '../../functions/aws/dnsrecord/plan.ts'
import { planInfrastructure } from '../../functions/aws/infrastructure/plan.ts'
import type { Clock } from '../../shared/clock/clock.ts'
import type { Cluster } from '../../shared/contract/schemas/cluster.ts'
import type { DNSRecord } from '../../shared/contract/schemas/dns-record.ts'
import type { Infrastructure } from '../../shared/contract/schemas/infrastructure.ts'
import type { Secret } from '../../shared/lifecycle/actuator.ts'
import type { AwsConnection } from '../../terraform-free-infra/aws/aws.ts'
import type { RecordSet } from '../../terraform-free-infra/aws/dns/dns.ts'
import {
  type Change,
  changeJson,
  formatLines,
  formatPlan,
  type PaintPlan,
  type PlanLine,
  planJson,
} from '../../terraform-free-infra/engine/engine.ts'

/** What a plan is made of, beside the object. */
export interface PlanSurroundings {
  readonly secret: Secret
  readonly cluster: Cluster | undefined
  readonly connection: AwsConnection
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly destroy: boolean
}

/** The plan of one object, ready to be printed. */
export interface ObjectPlan {
  /** Where it is, for the headline: ` in hosted zone Z1`. */
  readonly where: string
  readonly differs: boolean
  readonly text: (paint: PaintPlan) => string
  /** Plain data: `destroying` and `actions`. */
  readonly json: object
}

/** What the next step of the function would do with an Infrastructure. */
export const infrastructurePlan = async (
  object: Infrastructure,
  surroundings: PlanSurroundings,
): Promise<ObjectPlan> => {
  const plan = await planInfrastructure({ object, ...surroundings })
  return {
    where: '',
    differs: plan.actions.length > 0,
    text: paint => formatPlan(plan, paint),
    json: planJson(plan),
  }
}

/** What the next step of the function would do with a DNSRecord. */
export const recordPlan = async (
  object: DNSRecord,
  { cluster: _, ...surroundings }: PlanSurroundings,
): Promise<ObjectPlan> => {
  const { zone, actions } = await planDnsRecord({ object, ...surroundings })
  const lines = actions.map(lineOf)
  return {
    where: zone === undefined ? ', for which there is no hosted zone' : ` in hosted zone ${zone}`,
    differs: lines.length > 0,
    text: paint => formatLines(lines, paint),
    json: {
      destroying: surroundings.destroy,
      ...(zone !== undefined && { zone }),
      actions: lines.map(({ changes, ...line }) => ({ ...line, changes: changes.map(changeJson) })),
    },
  }
}

const lineOf = ({ action, set, present }: RecordAction): PlanLine => {
  const kind = action === 'DELETE' ? 'delete' : present === undefined ? 'create' : 'update'
  const { type, name, alias } = set
  return {
    kind,
    sentence: `${kind} ${type} ${alias === undefined ? 'record' : 'alias'} ${name}`,
    after: [],
    changes: changesOf(present, action === 'DELETE' ? undefined : set),
  }
}

const changesOf = (present: RecordSet | undefined, wanted: RecordSet | undefined): readonly Change[] => {
  const before = valuesOf(present)
  const after = valuesOf(wanted)
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(attribute => before[attribute] !== after[attribute])
    .map(attribute => ({ attribute, before: before[attribute], after: after[attribute] }))
}

const valuesOf = (set: RecordSet | undefined): Readonly<Record<string, string | number>> =>
  set === undefined
    ? {}
    : {
        ...(set.ttl !== undefined && { ttl: set.ttl }),
        ...(set.values !== undefined && { values: set.values.join(', ') }),
        ...(set.alias !== undefined && { 'alias to': set.alias.dnsName }),
      }
