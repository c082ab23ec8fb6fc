import { planBackupBucket } from '../../../functions/aws/backupbucket/plan.ts'
import { planBackupEntry } from '../../../functions/aws/backupentry/plan.ts'
import { type BastionAction, planBastion } from '../../../functions/aws/bastion/plan.ts'
import { planControlPlane } from '../../../functions/aws/controlplane/plan.ts'
import { planDnsRecord, type RecordAction } from '../../../functions/aws/dnsrecord/plan.ts'
import type { RecordSet } from '../../../functions/aws/dnsrecord/route53/dns.ts'
import { planInfrastructure } from '../../../functions/aws/infrastructure/plan.ts'
import { planWorker } from '../../../functions/aws/worker/plan.ts'
import type {
  BackupBucket,
  BackupEntry,
  Bastion,
  ControlPlane,
  DNSRecord,
  Infrastructure,
  Worker,
} from '../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { AwsConnection } from '../../../terraform-free-infra/aws/account/aws.ts'
import {
  type Change,
  formatPlan,
  type PlanLine,
  planJson,
} from '../../../terraform-free-infra/engine/engine.ts'
import { linesPlan } from '../../plan-texts/cloud-plan.ts'
import { controlPlanePlan } from '../../plan-texts/control-plane-plan.ts'
import { workerPlan } from '../../plan-texts/worker-plan.ts'
import type { ObjectPlan, PlanSurroundings } from '../provider.ts'

/** Plans the next step of the function for an object of a supported kind and type. */
export const planObject = async (
  object: KubernetesObject,
  { connection, ...surroundings }: PlanSurroundings,
): Promise<ObjectPlan> => {
  // From `connectAws` or a simulated AWS.
  const input = { ...surroundings, connection: connection as AwsConnection }
  switch (object.kind) {
    // The command line has validated it by its kind.
    case 'Infrastructure':
      return infrastructurePlan(object as Infrastructure, input)
    case 'DNSRecord':
      return recordPlan(object as DNSRecord, input)
    case 'BackupBucket':
      return bucketPlan(object as BackupBucket, input)
    case 'BackupEntry':
      return entryPlan(object as BackupEntry, input)
    case 'Bastion':
      return bastionPlan(object as Bastion, input)
    case 'Worker':
      return workerPlan(await planWorker({ object: object as Worker, ...input }), input.destroy)
    case 'ControlPlane':
      return controlPlanePlan(
        await planControlPlane({
          object: object as ControlPlane,
          ...input,
          // The plan needs the images of the function to be the same.
          imagevectorOverwrite: input.env.TRELLIS_IMAGEVECTOR_OVERWRITE,
          webhooksNamespace: input.env.TRELLIS_WEBHOOKS_NAMESPACE,
        }),
        input.destroy,
      )
    default:
      throw new Error(`trellis plan does not support ${object.kind}`)
  }
}

interface Surroundings extends PlanSurroundings {
  readonly connection: AwsConnection
}

const infrastructurePlan = async (
  object: Infrastructure,
  surroundings: Surroundings,
): Promise<ObjectPlan> => {
  const plan = await planInfrastructure({ object, ...surroundings })
  return {
    where: '',
    differs: plan.actions.length > 0,
    text: paint => formatPlan(plan, paint),
    json: { ...planJson(plan), stays: staysOf(object, plan) },
  }
}

/** Says what stays although something else changes: rules of others, and the addresses of new gateways. */
const staysOf = (
  { status }: Infrastructure,
  { actions, outcomes, destroying }: Awaited<ReturnType<typeof planInfrastructure>>,
): readonly string[] => {
  if (destroying) return []
  const recorded = JSON.stringify(status?.state ?? {})
  const rules = [...outcomes].flatMap(([label, outcome]) => {
    const { id, foreignRules = [] } = Object(outcome) as {
      readonly id?: string
      readonly foreignRules?: readonly string[]
    }
    return foreignRules.map(rule => `${label} (${id}) has a rule of others: ${rule}`)
  })
  const addresses = actions.flatMap(({ kind, sentence, changes }) => {
    const address = changes.find(({ attribute }) => attribute === 'allocation')?.after
    return kind === 'create' && typeof address === 'string' && recorded.includes(address)
      ? [`${sentence.replace(/^create /, '')} gets the address that it had (${address}): egressCIDRs stay`]
      : []
  })
  return [...addresses, ...rules]
}

const recordPlan = async (
  object: DNSRecord,
  { cluster: _, ...surroundings }: Surroundings,
): Promise<ObjectPlan> => {
  const { zone, actions } = await planDnsRecord({ object, ...surroundings })
  return {
    ...linesPlan(actions.map(lineOf), surroundings, zone !== undefined && { zone }),
    where: zone === undefined ? ', which has no matching hosted zone' : ` in hosted zone ${zone}`,
  }
}

const bucketPlan = async (
  object: BackupBucket,
  { cluster: _, ...surroundings }: Surroundings,
): Promise<ObjectPlan> => {
  const { actions } = await planBackupBucket({ object, ...surroundings })
  const kindOf = (kind: (typeof actions)[number]['kind']) =>
    kind === 'create' || kind === 'delete' ? kind : 'update'
  return linesPlan(
    actions.map(({ kind, sentence }) => ({ kind: kindOf(kind), sentence })),
    surroundings,
  )
}

const entryPlan = async (
  object: BackupEntry,
  { cluster: _, ...surroundings }: Surroundings,
): Promise<ObjectPlan> =>
  linesPlan((await planBackupEntry({ object, ...surroundings })).actions, surroundings)

const lineOf = ({ action, set, present }: RecordAction) => {
  const kind: PlanLine['kind'] = action === 'DELETE' ? 'delete' : present === undefined ? 'create' : 'update'
  const { type, name, alias } = set
  return {
    kind,
    sentence: `${kind} ${type} ${alias === undefined ? 'record' : 'alias'} ${name}`,
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

const bastionPlan = async (object: Bastion, surroundings: Surroundings): Promise<ObjectPlan> => {
  const { actions, left } = await planBastion({ object, ...surroundings })
  const lines = actions.map(({ kind, sentence }, index) => ({
    kind: lineKinds[kind],
    sentence,
    // Each action follows the previous one.
    after: actions.slice(0, index).map(before => before.sentence),
  }))
  return linesPlan(
    lines,
    surroundings,
    left.length > 0 && { left: left.map(({ what, id, why }) => ({ label: what, id, why })) },
  )
}

const lineKinds = {
  'create group': 'create',
  authorize: 'update',
  revoke: 'update',
  'run instance': 'create',
  terminate: 'delete',
  'delete group': 'delete',
} as const satisfies Record<BastionAction['kind'], PlanLine['kind']>
