import { planBackupBucket } from '../../../functions/openstack/backupbucket/plan.ts'
import { planBackupEntry } from '../../../functions/openstack/backupentry/plan.ts'
import { planBastion } from '../../../functions/openstack/bastion/plan.ts'
import { planControlPlane } from '../../../functions/openstack/controlplane/plan.ts'
import { planDnsRecord } from '../../../functions/openstack/dnsrecord/plan.ts'
import { planInfrastructure } from '../../../functions/openstack/infrastructure/plan.ts'
import { planWorker } from '../../../functions/openstack/worker/plan.ts'
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
import { printable } from '../../../shared/text/printable.ts'
import { formatPlan, planJson } from '../../../terraform-free-infra/engine/engine.ts'
import type { OpenStackConnection } from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { linesPlan } from '../../plan-texts/cloud-plan.ts'
import { controlPlanePlan } from '../../plan-texts/control-plane-plan.ts'
import { workerPlan } from '../../plan-texts/worker-plan.ts'
import { wrapWords } from '../../terminal/wrap-words.ts'
import type { ObjectPlan, PlanSurroundings } from '../provider.ts'

/** Plans the next step of the function for an object of a supported kind and type. */
export const planObject = async (
  object: KubernetesObject,
  { connection, ...surroundings }: PlanSurroundings,
): Promise<ObjectPlan> => {
  // From `connectOpenStack` or a simulated OpenStack.
  const input = { ...surroundings, connection: connection as OpenStackConnection }
  switch (object.kind) {
    // The command line has validated it by its kind.
    case 'Infrastructure':
      return graphPlan(await planInfrastructure({ object: object as Infrastructure, ...input }))
    case 'Bastion':
      return graphPlan(await planBastion({ object: object as Bastion, ...input }))
    case 'DNSRecord': {
      const { zone, actions } = await planDnsRecord({ object: object as DNSRecord, ...input })
      const where = zone === undefined ? ', which has no matching zone' : ` in zone ${zone}`
      return { ...linesPlan(actions, input, zone !== undefined && { zone }), where }
    }
    case 'BackupBucket':
      return linesPlan((await planBackupBucket({ object: object as BackupBucket, ...input })).actions, input)
    case 'BackupEntry':
      return linesPlan((await planBackupEntry({ object: object as BackupEntry, ...input })).actions, input)
    case 'Worker':
      return workerPlan(await planWorker({ object: object as Worker, ...input }), input.destroy)
    case 'ControlPlane':
      return controlPlanePlan(
        await planControlPlane({
          object: object as ControlPlane,
          ...input,
          // The plan needs the images of the function to be the same.
          imagevectorOverwrite: input.env.TRELLIS_IMAGEVECTOR_OVERWRITE,
        }),
        input.destroy,
      )
    default:
      throw new Error(`trellis plan does not support ${object.kind}`)
  }
}

const graphPlan = (plan: Awaited<ReturnType<typeof planInfrastructure>>): ObjectPlan => {
  const { blocked } = plan
  const { message = '', codes = [] } = blocked ?? {}
  const lines = wrapWords(printable(`${message} (${codes.join(', ')})`), 92).map(line => `    ${line}`)
  const head = `! blocked: nothing is deleted before this is gone\n${lines.join('\n')}\nThen:\n`
  return {
    where: '',
    differs: plan.actions.length > 0,
    text: paint => `${blocked === undefined ? '' : head}${formatPlan(plan, paint)}`,
    json: { ...planJson(plan), ...(blocked && { blocked: { message, codes } }) },
  }
}
